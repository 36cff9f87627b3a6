import type { Command, Right } from '../command-line/command.ts';
import type { Flag } from '../command-line/flag.ts';
import { choosing, clusterFlags, outputOf } from '../command-line/flags.ts';

const rights: readonly Right[] = [
  { verbs: ['get', 'create'], resource: 'kinds' },
  { verbs: ['list', 'watch', 'patch'], resource: 'kinds', optional: true },
  { verbs: ['get'], resource: 'customresourcedefinitions', optional: true },
  // Whether what is waited for has its data.
  { verbs: ['get'], resource: 'secrets', optional: true },
  { verbs: ['get'], resource: 'configmaps', optional: true },
];

const confirmFlag: Flag = {
  form: '--confirm <text>',
  help: 'Name of the target (with --to of that one), which would have to be typed where something is lost, where there is no terminal.',
};
const dryRun: Flag = { form: '--dry-run', help: 'Show what would be written, and write nothing.' };

const common: readonly Flag[] = [
  {
    form: '--name <name>',
    help: 'Name of the object that is made; the same name is never done twice. Else one is drawn, and where the same is asked for already and not over, that is waited for instead.',
  },
  { form: '--within <duration>', help: 'When it is too late to begin, from now on; at most 168h.', default: '1h' },
  { form: '--reason <text>', help: 'Why; kept as an annotation.' },
  { form: '--no-wait', help: 'Do not wait for its end, nor for what it asks.' },
  { form: '--timeout <duration>', help: 'How long it is waited for.', default: '30m' },
  { form: '--yes', help: 'Go on where a yes would be asked for.' },
  confirmFlag,
  dryRun,
  outputOf('name'),
  ...clusterFlags,
];

interface Described extends Pick<Command, 'name' | 'does' | 'details'> {
  readonly of: string;
  readonly flags?: readonly Flag[];
}
const asks = 'What is lost is shown when the operator has looked at it, and the name must be typed.';

const verbs: readonly Described[] = [
  {
    name: 'reboot',
    does: 'Reboots an instance.',
    details: 'Into the configuration that it booted last, or another one. Refused where its spec says that it is off (spec.power).',
    of: 'cinst/web',
    flags: [{ form: '--config <name>', help: 'Object or id of the configuration to boot.' }],
  },
  {
    name: 'boot',
    does: 'Boots an instance that is powered off.',
    details: 'Refused where its spec says that it is off (spec.power): set that instead.',
    of: 'cinst/web',
    flags: [{ form: '--config <name>', help: 'Object or id of the configuration to boot.' }],
  },
  {
    name: 'shutdown',
    does: 'Shuts an instance down.',
    details: 'Refused where its spec says that it runs (spec.power): set that instead.',
    of: 'cinst/web',
  },
  { name: 'rebuild', does: 'Deploys the image of an instance anew.', details: asks, of: 'cinst/web' },
  {
    name: 'snapshot',
    does: 'Takes a snapshot of an instance or of a database.',
    details: `That of an instance takes the place of the one before. ${asks} That of a database becomes an object of its own, beside those that are there; its label has letters and digits only.`,
    of: 'cinst/web --label before-upgrade',
    flags: [
      { form: '--label <text>', help: 'Name of the snapshot.' },
      { form: '--target <node>', help: 'Of a database: the node of which it is taken.', choices: ['primary', 'secondary'] },
    ],
  },
  {
    name: 'restore',
    does: 'Restores a backup onto the instance or database that it was taken of, or onto another instance.',
    details: `Without --backup it says which backups there are. ${asks}`,
    of: 'cinst/web --backup 123456',
    flags: [
      {
        form: '--backup <id>',
        help: 'Id of the backup, as the status of the object or the account shows it; of a database also its object, cdbb/before-upgrade.',
      },
      { form: '--to <name>', help: 'Of an instance: another one of the same namespace and region, onto which it goes.' },
      { form: '--overwrite', help: 'Of an instance: erase what is there first.' },
    ],
  },
  {
    name: 'assign',
    does: 'Gives public IPv4 addresses of an instance to others, all at once, so that two can change places.',
    details: `Each is named by itself or by its object, and so is the instance that gets it. ${asks}`,
    of: 'cinst/web --address 203.0.113.7=web-2,203.0.113.9=web',
    flags: [{ form: '--address <address=instance>', help: 'Which address goes to which instance; several with commas between them.' }],
  },
  { name: 'patch', does: 'Brings a database to its newest patches now.', details: asks, of: 'cdb/main' },
  {
    name: 'reset-credentials',
    does: 'Gives a database a new password, or a cluster a new kubeconfig.',
    details: `The Secret of the object has the new one as soon as it is there; who has the old one is cut off. ${asks}`,
    of: 'cdb/main',
  },
  {
    name: 'recycle',
    does: 'Replaces the nodes of a cluster or of a node pool by new ones.',
    details: asks,
    of: 'ck8s/prod',
    flags: [{ form: '--node <id>', help: 'Only this node of the cluster.' }],
  },
  {
    name: 'delete-node',
    does: 'Deletes one node of a cluster, where its pool has more than its count asks for.',
    details: asks,
    of: 'ck8s/prod --node 456-63483a5f4cb1',
    flags: [{ form: '--node <id>', help: 'Id of the node.' }],
  },
  {
    name: 'regenerate',
    does: 'Renews the kubeconfig and the service token of a cluster.',
    details: asks,
    of: 'ck8s/prod',
    flags: [{ form: '--what <what>', help: 'What is renewed.', choices: ['kubeconfig', 'service-token', 'both'], default: 'both' }],
  },
];

