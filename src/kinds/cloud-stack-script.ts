import * as z from 'zod';
import { checked, configMapKey, defineCollection, everyImage, namingTexts, optional, prefixedId, ready } from '../resource/index.ts';
import { included, mostCharacters, noScript } from './stack-script/script.ts';

/** What a script asks of those who deploy it; the service reads it out of comments in the script. */
const Field = z.object({ name: z.string(), default: z.string().nullish() });

/** The fields of a StackScript that this operator reads. Scripts of long ago have a null among their images. */
const StackScript = z.object({
  id: z.number(),
  label: z.string(),
  description: z.string().nullish(),
  images: z.array(z.string().nullable()).nullish(),
  script: z.string(),
  rev_note: z.string().nullish(),
  is_public: z.boolean(),
  deployments_active: z.number(),
  user_defined_fields: z.array(Field).nullish(),
  created: z.string(),
  username: z.string(),
});

export default defineCollection({
  kind: 'CloudStackScript',
  summary:
    'A script that sets up an instance at its first boot. Whoever may read this object reads the script: put no secrets into it, ask for them by user-defined fields.',
  shortName: 'cscript',

  spec: z.object({
    label: z.string().min(3).max(128).describe('Name in the cloud account, 3 to 128 characters, for example `nginx`.'),
    images: checked(z.array(prefixedId()).min(1).max(100), {
      rule: `!('${everyImage}' in self) || size(self) == 1`,
      message: `${everyImage} stands for all images: write it alone, or leave it out`,
    }).describe(
      `Images on which the script runs, for example \`[vm/debian11]\`; \`[${everyImage}]\`: on all. Compared as a set. Private images from other namespaces than that of the account only where its \`access\` says adopt: Any.`,
    ),
    script: optional(
      checked(z.string().min(1).max(mostCharacters), {
        rule: "self.startsWith('#!')",
        message: 'script begins with #! and the program that runs it: write for example #!/bin/bash into its first line',
      }).register(namingTexts, { names: included }),
      'The script, up to 65535 characters, beginning with `#!`. Including others by their id (`<ssinclude StackScriptID="1">`) only where the `access` of the account says adopt: Any. Absent: scriptFrom says where it is.',
    ),
    scriptFrom: optional(
      z.object({ configMapKeyRef: configMapKey(included).describe('Key of a ConfigMap in the same namespace.') }),
      'Takes the script out of a ConfigMap, held to the same rules, and follows its changes within five minutes. Absent: it stands in `script`.',
    ),
    description: optional(z.string().min(1).max(2000), 'Note for people, 1 to 2000 characters. Absent: left alone.'),
    revisionNote: optional(
      z.string().min(1).max(512),
      'What the last revision changed, 1 to 512 characters, for example `nginx 1.25`. Absent: left alone.',
    ),
    public: optional(
      z.boolean(),
      'True publishes the script to everybody on the platform. That cannot be taken back, and a public script cannot be deleted, so a new script is private until that is approved (`Rebuild`). Absent: left alone.',
    ),
  }),
  rules: [
    {
      rule: 'has(self.script) != has(self.scriptFrom)',
      message: 'set exactly one of script and scriptFrom: the script itself, or the ConfigMap that holds it',
    },
  ],
  status: z.object({
    label: z.string().describe('Name in the cloud account.'),
    public: z.boolean().describe('Everybody on the platform can see and deploy it.'),
    deploymentsActive: z.int().describe('Instances that were set up by it and still exist.'),
    fields: z
      .array(
        z.object({
          name: z.string().describe('Name of the field, as `stackscriptData` of a CloudInstance gives it.'),
          required: z.boolean().describe('It has no default, so that every deployment must give it.'),
        }),
      )
      .describe('What the script asks of those who deploy it: its user-defined fields (`<UDF>`).'),
    fieldCount: z.int().describe('How many those are.'),
  }),
  remote: StackScript,

  path: '/vm/stackscripts',
  // Nothing refuses a second one of the label.
  key: { enforced: 'counted', names: true, of: ({ label }) => ({ label }) },
  createdAt: 'created',
  createdBy: 'username',

  // Private: what everybody sees for ever is a change, which asks for approval.
  create: (want) => ({
    label: want.label,
    images: want.images,
    script: want.script ?? want.scriptFrom?.configMapKeyRef,
    description: want.description,
    rev_note: want.revisionNote,
  }),
  fields: {
    label: { read: (script) => script.label, put: (label) => ({ label }) },
    images: {
      read: (script) => (script.images ?? []).filter((image) => image !== null),
      put: (images) => ({ images }),
      as: 'set',
    },
    script: { read: ({ script }) => script, put: (script) => ({ script }) },
    scriptFrom: {
      read: ({ script }) => ({ configMapKeyRef: script }),
      put: ({ configMapKeyRef }) => ({ script: configMapKeyRef }),
      wrong: ({ configMapKeyRef }) => noScript(configMapKeyRef),
      errors: ['script'],
    },
    description: { read: (script) => script.description, put: (description) => ({ description }) },
    revisionNote: { read: (script) => script.rev_note, put: (rev_note) => ({ rev_note }), errors: ['rev_note'] },
    public: {
      read: (script) => script.is_public,
      put: (is_public) => ({ is_public }),
      // Nothing reboots: it is asked for because nothing undoes it.
      effect: 'Rebuild',
      only: 'grows',
      errors: ['is_public'],
    },
  },
  health: () => ready,
  observe: (script) => {
    const fields = (script.user_defined_fields ?? []).map((field) => ({
      name: field.name,
      required: field.default === undefined || field.default === null,
    }));
    return {
      label: script.label,
      public: script.is_public,
      deploymentsActive: script.deployments_active,
      fields,
      fieldCount: fields.length,
    };
  },
  deletion: {
    waits: (script) =>
      script.is_public
        ? {
            personMust:
              'the script is public, and the service deletes no public script: set spec.lifecycle.onDelete: Retain to let it stay',
          }
        : undefined,
  },

  // Without the filter it is the scripts of the whole platform.
  sweep: { by: 'list', filter: { mine: true } },
  events: [
    {
      entity: 'stackscript',
      actions: ['stackscript_'],
      creates: ['stackscript_create'],
      deletes: ['stackscript_delete'],
    },
  ],
  windows: { 'GET /vm/stackscripts': 'script-list' },
  scopes: { read: ['stackscripts:read_only'], write: ['stackscripts:read_write'] },
  defaults: { onDelete: 'Delete', onMissing: 'Recreate' },
  shareable: true,
  columns: { Public: '.status.public', Active: '.status.deploymentsActive', Fields: '.status.fieldCount' },
});
