import { type AnyKind, type Call, del, type DeleteWait, type Leaving, type Row, seconds } from '../../resource/index.ts';
import type { DeleteStep } from '../model/step.ts';

/** Decides the next step for a remote that is to go. */
export function planDelete({ deletion = {} }: AnyKind, item: string, remote: Row, object: Leaving): DeleteStep {
  const held = waiting(deletion.waits?.(remote, object));
  if (held !== undefined) return held;
  const kept = deletion.keeps?.(remote, object);
  if (kept !== undefined) return { do: 'keep', why: kept };
  const release = deletion.release?.(remote);
  return release === undefined ? { do: 'delete', call: deletion.call?.(remote, item) ?? del(item) } : { do: 'release', call: release };
}

/** What is there is another one of its name. */
export const keepsAnother = (why: string | undefined): DeleteStep | undefined => (why === undefined ? undefined : { do: 'keep', why });

/** And not what a kind has in its place. */
export const isDelete = ({ method }: Call): boolean => method === 'DELETE';

function waiting(wait: DeleteWait | undefined): DeleteStep | undefined {
  if (typeof wait === 'string') return { do: 'wait', message: wait, recheckAfter: seconds(10) };
  return wait && { do: 'refuse', reason: 'Rejected', message: wait.personMust };
}
