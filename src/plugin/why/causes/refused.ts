import { isDeleting } from '../../../engine/model/annotations.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { ownWords } from '../../../lib/quoted.ts';
import { asCollection } from '../../../resource/index.ts';
import { registry } from '../../command-line/kinds.ts';
import { conditionOf, isBehind, stateOf } from '../../objects/facts.ts';
import type { Landscape } from '../../objects/landscape.ts';
import { linksOf } from '../../objects/links.ts';
import { insideOf } from './inside.ts';

/** As its condition says: it is off, and to have it booted would be refused. */
export function hasNothingToBoot(object: Resource): boolean {
  return stateOf(object).off && ownWords(conditionOf(object, 'Ready')?.message ?? '').includes('there is nothing to boot');
}

/** What was refused, or is off, may be so for want of what is to be in it, as the kind says of it. */
export function mayBeIncomplete(object: Resource): boolean {
  if (hasNothingToBoot(object)) return true;
  const { reason, words } = stateOf(object);
  if (reason !== 'Rejected' || isBehind(object)) return false;
  return Object.entries(registry.kind(object.kind).fields).some(([name, { refusals = [] }]) =>
    refusals.some(({ says, untilComplete }) => untilComplete === true && words.includes(ownWords(`spec.${name}: ${says}`))),
  );
}

/**
 * Objects of what is to be in it, of a kind of which nothing is there yet, where what it lacks may be that. Those that wait for others come
 * first, because these are told below them.
 */
export async function partsToCome(landscape: Landscape, object: Resource): Promise<readonly Resource[]> {
  if (!mayBeIncomplete(object)) return [];
  const inside = (await insideOf(landscape, object)).filter((one) => asCollection(registry.kind(one.kind))?.completesParent === true);
  const lacking = [...Map.groupBy(inside, ({ kind }) => kind).values()].filter((all) => all.every((one) => !isThere(one))).flat();
  return lacking.filter((one) => !isDeleting(one)).toSorted((a, b) => orderOf(a) - orderOf(b));
}
const orderOf = (one: Resource): number => (stateOf(one).reason === 'ReferenceNotReady' ? 0 : 1);
const isThere = ({ status }: Resource): boolean => status?.['id'] !== undefined;

/** What a refusal waits for is under way at what these fields of the spec name, as the kind says of it. */
function fieldsAtWork({ kind }: Resource, words: string): readonly string[] {
  const fields = Object.entries(registry.kind(kind).fields);
  return fields.flatMap(([name, { refusals = [] }]) =>
    refusals.flatMap(({ says, whileAt }) => (whileAt !== undefined && words.includes(ownWords(`spec.${name}: ${says}`)) ? [whileAt] : [])),
  );
}

/** The objects at which somebody must do something, before what was refused is taken. */
export async function targetsOfRefusal(landscape: Landscape, object: Resource): Promise<readonly Resource[]> {
  const { reason, words } = stateOf(object);
  if (reason !== 'Rejected' && reason !== 'Busy') return [];
  const fields = new Set(fieldsAtWork(object, words).map((field) => `spec.${field}`));
  const links = linksOf(object).flatMap((link) => (link.is === 'object' && fields.has(link.field) ? [link] : []));
  const found = await Promise.all(links.map(({ kind, key }) => landscape.find(kind, key)));
  return found.filter((one) => typeof one !== 'string');
}

/** Those of them that are not as wanted themselves. */
export const troubledTargets = async (landscape: Landscape, object: Resource): Promise<readonly Resource[]> =>
  (await targetsOfRefusal(landscape, object)).filter((one) => {
    const { well, off } = stateOf(one);
    return !well || off;
  });

/** In the operator's words, nothing is under way that would have it taken. */
export function isRefusedForGood(object: Resource): boolean {
  const { reason, words } = stateOf(object);
  return reason === 'Rejected' && /\bNothing is under way at spec\.\w+ that would mend it\b/.test(words);
}

/** What was refused is tried again within five minutes. */
const soon = 6 * 60_000;

/** What completes a target (a disk, a configuration) is still to come, or has come since the last try: by what it is then taken. */
export async function comingAt(landscape: Landscape, target: Resource): Promise<readonly Resource[]> {
  const inside = await insideOf(landscape, target);
  return inside.filter((one) => asCollection(registry.kind(one.kind))?.completesParent === true && !isThereFor(one, soon, landscape.now));
}
function isThereFor(object: Resource, time: number, now: number): boolean {
  const ready = conditionOf(object, 'Ready');
  return stateOf(object).well && ready !== undefined && now - Date.parse(ready.lastTransitionTime) > time;
}
