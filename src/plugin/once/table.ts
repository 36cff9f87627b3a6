import type { Command, Level, Right, Verb } from '../command-line/command.ts';
import { type Flag, text } from '../command-line/flag.ts';
import { clusterFlags, outputOf } from '../command-line/flags.ts';
import { whereabouts } from '../look/table.ts';

const rights: readonly Right[] = [
  { verbs: ['get'], resource: 'kinds' },
  { verbs: ['get'], resource: 'configmaps', optional: true },
];

/** Whose right counts. */
const asOneself: readonly Flag[] = [
  { form: '--account <name>', help: 'CloudAccount as NAMESPACE/NAME, or a name alone. Default: default.' },
  ...whereabouts,
  { form: '--token-file <file>', help: 'Your own token, instead of CLOUD_TOKEN; - is standard input.' },
  { form: '--as-account', help: "Use the token of the CloudAccount instead: the account's events will name the operator's user, not you." },
];
const dryRun: Flag = { form: '--dry-run', help: 'Show what it means and what would be sent, and send nothing.' };
const confirmed: readonly Flag[] = [
  { form: '--confirm <text>', help: 'What would have to be typed, where there is no terminal.' },
  {
    form: '--resolve <nonce>',
    help: 'Close an earlier change whose outcome was not known, once you have seen how it ended. Sends nothing.',
  },
];
const again: Flag = { form: '--again', help: 'Do it although the same was done within the last quarter of an hour.' };

type Row = Pick<Command, 'name' | 'does' | 'details' | 'examples' | 'load'> & {
  readonly args?: string;
  readonly flags?: readonly Flag[];
  readonly rights?: readonly Right[];
  readonly confirms?: Level;
};
const once = ({ flags = [], rights: more = [], details, args, confirms = 'C3', load, ...row }: Row): Command => ({
  ...row,
  load: () => resolvingFirst(row.name, load),
  ...(args !== undefined && { args }),
  details:
    confirms === 'C0'
      ? details
      : `${details} What is sent is written into a journal in your home folder first (~/.local/state/kubectl-cloud/journal.jsonl), and is never sent again by itself: where no answer came, the next line shows what the account says, and changes nothing until you close it with --resolve.`,
  flags: [...flags, ...(confirms === 'C0' ? [] : confirmed), dryRun, ...asOneself, outputOf(), ...clusterFlags],
  talks: 'changes',
  rights: [...rights, ...more],
  confirms,
  exits: { 5: 'a request was sent and no answer came; the same line shows what the account says' },
});

/** Whatever else a verb asks for: a change is closed by its nonce alone. */
async function resolvingFirst(name: string, load: Command['load']): Promise<Verb> {
  const verb = await load();
  return async (call) => {
    const nonce = text(call.flags, 'resolve');
    return nonce === undefined ? verb(call) : (await import('./journal/transaction.ts')).resolved(call, name, nonce);
  };
}

