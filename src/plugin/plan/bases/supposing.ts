import type { Asked } from '../../dry/asked.ts';
import type { Drift } from '../../../engine/model/outcome.ts';
import { nameOf, objectId } from '../../../engine/model/object-id.ts';
import { greatest } from '../../../engine/model/policy.ts';
import { openWish } from '../../../engine/model/step.ts';
import { canonical, shown } from '../../../engine/model/values.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { kinds } from '../../../generated/kinds.ts';
import { paidWants } from '../../../kinds/for-plugin/paid-wants.ts';
import { type AnyRule, type AnyWant, type Effect, type Row, Sensitive } from '../../../resource/index.ts';
import type { Call } from '../../command-line/command.ts';
import { type DataSource, namedSecrets, ReadConfigMaps } from '../../dry/ports/data.ts';
import { DryRun } from '../../dry/dry-run.ts';
import { supposedConnector } from '../../dry/supposed-account.ts';
import { supposedKinds, supposedRow } from '../../dry/supposed-kinds.ts';
import type { Turned } from '../../dry/turned.ts';
import { type PlannedChange, type Verdict, verdictOf } from '../../dry/verdict.ts';
import { conditionOf, isBehind, stateOf } from '../../objects/facts.ts';
import { registry } from '../../command-line/kinds.ts';
import { adoptsUnasked } from '../coming.ts';
import { awake } from '../pauses.ts';

/** What a plan stands on that asks no account. */
export interface Ground {
  /** As everything is before. */
  readonly objects: readonly Resource[];
  readonly data: DataSource;
  readonly clusterUid: string;
  /** Paths of the account are known, as status tells them. */
  readonly placed: boolean;
  readonly basisOf: (before: Resource | undefined) => string;
}

/** What would become of one object, as far as it can be told; what cannot be is named. */
export interface Supposition {
  readonly turned: Turned;
  readonly verdict: Verdict;
  readonly basis: string;
  readonly unknown: readonly string[];
}

const idOf = (object: Resource): string => objectId(object.kind, object.metadata);
/** What each wanted, and where that is. */
type Wants = ReadonlyMap<string, { readonly want: AnyWant; readonly path: string }>;

/**
 * Runs the engine over what the account would have if all were as its objects say, once as they are, for what they want, and once
 * with the targets in it.
 */
export async function suppose(
  call: Call,
  wanted: readonly Resource[],
  ground: Ground,
): Promise<{ readonly dry: DryRun; readonly all: readonly Supposition[] }> {
  const old = new Map(ground.objects.map((object) => [idOf(object), object] as const));
  // What a pause keeps from being done now is what it is asked for.
  const before = wanted.flatMap((object) => old.get(idOf(object)) ?? []).map(awake);
  const all = merged(ground.objects, wanted);
  const first = dryOver(call, { ground, all, wants: new Map() });
  const wants = await wantsOf(first, merged(ground.objects, before), before);
  first.close();
  const dry = dryOver(call, { ground, all, wants });
  const turned = await turn(dry, all, wanted);
  return { dry, all: turned.map((one) => supposition(one, { ground, before: old.get(idOf(one.object)), wants })) };
}

async function wantsOf(dry: DryRun, objects: readonly Resource[], before: readonly Resource[]): Promise<Wants> {
  const turned = await turn(dry, objects, before);
  return new Map(turned.flatMap((one) => wantOf(one)));
}

function wantOf({ object, steps: [first] }: Turned): readonly (readonly [string, { readonly want: AnyWant; readonly path: string }])[] {
  if (first === undefined) return [];
  const { want, identity } = first.present;
  return [[idOf(object), { want, path: identity.path }]];
}

const isAccount = ({ kind }: Resource): boolean => kind === registry.connection.kind;
const merged = (there: readonly Resource[], wanted: readonly Resource[]): readonly Resource[] => [
  ...new Map([...there, ...wanted].map((object) => [idOf(object), object] as const)).values(),
];

