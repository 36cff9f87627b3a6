import { firstOf } from '../../lib/few-of.ts';
import { type AnyWant, asId, isOfProvider, type ReferenceSite, type Row } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import type { ReadAccount } from '../model/account.ts';
import { annotation, remoteAnnotation } from '../model/annotations.ts';
import { installationTagPrefix } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { anyOf, objectId } from '../model/object-id.ts';
import { borrowed } from './borrowed.ts';
import { configMapValue, type DataKey, roomFor, secretValue } from './data-value.ts';
import { ownWords } from './leaving.ts';
import { checkedInside, inside, literal, ofOwners } from './literal.ts';
import { operatedSite } from './named.ts';
import { type Missing, outOfList, outputValue, refValue } from './target.ts';
import { select } from './select.ts';

/** The spec with references, outputs and secrets in place. What cannot be resolved yet is left out and named. */
export interface Resolved {
  readonly want: AnyWant;
  /** `spec.instanceRef: CloudInstance web has no id yet`, for `status.waitingFor` and messages. */
  readonly waitingFor: readonly string[];
  /** Top-level fields that could not be resolved at all, or of which an element is refused: no verdict on them. */
  readonly unresolved: readonly string[];
  /** Why some of them can never be so: the spec is wrong. */
  readonly wrong: readonly string[];
  /** Those of them that take what another object has, which is not there: what the remote has of it may be anybody's by now. */
  readonly lost: readonly string[];
  /** Top-level lists of which some elements are missing: they may be added to, never taken from. */
  readonly partial: readonly string[];
  /** Of what `waitingFor` names something is not there at all. */
  readonly absent?: true;
  /** Top-level fields that name that. */
  readonly gone: readonly string[];
}

/** No waiting mends it, and nothing was sent for it. */
export const wrongReferences = ({ wrong }: Pick<Resolved, 'wrong'>): Outcome<'Stalled'> => ({
  is: 'Stalled',
  reason: 'InvalidSpec',
  message: `${wrong.join('; ')}. Nothing is sent for it`,
});

/** Of what is waited for: with what is to be done about it, it must fit into a message. */
const named = { most: 20, size: 3072 };

const engineFields = new Set(['accountRef', 'adopt', 'lifecycle', 'allowedRefs', 'secretName']);

/** Resolves what the spec names. Learns the links on the way, so that a change of a target wakes this object. */
export async function resolve(context: ClusterContext): Promise<Resolved> {
  const { engine, object, kind, account } = context;
  const spec = structuredClone(Object.fromEntries(Object.entries(object.spec).filter(([field]) => !engineFields.has(field)))) as Record<
    string,
    unknown
  >;
  const found: Found = {
    targets: new Set(),
    waitingFor: [],
    unresolved: new Set(),
    refused: new Set(),
    wrong: [],
    lost: new Set(),
    partial: new Set(),
    later: new Set(),
    gone: new Set(),
    room: roomFor(kind),
    places: new Map(),
  };
  for (const site of [...engine.registry.sites(kind.kind), ...operatedSite(kind, spec)])
    await place(context, site, { holder: spec, depth: 0, trail: 'spec' }, found);
  engine.referenceIndex.set(objectId(object.kind, { namespace: object.metadata.namespace, name: object.metadata.name }), found.targets);
  const want = {
    ...accountDefaults(context, spec, account),
    ...ownWords(context),
    ...ownName(context, spec),
    ...borrowed(context),
    ...awaited(found),
  };
  const { unresolved, lost, partial, gone } = found;
  const [waitingFor, wrong] = [firstOf(found.waitingFor, named), firstOf(found.wrong, named)];
  const fields = { unresolved: [...unresolved], lost: [...lost], partial: [...partial], gone: [...gone] };
  return { want, waitingFor, wrong, ...fields, ...(gone.size > 0 && { absent: true }) };
}

