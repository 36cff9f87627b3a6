import { request } from 'undici';
import { sleep, systemClock } from '../../../src/lib/clock.ts';
import type { Bench } from '../bench.ts';
import { editVolumes, secondsToCall, volumesOf } from '../edits.ts';
import { p99 } from '../figure.ts';

/** A standby with filled caches. */
async function warm(bench: Bench): Promise<Bench['operator']> {
  const standby = await bench.stage.startOperator();
  for (;;) {
    const ready = await request(`${standby.healthUrl}/readyz`).then(
      ({ statusCode, body }) => body.dump().then(() => statusCode === 200),
      () => false,
    );
    if (ready) return standby;
    await sleep(systemClock, 100);
  }
}

/** The leader goes; seconds until an edit of that moment reaches the account. */
async function change(bench: Bench, signal: NodeJS.Signals, round: number): Promise<number> {
  const standby = await warm(bench);
  await sleep(systemClock, 3000);
  const leader = bench.operator;
  bench.operator = standby;
  leader.program.signal(signal);
  const all = volumesOf(bench);
  // The last breath of the old leader must not answer it.
  if (signal !== 'SIGKILL') await leader.program.ended;
  const gone = systemClock.now();
  const [edited] = await editVolumes(bench, all.slice(round % all.length, (round % all.length) + 1), { every: 0 });
  const [took = Number.NaN] = await secondsToCall(bench, edited === undefined ? [] : [edited]);
  return took + ((edited?.at ?? gone) - gone) / 1000;
}

/** Both ways to lose a leader, some times each. */
export async function failover(bench: Bench): Promise<void> {
  const rounds = bench.quick ? 1 : 3;
  const figures = { SIGTERM: [] as number[], SIGKILL: [] as number[] };
  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    for (let round = 0; round < rounds; round += 1) figures[signal].push(await change(bench, signal, round));
  const from = `to the call of an edit of that moment, the longest of ${rounds}`;
  bench.report({ name: 'failover, graceful', value: p99(figures.SIGTERM), unit: 's', limit: 3, formula: `end of the old process ${from}` });
  bench.report({
    name: 'failover, hard',
    value: p99(figures.SIGKILL),
    unit: 's',
    limit: 20,
    formula: `SIGKILL ${from}; lease of 15 s + retry of 2 s`,
  });
}
