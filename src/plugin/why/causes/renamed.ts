import { isDeleting } from '../../../engine/model/annotations.ts';
import { objectId } from '../../../engine/model/object-id.ts';
import { canonical } from '../../../engine/model/values.ts';
import type { Key, Resource } from '../../../engine/ports/kubernetes.ts';
import { fewOf } from '../../../lib/few-of.ts';
import { counted } from '../../../lib/counted.ts';
import { type AnyKind, asCollection, type Row } from '../../../resource/index.ts';
import { mergePatch, namesOf, shownName, typed, withKubectl } from '../../cluster/naming.ts';
import { registry } from '../../command-line/kinds.ts';
import { isBehind, stateOf } from '../../objects/facts.ts';
import type { Landscape } from '../../objects/landscape.ts';
import { namingKinds } from '../../objects/around-of.ts';
import { Around, type Naming } from '../../objects/around.ts';
import { linksOf } from '../../objects/links.ts';
import { ownerTold } from '../../objects/owner-told.ts';
import { isProtected, withoutProtection } from '../../objects/protected.ts';
import type { Advice } from '../advice.ts';
import type { Cause } from './cause.ts';
import { unread } from './inside.ts';
import { isHandedOver } from './let-go.ts';

interface Named {
  readonly kind: string;
  readonly metadata: Key;
}

/** Kinds whose objects name one of this kind as what they are in, and for good. */
export const kindsIn = (kind: string): readonly AnyKind[] =>
  registry.kinds.filter((one) => {
    const ref = asCollection(one)?.parent?.ref;
    const isIn = registry.sites(one.kind).some(({ at, what }) => at[0] === ref && what.is === 'ref' && what.target.kind === kind);
    return ref !== undefined && isIn && one.fields[ref]?.immutable === true;
  });

/** By the operator's word: it waits for what the other one has, which hands that over as it is deleted. */
function asksFor(one: Resource, other: Named): boolean {
  const told = isBehind(one) ? undefined : ownerTold(stateOf(one).message);
  return told?.handsOver === true && objectId(told.kind, told.metadata) === objectId(other.kind, other.metadata);
}

/** It is to be in the one that takes over, and so waits for that before anything is looked at for it. */
const willAskFor = (one: Resource, part: Resource, next: Named): boolean =>
  one.kind === part.kind && isIn(one, next) && String((one.spec['adopt'] as Row | undefined)?.['id']) === String(part.status?.['id']);

/** What this object is in was handed over, and it is there under another name already: that waits for it alone. */
export async function withSuccessor(landscape: Landscape, object: Resource, cause: Cause): Promise<Cause> {
  if (!isHandedOver(object)) return cause;
  const all = await landscape.list(registry.kind(object.kind), object.metadata.namespace).catch(unread);
  const next = all.find((one) => asksFor(one, object));
  if (next !== undefined) return { ...cause, ...handingOver(object, next) };
  const there = all.find((one) => !isDeleting(one) && (toldId(one, object) !== undefined || wantsItsId(one, object)));
  if (there === undefined) return cause;
  const id = toldId(there, object);
  return { ...cause, ...(id === undefined ? notYet(there) : askingFirst(object, there, id)) };
}

const wasHandedOver = 'What it is in was handed over, as in a rename';
const unlocked = (line: string): string => ` It has spec.lifecycle.protect: true, which the ${line} line takes off.`;

function handingOver(object: Resource, next: Resource): Advice {
  const locked = isProtected(object);
  return {
    todo: `${wasHandedOver}, and ${shownName(next)} asks for what this object has. Delete this one by the ${locked ? 'second' : 'first'} line: it is handed over, and nothing in the account is touched.${locked ? unlocked('first') : ''}`,
    commands: [...(locked ? [withoutProtection(object)] : []), withKubectl('delete', object)],
  };
}

/** By the operator's word it has the same name, and would ask by this id. */
function toldId(one: Resource, object: Resource): string | number | undefined {
  const told = isBehind(one) ? undefined : ownerTold(stateOf(one).message);
  return told && objectId(told.kind, told.metadata) === objectId(object.kind, object.metadata) ? told.id : undefined;
}
const wantsItsId = (one: Resource, object: Resource): boolean =>
  one.metadata.uid !== object.metadata.uid &&
  object.status?.['id'] !== undefined &&
  String((one.spec['adopt'] as Row | undefined)?.['id']) === String(object.status['id']);

function askingFirst(object: Resource, next: Resource, id: string | number): Advice {
  const locked = isProtected(object);
  return {
    todo: `${wasHandedOver}, and ${shownName(next)} is there and wants the same, but does not ask for what this object has. The first line has it ask (write it into its manifest, too), and the ${locked ? 'third' : 'second'} hands that over: nothing in the account is touched.${locked ? unlocked('second') : ''}`,
    commands: [
      mergePatch(next, { spec: { adopt: { id } } }),
      ...(locked ? [withoutProtection(object)] : []),
      withKubectl('delete', object),
    ],
  };
}

/** Deleted before its time it would not be handed over. */
function notYet(next: Resource): Advice {
  const { reason } = stateOf(next);
  const how = reason === undefined || isBehind(next) ? 'no operator has looked at it yet' : `it is ${reason} now`;
  return {
    todo: `${wasHandedOver}, and ${shownName(next)} is there and is to have what this object has (spec.adopt), but ${how}. Delete this one only once that one waits for nothing but it: before, what it has may go with it. The first line tells how that one stands.`,
    commands: [`kubectl cloud why ${typed(next)}`],
  };
}

