import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { counted } from '../../../lib/counted.ts';
import { namesOf, typed } from '../../cluster/naming.ts';
import type { Call } from '../../command-line/command.ts';
import { registry } from '../../command-line/kinds.ts';
import { CliError } from '../../exit.ts';
import { stateOf } from '../../objects/facts.ts';
import { namespacesOf, objectsOf } from '../../objects/losing.ts';

/** Held one by one, each for its own reason: what no release is about. Only where the caller may list. */
export async function heldByProtect({ session }: Call, account: Resource): Promise<readonly Resource[]> {
  const reader = await session.reader();
  const found = await Promise.all(
    namespacesOf(account).map((one) => objectsOf(reader, account, { namespaces: [one], kinds: registry.kinds }).catch(noneIfForbidden)),
  );
  return found.flat().filter(isHeld);
}
function isHeld(object: Resource): boolean {
  const { reason, words } = stateOf(object);
  return reason === 'DeletionHeld' && words.includes('spec.lifecycle.protect');
}
function noneIfForbidden(error: unknown): readonly Resource[] {
  if (error instanceof CliError && error.isForbidden) return [];
  throw error;
}

const mostNamed = 3;
export function protectLines(held: readonly Resource[]): readonly string[] {
  const [first] = held;
  if (first === undefined) return [];
  const [own, them] = held.length === 1 ? ['its own or that of what is in it', 'it'] : ['their own or that of what is in them', 'them'];
  const what = `${counted(held.length, 'object is', 'objects are')} held by spec.lifecycle.protect, ${own}, and no release lets ${them} go`;
  const look = `kubectl cloud why ${typed(first)}`;
  return [
    `${what}: ${namesOf(held, mostNamed)}. What does: ${held.length === 1 ? look : `kubectl cloud why KIND/NAME, for the first one ${look}`}`,
  ];
}