/** What a person does once in the account itself: money, ownership, the end. */
export const deeds: readonly Command[] = [
  once({
    name: 'pay',
    does: 'Pays with a payment method of the account.',
    details: 'Shows method and balance, and has you type the amount.',
    flags: [
      { form: '--usd <amount>', help: 'Dollars and cents, for example 20.00.' },
      { form: '--method <id>', help: 'Payment method, as payment-methods shows it. Default: the default one.' },
      { form: '--cvv-from <file>', help: 'File with the security code of the card; - is standard input. Default: it is asked for.' },
      again,
    ],
    examples: ['kubectl cloud pay --usd 20.00', 'kubectl cloud pay --resolve k2m4q7xw'],
    load: async () => (await import('./money/pay.ts')).pay,
  }),
  once({
    name: 'payment-method',
    does: 'Adds a card, deletes a payment method, or makes one the default.',
    args: 'add|delete ID|make-default ID',
    details:
      'The number of a card is typed without being shown, or read as JSON from standard input; never from the line. `payment-methods` lists what there is.',
    flags: [
      {
        form: '--card-from <file>',
        help: 'JSON with card_number, cvv, expiry_month, expiry_year; - is standard input. Default: it is asked for.',
      },
      { form: '--default', help: 'Charge the new card where a payment names no other.' },
      { form: '--deprecated-api', help: 'Use the older interface of the service, which makes the card the default.' },
      again,
    ],
    examples: ['kubectl cloud payment-method add --default', 'kubectl cloud payment-method make-default 1001'],
    load: async () => (await import('./money/payment-method.ts')).paymentMethod,
  }),
  once({
    name: 'promo',
    does: 'Adds a promo code to a young account.',
    args: 'add CODE',
    details: 'Needs an unrestricted user.',
    examples: ['kubectl cloud promo add WELCOME50'],
    load: async () => (await import('./money/promo.ts')).promo,
  }),
  once({
    name: 'transfer',
    does: 'Offers instances to another account, takes such an offer, or takes it back.',
    args: 'create KIND/NAME|ID ...|accept TOKEN|cancel TOKEN',
    details:
      'An instance is named by its id, or by the object that has it. Before an offer is made, all that the service or the cluster has against it is told at once; an object would make another instance afterwards, so it must be gone by then. `transfers` lists offers.',
    flags: [
      { form: '--instance <what>', help: 'An instance to offer, as KIND/NAME or by its id. May be repeated.', repeats: true },
      {
        form: '--and-abandon',
        help: 'Where objects have what is offered, print the lines that let it go and leave it there. Does none of them.',
      },
      { form: '--deprecated-api', help: 'Use the older of the two interfaces of the service.' },
      again,
    ],
    rights: [{ verbs: ['list'], resource: 'kinds' }],
    examples: [
      'kubectl cloud transfer create cinst/web --and-abandon',
      'kubectl cloud transfer create 1000',
      'kubectl cloud transfer accept 123E4567-E89B-12D3-A456-426614174000',
    ],
    load: async () => (await import('./transfer/transfer.ts')).transfer,
  }),
  once({
    name: 'account',
    does: 'Shows the account, or ends it.',
    args: '[show]|cancel',
    details: 'Cancelling shows what goes with the account, and is refused while objects of the cluster are for it.',
    flags: [
      { form: '--comments <text>', help: 'What the provider is to know.' },
      { form: '--leave-objects', help: 'Cancel although objects of the cluster are for the account.' },
    ],
    rights: [{ verbs: ['list'], resource: 'kinds' }],
    examples: ['kubectl cloud account show', 'kubectl cloud account cancel'],
    load: async () => (await import('./the-end.ts')).account,
  }),
  once({
    name: 'object-storage',
    does: 'Ends object storage with all buckets and keys.',
    args: 'cancel',
    details: 'Shows the buckets that go, and is refused while objects of the cluster manage any.',
    flags: [{ form: '--leave-objects', help: 'Cancel although objects of the cluster manage buckets or keys.' }],
    rights: [{ verbs: ['list'], resource: 'kinds' }],
    examples: ['kubectl cloud object-storage cancel'],
    load: async () => (await import('./the-end.ts')).objectStorage,
  }),
  once({
    name: 'mark-events',
    does: "Marks the account's events as seen, or one as read.",
    args: 'seen ID|read ID',
    details: 'Only for the user of the token; asks nothing and keeps no journal, as it may be done twice.',
    confirms: 'C0',
    examples: ['kubectl cloud mark-events seen 4711'],
    load: async () => (await import('./mark-events.ts')).markEvents,
  }),
  once({
    name: 'api',
    does: 'One request to the account, as it is.',
    args: 'METHOD PATH',
    details:
      "Paths, bodies and answers are in neutral words, `/vm/instances`; with --raw in the provider's own. GET goes with any token; the rest takes --write and your own, and is refused for what has a verb or an object. Secrets are shown as ***, so what is told once is better made by an object.",
    flags: [
      { form: '-d, --data <json>', help: 'Body; - is standard input, where no other process can read it.' },
      {
        form: '-H, --header <filter>',
        help: `What of a list is asked for: 'X-Filter: {"label": "web"}'. No other header is sent.`,
        repeats: true,
      },
      { form: '--paginate', help: 'All rows of all pages.' },
      { form: '--raw', help: "Path, filter, body and answer in the provider's own words. Secrets are shown as *** here too." },
      { form: '--write', help: 'Let a method other than GET be sent.' },
      { form: '--behind-the-operator', help: 'Also where an object of the cluster manages it.' },
    ],
    rights: [{ verbs: ['list'], resource: 'kinds' }],
    confirms: 'C2',
    examples: [
      'kubectl cloud api GET /volumes --paginate',
      `kubectl cloud api GET /vm/instances -H 'X-Filter: {"tags": "web"}'`,
      `kubectl cloud api PUT /profile --write --data '{"timezone":"UTC"}'`,
    ],
    load: async () => (await import('./api.ts')).api,
  }),
];
