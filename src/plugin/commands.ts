import type { Command, Right } from './command.ts';
import { allNamespaces, choosing, clusterFlags, fromManifests, outputOf } from './flags.ts';
import { bundling } from './bundle/table.ts';
import { costing } from './cost/table.ts';
import { exporting } from './export/table.ts';
import { gestures } from './gestures/table.ts';
import { history } from './history/table.ts';
import { looks, tokenFile, whereabouts } from './look/table.ts';
import { deeds } from './once/table.ts';
import { confirming, listing, operations } from './operations/table.ts';
import { uninstalling } from './uninstall/table.ts';
import { importing } from './terraform/table.ts';
import { moving } from './move/table.ts';
import { orphans } from './orphans/table.ts';

const crdsToo: Right = { verbs: ['get'], resource: 'customresourcedefinitions', optional: true };

/** Of the kinds that are asked for. */
const reads = (...verbs: readonly string[]): Right => ({ verbs, resource: 'kinds' });

/** THE table of verbs: parser, help, completion, reference page and the laws of test/unit/plugin follow from it. */
export const commands: readonly Command[] = [
  {
    name: 'status',
    does: 'Accounts at a glance: connected as whom, how its objects are, what needs a person.',
    args: '[CLOUDACCOUNT ...]',
    details: 'Of the accounts of a namespace and of the objects there; with -A of the cluster.',
    flags: [allNamespaces, outputOf(), ...clusterFlags],
    talks: 'reads',
    rights: [reads('list'), reads('get'), crdsToo],
    confirms: 'C0',
    exits: { 1: 'something needs a person: an object is Stalled, awaits approval or is held, or an account is not Ready' },
    examples: ['kubectl cloud status -A'],
    load: async () => (await import('./verbs/status.ts')).status,
  },
  {
    name: 'why',
    does: 'Why an object is not as wanted: one sentence, what it waits for, and what to do about it.',
    args: 'KIND/NAME ...',
    details: "Follows references, the account and what is held, in the operator's own words, down to a root with a line to type.",
    flags: [...choosing, outputOf(), ...clusterFlags],
    talks: 'reads',
    rights: [reads('get'), reads('list'), crdsToo],
    confirms: 'C0',
    exits: { 0: 'Ready and as wanted', 1: 'it is not' },
    examples: ['kubectl cloud why cinst/web', 'kubectl cloud why www -n dns'],
    load: async () => (await import('./verbs/why.ts')).why,
  },
  {
    name: 'tree',
    does: 'Who refers to whom, and how each is.',
    args: '[KIND/NAME ...]',
    details:
      'Below each object stands what refers to it, with the field; what refers to nothing stands below its account. A dot marks what is not well.',
    flags: [
      { form: '--up', help: 'Below each object what it refers to.' },
      { form: '--secrets', help: 'Also the names of Secrets.' },
      allNamespaces,
      outputOf('dot', 'mermaid'),
      ...clusterFlags,
    ],
    talks: 'reads',
    rights: [reads('list'), reads('get'), crdsToo],
    confirms: 'C0',
    examples: ['kubectl cloud tree', 'kubectl cloud tree cdom/example-org --up', 'kubectl cloud tree -A -o dot'],
    load: async () => (await import('./verbs/tree.ts')).tree,
  },
  {
    name: 'wait',
    does: 'Waits until objects are as asked, and tells each step on the way.',
    args: 'KIND/NAME ...',
    details:
      'Waits for the spec that was applied last, by one watch for each kind. Ends at once when an object needs a person, and says why. With --for=Observed what nobody named one by one counts only where its spec says lifecycle.management: Observe.',
    flags: [
      { form: '--for <what>', help: 'What is waited for.', choices: ['Ready', 'Synced', 'Observed', 'Deleted'], default: 'Ready' },
      { form: '--timeout <duration>', help: 'How long, for example 90s or 1h.', default: '15m' },
      { form: '--on-approval <how>', help: 'Whether an object that awaits approval ends it.', choices: ['fail', 'wait'], default: 'fail' },
      ...fromManifests,
      ...choosing,
      outputOf('jsonl'),
      ...clusterFlags,
    ],
    talks: 'reads',
    rights: [reads('get'), reads('list'), reads('watch')],
    confirms: 'C0',
    exits: { 1: 'an object is Stalled, awaits approval, or its deletion is held', 6: 'time ran out' },
    examples: [
      'kubectl cloud wait cinst/web',
      'kubectl cloud wait cvol/data --for=Deleted',
      'kubectl cloud wait -R -f fleet/ --for=Observed',
    ],
    load: async () => (await import('./verbs/wait.ts')).wait,
  },
  {
    name: 'plan',
    does: 'What the operator would do: with manifests before they are applied, or with objects as they are.',
    args: '[KIND/NAME ...]',
    details:
      "Runs the operator's own engine over the cluster and the account, and shows what it would send instead of sending it. Manifests pass through a dry run of the API server, so that defaults, rules and policies count; a manifest counts as the whole spec. Reads go to the account with the token of its CloudAccount, or with your own (CLOUD_TOKEN, --token-file). Of other Secrets only is asked whether they are there, and no value or key is read: what was applied from one counts as unchanged. Only the operator knows how a derived label ends.",
    flags: [
      { form: '-f, --filename <path>', help: 'File, folder, or - for standard input, with manifests. May be repeated.', repeats: true },
      { form: '-R, --recursive', help: 'Also folders below the one that is named.' },
      { form: '--prune', help: 'Plan the deletion of objects that --selector chooses and the manifests lack.' },
      ...whereabouts,
      tokenFile,
      {
        form: '--max-effect <effect>',
        help: 'Exit code 3 where a change does more than this.',
        choices: ['InPlace', 'Reboot', 'Rebuild', 'Replace'],
      },
      { form: '--valid <duration>', help: 'How long an approval holds that is committed with the change; at most 336h.', default: '72h' },
      { form: '--timeout <duration>', help: 'How long reads of the account may take.', default: '2m' },
      { form: '--only-changes', help: 'Leave out what stays as it is.' },
      { form: '--strict', help: 'Refuse documents that are not of cloudhosting.dev.' },
      { form: '--skew', help: 'Plan although the CRDs are of another release.' },
      ...choosing,
      outputOf('markdown'),
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
      3: 'a change does more than --max-effect allows',
      4: 'a manifest is refused, by the API server or by the operator; or not all could be read, and then there is no plan',
    },
    examples: ['kubectl cloud plan -f deploy/', 'kubectl cloud plan cinst/web -o markdown'],
    load: async () => (await import('./verbs/plan.ts')).plan,
  },
  {
    name: 'diff',
    does: 'Where what the account has differs from what objects ask for, now.',
    args: '[KIND/NAME ...]',
    details:
      'Against the status: as the operator saw it last, with who likely did it. Against the account: read now, by the engine itself, also of what is paused or only observed, and with no operator running; reads with the token of the CloudAccount, or with your own (CLOUD_TOKEN, --token-file).',
    flags: [
      { form: '--against <what>', help: 'What is compared with.', choices: ['status', 'account'], default: 'status' },
      ...whereabouts,
      tokenFile,
      { form: '--timeout <duration>', help: 'How long reads of the account may take.', default: '2m' },
      ...fromManifests,
      ...choosing,
      outputOf(),
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
    load: async () => (await import('./verbs/diff.ts')).diff,
  },
  {
    name: 'outputs',
    does: 'Which Secrets and ConfigMaps an object fills, and under which keys.',
    args: 'KIND/NAME',
    details: 'Values are never shown, but one at a time on a terminal with --reveal.',
    flags: [{ form: '--reveal <key>', help: 'Show the value of this key, on a terminal only.' }, outputOf(), ...clusterFlags],
    talks: 'reads',
    rights: [
      reads('get'),
      { verbs: ['get'], resource: 'secrets', optional: true },
      { verbs: ['get'], resource: 'configmaps', optional: true },
    ],
    confirms: 'C0',
    exits: { 3: 'a value is asked for, and there is no terminal to show it on' },
    examples: ['kubectl cloud outputs cinst/web'],
    load: async () => (await import('./verbs/outputs.ts')).outputs,
  },
  {
    name: 'schema',
    does: 'The fields of a kind, and what a change of each does.',
    args: '[KIND]',
    details: 'Without a kind all kinds. The same as crds/README.md, of the release of this plugin.',
    flags: [outputOf()],
    talks: 'nobody',
    rights: [],
    confirms: 'C0',
    examples: ['kubectl cloud schema cvol'],
    load: async () => (await import('./verbs/schema.ts')).schema,
  },
  {
    name: 'doctor',
    does: 'Looks for what is wrong with an installation, and says what to do about each.',
    details:
      'Checks with Kubernetes alone: CRDs, leases, accounts, what waits for a person, what a rebuild would lose. Each check has a number that keeps its meaning.',
    flags: [{ form: '--strict', help: 'Exit code 1 for warnings too.' }, allNamespaces, outputOf(), ...clusterFlags],
    talks: 'reads',
    rights: [reads('list'), { verbs: ['get'], resource: 'leases.coordination.k8s.io', optional: true }, crdsToo],
    confirms: 'C0',
    exits: { 1: 'something fails, or with --strict something warns' },
    examples: ['kubectl cloud doctor -A', 'kubectl cloud doctor --strict'],
    load: async () => (await import('./verbs/doctor.ts')).doctor,
  },
  bundling,
  orphans,
  exporting,
  importing,
  costing,
  history,
  ...looks,
  ...gestures,
  ...operations,
  confirming,
  listing,
  ...deeds,
  moving,
  uninstalling,
  {
    name: 'version',
    does: 'Versions of the plugin, of the operators that can be seen, and of the CRDs.',
    details: 'Works with operators one release older and newer. CRDs of another release are named.',
    flags: [{ form: '--client', help: 'Only the plugin: asks no cluster.' }, outputOf(), ...clusterFlags],
    talks: 'reads',
    rights: [crdsToo, { verbs: ['list'], resource: 'deployments.apps', optional: true }],
    confirms: 'C0',
    examples: ['kubectl cloud version', 'kubectl cloud version --client'],
    load: async () => (await import('./verbs/version.ts')).version,
  },
  {
    name: 'completion',
    does: 'Script that completes verbs and flags in a shell, or for kubectl.',
    args: 'bash|zsh|fish|powershell|kubectl',
    details:
      'For `kubectl cloud` put the script of `completion kubectl` into PATH as an executable file kubectl_complete-cloud; kubectl then asks it. The others are for the name kubectl-cloud itself.',
    flags: [],
    talks: 'nobody',
    rights: [],
    confirms: 'C0',
    examples: ['kubectl cloud completion kubectl > ~/bin/kubectl_complete-cloud && chmod +x ~/bin/kubectl_complete-cloud'],
    load: async () => (await import('./completion.ts')).completion,
  },
];
