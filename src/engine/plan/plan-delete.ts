import { type AnyKind, type Call, del, type DeleteWait, type Leaving, type Row, seconds } from '../../resource/index.ts';
import type { DeleteStep } from '../model/step.ts';

/** Decides the next step for a remote that is to go. */
export function planDelete({ deletion = {} }: AnyKind, item: string, remote: Row, object: Leaving): DeleteStep {
  const held = waiting(deletion.waits?.(remote, object));
  if (held !== undefined) return held;
  const release = deletion.release?.(remote);
  if (release !== undefined) return { do: 'release', call: release };
  const kept = deletion.keeps?.(remote, object);
  return kept === undefined ? { do: 'delete', call: deletion.call?.(remote, item) ?? del(item) } : { do: 'keep', why: kept };
}

/** What is there is another one of its name. */
export const keepsAnother = (why: string | undefined): DeleteStep | undefined => (why === undefined ? undefined : { do: 'keep', why });

/** And not what a kind has in its place. */
export const isDelete = ({ method }: Call): boolean => method === 'DELETE';

function waiting(wait: DeleteWait | undefined): DeleteStep | undefined {
  if (typeof wait === 'string') return { do: 'wait', message: wait, recheckAfter: seconds(10) };
  return wait && { do: 'refuse', reason: 'Rejected', message: wait.personMust };
}