interface HandOver {
  readonly from: Named;
  readonly to: Named;
}
/** What is in the one that hands over goes with it where others ask for that; what nothing asks for would be left hanging. */
export async function withParts(landscape: Landscape, { from: other, to }: HandOver, cause: Cause): Promise<Cause> {
  const [remove, { namespace }] = [withKubectl('delete', other), other.metadata];
  if (!cause.commands.includes(remove)) return cause;
  const lists = await Promise.all(kindsIn(other.kind).map((kind) => landscape.list(kind, namespace).catch(unread)));
  const all = lists.flat();
  const parts = all.filter((one) => one.status?.['path'] !== undefined && isIn(one, other));
  const asked = parts.filter((part) => all.some((one) => asksFor(one, part) || willAskFor(one, part, to)));
  const left = parts.filter((part) => !asked.includes(part)).map((part) => ({ part, twin: all.find((one) => isTwin(one, part, to)) }));
  const namers = await namersOf(landscape, other, parts);
  const whole = `kubectl -n ${namespace} delete ${[other, ...asked].map(({ kind, metadata: { name } }) => `${kind.toLowerCase()}/${name}`).join(' ')}`;
  return {
    ...cause,
    todo: [leftText(left), namersText(namers), cause.todo, askedText(asked)].filter((text) => text !== '').join(' '),
    commands: asked.length === 0 ? cause.commands : cause.commands.map((line) => (line === remove ? whole : line)),
  };
}

/** Who names the one that hands over, and is not in it: it would wait for ever for what is gone. */
async function namersOf(landscape: Landscape, other: Named, parts: readonly Resource[]): Promise<readonly Naming[]> {
  const kinds = namingKinds(new Set([other.kind]));
  const lists = await Promise.all(kinds.map((kind) => landscape.list(kind, other.metadata.namespace).catch(unread)));
  const { kind, metadata } = other;
  const all = new Around(lists.flat()).naming({ kind, ...metadata });
  return all.filter(({ object }) => !parts.includes(object) && !isIn(object, other) && !isDeleting(object));
}
function namersText(namers: readonly Naming[]): string {
  if (namers.length === 0) return '';
  const texts = namers.map(({ object, fields }) => `${shownName(object)} (${[...new Set(fields)].join(', ')})`);
  const [name, it] = namers.length === 1 ? ['names', 'it'] : ['name', 'them'];
  const wait = namers.length === 1 ? 'it waits' : 'they wait';
  return `${fewOf(texts, mostTold)} ${name} the other one, too: before that is deleted, have ${it} name this one (in the manifest, too), which changes nothing in the account. Else ${wait} for what is gone.`;
}

const isIn = (object: Resource, { kind, metadata }: Named): boolean =>
  linksOf(object).some(
    (link) =>
      link.is === 'object' &&
      link.field === `spec.${registry.kind(object.kind).parent?.ref ?? ''}` &&
      objectId(link.kind, link.key) === objectId(kind, metadata),
  );

function askedText(asked: readonly Resource[]): string {
  if (asked.length === 0) return '';
  const locked = asked.filter(isProtected);
  const first = locked.length === 0 ? '' : ` Before that set spec.lifecycle.protect: false of ${namesOf(locked)}.`;
  const [are, ask] = asked.length === 1 ? ['is in it and that another', 'asks'] : ['are in it and that others', 'ask'];
  return `The other one is deleted together with the ${counted(asked.length, 'object')} that ${are} ${ask} for, so that all is handed over.${first}`;
}

/** It is there as in the one that takes over, and says the same, but for asking. */
const isTwin = (one: Resource, part: Resource, next: Named): boolean =>
  one.kind === part.kind && one.spec['adopt'] === undefined && isIn(one, next) && saidBy(one) === saidBy(part);
function saidBy({ kind, spec }: Resource): string {
  const apart = new Set(['adopt', 'lifecycle', registry.kind(kind).parent?.ref]);
  return canonical(Object.fromEntries(Object.entries(spec).filter(([field]) => !apart.has(field))));
}

const mostTold = 5;
function leftText(left: readonly { readonly part: Resource; readonly twin: Resource | undefined }[]): string {
  if (left.length === 0) return '';
  const [name, have] = left.length === 1 ? ['names', 'it has'] : ['name', 'they have'];
  const silent = left.flatMap(({ part, twin }) =>
    twin === undefined
      ? []
      : [`write spec.adopt: {id: ${idText(part)}} into ${shownName(twin)}, which is there and says the same as ${part.metadata.name}`],
  );
  const alone = left.filter(({ twin }) => twin === undefined).length;
  const whose = silent.length === 0 ? 'each' : alone === 1 ? 'the other one' : 'each of the others';
  const others = `apply ${whose} under another name with the new name of this one and spec.adopt: {id: ...} (its own status.id)`;
  const steps = [...(silent.length === 0 ? [] : [fewOf(silent, mostTold)]), ...(alone === 0 ? [] : [others])];
  return `${fewOf(
    left.map(({ part }) => shownName(part)),
    mostTold,
  )} ${name} the other one for good, and nothing asks for what ${have}: before the other one is deleted, ${steps.join('; ')}, and look again.`;
}
const idText = ({ status }: Resource): string =>
  /^\d+$/.test(String(status?.['id'])) ? String(status?.['id']) : JSON.stringify(status?.['id']);
