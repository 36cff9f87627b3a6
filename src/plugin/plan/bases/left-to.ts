import { accountKey } from '../../../engine/model/account.ts';
import { nameOf, objectId } from '../../../engine/model/object-id.ts';
import { adoptOf } from '../../../engine/model/step.ts';
import { canonical } from '../../../engine/model/values.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { registry } from '../../command-line/kinds.ts';
import { shownName } from '../../cluster/naming.ts';
import { linksOf } from '../../objects/links.ts';
import type { Entry } from '../entries.ts';

/** Manifests, and what they stand for. */
interface Manifests {
  readonly before: readonly Resource[];
  readonly after: readonly Resource[];
}

/**
 * No manifest says which id the old one has. What goes, and comes again under another name and asks for something of its kind, is renamed
 * as far as that can be told, and not deleted.
 */
export function leftToNext(entries: readonly Entry[], manifests: Manifests): readonly Entry[] {
  const next = nextOnes(manifests);
  return entries.map((entry) => {
    const pair = entry.action === 'delete' ? next.get(objectId(entry.kind, entry)) : undefined;
    return pair === undefined ? entry : { ...entry, ...leftTo(...pair) };
  });
}

function leftTo(old: Resource, next: Resource): Pick<Entry, 'action' | 'message' | 'unknown'> {
  const { id } = adoptOf(next.spec) ?? {};
  const isSure = id !== undefined && adoptOf(old.spec)?.id === id;
  const which = id === undefined ? '' : ` (its status.id is ${id})`;
  return {
    action: 'retain',
    message: `left to ${shownName(next)}, which asks for it (spec.adopt)`,
    ...(!isSure && { unknown: [`whether that is what this one has${which}: else it is deleted, and it counts for --max-deletes`] }),
  };
}

/** Of each that is renamed itself and what it is called next, where there is one of either alone. */
function nextOnes({ before, after }: Manifests): ReadonlyMap<string, readonly [Resource, Resource]> {
  const [old, now] = [new Map(before.map((one) => [idOf(one), one])), new Set(after.map(idOf))];
  const gone = before.filter((one) => !now.has(idOf(one)));
  const asking = after.filter((one) => !old.has(idOf(one)) && adoptOf(one.spec) !== undefined);
  const known = new Map<string, Resource | undefined>();
  const nextOf = (one: Resource | undefined): Resource | undefined => {
    if (one === undefined || known.has(idOf(one))) return one && known.get(idOf(one));
    known.set(idOf(one), undefined);
    const parent = parentOf(one);
    const moved = parent === undefined ? undefined : (nextOf(old.get(parent)) ?? old.get(parent));
    const fitting = asking.filter((next) => isSame(one, next) && isInSame(one, next, moved));
    const [only, another] = fitting;
    if (another === undefined) known.set(idOf(one), only);
    return known.get(idOf(one));
  };
  const pairs = gone.flatMap((one) => {
    const next = nextOf(one);
    return next === undefined ? [] : [[one, next] as const];
  });
  const alone = pairs.filter(([, next]) => pairs.filter(([, other]) => other === next).length === 1);
  return new Map(alone.map((pair) => [idOf(pair[0]), pair]));
}

const idOf = ({ kind, metadata }: Resource): string => objectId(kind, metadata);

/** The account may be asked for one thing by one namespace alone; what both name is the same thing, whatever else they say. */
function isSame(one: Resource, next: Resource): boolean {
  if (one.kind !== next.kind || one.metadata.namespace !== next.metadata.namespace) return false;
  if (nameOf(accountKey(one)) !== nameOf(accountKey(next))) return false;
  const [had, has] = [adoptOf(one.spec), adoptOf(next.spec)];
  return had === undefined ? saidBy(one) === saidBy(next) : canonical(had) === canonical(has);
}

function saidBy({ kind, spec }: Resource): string {
  const apart = new Set(['adopt', 'lifecycle', registry.kind(kind).parent?.ref]);
  return canonical(Object.fromEntries(Object.entries(spec).filter(([field]) => !apart.has(field))));
}

function parentOf(object: Resource): string | undefined {
  const ref = registry.kind(object.kind).parent?.ref;
  const link = linksOf(object).find((one) => one.is === 'object' && one.field === `spec.${ref ?? ''}`);
  return link?.is === 'object' ? objectId(link.kind, link.key) : undefined;
}
/** `moved`: what the old one is in, under its new name. */
const isInSame = (one: Resource, next: Resource, moved: Resource | undefined): boolean =>
  moved === undefined ? parentOf(one) === parentOf(next) : parentOf(next) === idOf(moved);
