import type { Command, Right } from './command-line/command.ts';
import { allNamespaces, choosing, clusterFlags, fromManifests, outputOf } from './command-line/flags.ts';
import { bundling } from './bundle/table.ts';
import { costing } from './cost/table.ts';
import { exporting } from './export/table.ts';
import { gestures } from './gestures/table.ts';
import { history } from './history/table.ts';
import { looks, tokenFile, whereabouts } from './look/table.ts';
import { deeds } from './once/table.ts';
import { comparing, planning } from './plan/table.ts';
import { examining } from './doctor/table.ts';
import { confirming, listing, operations } from './operations/table.ts';
import { uninstalling } from './uninstall/table.ts';
import { importing } from './terraform/table.ts';
import { moving } from './move/table.ts';
import { orphans } from './orphans/table.ts';

/** Whether an operator works. */
const leasesToo: Right = { verbs: ['get'], resource: 'leases.coordination.k8s.io', optional: true };
const crdsToo: Right = { verbs: ['get'], resource: 'customresourcedefinitions', optional: true };

/** Asked for only where nothing was found in it. */
const namespacesToo: Right = { verbs: ['get'], resource: 'namespaces', optional: true };

/** Of the kinds that are asked for. */
const reads = (...verbs: readonly string[]): Right => ({ verbs, resource: 'kinds' });

