import { kinds } from '../../../src/generated/kinds.ts';
import { isListed } from '../../../src/resource/index.ts';
import { sleep, systemClock } from '../../../src/lib/clock.ts';
import type { LedgerRequest } from '../../support/process/emulator-program.ts';
import type { Bench } from '../bench.ts';
import type { KubeWrite } from '../evidence.ts';
import { sum } from '../figure.ts';
import { ownFigures, type OwnFigures } from '../metrics.ts';
import type { Member } from '../population.ts';
import { processFigures } from '../process-figures.ts';

const pageSize = 500;
const pages = (rows: number): number => Math.ceil(rows / pageSize);

/** How many parts each kind reads below every remote. */
const partsOf = new Map(kinds.map(({ kind, parts }) => [kind, Object.keys(parts ?? {}).length]));

const kindOf = new Map(kinds.map((kind) => [kind.kind, kind]));
/** Read by itself, one call each: what no list shows, or shows too little of. */
function isReadAlone(name: string): boolean {
  const kind = kindOf.get(name);
  const sweep = kind?.sweep;
  return kind !== undefined && (!isListed(kind) || (sweep?.by === 'list' && sweep.itemTellsMore === true));
}
/** Some kinds have several lists, one for each engine for example. */
const listsOf = (name: string): number => Math.max(1, kindOf.get(name)?.places?.length ?? 1);

/** Requests that list everything once: of collections, and of what is below each parent. */
export function pagesOf(members: readonly Member[]): { readonly swept: number; readonly below: number } {
  const perParent = new Map<Member, Map<string, number>>();
  const perKind = new Map<string, number>();
  for (const { kind, parent } of members) {
    const one = kindOf.get(kind);
    if (one !== undefined && !isListed(one)) continue;
    const counts = parent === undefined ? perKind : (perParent.get(parent) ?? new Map<string, number>());
    if (parent !== undefined) perParent.set(parent, counts);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return {
    swept: sum([...perKind].map(([kind, count]) => pages(count) + listsOf(kind) - 1)),
    below: sum([...perParent.values()].flatMap((counts) => [...counts.values()].map(pages))),
  };
}

/** Parts, and what is read by itself. */
const single = (members: readonly Member[]): number =>
  sum(members.map(({ kind }) => (partsOf.get(kind) ?? 0) + (isReadAlone(kind) ? 1 : 0)));

/** Everything that is read to know all of it once. */
export function placesIn(members: readonly Member[]): number {
  const { swept, below } = pagesOf(members);
  return swept + below + single(members);
}

/** Idle calls an hour that may be: polls and account 400, 12 a page of collections, sub-collections within their cap of 600. */
export function allowedAnHour(members: readonly Member[]): number {
  const { swept, below } = pagesOf(members);
  return 400 + 12 * swept + Math.min(600, 12 * (below + single(members)));
}

/** MB. A kind that is served has a watch, a list and their texts, whether it has one object or thousands. */
export const allowedMemory = (members: readonly Pick<Member, 'kind'>[]): number =>
  160 + Math.max(0, new Set(members.map(({ kind }) => kind)).size - 8);

/** Calls by method and path template, the most first. */
export function byEndpoint(calls: readonly LedgerRequest[]): readonly (readonly [endpoint: string, calls: number])[] {
  const counts = new Map<string, number>();
  for (const { method, template } of calls) counts.set(`${method} ${template}`, (counts.get(`${method} ${template}`) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

/** How many places the operator read that it never had before: what is learned there is no change, and is written once. */
export function firstReads(all: readonly Pick<LedgerRequest, 'at' | 'path' | 'userAgent'>[], begun: number): number {
  // An export of the same user knows nothing for the operator.
  const own = all.filter(({ userAgent }) => userAgent.startsWith('cloud-operator/'));
  const known = new Set(own.filter(({ at }) => at < begun).map(({ path }) => path));
  return new Set(own.map(({ path }) => path).filter((path) => !known.has(path))).size;
}

/** Objects that were written, by what was done to them, the most first; an object that was written twice is named twice. */
function byResource(writes: readonly KubeWrite[]): readonly (readonly [what: string, objects: readonly string[]])[] {
  const found = new Map<string, string[]>();
  for (const { verb, resource, subresource, namespace, name } of writes) {
    const what = `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`}`;
    found.set(what, [...(found.get(what) ?? []), `${namespace}/${name}`]);
  }
  return [...found].toSorted(([, a], [, b]) => b.length - a.length);
}

function ownWords({ report }: Bench, { heap, loopDelay }: OwnFigures): void {
  report({ name: 'idle heap', value: heap, unit: 'MB', formula: 'its metric nodejs_heap_size_used_bytes' });
  report({ name: 'idle event-loop delay p99', value: loopDelay, unit: 'ms', formula: 'its metric nodejs_eventloop_lag_p99_seconds' });
}

/** Nothing happens, and the operator is watched for ten minutes. */
export async function idle(bench: Bench): Promise<void> {
  const { stage, members, quick, say, report, operator } = bench;
  // Two times between sweeps: 20 s more hold a third sweep as often as not, and two are what an hour's twelve come to.
  const seconds = quick ? 120 : 600;
  // First sweeps come within five minutes, and what they show of strangers is in an account's status a minute later.
  await sleep(systemClock, 390_000);
  const { pid } = operator.program;
  await ownFigures(operator.metricsUrl);
  const [begun, before] = [systemClock.now(), await processFigures(pid)];
  say(`watching the idle operator for ${seconds} s${quick ? ', which is short: sweeps come every 300 s' : ''}`);
  await sleep(systemClock, seconds * 1000);
  const [ended, after] = [systemClock.now(), await processFigures(pid)];
  const own = await ownFigures(operator.metricsUrl);
  const all = await stage.evidence.calls(0, ended);
  const calls = all.filter(({ at }) => at >= begun);
  const writes = await stage.evidence.writes(begun, ended);
  const hourly = (count: number): number => (count * 3_600_000) / (ended - begun);
  const limit = allowedAnHour(members);
  report({
    name: 'idle calls',
    value: hourly(calls.length),
    unit: '/h',
    limit,
    formula: '400 + 12 per page + sub-collections (at most 600)',
  });
  for (const [endpoint, count] of byEndpoint(calls))
    report({ name: `idle ${endpoint}`, value: hourly(count), unit: '/h', formula: `${count} in ${seconds} s` });
  report({
    name: 'idle Kubernetes writes',
    value: writes.length,
    unit: 'writes',
    limit: firstReads(all, begun),
    formula: `audit log of ${seconds} s, lease apart; at most 1 per place read for the first time`,
  });
  for (const [what, objects] of byResource(writes))
    report({ name: `idle ${what}`, value: objects.length, unit: 'writes', formula: objects.slice(0, 4).join(', ') });
  report({
    name: 'idle processor',
    value: ((after.processor - before.processor) / (ended - begun)) * 100,
    unit: '% of a core',
    limit: 1,
    formula: `/proc/pid/stat over ${seconds} s`,
  });
  const formula = 'VmRSS at the end of the idle time; 160 for eight kinds, 1 more for each further one';
  report({ name: 'idle memory', value: after.resident, unit: 'MB', limit: allowedMemory(members), formula });
  report({ name: 'most memory', value: after.residentMost, unit: 'MB', formula: 'VmHWM since the start, taking over included' });
  ownWords(bench, own);
}
