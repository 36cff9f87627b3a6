import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName, typed } from '../cluster/naming.ts';
import type { Call } from '../command-line/command.ts';
import { needsPerson } from '../objects/facts.ts';
import { Landscape } from '../objects/landscape.ts';
import { causesOf, rootsOf } from '../why/causes/cause.ts';
import { chainOf } from '../why/chain.ts';
import { phaseOf } from './asking.ts';
import { operationKind } from './chosen-action.ts';

/** Lines of who must act first, and on what; none: it begins by itself, as far as is to be seen. */
export async function personFirst({ session }: Call, { metadata }: Resource): Promise<readonly string[]> {
  const reader = await session.reader();
  const live = await reader.get(operationKind(), metadata);
  if (live === undefined || phaseOf(live) !== 'Pending') return [];
  const landscape = new Landscape(reader, [live]);
  const chain = await chainOf(landscape, live);
  const stuck = new Set(landscape.all.filter((one) => one !== live && needsPerson(one)).map(shownName));
  if (!causesOf(chain).some(({ object }) => stuck.has(object))) return [];
  return [
    ...rootsOf(chain).map(({ object, reason, message }) => `A person must act first: ${object}: ${reason}: ${message}`),
    `What to do: kubectl cloud why ${typed(live)}`,
  ];
}
