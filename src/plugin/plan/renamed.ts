import { accountKey } from '../../engine/model/account.ts';
import { objectId } from '../../engine/model/object-id.ts';
import { fewOf } from '../../lib/few-of.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import { parentOfItem } from '../../resource/index.ts';
import { shownName } from '../cluster/naming.ts';
import type { Call } from '../command-line/command.ts';
import { on, text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { Landscape } from '../objects/landscape.ts';
import { linksOf } from '../objects/links.ts';
import { ownerTold } from '../objects/owner-told.ts';
import { isProtected, withoutProtection } from '../objects/protected.ts';
import type { Entry } from './entries.ts';
import { namesManifests } from './targets/sources.ts';
import { idOf, type Target } from './targets/targets.ts';

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
const noneAsk: Renamed['asks'] = new Map();

/** What is refused for an object that no manifest names any more is mostly that one under another name: what to do then, in lines. */
export async function renamedLines(call: Call, targets: readonly Target[], entries: readonly Entry[]): Promise<readonly string[]> {
  const { flags } = call;
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
  const locked = await lockedOf(call, found);
  const steps = found.flatMap((one) => handOver(one, locked));
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
  for (const { old, asks, parts } of [...entries.flatMap(claimedIn), ...targets.flatMap((part) => movedIn(part, targets))]) {
    const id = objectId(old.kind, old.metadata);
    const known = all.get(id);
    if (!named.has(id)) all.set(id, { old, asks: new Map([...(known?.asks ?? []), ...asks]), parts: [...(known?.parts ?? []), ...parts] });
  }
  return all.values();
}

function claimedIn({ kind: its, namespace, name: own, refusal }: Entry): readonly Renamed[] {
  const old = refusal?.reason === 'AlreadyClaimed' ? ownerTold(refusal.message) : undefined;
  // Nothing is handed over to another namespace.
  if (old === undefined || old.metadata.namespace !== namespace) return [];
  const { kind, metadata, id } = old;
  return [{ old: { kind, metadata }, asks: id === undefined ? noneAsk : new Map([[`${its} ${own}`, JSON.stringify(id)]]), parts: [] }];
}

/** It was refused another one that it is in. */
function movedIn({ before, spec }: Target, targets: readonly Target[]): readonly Renamed[] {
  if (before === undefined || spec === undefined) return [];
  const [old, next] = [parentIn(before), parentIn({ ...before, spec })];
  const id = idOfParent(before);
  const whole = next && targets.find((one) => idOf(one) === objectId(next.kind, next.metadata));
  if (old === undefined || whole === undefined || id === undefined) return [];
  if (idOf(whole) === objectId(old.kind, old.metadata) || old.metadata.namespace !== before.metadata.namespace) return [];
  return [{ old, asks: isAsking(whole) ? noneAsk : new Map([[`${whole.kind} ${whole.name}`, id]]), parts: [before] }];
}
const isAsking = ({ object, spec }: Target): boolean => (object?.spec ?? spec)?.['adopt'] !== undefined;

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

/** Those of the old ones that admission lets nobody delete; of what is not to be read nothing is known. */
async function lockedOf({ session }: Call, found: readonly Renamed[]): Promise<ReadonlySet<string>> {
  const all = found.flatMap(({ old, asks, parts }) => (asks.size + parts.length === 0 ? [] : [old, ...parts]));
  if (all.length === 0) return new Set();
  const landscape = new Landscape(await session.reader(), []);
  const read = await Promise.all(all.map(({ kind, metadata }) => landscape.find(kind, metadata)));
  return new Set(read.flatMap((one) => (typeof one !== 'string' && isProtected(one) ? [idOfNamed(one)] : [])));
}
const idOfNamed = ({ kind, metadata }: Named): string => objectId(kind, metadata);

function handOver({ old, asks, parts }: Renamed, locked: ReadonlySet<string>): readonly string[] {
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
    ...unlocking([old, ...parts].filter((one) => locked.has(idOfNamed(one)))),
    `- apply all of that, and delete the old ones only then: kubectl -n ${namespace} delete ${all.join(' ')}`,
  ];
}

/** Else half of them is deleted, and the other half refused. */
const unlocking = (locked: readonly Named[]): readonly string[] =>
  locked.map(
    (one) =>
      `- ${one.kind} ${one.metadata.name} has spec.lifecycle.protect: true, and cannot be deleted. Take that off before you delete the old ones; nothing is deleted in the account, since it is handed over: ${withoutProtection(one)}`,
  );
