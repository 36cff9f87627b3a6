import type { Command } from '../command-line/command.ts';
import { allNamespaces, clusterFlags, outputOf } from '../command-line/flags.ts';

export const uninstalling: Command = {
  name: 'uninstall',
  does: 'What must be done, and in which order, so that nothing of the account goes with the operator.',
  details: [
    'Looks at what is there, shows the steps with their commands, and does none of them: type it again after each. Objects of all namespaces count. Tags that the operator set stay in the account and do nothing there: co-... on what was made, and pool=... on pools of clusters, of which export says by which lines they are taken off, before it writes such a cluster again.',
    '--strip is for what hangs when the operator is gone already: it takes the finalizer off objects that are being deleted, in the namespace or with -A in all, and writes first which resource of the account each leaves behind. It asks, and refuses while an operator runs or has renewed a lease within a minute. Nothing is deleted in the account.',
  ].join(' '),
  flags: [
    { form: '--plan', help: 'Show the steps, which is what it does without --strip.', conflicts: 'strip' },
    { form: '--strip', help: 'Let go of objects that are being deleted and wait for an operator that is gone.' },
    { form: '--left-behind <file>', help: 'Where --strip writes what stays in the account.', default: 'left-behind.json' },
    { form: '--confirm <text>', help: 'What would have to be typed, where there is no terminal.' },
    { form: '--dry-run', help: 'With --strip: show what would be let go, and write nothing.' },
    allNamespaces,
    outputOf(),
    ...clusterFlags,
  ],
  talks: 'strips',
  rights: [
    { verbs: ['list', 'patch'], resource: 'kinds' },
    { verbs: ['list'], resource: 'leases.coordination.k8s.io' },
    { verbs: ['list'], resource: 'deployments.apps', optional: true },
    { verbs: ['list'], resource: 'clusterrolebindings.rbac.authorization.k8s.io', optional: true },
    { verbs: ['get'], resource: 'customresourcedefinitions', optional: true },
  ],
  confirms: 'C2',
  exits: { 0: 'nothing is left to do', 1: 'there are steps left', 3: 'an operator lives, nobody confirmed, or the file is there already' },
  examples: ['kubectl cloud uninstall', 'kubectl cloud uninstall --strip -n shop'],
  load: async () => (await import('./uninstall.ts')).uninstall,
};
