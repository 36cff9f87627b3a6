import type { Command } from '../command.ts';
import { clusterFlags, outputOf } from '../flags.ts';
import { accountFlags, accountRights, asksAccount } from '../look/table.ts';

export const exporting: Command = {
  name: 'export',
  does: 'Manifests for what exists in the account, each proven to change nothing.',
  details: [
    'Writes a manifest for everything that no object of the cluster stands for: spec.adopt with its id, lifecycle.management: Observe, and every field that the account shows.',
    "Each is held against the CRD and, by the operator's own engine, against what the account has: one with which the operator would do anything is not written but named, with exit code 1.",
    'Secrets are never written; what refers to a Secret or a ConfigMap, to labels or to the address of another object is left out, and so left alone.',
    '--promote takes management: Observe out of files that this verb wrote, so that the operator begins to manage what they stand for.',
    asksAccount,
  ].join(' '),
  flags: [
    { form: '--to <folder>', help: 'Folder for the manifests, one a file; - is standard output. Only files of this verb are overwritten.' },
    { form: '--promote <folder>', help: 'Let the operator manage what was exported into this folder; asks no account.' },
    { form: '--kinds <names>', help: 'Only these, with commas between them. Default: all.' },
    { form: '--id <kind/id>', help: 'Only this one, for example cvol/4711. May be repeated.', repeats: true },
    { form: '--all', help: 'Also what an object of the namespace stands for already, under its name.' },
    { form: '--include-foreign', help: 'Also what bears the tag of another installation, with adopt.force.' },
    { form: '--management <how>', help: 'lifecycle.management of the manifests.', choices: ['Observe', 'Manage'], default: 'Observe' },
    {
      form: '--on-delete <what>',
      help: 'lifecycle.onDelete of the manifests. Default: left out, which is Retain for what is adopted.',
      choices: ['Retain', 'Delete'],
    },
    {
      form: '--refs <how>',
      help: 'Refer to other remotes by the name of their object, or always by id.',
      choices: ['name', 'external'],
      default: 'name',
    },
    { form: '--strict', help: 'Also write fields that say nothing, such as empty texts.' },
    ...accountFlags,
    outputOf(),
    ...clusterFlags,
  ],
  talks: 'asks',
  rights: [...accountRights, { verbs: ['get'], resource: 'customresourcedefinitions', optional: true }],
  confirms: 'C0',
  exits: {
    0: 'all that was asked for is written and proven',
    1: 'some of it could not be proven and is not written',
    3: "a file is somebody else's",
  },
  examples: ['kubectl cloud export --to fleet/', 'kubectl cloud export --to - --id cvol/4711', 'kubectl cloud export --promote fleet/'],
  load: async () => (await import('../verbs/export.ts')).exportRemotes,
};
