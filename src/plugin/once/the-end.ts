import type { Resource } from '../../engine/ports/kubernetes.ts';
import { post, type Row } from '../../resource/index.ts';
import { type AccountReader, withAccount } from '../account/account-reader.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { shownName } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../command-line/flag.ts';
import { ofRecord } from '../look/shown.ts';
import { claimants } from './claimants.ts';
import type { AccountChange } from './journal/account-change.ts';
import { once } from './journal/transaction.ts';
import { companyOf, dollars, methodText, numberIn } from './words.ts';
import { counted } from '../../lib/counted.ts';

/** `account [show]`, `account cancel`. */
export const account: Verb = (call) => {
  const [does = 'show', ...more] = call.args;
  if (more.length > 0 || (does !== 'show' && does !== 'cancel')) throw new CliError(2, 'write: kubectl cloud account show, or cancel');
  if (does === 'show') return withAccount(call, 'account', async (shown) => ofRecord(shown, await shown.record('/account')));
  return once(call, 'account', (own) => cancelAccount(call, own), 'account:read_write');
};

const listed = {
  instance: '/vm/instances',
  volume: '/volumes',
  domain: '/domains',
  bucket: '/object-storage/buckets',
  database: '/databases/instances',
  'Kubernetes cluster': '/lke/clusters',
} as const;

async function cancelAccount(call: Call, own: AccountReader): Promise<AccountChange> {
  const left = await leftBehind(call, own, () => true);
  const record = await own.record('/account');
  const counts = await Promise.all(Object.entries(listed).map(async ([name, at]) => counted((await own.rows(at)).length, name)));
  const method = (await own.rows('/account/payment-methods')).find((one) => one['is_default'] === true);
  const charged = method === undefined ? 'and there is no default payment method for it' : `with ${methodText(method)}`;
  const comments = text(call.flags, 'comments');
  return {
    what: 'cancel the account',
    facts: [
      `${companyOf(record)} (${own.shown.id}) ends. ${dollars(numberIn(record, 'balance'))} are charged first, ${charged}`,
      `It has ${counts.join(', ')}. All of it goes, with its data, and cannot be had again.`,
      ...left,
    ],
    level: 'C3',
    expected: own.shown.id,
    call: post('/account/cancel', comments === undefined ? {} : { comments }),
    look: { path: '/account', columns: ['euuid', 'company', 'balance'] },
    done: (answer) => `Cancelled. The provider asks why: ${String(answer['survey_link'])}`,
  };
}

/** `object-storage cancel`. */
export const objectStorage: Verb = (call) => {
  if (call.args.length !== 1 || call.args[0] !== 'cancel') throw new CliError(2, 'write: kubectl cloud object-storage cancel');
  return once(call, 'object-storage', async (own) => {
    const left = await leftBehind(call, own, ({ status }) => String(status?.['path']).startsWith('/object-storage/'));
    const buckets = await own.rows('/object-storage/buckets');
    const objects = buckets.reduce((sum, row) => sum + numberIn(row, 'objects'), 0);
    return {
      what: 'cancel object storage',
      facts: [
        ...buckets.map((row) => bucketText(row)),
        `${counted(buckets.length, 'bucket')} with ${counted(objects, 'object')} ${buckets.length === 1 ? 'goes' : 'go'}, and all keys to them; none of it can be had again.`,
        ...left,
      ],
      level: 'C3',
      expected: String(buckets.length),
      call: post('/object-storage/cancel'),
      look: { path: '/account/settings', columns: ['object_storage'] },
      done: () => 'Object storage is cancelled; the account is no longer charged for it.',
    };
  });
};

const bucketText = (row: Row): string => `${String(row['cluster'])}/${String(row['label'])}: ${counted(Number(row['objects']), 'object')}`;

/** Objects that the operator would make anew, or miss: refused, or told where the line leaves them. */
async function leftBehind(call: Call, own: AccountReader, isMeant: (object: Resource) => boolean): Promise<readonly string[]> {
  const objects = (await claimants(call.session, own.shown.id)).filter(isMeant);
  if (objects.length === 0) return [];
  const some = `${objects.slice(0, 10).map(shownName).join(', ')}${objects.length > 10 ? ' ...' : ''}`;
  if (on(call.flags, 'leaveObjects'))
    return [
      `${counted(objects.length, 'object')} of the cluster ${objects.length === 1 ? 'loses what it stands' : 'lose what they stand'} for: ${some}`,
    ];
  throw new CliError(
    3,
    `${counted(objects.length, 'object')} of the cluster ${objects.length === 1 ? 'is' : 'are'} for it, and nothing was sent: ${some}. Delete them first, or add --leave-objects`,
  );
}
