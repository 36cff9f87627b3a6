import { sleep, systemClock } from '../../../src/lib/clock.ts';
import type { Bench } from '../bench.ts';
import { editVolumes, newTags, pathOfVolume, secondsToCall, volumesOf } from '../edits.ts';
import { mean, p99 } from '../figure.ts';
import type { Member } from '../population.ts';

interface Changed {
  readonly volume: Member;
  readonly at: number;
}

/** Seconds from each change to the first status that was written because of it. */
async function secondsToCondition({ stage }: Bench, changed: readonly Changed[], limit: number): Promise<readonly number[]> {
  const first = Math.min(...changed.map(({ at }) => at));
  const end = systemClock.now() + limit * 1000;
  for (;;) {
    const writes = (await stage.evidence.writes(first)).filter(
      ({ resource, subresource }) => resource === 'cloudvolumes' && subresource === 'status',
    );
    const seen = changed.map(({ volume, at }) => writes.find((one) => one.name === volume.name && one.at >= at)?.at);
    if (seen.every((at) => at !== undefined) || systemClock.now() > end)
      return seen.map((at, index) => ((at ?? end) - (changed[index]?.at ?? 0)) / 1000);
    await sleep(systemClock, 1000);
  }
}

/** A colleague changes a few things at once, then nobody does anything for long enough that the operator asks slowly again. */
async function withEvent(bench: Bench, batches: number): Promise<readonly number[]> {
  const volumes = volumesOf(bench);
  const changed: Changed[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    // 66 to 76 s, so that the changes fall anywhere between two polls.
    await sleep(systemClock, 66_000 + ((batch * 3700) % 10_000));
    for (const volume of volumes.slice(batch * 3, batch * 3 + 3)) {
      changed.push({ volume, at: systemClock.now() });
      await bench.stage.emulator.actAs('colleague', 'PUT', `/v4${pathOfVolume(bench, volume)}`, { tags: newTags() });
    }
  }
  return secondsToCondition(bench, changed, 60);
}

/** The provider changes rows and says nothing. */
async function withoutEvent(bench: Bench, spread: number): Promise<readonly number[]> {
  const volumes = volumesOf(bench).slice(-10);
  const changed: Changed[] = [];
  for (const volume of volumes) {
    changed.push({ volume, at: systemClock.now() });
    await bench.stage.emulator.control('POST', '/rows', {
      collection: 'volumes',
      key: bench.planted.get(volume),
      row: { tags: newTags() },
    });
    await sleep(systemClock, spread / volumes.length);
  }
  return secondsToCondition(bench, changed, 400);
}

/** Edits from three seconds before the next sweep of the volumes on. */
async function duringSweep(bench: Bench): Promise<readonly number[]> {
  const calls = await bench.stage.evidence.calls(0);
  const swept = calls.findLast(({ method, template, query }) => method === 'GET' && template === '/volumes' && /\bpage=1\b/.test(query));
  const next = (swept?.at ?? systemClock.now()) + 300_000;
  await sleep(systemClock, Math.max(0, next - 3000 - systemClock.now()));
  const volumes = volumesOf(bench).slice(20, 120);
  return secondsToCall(bench, await editVolumes(bench, volumes.length > 0 ? volumes : volumesOf(bench).slice(0, 10), { every: 100 }));
}

/** What others do to the account, and edits while it is swept. */
export async function outside(bench: Bench): Promise<void> {
  const { quick, report } = bench;
  const seen = await withEvent(bench, quick ? 2 : 6);
  report({
    name: 'outside change with an event, mean',
    value: mean(seen),
    unit: 's',
    formula: `colleague's call to status write, ${seen.length} changes; poll/2 + look`,
  });
  report({
    name: 'outside change with an event, p99',
    value: p99(seen),
    unit: 's',
    limit: 12,
    formula: 'poll of 10 s + one look + one write',
  });
  const [swept, edited] = await Promise.all([withoutEvent(bench, quick ? 30_000 : 300_000), duringSweep(bench)]);
  report({
    name: 'outside change without an event, mean',
    value: mean(swept),
    unit: 's',
    formula: `provider's edit to status write, ${swept.length} changes; sweep/2`,
  });
  report({
    name: 'outside change without an event, p99',
    value: p99(swept),
    unit: 's',
    limit: 330,
    formula: 'sweep every 300 s, 10 % later at most',
  });
  report({
    name: 'edit to call during a sweep, p99',
    value: p99(edited),
    unit: 's',
    limit: 1,
    formula: `answer to the edit to the call, ${edited.length} edits`,
  });
}
