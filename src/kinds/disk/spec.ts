import * as z from 'zod';
import {
  accountId,
  availableImage,
  countsAsApplied,
  optional,
  prefixedId,
  privateImage,
  publicKeys,
  ref,
  scriptAnswers,
  scriptRules,
  secretKey,
  sharedRef,
  sharedRefOnce,
} from '../../resource/index.ts';

const fixed = 'Only at creation, cannot be changed.';

/** What the user writes. */
export const spec = z.object({
  instanceRef: ref('CloudInstance').describe(
    'Instance that has the disk, for example `{name: web}`; its plan must have room for it. A change of its type leaves the disk as it is, unless its autoResizeDisk is true. Cannot be changed.',
  ),
  label: optional(
    z.string().min(1).max(48),
    'Name among the disks of the instance, 1 to 48 characters, for example `root`. Absent: derived from the name of this object; a copy keeps the name that the service gives it.',
  ),
  sizeMB: z
    .int()
    .min(1)
    .describe(
      'Size in MB, for example 20480. A change waits until the instance is off or has the disk in no configuration: the operator shuts nothing down. While that is not so a greater size asks for approval of Reboot; a smaller one always of Rebuild. A disk cannot become smaller than what is on it.',
    ),
  filesystem: optional(
    z.enum(['raw', 'swap', 'ext3', 'ext4', 'initrd']),
    `File system, for example \`ext4\`. ${fixed} Absent: \`ext4\`, or that of the image.`,
  ),
  image: optional(
    prefixedId(),
    `Image to deploy, for example \`vm/debian11\`; it needs rootPasswordSecretRef. Images that are not of the provider: from other namespaces than that of the account only where its \`access\` says adopt: Any. ${fixed} Absent: an empty disk.`,
  ),
  imageRef: optional(
    sharedRefOnce('CloudImage', privateImage, availableImage),
    `CloudImage to deploy in place of \`image\`, for example \`{name: golden}\`; it must be available. ${fixed} Absent: image is used, or none.`,
  ),
  rootPasswordSecretRef: optional(
    secretKey(),
    `Key of a Secret with the password of root, 11 to 128 characters of several kinds; only with image, imageRef or adopt. Another value is applied like a greater size: once the instance is off. ${countsAsApplied} Absent: left alone.`,
  ),
  authorizedKeys: optional(
    publicKeys(),
    `Public SSH keys that may log in as root, for example \`[ssh-ed25519 AAAA... ops]\`; 65536 characters in all. ${fixed} Absent: none.`,
  ),
  authorizedUsers: optional(
    z.array(z.string().min(1).max(64)).max(100),
    `Users of the account whose stored SSH keys may log in as root, for example \`[alice]\`. ${fixed} Absent: none.`,
  ),
  stackscriptId: optional(
    accountId(),
    `Id of the StackScript that is run at the first boot, for example 10079. From other namespaces than that of the account only where its \`access\` says adopt: Any. ${fixed} Absent: stackscriptRef is used, or none.`,
  ),
  stackscriptRef: optional(
    sharedRef('CloudStackScript'),
    `StackScript that is run at the first boot, for example \`{name: nginx}\`. ${fixed} Absent: stackscriptId is used, or none.`,
  ),
  stackscriptData: optional(scriptAnswers(), `Answers to the fields of the StackScript, 65535 characters in all. ${fixed} Absent: none.`),
  cloneFrom: optional(
    z.object({ diskRef: ref('CloudDisk').describe('Disk of the same instance, with a CloudDisk of its own.') }).meta({
      'x-kubernetes-validations': [
        {
          rule: '!has(self.diskRef.external)',
          message: 'a copy is found by the label of its source, which only a CloudDisk object publishes: write diskRef.name',
        },
      ],
    }),
    `Disk of the same instance to copy, for example \`{diskRef: {name: root}}\`. ${fixed} Absent: a new disk.`,
  ),
});

const deployed = [
  'image',
  'imageRef',
  'filesystem',
  'authorizedKeys',
  'authorizedUsers',
  'stackscriptId',
  'stackscriptRef',
  'stackscriptData',
];
const needsImage = ['authorizedKeys', 'authorizedUsers', 'stackscriptId', 'stackscriptRef', 'stackscriptData'];

/** Rules across fields. */
export const rules = [
  ...needsImage.map((field) => ({
    rule: `!has(self.${field}) || has(self.image) || has(self.imageRef)`,
    message: `${field} only means something with an image: set image, or leave ${field} out`,
  })),
  {
    rule: '!(has(self.image) || has(self.imageRef)) || has(self.rootPasswordSecretRef)',
    message: 'an image needs rootPasswordSecretRef: the key of a Secret with the password of root',
  },
  {
    rule: '!has(self.rootPasswordSecretRef) || has(self.image) || has(self.imageRef) || has(self.adopt)',
    message: 'an empty disk has no password: set image too, or leave rootPasswordSecretRef out',
  },
  { rule: '!(has(self.image) && has(self.imageRef))', message: 'set at most one of image and imageRef' },
  ...scriptRules,
  {
    rule: `!has(self.cloneFrom) || !(${deployed.map((field) => `has(self.${field})`).join(' || ')})`,
    message: 'a copy has all that its source has: leave out everything but label and sizeMB',
  },
];
