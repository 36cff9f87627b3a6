import type { Command, Right } from '../command-line/command.ts';
import { choosing, clusterFlags, fromManifests, outputOf } from '../command-line/flags.ts';
import type { Flag } from '../command-line/flag.ts';

const rights: readonly Right[] = [
  { verbs: ['get', 'list', 'patch'], resource: 'kinds' },
  { verbs: ['get'], resource: 'customresourcedefinitions', optional: true },
];

/** Asked for only where a list of it is empty. */
const namespacesToo: Right = { verbs: ['get'], resource: 'namespaces', optional: true };

const dryRun: Flag = { form: '--dry-run', help: 'Show what it means and what would be written, and write nothing.' };
const yes: Flag = { form: '--yes', help: 'Go on where a yes would be asked for.' };
const confirm: Flag = { form: '--confirm <text>', help: 'What would have to be typed, where there is no terminal.' };
const ofAccount: Flag = { form: '--account <name>', help: 'This CloudAccount, as NAMESPACE/NAME or a name alone: all changes in it.' };
const listing: Flag = { form: '--list', help: 'Only list what there is; writes nothing.' };

/** What a person asks for by an annotation. The operator judges it; each is bound to what was shown. */
export const gestures: readonly Command[] = [
  {
    name: 'approve',
    does: 'Lets a change happen that waits for a yes.',
    args: 'KIND/NAME ...',
    details: 'Shows what the change does, asks, and approves exactly this plan. Another plan, or another state of the account, asks anew.',
    flags: [
      listing,
      { form: '--hash <hash>', help: 'Only this plan, as status.plan.hash has it.' },
      { form: '--max-effect <effect>', help: 'Refuse what does more.', choices: ['InPlace', 'Reboot', 'Rebuild', 'Replace'] },
      { form: '--reason <text>', help: "Why; shown in the Event, in the status and in the operator's audit log. At most 200 characters." },
      { form: '--wait', help: 'Wait until it is done.' },
      { form: '--timeout <duration>', help: 'How long --wait waits.', default: '15m' },
      yes,
      confirm,
      dryRun,
      ...fromManifests,
      ...choosing,
      outputOf('name'),
      ...clusterFlags,
    ],
    talks: 'writes',
    rights: [...rights, namespacesToo, { verbs: ['watch'], resource: 'kinds', optional: true }],
    confirms: 'C2',
    exits: { 1: 'with --wait: it needs a person', 6: 'with --wait: time ran out' },
    examples: [
      'kubectl cloud approve cinst/web',
      'kubectl cloud approve cinst/web --reason "more memory for the sale"',
      'kubectl cloud approve cinst/web --hash ad73444b3f --yes --wait',
      'kubectl cloud approve --list -A',
    ],
    load: async () => (await import('./approve.ts')).approve,
  },
  {
    name: 'release',
    does: 'Lets a mass deletion go on that is held, or has made anew what vanished all at once.',
    args: '[CLOUDACCOUNT]',
    details:
      'Shows each object that is held, what becomes of its cloud resource, what goes with that and which objects wait for it then, and what went before the rest was held, and has you type their number. What is added afterwards is held anew. A CloudAccount that is held itself, because something uses it, is listed with what lets it go. The account is `default` unless named.',
    flags: [
      { form: '--of <name>', help: 'The namespace, the kind, or <kind>/<namespace>, where several are held.' },
      {
        form: '--keep',
        help: 'Only print the lines that keep what they have in the account, also of what else is being deleted in it; writes nothing.',
      },
      listing,
      confirm,
      dryRun,
      outputOf('name'),
      ...clusterFlags,
    ],
    talks: 'writes',
    // What went before it was held.
    rights: [...rights, { verbs: ['list'], resource: 'events', optional: true }],
    confirms: 'C2',
    examples: ['kubectl cloud release --list', 'kubectl cloud release cacc/default --of shop --confirm 14'],
    load: async () => (await import('./release.ts')).release,
  },
  {
    name: 'abandon',
    does: 'Lets an object go whose cloud resource cannot be reached for deletion, and leaves that as it is.',
    args: 'KIND/NAME ...',
    details:
      'Only for what is being deleted and is RemoteNotVisible or AccountMismatch. Nothing is sent to the account; which objects name it and wait for ever then is told before, and the line that takes the resource over again is shown.',
    flags: [confirm, dryRun, ...choosing, outputOf('name'), ...clusterFlags],
    talks: 'writes',
    rights: rights,
    confirms: 'C2',
    examples: ['kubectl cloud abandon cvol/data'],
    load: async () => (await import('./abandon.ts')).abandon,
  },
  {
    name: 'recreate',
    does: 'Has a cloud resource made anew that somebody else deleted.',
    args: 'KIND/NAME ...',
    details:
      'Only for what is RemoteMissing. The new one is empty and has another id, and an instance other addresses; where that loses data, the name must be typed. Where spec.adopt names another one than what is gone, by its id, that is taken over and nothing is made. Of a whole kind, or by labels, all that are RemoteMissing are made anew, and their number is typed.',
    flags: [yes, confirm, dryRun, ...choosing, outputOf('name'), ...clusterFlags],
    talks: 'writes',
    rights: rights,
    confirms: 'C2',
    examples: ['kubectl cloud recreate cvol/data', 'kubectl cloud recreate -n shop cvol'],
    load: async () => (await import('./recreate.ts')).recreate,
  },
  {
    name: 'rotate',
    does: 'Has the credential renewed that an object gives out and that is told only once.',
    args: 'KIND/NAME ...',
    kinds: async () => (await import('../command-line/kinds.ts')).renewable(),
    details:
      'Says until when what has the old one goes on working, and has the name typed. Of an object key the old one works for the overlap of its spec.',
    flags: [confirm, dryRun, ...choosing, outputOf('name'), ...clusterFlags],
    talks: 'writes',
    rights: rights,
    confirms: 'C2',
    examples: ['kubectl cloud rotate cokey/uploads', 'kubectl cloud rotate cokey/uploads --confirm uploads'],
    load: async () => (await import('./rotate.ts')).rotate,
  },
  {
    name: 'pause',
    does: 'Stops all work on objects; of a CloudAccount, all changes in the account.',
    args: 'KIND/NAME ...',
    details:
      'With --for it ends by itself and outlasts its annotation; else it lasts until it is resumed. The deletion of a paused object waits.',
    flags: [
      { form: '--for <duration>', help: 'How long, for example 30m or 2h.' },
      { form: '--reason <text>', help: 'Why; shown in the status.' },
      ofAccount,
      listing,
      dryRun,
      ...choosing,
      outputOf('name'),
      ...clusterFlags,
    ],
    talks: 'writes',
    rights: [...rights, namespacesToo],
    confirms: 'C0',
    examples: ['kubectl cloud pause cacc/default --for 2h --reason migration', 'kubectl cloud pause --list -A'],
    load: async () => (await import('./pause.ts')).pause,
  },
  {
    name: 'resume',
    does: 'Ends pauses, also before their time.',
    args: 'KIND/NAME ...',
    details:
      'Work goes on at once, with all that was changed meanwhile; of what is being deleted its deletion, so where that loses data, also in an account that is resumed, all that goes is named and the name must be typed. A pause that stands in Git comes back with the next sync.',
    flags: [yes, confirm, dryRun, ofAccount, ...choosing, outputOf('name'), ...clusterFlags],
    talks: 'writes',
    rights: rights,
    confirms: 'C2',
    examples: ['kubectl cloud resume cacc/default'],
    load: async () => (await import('./pause.ts')).resume,
  },
  {
    name: 'reconcile',
    does: 'Has objects looked at now, and what was refused tried again.',
    args: 'KIND/NAME ...',
    details:
      'Each may be a read of the account, so more than 100 at once ask for a yes. With --account, which says the same as naming the CloudAccount, each list of the account is read once instead: what differs there is seen, and what was refused is not tried again by that. What lies below others, as records of a domain, has no list of its own and is looked at in turn.',
    flags: [
      {
        form: '--account <name>',
        help: 'Instead of objects this CloudAccount, as NAMESPACE/NAME or a name alone: its token, and each of its lists once.',
      },
      { form: '--wait', help: 'Wait until the operator has looked, and until what it does then is done.' },
      { form: '--timeout <duration>', help: 'How long --wait waits.', default: '15m' },
      yes,
      dryRun,
      ...fromManifests,
      ...choosing,
      outputOf('name'),
      ...clusterFlags,
    ],
    talks: 'writes',
    rights: [...rights, { verbs: ['watch'], resource: 'kinds', optional: true }],
    confirms: 'C1',
    exits: {
      1: 'with --wait: it needs a person, or is paused itself; where only its account is, or is ReadOnly, it was looked at (0), and the reason says ReadOnly where something differs',
      6: 'with --wait: time ran out',
    },
    examples: ['kubectl cloud reconcile cvol/data --wait', 'kubectl cloud reconcile --account shop/default'],
    load: async () => (await import('./reconcile.ts')).reconcile,
  },
];