/** Nothing is read, so nothing is waited for. */
async function turn(dry: DryRun, objects: readonly Resource[], targets: readonly Resource[]): Promise<readonly Turned[]> {
  const sorted = objects.toSorted((a, b) => Number(isAccount(b)) - Number(isAccount(a)));
  for (const object of sorted) dry.put(object);
  await dry.connect(sorted.filter(isAccount), 0);
  return dry.plan(targets, 0);
}

interface Over {
  readonly ground: Ground;
  /** With what would be there. */
  readonly all: readonly Resource[];
  readonly wants: Wants;
}
function dryOver({ session: { host } }: Call, { ground: { objects, data, clusterUid, placed }, all, wants }: Over): DryRun {
  const accounts = all.filter(isAccount);
  const rows = Map.groupBy(
    objects.flatMap((object) => rowOf(object, wants)),
    ({ account }) => account,
  );
  const accountOf = (name: string) => {
    const { status = {} } = accounts.find((one) => nameOf(one.metadata) === name) ?? {};
    const id = typeof status['account'] === 'string' ? status['account'] : 'supposed';
    return { id, user: String(status['user'] ?? ''), rows: new Map((rows.get(id) ?? []).map(({ path, row }) => [path, row] as const)) };
  };
  return new DryRun({
    connector: supposedConnector({ clock: host.clock, endpoints: accounts.map(({ spec }) => String(spec['endpoint'])), accountOf }),
    looksAt: [],
    kinds: supposedKinds(kinds, { placed }),
    secrets: namedSecrets(data),
    configMaps: new ReadConfigMaps(data),
    clock: host.clock,
    random: host.random,
    clusterUid,
    signal: host.signal,
  });
}

interface Placed {
  readonly account: string;
  readonly path: string;
  readonly row: Row;
}
/** What an object stands for, as it is supposed to be. */
function rowOf(object: Resource, wants: Wants): readonly Placed[] {
  const { kind, status = {} } = object;
  const known = wants.get(idOf(object));
  const path = known?.path ?? status['path'];
  if (typeof path !== 'string') return [];
  const want = known?.want;
  const paid = { ...paidWants[kind]?.atFirst, ...paidWants[kind]?.row(object.spec) };
  const row = supposedRow({ path, want: want && { ...want, ...driftOf(status) }, status, paid });
  return [{ account: typeof status['account'] === 'string' ? status['account'] : 'supposed', path, row }];
}

/** What the operator saw to differ, and left. */
function driftOf({ drift = [] }: Row): Row {
  return Object.fromEntries((drift as readonly Drift[]).flatMap(({ field, now }) => (/^\w+$/.test(field) ? [[field, now]] : [])));
}

interface Known {
  readonly ground: Ground;
  readonly before: Resource | undefined;
  readonly wants: Wants;
}
function supposition(turned: Turned, { ground, before, wants }: Known): Supposition {
  const verdict = verdictOf(turned);
  const now = turned.steps.at(-1)?.present.want;
  const unset = now === undefined || turned.adopted ? [] : uncertain(turned, wants.get(idOf(turned.object))?.want ?? {}, now);
  return {
    turned,
    verdict: unsettled(underWay(withUnknown(withoutCalls(turned, verdict, ground, before), unset), before, ground), before, ground),
    basis: ground.basisOf(before),
    unknown: [...unset.map(({ field }) => `spec.${field}`), ...notAsWanted(turned, before, ground)],
  };
}

/** Fields of which no object tells whether the account has what is wanted now: what it shows may be that already. */
function uncertain({ kind, object }: Turned, before: Row, now: AnyWant): readonly PlannedChange[] {
  return Object.entries(registry.kind(kind.kind).fields).flatMap(([field, rule]) => {
    const [from, to] = [before[field], now[field]];
    const isOpen = isComparable(rule) && object.spec[field] !== undefined && to !== undefined && isUntold(rule, from, to);
    if (!isOpen) return [];
    const secret = to instanceof Sensitive;
    return [{ field, from: from === undefined ? 'unknown now' : shown(from), to: shown(to), effect: mostOf(rule), secret }];
  });
}
const isComparable = ({ local, read, applied, members }: AnyRule): boolean =>
  local !== true && (read !== undefined || applied === true || members !== undefined);
