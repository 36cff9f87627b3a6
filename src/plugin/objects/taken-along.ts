import { fewOf } from '../../lib/few-of.ts';
import { fateOf, policyOf, saysAsItIs } from '../../engine/model/policy.ts';
import { isDeleting } from '../../engine/model/annotations.ts';
import { shownRetiring } from '../../engine/model/replacing.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { asCollection, type Effect } from '../../resource/index.ts';
import { inside } from '../../kinds/for-plugin/inside.ts';
import { namesOf, shownName } from '../cluster/naming.ts';
import { registry } from '../command-line/kinds.ts';
import type { Around, Named } from './around.ts';
import { toldIn } from './told-once.ts';

/** A change of an object, be it only planned. */
export interface Changing extends Named {
  readonly action: string;
  readonly effect?: Effect | undefined;
  readonly fields: readonly string[];
}

/** What a change does to others besides, which none of its calls says: to what lies below it, whatever the objects of that say. `gone`: whose goes by other changes of the same plan. */
export const takenAlong = (change: Changing, around: Around, gone: ReadonlySet<Resource> = new Set()): readonly string[] => [
  ...lossOf(change, around),
  ...notWantedThen(change, around),
  ...fittedWith(change, around),
  ...leftBehind(change, around, gone),
  ...toldOnceOf(change, around),
  ...retiringOf(change, around),
];

/** In whose place another one has come: live credentials, which somebody uses until then. */
function retiringOf(change: Changing, around: Around): readonly string[] {
  const own = around.find(change);
  const all = own === undefined ? [] : shownRetiring(own).map(({ path, until }) => `${path} (${until})`);
  if (all.length === 0) return [];
  if (change.action === 'delete') return [`what works beside it goes at once, too, before its time is over: ${all.join(', ')}`];
  if (change.action !== 'retain') return [];
  return [
    `what works beside it is not deleted now: where one of this namespace asks for what it has (spec.adopt), and manages it, that one takes it over and deletes it when its time is over; else it stays, and nobody deletes it any more: ${all.join(', ')}`,
  ];
}

/** It is nowhere else, and goes with no object from then on. */
function toldOnceOf(change: Changing, around: Around): readonly string[] {
  const own = change.action === 'retain' ? around.find(change) : undefined;
  const secret = own && toldIn(own);
  if (secret === undefined) return [];
  return [
    `what was told of it once stays, in Secret ${secret}, which belongs to no object then; where one of this namespace asks for what it has (spec.adopt), that one has it in its own Secret`,
  ];
}

/** What goes, is made anew or is erased takes along what is in it. */
function lossOf(change: Changing, around: Around): readonly string[] {
  if (change.action === 'delete' || change.action === 'replace')
    return [...lostWith(around.goingWith(change)), ...withoutObject(change, around)];
  return change.effect === 'Rebuild' ? lostWith(around.inside(change).filter(isErased)) : [];
}
/** What is set on a machine stays set when that is deployed anew. */
const isErased = ({ kind }: Resource): boolean => registry.kind(kind).goesWithParent === true;

const lostWith = (lost: readonly Resource[]): readonly string[] =>
  lost.length === 0 ? [] : [`what these have is lost with it: ${namesOf(lost)}`];

/** What stays behind when it was made anew, and goes on by no waiting. */
function notWantedThen(change: Changing, around: Around): readonly string[] {
  if (change.action !== 'replace' && change.effect !== 'Rebuild') return [];
  const lost = change.action === 'replace' ? around.goingWith(change) : around.inside(change).filter(isErased);
  const missing = lost
    .filter((object) => !isDeleting(object) && asksBeforeAnew(object))
    .map((object) => `${shownName(object)} (RemoteMissing, until it is made anew, empty: kubectl cloud recreate)`);
  const told = [...missing, ...inAnotherRegion(change, lost, around)];
  return told.length === 0 ? [] : [`these need a person then: ${fewOf(told, most)}`];
}
const asksBeforeAnew = ({ kind, spec }: Resource): boolean => {
  const rule = registry.kind(kind);
  return asCollection(rule) !== undefined && policyOf(rule, spec, { readOnly: false }, false).onMissing === 'Stall';
};

