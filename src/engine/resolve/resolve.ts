import { type AnyWant, type RemoteId, type Row, seconds } from '../../resource/index.ts';
import { isPending } from '../converge/pending.ts';
import { type Account, admission } from '../account/accounts.ts';
import { annotation, remoteAnnotation } from '../run/annotations.ts';
import { installationTagPrefix } from '../converge/drift.ts';
import { anyOf, objectId } from './links.ts';
import { derivedLabel } from '../identity/marks.ts';
import type { Key, Resource } from '../ports.ts';
import type { Site } from '../run/registry.ts';
import { select } from './select.ts';
import type { Turn } from '../run/turn.ts';

/** The spec with references, outputs and secrets in place. What cannot be resolved yet is left out and named. */
export interface Resolved {
  readonly want: AnyWant;
  /** `spec.instanceRef: CloudInstance web has no id yet`, for `status.waitingFor` and messages. */
  readonly waitingFor: readonly string[];
  /** Top-level fields that could not be resolved at all: no verdict on them. */
  readonly unresolved: readonly string[];
  /** Top-level lists of which some elements are missing: they may be added to, never taken from. */
  readonly partial: readonly string[];
}

const engineFields = new Set(['accountRef', 'adopt', 'lifecycle', 'allowedRefs', 'secretName']);

/** Resolves what the spec names. Learns the links on the way, so that a change of a target wakes this object. */
export async function resolve(turn: Turn): Promise<Resolved> {
  const { engine, object, kind, account } = turn;
  const spec = structuredClone(Object.fromEntries(Object.entries(object.spec).filter(([field]) => !engineFields.has(field)))) as Record<
    string,
    unknown
  >;
  const found: Found = { targets: new Set(), waitingFor: [], unresolved: new Set(), partial: new Set() };
  for (const site of engine.registry.sites(kind.kind)) await place(turn, site, { holder: spec, depth: 0, trail: 'spec' }, found);
  engine.links.set(objectId(object.kind, { namespace: object.metadata.namespace, name: object.metadata.name }), found.targets);
  const want = { ...accountDefaults(turn, spec, account), name: derivedLabel(kind.label, turn.name), ...borrowed(turn) };
  return { want, waitingFor: found.waitingFor, unresolved: [...found.unresolved], partial: [...found.partial] };
}

interface Found {
  readonly targets: Set<string>;
  readonly waitingFor: string[];
  readonly unresolved: Set<string>;
  readonly partial: Set<string>;
}
interface Position {
  readonly holder: Record<string, unknown> | unknown[];
  readonly depth: number;
  readonly trail: string;
}
/** `lacking`: elements of a list that have no value yet, in words. */
type Value = { readonly value: unknown; readonly lacking?: readonly string[]; readonly partial?: boolean } | { readonly missing: string };

async function place(turn: Turn, site: Site, { holder, depth, trail }: Position, found: Found): Promise<void> {
  const step = site.at[depth];
  if (step === undefined) return;
  if (step === '*') return placeElements(turn, site, { holder, depth, trail }, found);
  const here = (holder as Record<string, unknown>)[step];
  if (here === undefined || here === null) return;
  if (depth < site.at.length - 1)
    return place(turn, site, { holder: here as Record<string, unknown>, depth: depth + 1, trail: `${trail}.${step}` }, found);
  const result = await lookUp(turn, site, here, found);
  if ('value' in result) (holder as Record<string, unknown>)[step] = result.value;
  else delete (holder as Record<string, unknown>)[step];
  noteLacking(result, { field: site.at[0] ?? step, trail: `${trail}.${step}` }, found);
}

function noteLacking(result: Value, { field, trail }: { readonly field: string; readonly trail: string }, found: Found): void {
  const texts = 'missing' in result ? [result.missing] : (result.lacking ?? []);
  found.waitingFor.push(...texts.map((text) => `${trail}: ${text}`));
  if ('missing' in result) found.unresolved.add(field);
  else if (result.partial === true) found.partial.add(field);
}

async function placeElements(turn: Turn, site: Site, { holder, depth, trail }: Position, found: Found): Promise<void> {
  const elements = holder as unknown[];
  const kept: unknown[] = [];
  for (const [index, element] of elements.entries()) {
    if (depth < site.at.length - 1) {
      await place(turn, site, { holder: element as Record<string, unknown>, depth: depth + 1, trail: `${trail}[${index}]` }, found);
      kept.push(element);
      continue;
    }
    const result = await lookUp(turn, site, element, found);
    if ('value' in result) kept.push(result.value);
    else found.waitingFor.push(`${trail}[${index}]: ${result.missing}`);
  }
  if (kept.length < elements.length) found.partial.add(site.at[0] ?? '');
  elements.splice(0, elements.length, ...kept);
}

async function lookUp(turn: Turn, { what }: Site, here: unknown, found: Found): Promise<Value> {
  const value = here as Row;
  switch (what.is) {
    case 'prefixedId':
      return { value: turn.account.connection.neutral(String(here)) };
    case 'ref':
      return refValue(turn, what.target.kind, value, found);
    case 'output':
      return outputValue(turn, what, value, found);
    case 'selector':
      return selected(turn, what.kind, value, found);
    case 'secret': {
      const { name, key } = value as { name: string; key: string };
      const at = { namespace: turn.object.metadata.namespace, name };
      // What was just edited or is about to be made must not get the value of some minutes ago (design 3.6).
      const record = await turn.engine.secretCache.record(at, turn.signal, isPending(turn.object) ? seconds(1) : undefined);
      const secret = record?.data[key];
      return secret === undefined ? { missing: `Secret ${name} has no key ${key}` } : { value: secret };
    }
  }
}

