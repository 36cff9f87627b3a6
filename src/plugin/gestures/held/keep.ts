import type { Resource } from '../../../engine/ports/kubernetes.ts';
import type { Answer, Call } from '../../command-line/command.ts';
import { shownName } from '../../cluster/naming.ts';
import { namedAs } from '../../objects/around.ts';
import { aroundOf } from '../../objects/around-of.ts';
import { losingIn } from '../../objects/losing.ts';
import { takenAlong } from '../../objects/taken-along.ts';
import { perform } from '../gesture.ts';
import { heldObjects, holdsOf } from '../held-set.ts';

/** Also of what is held by nothing, and goes as soon as it may: the account is paused, or not connected. */
export async function keptAll(call: Call, account: Resource, nothing: readonly string[]): Promise<Answer> {
  const { session } = call;
  const { objects, unseen } = await losingIn(await session.reader(), account, session.now);
  for (const one of unseen) session.say(`What is being deleted in namespace ${one} is not among these: you may not list it.`);
  const holds = holdsOf(account).filter(({ kind }) => kind === undefined);
  const sets = await Promise.all(holds.map((hold) => heldObjects(call, account, hold)));
  const all = [...sets.flatMap(({ held, beside }) => [...held, ...beside]), ...objects];
  if (all.length === 0 && holdsOf(account).length === 0) return perform(call, [], nothing);
  return kept(call, [...new Map(all.map((object) => [object.metadata.uid, object] as const)).values()]);
}

/** Specs are never edited here: what they say comes from somewhere. */
export async function kept(call: Call, held: readonly Resource[]): Promise<Answer> {
  const going = held.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const patch = JSON.stringify({ spec: { lifecycle: { onDelete: 'Retain' } } });
  const lines = going.map(
    ({ kind, metadata }) => `kubectl patch -n ${metadata.namespace} ${kind.toLowerCase()}/${metadata.name} --type merge -p '${patch}'`,
  );
  const nothing = ['None of them is being deleted: there is nothing to keep.'];
  const around = await aroundOf(call.session, going);
  for (const object of going)
    for (const text of takenAlong({ ...namedAs(object), action: 'retain', fields: [] }, around))
      call.session.say(`${shownName(object)}: ${text}`);
  // Not among the lines, which may be piped into a shell.
  if (lines.length > 0)
    call.session.say(
      'They go from the cluster then, and stay in the account. To have one back, apply its manifest again, under the same name: it takes up what stayed.',
    );
  return perform(call, [], lines.length === 0 ? nothing : lines);
}
