import type { Command, Right } from '../command-line/command.ts';
import type { Flag } from '../command-line/flag.ts';
import { clusterFlags, outputOf } from '../command-line/flags.ts';
import { nouns } from './nouns.ts';

const ofAccount: readonly Right[] = [
  { verbs: ['get'], resource: 'kinds' },
  { verbs: ['get'], resource: 'secrets' },
  { verbs: ['get'], resource: 'configmaps', optional: true },
];

/** Of a verb that holds the account against the objects of the cluster. */
export const accountRights: readonly Right[] = [
  { verbs: ['list', 'get'], resource: 'kinds' },
  { verbs: ['get'], resource: 'secrets' },
  { verbs: ['get'], resource: 'configmaps', optional: true },
  { verbs: ['get'], resource: 'namespaces', optional: true },
];
/** How a verb comes to the account that it reads, for its help. */
export const asksAccount =
  'Asks the account with the token of its CloudAccount, or with your own (CLOUD_TOKEN, --token-file), and only reads.';

/** Where accounts are. */
export const whereabouts: readonly Flag[] = [
  {
    form: '--endpoint <name=url>',
    help: "Where accounts are, as the operator's flag of this name has it: NAME=URL[,word=W][,ca=FILE]. May be repeated. Default: what the operator's chart or kustomization says in ConfigMap cloud-operator-endpoints, which has no certificate authority: say it here where it is a private one, or where there is no such ConfigMap, as of an operator outside the cluster.",
    repeats: true,
  },
  {
    form: '--expect-account <id>',
    help: 'Id of the account that is meant. Where the token leads to another one, nothing of that is shown or changed, and the exit code is 4.',
  },
  { form: '--operator-namespace <name>', help: 'Namespace of that ConfigMap. Default: cloud-operator.' },
  {
    form: '--share <percent>',
    help: 'How much of each rate window of the account this line may take. The rest is for the operator and others. Default: 20.',
  },
];
export const tokenFile: Flag = {
  form: '--token-file <file>',
  help: 'Token to read accounts with, instead of that of the CloudAccount; - is standard input.',
};
export const accountFlags: readonly Flag[] = [
  { form: '--account <name>', help: 'CloudAccount as NAMESPACE/NAME, or a name alone. Default: default.' },
  ...whereabouts,
  tokenFile,
];
const since: Flag = { form: '--since <duration>', help: 'Only what is no older than this, for example 2h or 30d.' };
const user: Flag = { form: '--user <name>', help: 'Only what this user of the account did.' };
const failed: Flag = { form: '--failed', help: 'Only what failed.' };

type Row = Pick<Command, 'name' | 'does' | 'args' | 'load'> & {
  readonly details?: string;
  readonly flags?: readonly Flag[];
  readonly rights?: readonly Right[];
  readonly example?: string;
  /** Beside text, json and yaml. */
  readonly forms?: readonly string[];
  readonly exits?: Command['exits'];
};
const look = ({
  name,
  does,
  args,
  load,
  details = '',
  flags = [],
  rights = ofAccount,
  example = '',
  forms = ['wide'],
  exits,
}: Row): Command => ({
  name,
  does,
  ...(args !== undefined && { args }),
  details: `${details === '' ? '' : `${details} `}${asksAccount}`,
  flags: [...flags, ...accountFlags, outputOf(...forms), ...clusterFlags],
  talks: 'asks',
  rights,
  confirms: 'C0',
  ...(exits && { exits }),
  examples: [`kubectl cloud ${[name, example].filter(Boolean).join(' ')}`],
  load,
});

/** One noun under a verb of its own. */
const looking = async (verb: string, noun: string): ReturnType<Command['load']> => (await import('./get.ts')).looking(verb, () => noun);

const catalogues = [
  { name: 'regions', does: 'Regions, and what each can do.', forms: ['wide'] },
  { name: 'images', does: "Images that instances can be made from, the account's own and the provider's.", forms: ['wide'] },
  { name: 'versions', does: 'Versions of Kubernetes that clusters can have.', forms: [] },
  { name: 'engines', does: 'Database engines and their versions.', forms: [] },
] as const;

