import { path, post } from '../../resource/index.ts';
import type { Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { once } from './journal/transaction.ts';

/** `mark-events seen|read ID`: for the user of the token alone. */
export const markEvents: Verb = (call) => {
  const [how, id, ...more] = call.args;
  if ((how !== 'seen' && how !== 'read') || id === undefined || more.length > 0)
    throw new CliError(2, 'write: kubectl cloud mark-events seen ID, or read ID');
  return once(call, 'mark-events', async (account) => {
    const at = path`/account/events/${id}`;
    const event = await account.record(at);
    const upTo = how === 'seen' ? `all events up to ${id}` : `event ${id}, ${String(event['action'])},`;
    return {
      what: `mark ${upTo} as ${how}`,
      facts: [`${upTo} count as ${how} for user ${account.shown.user}, and for nobody else`],
      level: 'C0',
      expected: '',
      call: post(`${at}/${how}`),
      look: { path: at, columns: ['id', 'seen', 'read'] },
      done: () => `Marked as ${how}.`,
    };
  });
};
