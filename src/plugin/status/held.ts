import { heldBy, lostBy, type MassHold, nameOf } from '../../engine/guard/release-code.ts';
import { accountKey } from '../../engine/model/account.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { counted } from '../../lib/counted.ts';
import { typed } from '../cluster/naming.ts';
import { askingIn, recreateLines } from '../gestures/held/asking.ts';
import { holdsOf } from '../gestures/held-set.ts';
import type { StatusData } from '../output/shapes.ts';

export interface Gone {
  readonly namespace: string;
  readonly count: number;
  /** Of these, others were made in place of so many. */
  readonly replaced?: number;
}

/** What one line of the account lets go of: deletions of a namespace, a kind of which too much vanished. */
export type Brake = Pick<MassHold, 'namespace' | 'kind'>;

/** Which of these holds an object. */
export function brakeOf(object: Resource): Brake | undefined {
  const { kind, metadata, status } = object;
  const on = new Set((status?.['waitingFor'] ?? []) as readonly string[]);
  const account = { key: accountKey(object) };
  const { namespace } = metadata;
  if (on.has(heldBy(account))) return { namespace };
  if (on.has(lostBy(account))) return { kind };
  return on.has(lostBy(account, namespace)) ? { kind, namespace } : undefined;
}

/** `gone`: how many cloud resources of its namespace went before the others were held; of an operator that does not tell, in the last ten minutes. */
export function heldOf(
  { namespace, kind, count, message, before }: MassHold,
  lately: readonly Gone[],
): StatusData['accounts'][number]['held'][number] {
  if (before !== undefined) {
    const { count: gone, objects } = before;
    return { of: namespace ?? kind ?? '', count, message, gone, ...(objects && { goneNames: [...objects] }) };
  }
  const went = lately.filter((one) => one.namespace === namespace && kind === undefined);
  const gone = went.reduce((sum, { count, replaced = 0 }) => sum + count - replaced, 0);
  return { of: namespace ?? kind ?? '', count, message, ...(gone > 0 && { gone }) };
}

export const goneText = (gone: number): string =>
  `${counted(gone, 'cloud resource of it has', 'cloud resources of it have')} gone before the rest was held, and nothing brings back what was in them`;

/** Its message ends with what can be done, and a line for `kubectl`, which asks nothing: the plugin tells its own. */
export const heldText = ({ message }: Pick<MassHold, 'message'>): string =>
  message.replace(/(?:\. To keep [^;]*)?[.;] to [^:;.]*: kubectl .*$/is, '');

interface Line {
  readonly to: string;
  readonly line: string;
  readonly after?: string;
}
/** What can be done about it, the harmless first; what vanished in the account itself cannot be kept there. */
export function heldLines(account: Resource, hold: MassHold, objects: readonly Resource[]): readonly Line[] {
  const of = holdsOf(account).length > 1 ? ` --of ${nameOf(hold)}` : '';
  const line = (flag: string): string => `kubectl cloud release ${flag}${typed(account)}`;
  const look = { to: 'look first', line: line('--list ') };
  if (hold.kind !== undefined) {
    const asking = askingIn(objects, hold);
    const released = { to: 'have new ones made, empty', line: `${line('')}${of}`, after: 'which asks' };
    const asked = recreateLines(asking).map((one) => ({
      to: 'have those made, empty, that are RemoteMissing',
      line: one,
      after: 'which asks',
    }));
    return [look, ...asked, ...(asking.length < hold.count ? [released] : [])];
  }
  return [
    look,
    { to: 'keep what they have in the account', line: `${line('--keep ')}${of}`, after: 'which prints the lines for that' },
    { to: 'let them go', line: `${line('')}${of}`, after: 'which asks, and deletes what they have at once, for good' },
  ];
}