function selected(turn: Turn, kind: string, { matchLabels }: Row, found: Found): Value {
  found.targets.add(anyOf(kind, turn.object.metadata.namespace));
  const { ids, lacking, partial } = select(turn, kind, matchLabels as Readonly<Record<string, string>>);
  return { value: ids.map(asId), lacking, partial };
}

function outputValue(turn: Turn, { output, kind }: Extract<Site['what'], { is: 'output' }>, value: Row, found: Found): Value {
  const target = targetOf(turn, kind, value[output.ref] as Row, found);
  if ('missing' in target) return target;
  const field = output.fields[String(value[output.selector])] ?? '';
  const published = target.object.status?.[field];
  const empty = published === undefined || published === null || published === '';
  return empty ? { missing: `${kind} ${target.object.metadata.name} has no status.${field} yet` } : { value: published };
}

function refValue(turn: Turn, kind: string, reference: Row, found: Found): Value {
  if (reference['external'] !== undefined) return externalValue(turn, reference['external'] as RemoteId);
  const target = targetOf(turn, kind, reference, found);
  if ('missing' in target) return target;
  const { id, account } = target.object.status ?? {};
  if (account !== undefined && account !== turn.account.connection.identity.account)
    return { missing: `${kind} ${target.object.metadata.name} is in another account` };
  return id === undefined || id === null
    ? { missing: `${kind} ${target.object.metadata.name} has no id yet` }
    : { value: asId(String(id)) };
}

function externalValue(turn: Turn, id: RemoteId): Value {
  const allowed = admission(turn.account, turn.kind, turn.object.metadata.namespace)?.adopt === 'Any';
  return allowed
    ? { value: asId(String(id)) }
    : {
        missing: `the account's access does not allow {external: ${id}} from this namespace; set access[].adopt: Any there, or refer to an object by name`,
      };
}

/** Ids of the service are integers wherever they look like one. */
export const asId = (id: string): RemoteId => (/^\d{1,15}$/.test(id) ? Number(id) : id);

function targetOf(turn: Turn, kind: string, reference: Row, found: Found): { readonly object: Resource } | { readonly missing: string } {
  const { name = '', namespace = turn.object.metadata.namespace } = reference as { name?: string; namespace?: string };
  const key: Key = { namespace, name };
  found.targets.add(objectId(kind, key));
  const object = admittedTarget(turn, kind, reference);
  return object === undefined
    ? {
        missing: `${kind} ${namespace === turn.object.metadata.namespace ? '' : `${namespace}/`}${name} is not found. Create it, correct the name, or have it admit this namespace (allowedRefs)`,
      }
    : { object };
}

/** A target that does not admit us must read like one that is not there. */
function admittedTarget(turn: Turn, kind: string, reference: Row): Resource | undefined {
  const here = turn.object.metadata.namespace;
  const { name = '', namespace = here } = reference as { name?: string; namespace?: string };
  const object = turn.engine.objects.get(kind, { namespace, name });
  return object !== undefined && (namespace === here || admits(object, here)) ? object : undefined;
}

function admits(target: Resource, namespace: string): boolean {
  const { namespaces = [] } = (target.spec['allowedRefs'] ?? {}) as { namespaces?: readonly string[] };
  return namespaces.includes(namespace) || namespaces.includes('*');
}

/** Status fields of targets that the kind's functions need ({@link Kind.borrows}). */
function borrowed(turn: Turn): Pick<AnyWant, 'borrowed'> {
  const { kind, object, engine } = turn;
  if (kind.borrows === undefined) return {};
  const values = Object.entries(kind.borrows).flatMap(([name, { ref, status }]) => {
    const site = engine.registry.sites(kind.kind).find(({ at }) => at[0] === ref);
    const reference = object.spec[ref] as Row | undefined;
    const found = site?.what.is === 'ref' && reference !== undefined ? admittedTarget(turn, site.what.target.kind, reference) : undefined;
    const value = found?.status?.[status];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return { borrowed: Object.fromEntries(values) };
}

/** `defaults.region` for what is about to be made and has none, never for what exists elsewhere; `defaults.tags` beside tags that the spec manages. */
function accountDefaults(turn: Turn, spec: Row, account: Account): Row {
  const { kind, object } = turn;
  const open = 'region' in kind.fields && spec['region'] === undefined && annotation(object, remoteAnnotation) === undefined;
  const region = open && account.region !== undefined ? { region: account.region } : {};
  const own = kind.tags === undefined ? undefined : spec[kind.tags];
  const tags =
    kind.tags !== undefined && Array.isArray(own)
      ? { [kind.tags]: [...new Set([...(own as string[]), ...account.tags])].filter((tag) => !tag.startsWith(installationTagPrefix)) }
      : {};
  return { ...spec, ...region, ...tags };
}
