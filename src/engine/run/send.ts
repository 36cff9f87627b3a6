import type { Call } from '../../resource/index.ts';
import type { Lane, Reply } from '../ports.ts';
import { how, type Turn } from './turn.ts';

/** Why nothing may be sent any more: by the time that the budget gives leave, another replica may lead. */
export const leaseLost = ({ engine }: Turn): string | undefined => (engine.leadership.held() ? undefined : 'the lease is not held');

/** One change, when the budget gives leave for it. Rejects with a CloudError. */
export async function send(turn: Turn, call: Call, lane: Lane): Promise<Reply> {
  const permit = await turn.account.connection.permit(call, how(turn, lane));
  try {
    return await permit.send(() => leaseLost(turn));
  } finally {
    permit.release();
  }
}
