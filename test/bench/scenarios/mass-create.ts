import { sleep, systemClock } from '../../../src/lib/clock.ts';
import type { LedgerRequest } from '../../support/process/emulator-program.ts';
import type { Bench } from '../bench.ts';
import { p99 } from '../figure.ts';
import { allReady, apply, edit } from '../inhabitants.ts';
import { membersOf, namespaces, type Member } from '../population.ts';
import { processFigures } from '../process-figures.ts';

interface Mass {
  readonly kind: string;
  readonly requests: number;
  readonly seconds: number;
}

/** What is created at once at each size, and the published window of its create call. */
const masses: Readonly<Record<number, Mass>> = {
  100: { kind: 'CloudInstance', requests: 20, seconds: 15 },
  1000: { kind: 'CloudVolume', requests: 100, seconds: 60 },
  10_000: { kind: 'CloudDomainRecord', requests: 1600, seconds: 60 },
};

const [crowded = '', quiet = ''] = namespaces;

/** A few objects of another team in the middle of it, edited as soon as they are there. */
async function neighbour(bench: Bench, few: readonly Member[]): Promise<{ readonly ready: number; readonly edits: readonly number[] }> {
  const { cluster, evidence } = bench.stage;
  await sleep(systemClock, 20_000);
  const begun = systemClock.now();
  await apply(cluster, few);
  await allReady(cluster, { kinds: ['CloudDomain', 'CloudDomainRecord'], namespace: quiet, limit: 600_000, every: 500 });
  const ready = (systemClock.now() - begun) / 1000;
  const edits: number[] = [];
  for (const member of few.filter(({ parent }) => parent !== undefined)) {
    const at = await edit(cluster, member, { ttlSeconds: 3600 });
    const called = async (): Promise<LedgerRequest | undefined> => (await evidence.calls(at - 1000)).find(({ method }) => method === 'PUT');
    let found = await called();
    while (found === undefined && systemClock.now() < at + 60_000) {
      await sleep(systemClock, 100);
      found = await called();
    }
    edits.push(Math.max(0, ((found?.at ?? systemClock.now()) - at) / 1000));
    await sleep(systemClock, 1500);
  }
  return { ready, edits };
}

/** What others saw of it since it began. */
async function told({ stage, report, count }: Bench, { kind, requests, seconds }: Mass, begun: number): Promise<void> {
  const calls = await stage.evidence.calls(begun);
  const writes = await stage.evidence.writes(begun);
  const posts = calls.filter(({ method, changes }) => method === 'POST' && changes.length > 0).map(({ at }) => at);
  const windows = (Math.ceil(count / requests) - 1) * seconds;
  const formula = `first to last POST; (ceil(${count}/${requests}) - 1) windows of ${seconds} s, x 1.1`;
  report({
    name: `mass create, ${kind}`,
    value: (Math.max(...posts) - Math.min(...posts)) / 1000,
    unit: 's',
    limit: windows * 1.1,
    formula,
  });
  report({
    name: 'mass create, all Ready',
    value: (Math.max(...writes.map(({ at }) => at)) - begun) / 1000,
    unit: 's',
    formula: 'first kubectl apply to the last status; the tail are the jobs',
  });
  report({
    name: 'mass create, 429s',
    value: calls.filter(({ status }) => status === 429).length,
    unit: 'answers',
    limit: 0,
    formula: 'ledger',
  });
  report({
    name: 'mass create, calls per object',
    value: calls.length / count,
    unit: 'calls',
    formula: 'ledger, polls and listings included',
  });
  report({
    name: 'mass create, writes per object',
    value: writes.filter(({ resource }) => resource !== 'events').length / count,
    unit: 'writes',
    formula: 'audit log, Events apart',
  });
}

/** Everything at once, as when a cluster is moved: only the rate windows may hold it up. */
export async function massCreate(bench: Bench): Promise<void> {
  const { stage, operator, report, count, say } = bench;
  const mass = masses[count];
  if (mass === undefined) return say(`no mass create of ${count} objects; there are ${Object.keys(masses).join(', ')}`);
  const { kind, seconds } = mass;
  const members = membersOf(kind, { count, in: [crowded] });
  const parents = members.filter((member) => member.kind !== kind);
  await apply(stage.cluster, parents);
  if (parents.length > 0) await allReady(stage.cluster, { kinds: ['CloudDomain'], limit: 120_000 });
  const [begun, before] = [systemClock.now(), await processFigures(operator.program.pid)];
  const few = kind === 'CloudDomainRecord' ? membersOf(kind, { count: 10, in: [quiet], from: 700_000 }) : [];
  const [, beside] = await Promise.all([
    apply(
      stage.cluster,
      members.filter((member) => member.kind === kind),
    ),
    few.length > 0 ? neighbour(bench, few) : undefined,
  ]);
  await allReady(stage.cluster, { kinds: [kind], limit: 1_800_000, every: 3000 });
  await told(bench, mass, begun);
  const after = await processFigures(operator.program.pid);
  report({
    name: 'mass create, processor per object',
    value: (after.processor - before.processor) / count,
    unit: 'ms',
    formula: '/proc/pid/stat',
  });
  report({ name: 'mass create, most memory', value: after.residentMost, unit: 'MB', formula: 'VmHWM' });
  if (beside === undefined) return;
  report({
    name: 'fairness, 10 objects beside a mass create',
    value: beside.ready,
    unit: 's',
    limit: seconds + 6,
    formula: 'apply to Ready in another namespace: at most one window, and one poll',
  });
  report({
    name: 'edit to call beside a mass create, p99',
    value: p99(beside.edits),
    unit: 's',
    limit: 1,
    formula: `${beside.edits.length} edits in the other namespace`,
  });
}