/** THE table of verbs: parser, help, completion, reference page and the laws of test/unit/plugin follow from it. */
export const commands: readonly Command[] = [
  {
    name: 'status',
    does: 'Accounts at a glance: connected as whom, how its objects are, what needs a person.',
    args: '[CLOUDACCOUNT ...]',
    details:
      'Of the accounts of a namespace and of the objects there; with -A of the cluster. What needs a person is told by its causes, each once with what it holds up, as why tells them; -o json has each object by itself.',
    flags: [allNamespaces, outputOf('name', 'wide'), ...clusterFlags],
    talks: 'reads',
    rights: [reads('list'), reads('get'), namespacesToo, leasesToo, crdsToo],
    confirms: 'C0',
    exits: {
      1: 'something needs a person: an object is Stalled, awaits approval, is held, or is off without being asked to, an account is not Ready, or no operator works for it',
    },
    examples: ['kubectl cloud status -A'],
    load: async () => (await import('./status/status.ts')).status,
  },
  {
    name: 'why',
    does: 'Why an object is not as wanted: one sentence, what it waits for, and what to do about it.',
    args: '[KIND/NAME ...]',
    details:
      "Follows references, the account and what is held, in the operator's own words, down to each root with a line to type. Where no object is named it is about all of the namespace. Of several objects each cause is told once, the worst first, with what it holds up; -o json has each by itself. Of a Secret or ConfigMap that was missing it asks whether that has come since, and of those to which a few objects give something out whether they are there still, by metadata and no value. With --against account also what the account has now, which takes its token.",
    flags: [
      {
        form: '--against <what>',
        help: 'With account also what the account has now, read with the token of the CloudAccount or with your own.',
        choices: ['status', 'account'],
        default: 'status',
      },
      { form: '--steps', help: 'What must come about, by whom and in which order, from the root to the object.' },
      ...whereabouts,
      tokenFile,
      { form: '--timeout <duration>', help: 'How long reads of the account may take.', default: '2m' },
      ...choosing,
      outputOf('name'),
      ...clusterFlags,
    ],
    talks: 'asks',
    rights: [
      reads('get'),
      reads('list'),
      { verbs: ['get'], resource: 'secrets' },
      { verbs: ['list'], resource: 'events', optional: true },
      { verbs: ['get'], resource: 'configmaps', optional: true },
      namespacesToo,
      leasesToo,
      crdsToo,
    ],
    confirms: 'C0',
    exits: { 0: 'Ready and as wanted', 1: 'it is not, or nobody sees it now: its account is not connected, or no operator works for that' },
    examples: ['kubectl cloud why cinst/web', 'kubectl cloud why www -n dns --steps'],
    load: async () => (await import('./why/why.ts')).why,
  },
  {
    name: 'tree',
    does: 'Who refers to whom, and how each is.',
    args: '[KIND/NAME ...]',
    details:
      'Below each object stands what refers to it, with the field; what refers to nothing stands below its account. A dot marks what is not well.',
    flags: [
      { form: '--up', help: 'Below each object what it refers to.' },
      { form: '--down', help: 'Below each object what refers to it. This is the default.' },
      { form: '--depth <levels>', help: 'So many levels below the first; what lies deeper is counted. Of the text alone.' },
      { form: '--secrets', help: 'Also the names of Secrets and ConfigMaps.' },
      { form: '-w, --watch', help: 'Then go on with what becomes another, a line each, until Ctrl-C; by one watch for each kind.' },
      allNamespaces,
      outputOf('name', 'dot', 'mermaid'),
      ...clusterFlags,
    ],
    talks: 'reads',
    rights: [reads('list'), reads('get'), { ...reads('watch'), optional: true }, namespacesToo, crdsToo],
    confirms: 'C0',
    examples: [
      'kubectl cloud tree',
      'kubectl cloud tree cdom/example-org --up',
      'kubectl cloud tree -A -o dot',
      'kubectl cloud tree --watch',
    ],
    load: async () => (await import('./tree/tree.ts')).tree,
  },
  {
    name: 'wait',
    does: 'Waits until objects are as asked, and tells each step on the way.',
    args: 'KIND/NAME ...',
    details:
      'Waits for the spec that was applied last, by one watch for each kind. Ends at once when an object that is not as asked needs a person, or when what it waits for does (that is looked at every 15 seconds; what is not there is given two minutes), and says why; but where somebody has done something about that just now (another token or value in a Secret, reconcile-at, a release, a confirmation) the operator has its time to see it: half a minute more than it takes to read the Secret again. Ready (the default) is what can be used: a machine that runs. It is that also while something of it that was changed in the account awaits approval: --for=Synced asks for that, too. Synced is what the account has as the spec asks for, with nothing under way; whether it works is not asked, so what is only looked at (Observe) may be Synced while somebody else makes it. With --for=Deleted what is named and is not there (any more) is as asked; it is told so, since it may have been mistyped. With --for=Observed what nobody named one by one counts only where its spec says lifecycle.management: Observe.',
    flags: [
      {
        form: '--for <what>',
        help: 'What is waited for. Quiet: nothing is on its way for 30 s, as wanted or not, or what is goes no further without a person (exit code 1). phase=Succeeded: an operation is done.',
        choices: ['Ready', 'Synced', 'Observed', 'Deleted', 'Quiet', 'phase=Succeeded'],
        default: 'Ready',
      },
      { form: '--timeout <duration>', help: 'How long, for example 90s or 1h.', default: '15m' },
      {
        form: '--on-approval <how>',
        help: 'Whether an object that is not as asked and awaits approval ends it.',
        choices: ['fail', 'wait'],
        default: 'fail',
      },
      ...fromManifests,
      ...choosing,
      outputOf('name', 'jsonl'),
      ...clusterFlags,
    ],
    talks: 'reads',
    rights: [
      reads('get'),
      reads('list'),
      reads('watch'),
      // Whether what is waited for has its data.
      { verbs: ['get'], resource: 'secrets', optional: true },
      { verbs: ['get'], resource: 'configmaps', optional: true },
      leasesToo,
      namespacesToo,
    ],
    confirms: 'C0',
    exits: {
      1: 'an object is not as asked, and it, or what it waits for, needs a person: it is Stalled, awaits approval, its deletion is held, or it is not there for two minutes',
      6: 'time ran out',
    },
    examples: [
      'kubectl cloud wait cinst/web',
      'kubectl cloud wait cvol/data --for=Deleted',
      'kubectl cloud wait -R -f fleet/ --for=Observed',
    ],
    load: async () => (await import('./wait/wait.ts')).wait,
  },
  planning,
  comparing,
  {
    name: 'outputs',
    does: 'Which Secrets and ConfigMaps an object fills, under which keys, and which pods take them.',
    args: 'KIND/NAME',
    details: 'Values are never shown, but one at a time on a terminal with --reveal.',
    flags: [{ form: '--reveal <key>', help: 'Show the value of this key, on a terminal only.' }, outputOf('name'), ...clusterFlags],
    talks: 'reads',
    rights: [
      reads('get'),
      { verbs: ['get'], resource: 'secrets', optional: true },
      { verbs: ['get'], resource: 'configmaps', optional: true },
      { verbs: ['list'], resource: 'pods', optional: true },
    ],
    confirms: 'C0',
    exits: { 3: 'a value is asked for, and there is no terminal to show it on' },
    examples: ['kubectl cloud outputs cinst/web'],
    load: async () => (await import('./look/outputs.ts')).outputs,
  },
  {
    name: 'schema',
    does: 'The fields of a kind, and what a change of each does.',
    args: '[KIND|KIND.FIELD]',
    details: 'Without a kind all kinds; of one field what it consists of, too. The same as crds/README.md, of the release of this plugin.',
    flags: [outputOf()],
    talks: 'nobody',
    rights: [],
    confirms: 'C0',
    examples: ['kubectl cloud schema cvol', 'kubectl cloud schema cinst.alerts'],
    load: async () => (await import('./about/schema.ts')).schema,
  },
  examining,
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
    rights: [
      crdsToo,
      { verbs: ['list'], resource: 'deployments.apps', optional: true },
      { verbs: ['list'], resource: 'clusterrolebindings.rbac.authorization.k8s.io', optional: true },
      { verbs: ['list'], resource: 'cloudaccounts', optional: true },
    ],
    confirms: 'C0',
    examples: ['kubectl cloud version', 'kubectl cloud version --client'],
    load: async () => (await import('./about/version.ts')).version,
  },
  {
    name: 'completion',
    does: 'Script that completes verbs, flags, kinds and names of objects in a shell, or for kubectl.',
    args: 'bash|zsh|fish|powershell|kubectl',
    details:
      'For `kubectl cloud` put the script of `completion kubectl` into PATH as an executable file kubectl_complete-cloud; kubectl then asks it. The others are for the name kubectl-cloud itself. Names are those of the namespace that the line is about, as you may list them; where the cluster does not tell them within a second, none are offered.',
    flags: [],
    talks: 'nobody',
    rights: [],
    confirms: 'C0',
    examples: ['kubectl cloud completion kubectl > ~/bin/kubectl_complete-cloud && chmod +x ~/bin/kubectl_complete-cloud'],
    load: async () => (await import('./command-line/completion.ts')).completion,
  },
];
