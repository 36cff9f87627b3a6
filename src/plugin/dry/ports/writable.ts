import { pauseAnnotation } from '../../../engine/model/annotations.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import type { Millis } from '../../../lib/clock.ts';
import { shownTime } from '../../../lib/utc-time.ts';

/** The account as it would be once it may be written: what waits for that is what a plan is asked for. */
export function writable(account: Resource): Resource {
  const { [pauseAnnotation]: _pause, ...annotations } = account.metadata.annotations ?? {};
  const { mode: _mode, ...spec } = account.spec;
  const { paused: _paused, ...status } = account.status ?? {};
  return { ...account, metadata: { ...account.metadata, annotations }, spec, ...(account.status && { status }) };
}

/** What only waits for its time is sent all the same, and so is shown; what is to be deleted was so a while ago. */
export function due({ metadata, ...object }: Resource): Resource {
  const { nextChangeAt: _, ...status } = object.status ?? {};
  const { deletionTimestamp: at } = metadata;
  const deleted = at && { deletionTimestamp: shownTime(Date.parse(at) - aWhile) };
  return { ...object, metadata: { ...metadata, ...deleted }, ...(object.status && { status }) };
}
const aWhile: Millis = 10_000;
