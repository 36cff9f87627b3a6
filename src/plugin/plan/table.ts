import type { Command, Right } from '../command-line/command.ts';
import { choosing, clusterFlags, fromManifests, outputOf } from '../command-line/flags.ts';
import { tokenFile, whereabouts } from '../look/table.ts';

const reads = (...verbs: readonly string[]): Right => ({ verbs, resource: 'kinds' });
const crdsToo: Right = { verbs: ['get'], resource: 'customresourcedefinitions', optional: true };

export const planning: Command = {
  name: 'plan',
  does: 'What the operator would do: with manifests before they are applied, or with objects as they are.',
  args: '[KIND/NAME ...]',
  details:
    "Runs the operator's own engine over the cluster and the account, and shows what it would send instead of sending it. Manifests pass through a dry run of the API server, so that defaults, rules and policies count; a manifest counts as the whole spec. Reads go to the account with the token of its CloudAccount, or with your own (CLOUD_TOKEN, --token-file). Of other Secrets only is asked whether they are there, and no value or key is read: what was applied from one counts as unchanged. Only the operator knows how a derived label ends. Against the cluster what an object wanted before stands for what the account has, where its status says that all is as wanted: calls of changes, clashes of names and what is adopted are not told, and a field that is set for the first time is not known. Against none the same of manifests before and after, by the CRDs of this plugin: no policy, no quota, and nothing that is only in the cluster. The ClusterRole that ends in -planner (value planner.create of the chart) has the rights for it, and for dry runs alone.",
  flags: [
    { form: '-f, --filename <path>', help: 'File, folder, or - for standard input, with manifests. May be repeated.', repeats: true },
    { form: '-R, --recursive', help: 'Also folders below the one that is named.' },
    {
      form: '--against <what>',
      help: 'What is there: account (it is read), cluster (the status of the objects; no token is used), none (the manifests of --base; nothing is asked).',
      choices: ['account', 'cluster', 'none'],
      default: 'account',
    },
    { form: '-k, --kustomize <folder>', help: 'Manifests that kubectl kustomize builds of this folder.' },
    {
      form: '--base <where>',
      help: 'Manifests as they were before: a folder (with -k one to build), or git:COMMIT for the same paths there. What they name and the new ones lack is planned as deleted.',
    },
    { form: '--prune', help: 'Plan the deletion of objects that --selector chooses and the manifests lack.' },
    ...whereabouts,
    tokenFile,
    {
      form: '--max-effect <effect>',
      help: 'Exit code 3 where a change does more than this.',
      choices: ['InPlace', 'Reboot', 'Rebuild', 'Replace'],
    },
    { form: '--max-deletes <count>', help: 'Exit code 3 where more cloud resources would be deleted or replaced.' },
    {
      form: '--max-monthly <dollars>',
      help: 'Exit code 3 where it adds more than this a month, or may do so on the way, until all of it is approved, or something of which nobody knows what it costs.',
    },
    { form: '--prices <file>', help: 'YAML with prices that no catalogue tells, for example volumeGiB: 0.10.' },
    {
      form: '--approvals <file>',
      help: 'Write what approves these changes as a component of kustomize, FOLDER/kustomization.yaml, to be merged with them.',
    },
    {
      form: '--valid <duration>',
      help: 'How long an approval holds that is committed with the change; at most 336h. Otherwise to the midnight (UTC) that is 72h ahead or more, as the operator itself says.',
    },
    { form: '--timeout <duration>', help: 'How long reads of the account may take.', default: '2m' },
    { form: '--only-changes', help: 'Leave out what stays as it is.' },
    { form: '--strict', help: 'Refuse documents that are not of cloudhosting.dev.' },
    { form: '--skew', help: 'Plan although the CRDs are of another release.' },
    ...choosing,
    outputOf('name', 'markdown'),
    ...clusterFlags,
  ],
  talks: 'looks',
  rights: [
    reads('list'),
    reads('get'),
    reads('patch', 'create'),
    { verbs: ['get'], resource: 'secrets' },
    { verbs: ['get'], resource: 'configmaps', optional: true },
    { verbs: ['get'], resource: 'namespaces', optional: true },
    crdsToo,
  ],
  confirms: 'C0',
  exits: {
    0: 'nothing would happen',
    1: 'something would happen, or waits',
    3: 'it does more than --max-effect, --max-deletes or --max-monthly allow, or deletes so much at once that it would be held',
    4: 'a manifest is refused, by the API server or by the operator; or not all could be read, and then there is no plan',
  },
  examples: [
    'kubectl cloud plan -f deploy/',
    'kubectl cloud plan cinst/web -o markdown',
    'kubectl cloud plan -k deploy/ --approvals deploy/approvals/kustomization.yaml',
    'kubectl cloud plan -R -f deploy/ --base git:origin/main --max-deletes 0 --max-effect InPlace',
  ],
  load: async () => (await import('./plan.ts')).plan,
};

export const comparing: Command = {
  name: 'diff',
  does: 'Where what the account has differs from what objects ask for, now.',
  args: '[KIND/NAME ...]',
  details:
    'Against the status: as the operator saw it last, with who likely did it. Against the account: read now, by the engine itself, also of what is paused or only observed, and with no operator running; reads with the token of the CloudAccount, or with your own (CLOUD_TOKEN, --token-file). What went with something that is not there, as records with their zone, is told with that. Ids stand beside the names of the objects that have them, where you may list those.',
  flags: [
    { form: '--against <what>', help: 'What is compared with.', choices: ['status', 'account'], default: 'status' },
    {
      form: '--show <what>',
      help: 'With drift only what differs although nobody has edited the spec since the operator looked.',
      choices: ['all', 'drift'],
      default: 'all',
    },
    ...whereabouts,
    tokenFile,
    { form: '--timeout <duration>', help: 'How long reads of the account may take.', default: '2m' },
    ...fromManifests,
    ...choosing,
    outputOf('name'),
    ...clusterFlags,
  ],
  talks: 'asks',
  rights: [
    reads('list'),
    reads('get'),
    { verbs: ['get'], resource: 'secrets' },
    { verbs: ['get'], resource: 'configmaps', optional: true },
    { verbs: ['get'], resource: 'namespaces', optional: true },
    crdsToo,
  ],
  confirms: 'C0',
  exits: { 0: 'nothing differs', 1: 'something differs' },
  examples: ['kubectl cloud diff cfw/edge', 'kubectl cloud diff -A --against account', 'kubectl cloud diff -R -f fleet/'],
  load: async () => (await import('../diff/diff.ts')).diff,
};