/** What it is replaced by comes to be elsewhere than what names it, and may only name one in the same region. */
function inAnotherRegion(change: Changing, lost: readonly Resource[], around: Around): readonly string[] {
  const there = around.find(change)?.spec['region'];
  if (change.action !== 'replace' || !change.fields.includes('region') || typeof there !== 'string') return [];
  return around.naming(change).flatMap(({ object, fields }) => {
    const here = object.spec['region'] ?? object.status?.['region'];
    const isBound = registry
      .sites(object.kind)
      .some(({ at, what }) => what.is === 'ref' && what.target.sameRegion === true && fields.includes(`spec.${at.join('.')}`));
    return !isBound || here === undefined || here === there || lost.includes(object)
      ? []
      : [`${shownName(object)} (InvalidSpec: it is in region ${String(here)})`];
  });
}

/** What is in it and no object stands for, as far as its status tells; of the rest, where it is listed. */
function withoutObject(of: Named, around: Around): readonly string[] {
  const own = around.find(of);
  if (typeof own?.status?.['path'] !== 'string') return [];
  const shown = shownIn(of, { path: own.status['path'], status: own.status }, around);
  return [
    ...(shown.length === 0 ? [] : [`lost with it, and no object stands for it, as far as was seen last: ${fewOf(shown, most)}`]),
    ...untoldIn(of),
  ];
}
interface Seen {
  readonly path: string;
  readonly status: NonNullable<Resource['status']>;
}
function shownIn(of: Named, { path, status }: Seen, around: Around): readonly string[] {
  const paths = new Set(around.inside(of).map((one) => one.status?.['path']));
  return inside[of.kind]?.shows?.(status, (below) => paths.has(`${path}/${below}`)) ?? [];
}
function untoldIn({ kind }: Named): readonly string[] {
  const { untold } = inside[kind] ?? {};
  if (untold === undefined) return [];
  const list = `kubectl cloud orphans --kinds ${registry.kind(untold.kind).shortName}`;
  return [`${untold.what} of it that no object stands for are lost, too, and Kubernetes does not tell them: ${list} lists them`];
}

const most = 10;

/** Who names it waits for ever once it is no more, and is to be deleted or changed by itself: what that does is said before. */
function leftBehind(change: Changing, around: Around, gone: ReadonlySet<Resource>): readonly string[] {
  if (change.action !== 'delete' && change.action !== 'retain') return [];
  const lost = new Set([...gone, ...(change.action === 'delete' ? around.goingWith(change) : [])]);
  const left = around.naming(change).filter(({ object }) => !isDeleting(object));
  const texts = left.map(
    ({ object }) => `${shownName(object)} (${lost.has(object) ? 'what it has is lost by then' : `once deleted, ${fateOf(object)}`})`,
  );
  return texts.length === 0
    ? []
    : [`these name it, and wait for ever once it is gone: ${fewOf(texts, most)}. Delete them, too, or have them name another one`];
}

/** What lies below it and changes with one of its fields, as a disk does with a plan. */
function fittedWith(change: Changing, around: Around): readonly string[] {
  const own = around.find(change);
  if (change.action !== 'change' || own === undefined) return [];
  const changed = new Set(change.fields);
  return Object.entries(registry.kind(change.kind).fields).flatMap(([field, { beside }]) => {
    if (beside === undefined || !changed.has(beside.with) || own.spec[field] === beside.says) return [];
    const those = around.inside(change).filter((object) => object.kind === beside.kind);
    const kept = own.spec[field] === undefined ? those.filter((object) => saysAsItIs(object, beside)) : [];
    if (kept.length > 0) return [stays({ field, ...beside }, own, kept)];
    return [`${beside.takes}${those.length === 0 ? '' : `. ${asksBack({ field, ...beside }, own, those)}`}`];
  });
}

interface Kept {
  readonly field: string;
  readonly says: unknown;
  readonly otherwise: unknown;
  readonly follows: { readonly field: string };
}
/** What the operator leaves as its object says it, and how it is taken along all the same. */
const stays = ({ field, otherwise, follows }: Kept, own: Resource, kept: readonly Resource[]): string =>
  `what these say of spec.${follows.field} stays so: ${namesOf(kept)}. To have that taken along, set spec.${field}: ${String(otherwise)} on ${shownName(own)}, or write there first what it is to be`;
/** Whoever says nothing is asked next to undo it, and by the next change again: so both ways out are told. */
const asksBack = ({ field, says, follows }: Kept, own: Resource, those: readonly Resource[]): string =>
  `What these say of it then differs, and they ask to have it set back: ${namesOf(those)}. To leave them as they are, set spec.${field}: ${String(says)} on ${shownName(own)} before the yes (the plan and its hash stay the same); to keep what comes of it, write into their spec.${follows.field} afterwards what status.${follows.field} shows`;