const mostOf = ({ immutable, effect }: AnyRule): Effect => (immutable === true ? 'Replace' : (effect ?? 'InPlace'));

/** It was not set, or not all of it; or it is read by what is wanted, so that two ways to write it may mean the same. */
const isUntold = ({ read, members }: AnyRule, from: unknown, to: unknown): boolean =>
  from === undefined || (canonical(from) !== canonical(to) && members === undefined && ((read?.length ?? 0) > 1 || setsMore(from, to)));

function setsMore(from: unknown, to: unknown): boolean {
  if (!isRecord(from) || !isRecord(to)) return false;
  return Object.entries(to).some(([name, value]) => value !== undefined && (from[name] === undefined || setsMore(from[name], value)));
}
const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Sensitive);

function withUnknown(verdict: Verdict, unset: readonly PlannedChange[]): Verdict {
  const more = unset.filter(({ field }) => verdict.changes.every((one) => one.field !== field));
  if (more.length === 0 || !['none', 'change'].includes(verdict.action)) return verdict;
  const changes = [...verdict.changes, ...more];
  return { ...verdict, action: 'change', changes, effect: greatest(changes.map(({ effect }) => effect)) };
}

/** Of a create the call is known, where it would go too; every other depends on what is there. */
function withoutCalls(turned: Turned, verdict: Verdict, { placed }: Ground, before: Resource | undefined): Verdict {
  const { calls } = turned;
  if (adopts(turned, verdict) && !isFoundMissing(turned, before))
    return { action: 'adopt', changes: [], calls: [], unread: [], message: adoptsUnasked };
  const known = placed ? verdict.calls.filter((_, at) => calls[at]?.change.effect === 'Create') : [];
  const { approval, ...rest } = verdict;
  // Where it is is part of what is approved.
  return { ...rest, calls: known, ...(approval && { approval: placed ? approval : withoutContent(approval) }) };
}
/** Of what is in no object only the account tells that it is not there. */
const adopts = ({ object, adopted }: Turned, { reason }: Verdict): boolean =>
  adopted || (reason === 'RemoteMissing' && openWish(object) !== undefined && object.status?.['path'] === undefined);
/** An operator has asked the account for this very thing. */
const isFoundMissing = ({ object: { spec } }: Turned, before: Resource | undefined): boolean =>
  before !== undefined && !isBehind(before) && stateOf(before).reason === 'RemoteMissing' && canonical(before.spec) === canonical(spec);
const withoutContent = ({ changes }: Asked): Asked => ({ changes });

/** While an object is not as it wants to be, the account has something else. */
function notAsWanted({ object }: Turned, before: Resource | undefined, { placed }: Ground): readonly string[] {
  if (!placed || before === undefined || isAccount(object)) return [];
  const { well, reason = 'NotLookedAt' } = stateOf(before);
  if (isBehind(before)) return [`${unseen}, so that more may differ`];
  return well ? [] : [`it is ${reason} now, so that more may differ`];
}
const unseen = 'no operator has looked at it since it was edited';

/** What is under way, or asks for a yes, is not told by what was wanted: that nothing would happen cannot be said. */
function underWay(verdict: Verdict, before: Resource | undefined, { placed }: Ground): Verdict {
  if (verdict.action !== 'none' || !placed || before === undefined || isAccount(before)) return verdict;
  if (isBehind(before)) return { ...verdict, action: 'wait', message: `${unseen}, and what that edit does is not known` };
  const { well, reason, message } = stateOf(before);
  const isHeld = !well && reason === 'ReadOnly';
  return isHeld || isReconciling(before) ? { ...verdict, action: 'wait', message } : verdict;
}
const isReconciling = (object: Resource): boolean => conditionOf(object, 'Reconciling')?.status === 'True';

/** What the account has by now is part of what is approved. */
function unsettled(verdict: Verdict, before: Resource | undefined, { placed }: Ground): Verdict {
  const { approval } = verdict;
  const isKnown = before === undefined || !(isBehind(before) || isReconciling(before));
  return !placed || isKnown || approval === undefined ? verdict : { ...verdict, approval: withoutContent(approval) };
}
