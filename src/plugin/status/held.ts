import { heldBy, lostBy, nameOf } from '../../engine/guard/release-code.ts';
import { accountKey } from '../../engine/model/account.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { counted } from '../../lib/counted.ts';
import type { StatusData } from '../output/shapes.ts';

/** As the status of an account has it. */
export interface Held {
  readonly namespace?: string;
  readonly kind?: string;
  readonly count: number;
  readonly message: string;
}
export interface Gone {
  readonly namespace: string;
  readonly count: number;
}

/** What is held, as the account says: namespaces whose deletions are, kinds of which too many vanished. */
export function brakedIn({ status }: Resource): ReadonlySet<string> {
  const { held = [] } = (status ?? {}) as { readonly held?: readonly Held[] };
  return new Set(held.map(nameOf));
}

/** Which of these holds an object: one line of the account lets all of them go. */
export function brakeOf(object: Resource): string | undefined {
  const { kind, metadata, status } = object;
  const on = new Set((status?.['waitingFor'] ?? []) as readonly string[]);
  const account = { key: accountKey(object) };
  const { namespace } = metadata;
  if (on.has(heldBy(account))) return nameOf({ namespace });
  if (on.has(lostBy(account))) return nameOf({ kind });
  return on.has(lostBy(account, namespace)) ? nameOf({ kind, namespace }) : undefined;
}

/** `gone`: how many cloud resources of its namespace the operator has deleted in the last ten minutes, so before it held the others. */
export function heldOf({ namespace, kind, count, message }: Held, lately: readonly Gone[]): StatusData['accounts'][number]['held'][number] {
  const went = lately.filter((one) => one.namespace === namespace && kind === undefined);
  const gone = went.reduce((sum, one) => sum + one.count, 0);
  return { of: namespace ?? kind ?? '', count, message, ...(gone > 0 && { gone }) };
}

export const goneText = (gone: number): string =>
  `${counted(gone, 'cloud resource of it has', 'cloud resources of it have')} gone in the last ten minutes, and nothing brings back what was in them`;