/** What is done once to the cloud resource of an object: each makes one object that the operator carries out. */
export const operations: readonly Command[] = verbs.map(({ of, flags = [], ...verb }) => ({
  ...verb,
  args: 'KIND/NAME',
  kinds: async () => (await import('./chosen-action.ts')).targetsOf(verb.name),
  flags: [...flags, ...common],
  talks: 'orders',
  rights,
  confirms: 'C2',
  exits: {
    1: 'it needs a person: a field stands in its way, or its target has no id before somebody acts',
    3: 'the spec of its target would undo it, or nobody confirmed it; what had to be looked at first is made by then, and waits for kubectl cloud confirm',
    4: 'it failed, or was not done because it came too late, or what the line names is not there',
    5: 'nothing tells whether it was done; it is not done again',
    6: 'time ran out; it may be done all the same',
  },
  examples: [`kubectl cloud ${verb.name} ${of}`],
  load: async () => (await import('./operate.ts')).operation(verb.name, of),
}));

export const confirming: Command = {
  name: 'confirm',
  does: 'Confirms what is lost by an operation that waits for it, also one that Git or somebody else made.',
  args: 'KIND/NAME',
  kinds: async () => [(await import('./chosen-action.ts')).operationKind().kind],
  details: 'Shows what is lost, and confirms exactly that; what the account has by then asks anew where it is another.',
  flags: [confirmFlag, dryRun, outputOf('name'), ...clusterFlags],
  talks: 'writes',
  rights: [
    { verbs: ['get', 'patch'], resource: 'kinds' },
    { verbs: ['get'], resource: 'customresourcedefinitions', optional: true },
  ],
  confirms: 'C2',
  examples: ['kubectl cloud confirm cop/rebuild-web'],
  load: async () => (await import('./operate.ts')).confirmed,
};

export const listing: Command = {
  name: 'ops',
  does: 'What was asked to be done once, how far it is, and with --prune away with what is over.',
  args: '[NAME ...]',
  details:
    'With --prune the objects go that this program made and that ended so long ago: one that Git or somebody else made stays, because whatever brings it back would bring back what was done. An operation whose end is not known stays too, until you have looked. Nothing in the account changes; a name that has gone can be used anew.',
  flags: [
    { form: '--list', help: 'List them, which is what it does without --prune.', conflicts: 'prune' },
    { form: '--prune', help: 'Delete objects of operations that this program made and that are over.' },
    { form: '--older-than <age>', help: 'Only those that ended so long ago, for example 12h or 30d. With --prune 30d unless given.' },
    { form: '--yes', help: 'Go on where a yes would be asked for.' },
    { form: '--dry-run', help: 'With --prune: show what would go, and delete nothing.' },
    ...choosing,
    outputOf('name'),
    ...clusterFlags,
  ],
  talks: 'prunes',
  rights: [
    { verbs: ['list', 'delete'], resource: 'kinds' },
    { verbs: ['get'], resource: 'kinds', optional: true },
  ],
  confirms: 'C1',
  exits: {
    0: 'they are listed, also where some wait or failed (kubectl cloud wait says by its code how one ended), or what was to go is gone',
  },
  examples: ['kubectl cloud ops -A', 'kubectl cloud ops --prune --older-than 7d'],
  load: async () => (await import('./ops.ts')).ops,
};
