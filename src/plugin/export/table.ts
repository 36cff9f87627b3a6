import type { Command } from '../command-line/command.ts';
import type { Flag } from '../command-line/flag.ts';
import { clusterFlags, outputOf } from '../command-line/flags.ts';
import { accountFlags, accountRights, asksAccount } from '../look/table.ts';

/** How manifests are written to files, whatever they are made of. */
export const writingFlags: readonly Flag[] = [
  { form: '--with-image', help: 'Also write the image of instances, with the Secret that it needs; SECRETS.md says how to make it.' },
  {
    form: '--layout <how>',
    help: 'Folders: one for each namespace, one for each kind, or none.',
    choices: ['namespace', 'kind', 'flat'],
    default: 'namespace',
  },
  { form: '--kustomization', help: 'Also write a kustomization.yaml for each folder, for kubectl apply -k.' },
  { form: '--force', help: "Overwrite somebody else's files too." },
  { form: '--skew', help: 'Write although the CRDs in the cluster are of another release, which may not take all of it.' },
];

export const exporting: Command = {
  name: 'export',
  does: 'Manifests for what exists in the account, each proven to change nothing.',
  details: [
    'Writes a manifest for everything that no object of the cluster stands for: spec.adopt with its id, lifecycle.management: Observe, and every field that the account shows, without empty texts and lists (--strict writes these too).',
    "Each is held against the CRD and, by the operator's own engine, against what the account has: one with which the operator would do anything is not written but named, with exit code 1.",
    'Secrets are never written; what refers to a Secret or a ConfigMap, to labels or to the address of another object is left out, and so left alone.',
    '--tag, --region and --label take what is so itself or lies below something that is so, as the records of a domain.',
    'Beside the manifests stand REPORT.md, the same for programs in report.jsonl, and SECRETS.md where a manifest names a Secret. What earlier lines told stays in them until one without --kinds, --id or the like tells it anew.',
    'A manifest of an earlier line that is managed since, as after --promote, stays as it is, unless --management Manage writes it anew.',
    '--check holds what was exported against the account as it is now, with a dry run of the API server.',
    '--promote takes management: Observe out of files that this verb wrote, so that the operator begins to manage what they stand for.',
    asksAccount,
  ].join(' '),
  flags: [
    { form: '--to <folder>', help: 'Folder for the manifests, one a file; - is standard output. Only files of this verb are overwritten.' },
    { form: '--promote <folder>', help: 'Let the operator manage what was exported into this folder; asks no account.' },
    { form: '--check <folder>', help: 'Whether the manifests of this folder are still as the account has it; writes nothing.' },
    { form: '--kinds <names>', help: 'Only these, with commas between them. Default: all.' },
    { form: '--exclude-kinds <names>', help: 'Not these, with commas between them.' },
    {
      form: '--depth <which>',
      help: 'parts: also what lies below others, as records and disks; top: only the others.',
      choices: ['parts', 'top'],
      default: 'parts',
    },
    { form: '--tag <tag>', help: 'Only what has this tag in the account.' },
    { form: '--region <region>', help: 'Only what is in this region, or of a bucket in this cluster.' },
    { form: '--label <expression>', help: 'Only what is called so: a regular expression, for example ^shop-.' },
    { form: '--id <kind/id>', help: 'Only this one, for example cvol/4711. May be repeated.', repeats: true },
    { form: '--unmanaged', help: 'Only what no object stands for; so it is without --all.' },
    { form: '--all', help: 'Also what an object of the namespace stands for already, under its name.' },
    { form: '--include-foreign', help: 'Also what bears the tag of another installation, with adopt.force.' },
    ...writingFlags,
    {
      form: '--namespace-by <what>',
      help: 'Namespace of each: tag:PREFIX for the rest of the tag that begins so, region, or a YAML file with lines EXPRESSION: NAMESPACE, of which the first that fits the label counts. What none fits goes where -n says.',
    },
    { form: '--name-by <what>', help: 'What objects are called after.', choices: ['label', 'id'], default: 'label' },
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
    {
      form: '--no-cluster',
      help: 'Ask no cluster, where there is none yet: with --endpoint and a token of your own. Nothing counts as having an object.',
    },
    ...accountFlags,
    outputOf(),
    ...clusterFlags,
  ],
  talks: 'looks',
  rights: [
    ...accountRights,
    { verbs: ['patch', 'create'], resource: 'kinds' },
    { verbs: ['get'], resource: 'customresourcedefinitions', optional: true },
  ],
  confirms: 'C0',
  exits: {
    0: 'all that was asked for is written and proven',
    1: 'some of it could not be proven, or a list could not be read, and is not written; what --id names has an object already, which is said; with --check, something differs; with --promote, a file still only observes',
    3: "a file is somebody else's",
    4: 'what --id names is not in the account; the rest is written',
  },
  examples: [
    'kubectl cloud export --to fleet/',
    'kubectl cloud export --to - --id cvol/4711',
    'kubectl cloud export --to fleet/ --tag shop --namespace-by tag:team= --kustomization',
    'kubectl cloud export --check fleet/',
    'kubectl cloud export --promote fleet/',
  ],
  load: async () => (await import('./export.ts')).exportRemotes,
};