/** What has a name of its own in its spec needs no derived one. */
const ownName = ({ kind: { label } }: ClusterContext, { name }: Readonly<Record<string, unknown>>): { readonly name?: string } =>
  label === undefined && typeof name === 'string' ? { name } : {};

interface Found {
  readonly targets: Set<string>;
  readonly waitingFor: string[];
  readonly unresolved: Set<string>;
  /** Those of them that no waiting brings about. */
  readonly refused: Set<string>;
  /** What of that no other object can mend. */
  readonly wrong: string[];
  readonly lost: Set<string>;
  readonly partial: Set<string>;
  /** What needs this object first is not there yet. */
  readonly later: Set<string>;
  readonly gone: Set<string>;
  readonly room: ReturnType<typeof roomFor>;
  /** Of lists of which something was left out already: which element of the spec each is, as people count them. */
  readonly places: Map<unknown[], readonly number[]>;
}
interface Position {
  readonly holder: Record<string, unknown> | unknown[];
  readonly depth: number;
  readonly trail: string;
}

/** `lacking`: elements of a list that have no value yet, in words. */
type Value = { readonly value: unknown; readonly lacking?: readonly string[]; readonly partial?: boolean } | Missing;
async function place(context: ClusterContext, site: ReferenceSite, { holder, depth, trail }: Position, found: Found): Promise<void> {
  const step = site.at[depth];
  if (step === undefined) return;
  if (step === '*') return placeElements(context, site, { holder, depth, trail }, found);
  const here = (holder as Record<string, unknown>)[step];
  if (here === undefined || here === null) return;
  if (depth < site.at.length - 1)
    return place(context, site, { holder: here as Record<string, unknown>, depth: depth + 1, trail: `${trail}.${step}` }, found);
  const result = await lookUp(context, site, here, found);
  if ('value' in result) (holder as Record<string, unknown>)[step] = result.value;
  else delete (holder as Record<string, unknown>)[step];
  noteLacking(result, { site, trail: `${trail}.${step}` }, found);
}

function noteLacking(result: Value, { site, trail }: { readonly site: ReferenceSite; readonly trail: string }, found: Found): void {
  const field = site.at[0] ?? '';
  const texts = 'missing' in result ? [result.missing] : (result.lacking ?? []);
  found.waitingFor.push(...texts.map((text) => `${trail}: ${text}`));
  if ('missing' in result && result.wrong === true) found.wrong.push(`${trail}: ${result.missing}`);
  if ('missing' in result && result.gone === true) found.gone.add(field);
  if ('missing' in result) noteUnresolved(result, site, found);
  else if (result.partial === true) found.partial.add(field);
}

function noteUnresolved({ refused, wrong }: Missing, { at: [field = ''], what }: ReferenceSite, found: Found): void {
  if (refused === true) found.refused.add(field);
  else if (what.is === 'ref' && what.target.after === true) return void found.later.add(field);
  found.unresolved.add(field);
  if (wrong !== true && (what.is === 'ref' || what.is === 'output')) found.lost.add(field);
}

async function placeElements(
  context: ClusterContext,
  site: ReferenceSite,
  { holder, depth, trail }: Position,
  found: Found,
): Promise<void> {
  const elements = holder as unknown[];
  const kept: { readonly place: number; readonly value: unknown }[] = [];
  const places = found.places.get(elements) ?? [...elements.keys()];
  let without = 0;
  const [field = ''] = site.at;
  for (const [index, element] of elements.entries()) {
    const place = places[index] ?? index;
    const here = `${trail}[${place}]`;
    if (depth < site.at.length - 1) {
      if (await placeIn(context, site, { holder: element as Record<string, unknown>, depth, trail: here }, found))
        kept.push({ place, value: element });
      continue;
    }
    const result = await lookUp(context, site, element, found);
    if ('value' in result) kept.push({ place, value: result.value });
    else without += noteMissing(context, result, { field, trail: here }, found);
  }
  if (kept.length + without < elements.length) found.partial.add(field);
  for (const one of found.refused) found.unresolved.add(one);
  elements.splice(0, elements.length, ...kept.map(({ value }) => value));
  found.places.set(
    elements,
    kept.map(({ place }) => place),
  );
}

