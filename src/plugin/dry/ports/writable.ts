import { pauseAnnotation } from '../../../engine/model/annotations.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';

/** The account as it would be once it may be written: what waits for that is what a plan is asked for. */
export function writable(account: Resource): Resource {
  const { [pauseAnnotation]: _pause, ...annotations } = account.metadata.annotations ?? {};
  const { mode: _mode, ...spec } = account.spec;
  const { paused: _paused, ...status } = account.status ?? {};
  return { ...account, metadata: { ...account.metadata, annotations }, spec, ...(account.status && { status }) };
}

/** What only waits for its minute is sent all the same, and so is shown. */
export function due(object: Resource): Resource {
  const { nextChangeAt, ...status } = object.status ?? {};
  return nextChangeAt === undefined ? object : { ...object, status };
}
