import * as z from 'zod';
import {
  accountId,
  availableImage,
  checked,
  interfacesField,
  optional,
  prefixedId,
  privateImage,
  publicKeys,
  ref,
  refAfter,
  scriptAnswers,
  scriptRules,
  secretKey,
  sharedRef,
  sharedRefOnce,
  slug,
  tagList,
} from '../../resource/index.ts';
import { reverseName } from '../ip-address/reverse-dns.ts';
import { nodeLabel } from './remote.ts';

const alert = (what: string, byDefault: string) =>
  optional(z.int().min(0), `${what}, averaged over two hours; 0 turns this alert off. Absent: left alone, ${byDefault} at creation.`);

const needsImage = (...fields: readonly string[]) =>
  fields.map((field) => ({
    rule: `!has(self.${field}) || has(self.image) || has(self.imageRef)`,
    message: `${field} only means something with an image: set image, or leave ${field} out`,
  }));

/** What the user writes. */
export const spec = z.object({
  label: optional(
    checked(
      z.string().min(3).max(64),
      {
        rule: "self.matches('^[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$')",
        message: 'label begins and ends with a letter or digit, with dashes, underscores and periods between: write for example web-1',
      },
      {
        rule: "!self.contains('--') && !self.contains('__') && !self.contains('..')",
        message: 'label must not have two dashes, underscores or periods in a row: write one',
      },
      {
        rule: `!self.matches('${nodeLabel}')`,
        message: 'label is of the form that nodes of Kubernetes clusters have, and would be taken for one: write another',
      },
    ),
    'Name in the cloud account, 3 to 64 characters, for example `web-1`; unique in the account. Absent: derived from the name of this object.',
  ),
  region: optional(slug(), 'Region, for example `eu-central`. Cannot be changed. Absent: the default region of the account.'),
  type: slug().describe(
    'Plan, for example `g6-standard-2`. A change shuts the instance down, moves it, and needs approval of Reboot; its disks must fit. The service boots what ran again, some seconds after all else is done: until then status.state is `offline`.',
  ),
  autoResizeDisk: optional(
    z.boolean(),
    'With a change of type: false keeps the disk as it is, true fits a single disk to the new type. Read at the next change. Absent: false where a CloudDisk says the size that the disk has, else true.',
  ),
  image: optional(
    prefixedId(),
    "Image to deploy, for example `vm/debian11` or `private/12345`; the service's own prefix in place of `vm` means the same. A change rebuilds the instance: all its disks are erased; it needs approval of Rebuild. Images that are not of the provider: from other namespaces than that of the account only where its `access` says adopt: Any. Absent: no image, or that of the backup.",
  ),
  imageRef: optional(
    sharedRefOnce('CloudImage', privateImage, availableImage),
    'CloudImage to deploy in place of `image`, for example `{name: golden}`; it must be available. Deployed once: an image that is made anew later, under another id, changes nothing here before a CloudOperation with RebuildInstance. Cannot be changed. Absent: image is used, or none.',
  ),
  rootPasswordSecretRef: optional(
    secretKey(),
    'Key of a Secret with the password of root, 11 to 128 characters of several kinds; needed with image or imageRef. Used when an image is deployed: another Secret, or another value, changes nothing before. Absent: only without image.',
  ),
  authorizedKeys: optional(
    publicKeys(),
    'Public SSH keys that may log in as root, for example `[ssh-ed25519 AAAA... ops]`; 65536 characters in all. Used when an image is deployed. Absent: none.',
  ),
  authorizedUsers: optional(
    z.array(z.string().min(1).max(64)).max(100),
    'Users of the account whose stored SSH keys may log in as root, for example `[alice]`; each must have a key. Used when an image is deployed. Absent: none.',
  ),
  stackscriptId: optional(
    accountId(),
    'Id of the StackScript that is run at the first boot, for example 10079; it must suit the image. From other namespaces than that of the account only where its `access` says adopt: Any. Absent: stackscriptRef is used, or none.',
  ),
  stackscriptRef: optional(
    sharedRef('CloudStackScript'),
    'StackScript that is run at the first boot, and again after a rebuild, for example `{name: nginx}`; it must suit the image, and its object must stay as long as this one. Cannot be changed. Absent: stackscriptId is used, or none.',
  ),
  stackscriptData: optional(scriptAnswers(), 'Answers to the fields of the StackScript, 65535 characters in all. Absent: none.'),
  backupId: optional(
    accountId(),
    'Id of a successful backup of another instance in the same region, from which disks, configuration and password are taken. From other namespaces than that of the account only where its `access` says adopt: Any. Absent: none.',
  ),
  cloneFrom: optional(
    z.object({ instanceRef: ref('CloudInstance').describe('The instance that is copied; it must be there until the copy is made.') }),
    'Copies all disks and configurations of another instance, with their passwords, for example `{instanceRef: {name: golden}}`; its disks must fit into type. The copy is made powered off, which takes minutes; power On boots it then. Only at creation, cannot be changed. Absent: no copy.',
  ),
  power: optional(
    z.enum(['On', 'Off']),
    '`On`: booted again whenever it is off, also after a change of type. `Off`: shut down. Absent: left alone; an image or backup is booted at creation.',
  ),
  bootConfigRef: optional(
    refAfter('CloudInstanceConfig'),
    'Configuration of this instance that is booted whenever this object boots it, for power On or by a CloudOperation that names none, for example `{name: web-main}`. It needs the instance first: that is made, and booted for power On once the configuration is there. Read at the next boot: a change reboots nothing, and what the service boots itself (a new image, after a change of type) it chooses. Absent: the one that was booted last, or the only one.',
  ),
  tags: tagList(),
  group: optional(z.string().min(1).max(50), 'Deprecated by the service, use tags. 1 to 50 characters. Absent: left alone.'),
  watchdogEnabled: optional(
    z.boolean(),
    'Boots the instance again when it powers off by itself, at most 5 times in 15 minutes. Absent: left alone, true at creation.',
  ),
  alerts: optional(
    z.object({
      cpuPercent: alert('Percent of CPU; 100 is one core', '90 per core'),
      ioPerSecond: alert('Disk operations per second', '10000'),
      networkInMbps: alert('Incoming traffic in Mbit/s', '10'),
      networkOutMbps: alert('Outgoing traffic in Mbit/s', '10'),
      transferQuotaPercent: alert("Percent of the month's transfer", '80'),
    }),
    'Thresholds above which the service sends an e-mail, for example `{cpuPercent: 180}`. Absent: left alone.',
  ),
  backupsEnabled: optional(
    z.boolean(),
    'Daily, weekly and older backups, which cost extra. False erases all backups that exist and needs approval of Rebuild. Absent: left alone; the account may turn them on.',
  ),
  backupSchedule: optional(
    z.object({
      day: optional(
        z.enum(['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']),
        'Day of the weekly backup. Absent: left alone.',
      ),
      window: optional(
        z.enum(['W0', 'W2', 'W4', 'W6', 'W8', 'W10', 'W12', 'W14', 'W16', 'W18', 'W20', 'W22']),
        'Two hours in which backups begin, UTC: `W10` is 10:00 to 12:00. Absent: left alone.',
      ),
    }),
    'When backups are taken, for example `{day: Saturday, window: W22}`. Absent: left alone, chosen by the service.',
  ),
  swapSizeMB: optional(
    z.int().min(0),
    'Size of the swap disk that is made with the image, in MB, for example 512; 0: none. Only at creation. Absent: 512.',
  ),
  interfaces: optional(
    interfacesField(),
    'Network interfaces eth0, eth1, eth2, for example `[{purpose: public}, {purpose: vlan, label: backend}]`. Only at creation. Absent or empty: one public interface.',
  ),
  reverseDNS: optional(
    z.object({
      ipv4: optional(
        reverseName('reverseDNS.ipv4'),
        'Name of the first public IPv4 address, for example `www.example.org`. Absent: left alone.',
      ),
      ipv6: optional(reverseName('reverseDNS.ipv6'), 'Name of the IPv6 address, for example `www.example.org`. Absent: left alone.'),
    }),
    'The names that the addresses are looked up as with which the instance was made, for example `{ipv4: www.example.org}`; each is set once it leads to its address. Where a CloudIPAddress stands for the address, that one says its name, and this is refused. Takes the scope ips:read_write. Absent: left alone, a name that was set stays.',
  ),
  privateIp: optional(
    z.boolean(),
    'A private IPv4 address; the configuration in the instance follows at its next boot. False gives it back. Absent: left alone.',
  ),
});

const ofDeployment = ['image', 'imageRef', 'backupId', 'interfaces'];

/** Rules across fields. */
export const rules = [
  ...needsImage('rootPasswordSecretRef', 'authorizedKeys', 'authorizedUsers', 'stackscriptId', 'stackscriptRef', 'swapSizeMB'),
  {
    rule: '!(has(self.image) || has(self.imageRef)) || has(self.rootPasswordSecretRef)',
    message: 'an image needs rootPasswordSecretRef: the key of a Secret with the password of root',
  },
  { rule: '!(has(self.image) && has(self.imageRef))', message: 'set at most one of image and imageRef' },
  ...scriptRules,
  {
    rule: '!has(self.backupId) || !(has(self.image) || has(self.imageRef))',
    message: 'a backup brings its own system: leave image and imageRef out',
  },
  {
    rule: `!has(self.cloneFrom) || !(${ofDeployment.map((field) => `has(self.${field})`).join(' || ')})`,
    message: `a copy has all that its source has: leave out ${ofDeployment.join(', ')}`,
  },
  {
    rule: '!has(self.backupSchedule) || !has(self.backupsEnabled) || self.backupsEnabled',
    message: 'backupSchedule needs backups: set backupsEnabled: true, or leave backupSchedule out',
  },
];
