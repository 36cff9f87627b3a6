import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killed } from '../chaos/tier1/families/killed.ts';
import { judged, type Lived } from '../chaos/tier1/judge.ts';
import { Lane } from '../chaos/tier1/lane.ts';
import { casesOf, type Life, livesOf } from '../chaos/tier1/plan.ts';
import { record } from '../chaos/tier1/recording.ts';
import { subjects } from '../chaos/tier1/subject.ts';
import type { Cluster } from '../controlplane/cluster.ts';
import { sharedControlPlane, START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { unaudited } from '../support/process/audited.ts';

/** One of each shape: a key that is its id, one below a parent, with jobs and parts, with moves. `npm run test:long` plays samples of every kind and family. */
const chosen = new Set(['CloudBucket', 'CloudDomainRecord', 'CloudInstance', 'CloudVolume']);
/** Of each kind; `npm run chaos -- --tier 1 --family kill` runs them all. */
const livesOfEach = 2;
const seed = 20_260_101;
const lanesAtOnce = 2;

let cluster: Cluster;
const idle: Lane[] = [];
const waiting: (() => void)[] = [];
const totals = { planned: 0, run: 0, missed: 0 };
beforeAll(async () => {
  cluster = await sharedControlPlane();
  for (let i = 0; i < lanesAtOnce; i += 1) idle.push(await Lane.open(cluster, killed));
}, START_TIMEOUT_MS);
afterAll(async () => {
  const { planned, run, missed } = totals;
  process.stdout.write(
    `killed at ${run} of ${planned} recorded steps (${missed} steps did not come again); npm run chaos -- --tier 1 runs the rest\n`,
  );
  await Promise.all(idle.map((lane) => lane.close()));
  await cluster.disconnect();
});

/** A lane that nobody uses; each serves one kind at a time. */
async function free(): Promise<Lane> {
  const lane = idle.pop();
  if (lane !== undefined) return lane;
  await new Promise<void>((resolve) => waiting.push(resolve));
  return free();
}

async function run(lane: Lane, lives: readonly Life[]): Promise<Omit<Lived, 'broken'>> {
  const all: Lived[] = [];
  for (const life of lives) all.push(await judged(lane, life));
  return { verdicts: all.flatMap(({ verdicts }) => verdicts), left: all.flatMap(({ left }) => left) };
}

describe('an operator that is killed with -9 at any step', () => {
  it.concurrent.each(subjects.filter(({ kind }) => chosen.has(kind)).map((subject) => [subject.kind, subject] as const))(
    'leaves one remote of a %s, no orphan, and an object that is Ready or gone',
    async (_, subject) => {
      const lane = await free();
      try {
        await lane.prepare(subject);
        const cases = casesOf(killed, [await record(lane, subject, Object.keys(subject.edits)[0])]);
        totals.planned += cases.length;
        const first = await run(lane, livesOf(cases, seed).slice(0, livesOfEach));
        // What depends on the time of day may come the next time.
        const second = await run(lane, livesOf(first.left, seed));
        const verdicts = [...first.verdicts, ...second.verdicts];
        totals.run += verdicts.length;
        totals.missed += second.left.length;
        const wrong = verdicts.filter(({ violations }) => violations.length > 0);
        // As text: of a test that is tried again only the message is left.
        expect(wrong.map(({ case: { id }, violations }) => [id, ...violations].join('\n')).join('\n')).toBe('');
      } finally {
        idle.push(lane);
        waiting.shift()?.();
      }
    },
    600_000,
  );
});

describe('the audit log', () => {
  it('has a line for every call that changed an account, whenever its process was killed', async () => {
    const found = await Promise.all(idle.map(({ stage, auditLog }) => unaudited(stage.emulator, auditLog)));
    expect(found).toEqual(idle.map(() => []));
  });
});

describe('a recorded step', () => {
  it('comes again in nearly every run', () => expect(totals.missed).toBeLessThanOrEqual(totals.run / 10));
});
