import { accountKey } from '../../engine/model/account.ts';
import { objectId } from '../../engine/model/object-id.ts';
import { fewOf } from '../../lib/few-of.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import { parentOfItem } from '../../resource/index.ts';
import { shownName } from '../cluster/naming.ts';
import type { Call } from '../command-line/command.ts';
import { on, text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { linksOf } from '../objects/links.ts';
import type { Entry } from './entries.ts';
import { namesManifests } from './targets/sources.ts';
import { idOf, type Target } from './targets/targets.ts';

/** In the engine's words, of what another object has; where this one may ask for it, by which id. */
const holder =
  /\bbelongs to (?<kind>\w+) (?<namespace>[^\s/]+)\/(?<name>[\w.-]*\w)(?:.*? write spec\.adopt: \{id: (?<id>"[^"]+"|\d+)\} here )?/;

interface Named {
  readonly kind: string;
  readonly metadata: Key;
}
interface Renamed {
  readonly old: Named;
  /** What the new one is called, where it does not ask for what the old one has yet, and by which id it would. */
  readonly asks: ReadonlyMap<string, string>;
  /** Those that are in it, and name it for good. */
  readonly parts: readonly Resource[];
}

/** What is refused for an object that no manifest names any more is mostly that one under another name: what to do then, in lines. */
export function renamedLines({ flags }: Call, targets: readonly Target[], entries: readonly Entry[]): readonly string[] {
  if (!namesManifests(flags)) return [];
  const knowsBefore = text(flags, 'base') !== undefined || on(flags, 'prune');
  const found = [...renames(targets, entries)].filter(({ asks, parts }) => !knowsBefore || asks.size + parts.length > 0);
  const [first] = found;
  if (first === undefined) return [];
  const left = fewOf(
    found.map(({ old }) => shownName(old)),
    1,
  );
  const have = found.length === 1 ? 'has' : 'have';
  const before = '--base FOLDER or --base git:COMMIT names the manifests of before, and what only those name is planned as deleted';
  const steps = found.flatMap(handOver);
  if (steps.length === 0) return [`${left}, which no manifest here names, ${have} what is refused. If that is a rename: ${before}`];
  return [
    `${left}, which no manifest here names, ${have} what is refused. If that is a rename, and what is there is to stay, keep the old name; or have it handed over, which touches nothing in the account:`,
    ...steps,
    ...(knowsBefore ? [] : [`To see that planned: ${before}, or is handed over`]),
  ];
}

/** By what each old one has, and by what is in it. */
function renames(targets: readonly Target[], entries: readonly Entry[]): Iterable<Renamed> {
  const named = new Set(targets.filter(({ goes }) => goes !== true).map(idOf));
  const all = new Map<string, Renamed>();
  const note = (old: Named, more: Partial<Renamed>): void => {
    const id = objectId(old.kind, old.metadata);
    if (named.has(id)) return;
    const { asks = new Map(), parts = [] } = all.get(id) ?? {};
    all.set(id, { old, asks: new Map([...asks, ...(more.asks ?? [])]), parts: [...parts, ...(more.parts ?? [])] });
  };
  for (const entry of entries) {
    const { kind, namespace, name, id } = (entry.refusal?.reason === 'AlreadyClaimed' && holder.exec(entry.refusal.message)?.groups) || {};
    if (kind === undefined || namespace === undefined || name === undefined) continue;
    note({ kind, metadata: { namespace, name } }, id === undefined ? {} : { asks: new Map([[`${entry.kind} ${entry.name}`, id]]) });
  }
  for (const { refused, before, spec } of targets) {
    if (refused === undefined || before === undefined || spec === undefined) continue;
    const [old, next] = [parentIn(before), parentIn({ ...before, spec })];
    if (old === undefined || next === undefined || objectId(old.kind, old.metadata) === objectId(next.kind, next.metadata)) continue;
    const whole = targets.find((one) => idOf(one) === objectId(next.kind, next.metadata));
    const id = idOfParent(before);
    if (whole === undefined || id === undefined || old.metadata.namespace !== before.metadata.namespace) continue;
    const isAsking = (whole.object?.spec ?? whole.spec)?.['adopt'] !== undefined;
    note(old, { parts: [before], ...(!isAsking && { asks: new Map([[`${next.kind} ${next.metadata.name}`, id]]) }) });
  }
  return all.values();
}

/** As its own path says. */
function idOfParent({ kind, status }: Resource): string | undefined {
  const path = status?.['path'];
  const id = typeof path === 'string' ? parentOfItem(registry.kind(kind), path).split('/').at(-1) : undefined;
  return id === undefined || /^\d+$/.test(id) ? id : JSON.stringify(id);
}

/** What it is in, where it names that for good. */
function parentIn(object: Resource): Named | undefined {
  const { parent, fields } = registry.kind(object.kind);
  if (parent === undefined || fields[parent.ref]?.immutable !== true) return undefined;
  const link = linksOf(object).find((one) => one.is === 'object' && one.field === `spec.${parent.ref}`);
  return link?.is === 'object' ? { kind: link.kind, metadata: link.key } : undefined;
}

function handOver({ old, asks, parts }: Renamed): readonly string[] {
  if (asks.size + parts.length === 0) return [];
  const { namespace } = old.metadata;
  const ofOthers = parts
    .filter((part) => accountKey(part).namespace !== namespace)
    .map((part) => `CloudAccount ${accountKey(part).namespace}/${accountKey(part).name}`);
  const all = [old, ...parts].map(({ kind, metadata: { name } }) => `${kind.toLowerCase()}/${name}`);
  return [
    ...[...asks].map(([who, id]) => `- in ${who} write spec.adopt: {id: ${id}}`),
    ...parts.map(
      ({ kind, metadata: { name }, status }) =>
        `- ${kind} ${name} names for good what it is in: give it another metadata.name, too (and where it is named here), with spec.adopt: {id: ${String(status?.['id'])}}`,
    ),
    ...new Set(ofOthers.map((account) => `- ${account} must let namespace ${namespace} adopt (spec.access[].adopt: Any)`)),
    `- apply all of that, and delete the old ones only then: kubectl -n ${namespace} delete ${all.join(' ')}`,
  ];
}