/** What the account has that no object shows. */
export const looks: readonly Command[] = [
  look({
    name: 'get',
    does: 'Rows of the account as the service has them, or one of them.',
    args: 'NOUN [ID ...] | KIND/NAME',
    details: `NOUN is one of: ${Object.keys(nouns).join(', ')}; or a kind that has such rows, as cvol. KIND/NAME shows what an object has. What lies below something needs its id first: \`get firewall-devices 4711\`. Secrets are shown as ***.`,
    example: 'volumes',
    load: async () => (await import('./get.ts')).get,
  }),
  look({
    name: 'events',
    does: 'What happened in the account, and who did it.',
    args: '[ID | KIND | KIND/NAME]',
    details:
      "KIND and KIND/NAME are as with --kind. With the object that has what it is about, as far as you may list objects, and (operator's user) behind the user whose token a CloudAccount has: the operator did it, or somebody with the same user or token. For programs the same is `object`, null where no object has it, and `operatorsUser`, true or false. The service keeps events for 90 days.",
    flags: [
      since,
      user,
      failed,
      { form: '--kind <kind>', help: 'Only events of this kind, or about this object, for example cvol or cinst/web.' },
      {
        form: '-w, --watch',
        help: 'First what there is already (--since leaves older out), then go on with what happens, which is looked for every ten seconds. With -o jsonl each is an object on a line.',
      },
    ],
    rights: [...ofAccount, { verbs: ['list'], resource: 'kinds', optional: true }],
    forms: ['wide', 'jsonl'],
    example: '--since 2h',
    load: async () => (await import('./events.ts')).events,
  }),
  look({
    name: 'logins',
    does: "Logins of the account's users.",
    args: '[ID]',
    details: 'The service keeps them for 90 days, and shows them to unrestricted users only.',
    flags: [since, user, failed],
    load: async () => looking('logins', 'logins'),
  }),
  look({
    name: 'invoices',
    does: 'Invoices of the account, one of them, or its items.',
    args: '[ID]',
    flags: [{ form: '--items', help: 'The items of the invoice that is named.' }, since],
    example: '4711 --items',
    load: async () =>
      (await import('./get.ts')).looking('invoices', ({ flags }) => (flags['items'] === true ? 'invoice-items' : 'invoices')),
  }),
  look({
    name: 'payments',
    does: 'Payments of the account, or one of them.',
    args: '[ID]',
    flags: [since],
    load: async () => looking('payments', 'payments'),
  }),
  look({
    name: 'payment-methods',
    does: 'How the account pays, without numbers of cards.',
    args: '[ID]',
    forms: [],
    load: async () => looking('payment-methods', 'payment-methods'),
  }),
  look({
    name: 'transfers',
    does: 'Offers to hand something over to another account, sent and received.',
    args: '[TOKEN]',
    flags: [{ form: '--deprecated-api', help: 'Ask the older of the two interfaces of the service.' }],
    load: async () =>
      (await import('./get.ts')).looking('transfers', ({ flags }) =>
        flags['deprecatedApi'] === true ? 'transfers-deprecated' : 'transfers',
      ),
  }),
  ...catalogues.map(({ name, does, forms }) => look({ name, does, forms, args: '[ID]', load: async () => looking(name, name) })),
  look({
    name: 'types',
    does: 'Plans of instances, with what they cost a month.',
    args: '[ID]',
    details:
      'Of a region are those that its capabilities allow, as far as the account tells: GPUs and bare metal are not everywhere. Whether there is room for one now is told by nobody before it is made.',
    flags: [
      { form: '--region <name>', help: 'Only those that this region can have, for example us-east.' },
      { form: '--max-usd <amount>', help: 'Only those that cost no more a month, for example 20.' },
    ],
    example: '--region us-east --max-usd 20',
    load: async () => (await import('./instance-types.ts')).types,
  }),
  look({ name: 'vlans', does: 'Private networks of the account, and who is in them.', load: async () => looking('vlans', 'vlans') }),
  look({
    name: 'zone',
    does: 'A DNS zone as the name servers of the service have it.',
    args: 'cdom/NAME|DOMAIN|ID',
    example: 'example.org',
    forms: [],
    exits: { 0: 'the zone is shown', 1: 'the service has not rendered it yet, or does not while the domain is disabled' },
    load: async () => (await import('./below.ts')).zone,
  }),
  look({
    name: 'objects',
    does: 'What is in a bucket: names and sizes, never contents.',
    args: 'cbkt/NAME|CLUSTER/BUCKET',
    flags: [
      { form: '--prefix <text>', help: 'Only names that begin so.' },
      { form: '--delimiter <text>', help: 'Show what lies below it as one, as folders.' },
      { form: '--limit <number>', help: 'How many at most.', default: '1000' },
    ],
    example: 'us-east-1/assets --prefix img/',
    load: async () => (await import('./below.ts')).objects,
  }),
];
