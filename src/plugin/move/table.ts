import type { Command } from '../command-line/command.ts';
import { clusterFlags, outputOf } from '../command-line/flags.ts';

export const moving: Command = {
  name: 'move',
  does: 'Objects to another cluster on the same account, without a change in the account.',
  args: 'KIND/NAME ...',
  details: [
    'There each is made with the spec that it has here, observes the very same resource of the account, and must agree with it in every field. Only then it is let go here (lifecycle.onDelete: Retain, then deleted), and only then managed there. All objects of a line go one step together, and it stops at the first doubt, with everything managed by one side or by none; type the same line again to go on.',
    'Whatever the objects refer to must be there already or be moved with them, Secrets included, and whatever refers to them here must be moved with them. The account there is the one that the same accountRef names there. What comes from Git is refused, as its tool would make it again: move its files.',
  ].join(' '),
  flags: [
    { form: '--to-context <name>', help: 'Context of the other cluster in the kubeconfig.' },
    { form: '--to-kubeconfig <file>', help: 'Kubeconfig of the other cluster, where it is another.' },
    { form: '--to-namespace <name>', help: 'Namespace of the objects there. Default: as here.' },
    { form: '--timeout <duration>', help: 'How long each step may take.', default: '5m' },
    { form: '--confirm <text>', help: 'What would have to be typed, where there is no terminal.' },
    { form: '--dry-run', help: 'Show what stands in the way and what would be done, and write nothing.' },
    { form: '-l, --selector <labels>', help: 'Objects of the namespace with these labels, of all kinds that can be adopted.' },
    outputOf(),
    ...clusterFlags,
  ],
  talks: 'moves',
  rights: [
    { verbs: ['get', 'list', 'watch'], resource: 'kinds' },
    { verbs: ['create', 'patch', 'delete'], resource: 'kinds' },
    { verbs: ['get'], resource: 'secrets', optional: true },
    { verbs: ['get'], resource: 'configmaps', optional: true },
  ],
  confirms: 'C2',
  exits: {
    1: 'it stopped: there an object differs from the account, or needs a person',
    3: 'not begun: nobody confirmed, or something stands in the way',
    6: 'time ran out; the same line goes on',
  },
  examples: ['kubectl cloud move cvol/data --to-context new', 'kubectl cloud move -l team=shop --to-context new --dry-run'],
  load: async () => (await import('./move.ts')).move,
};