/** Whether it is left in its list. */
async function placeIn(context: ClusterContext, site: ReferenceSite, { depth, ...at }: Position, found: Found): Promise<boolean> {
  const unresolved = isInPart(context, site) ? new Set<string>() : undefined;
  await place(context, site, { ...at, depth: depth + 1 }, unresolved === undefined ? found : { ...found, unresolved });
  return unresolved === undefined || unresolved.size === 0;
}

/** What may not be named is waited for by nobody: the whole list then is not what the spec asks for. */
const isInPart = ({ kind }: ClusterContext, { at: [field = ''], what }: ReferenceSite): boolean =>
  kind.fields[field]?.inPart === true && what.is !== 'accountId';

/** How many the list goes without: this one, or none. */
function noteMissing(
  context: ClusterContext,
  one: Missing,
  { field, trail }: { readonly field: string; readonly trail: string },
  found: Found,
): 0 | 1 {
  const out = outOfList(context, field, one);
  const { missing, refused, wrong } = out ?? one;
  found.waitingFor.push(`${trail}: ${missing}`);
  if (one.gone === true) found.gone.add(field);
  if (wrong === true) found.wrong.push(`${trail}: ${missing}`);
  if (refused === true) found.unresolved.add(field);
  return out === undefined ? 0 : 1;
}

async function lookUp(context: ClusterContext, { what }: ReferenceSite, here: unknown, found: Found): Promise<Value> {
  const value = here as Row;
  switch (what.is) {
    case 'prefixedId':
      return image(context, context.account.connection.neutral(String(here)));
    case 'accountId':
      return what.own ? ofOwners(context, here) : literal(context, here);
    case 'ref':
      return refValue(context, what.target, value, found.targets);
    case 'output':
      return outputValue(context, what, value, found.targets);
    case 'selector':
      return selected(context, what.kind, value, found);
    case 'secret':
      return found.room(await secretValue(context, value as unknown as DataKey));
    case 'configMap':
      return checkedInside(context, found.room(await configMapValue(context, value as unknown as DataKey, what.file)), what.names);
    case 'text':
      return inside(context, String(here), what.names);
  }
}

/** Those of the provider are for everybody. */
const image = (context: ClusterContext, id: string): Value => (isOfProvider(id) ? { value: id } : literal(context, id));

function selected(context: ClusterContext, kind: string, { matchLabels }: Row, found: Found): Value {
  found.targets.add(anyOf(kind, context.object.metadata.namespace));
  const { ids, lacking, partial } = select(context, kind, matchLabels as Readonly<Record<string, string>>);
  return { value: ids.map(asId), lacking, partial };
}

const awaited = ({ unresolved, partial, later }: Found): Pick<AnyWant, 'awaited'> => {
  const fields = [...unresolved, ...partial, ...later];
  return fields.length > 0 ? { awaited: fields } : {};
};

/** `defaults.region` for what is about to be made and has none, never for what exists elsewhere; `defaults.tags` beside tags that the spec manages. */
function accountDefaults(context: ClusterContext, spec: Row, account: ReadAccount): Row {
  const { kind, object } = context;
  const open = 'region' in kind.fields && spec['region'] === undefined && annotation(object, remoteAnnotation) === undefined;
  const region = open && account.region !== undefined ? { region: account.region } : {};
  const own = kind.tags === undefined ? undefined : spec[kind.tags];
  const tags =
    kind.tags !== undefined && Array.isArray(own)
      ? { [kind.tags]: [...new Set([...(own as string[]), ...account.tags])].filter((tag) => !tag.startsWith(installationTagPrefix)) }
      : {};
  return { ...spec, ...region, ...tags };
}
