import { expect, it } from 'vitest';
import type { ExportData } from '../../../../src/plugin/output/account-shapes.ts';
import { AccountScene, minute, type Row } from '../../../support/plugin/account-scene.ts';
import { cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { type Hands, play, type Played } from '../../../support/random-account/random-account.ts';
import { planted } from '../../../support/samples/planted.ts';
import { seedOfRun } from '../../../support/seeded.ts';

const hour = 60 * minute;
const programs = Array.from({ length: 40 }, (_, number) => number);

const handsOf = ({ world }: AccountScene): Hands => ({
  ask: async ({ method, path, body }) => {
    const answer = await world.emulator.control.actAs({ username: 'admin', method, path: `/v4${path}`, ...(body && { body }) });
    return { status: answer.status, body: JSON.parse(String(answer.body) || '{}') as Row };
  },
  rest: () => world.clock.advance(40 * minute),
});
/** A mark by which a pool is told from others is what a cluster that names pools must have. */
const isMark = (call: string): boolean => /^PUT \S*\/pools\/\d+$/.test(call);
const alive = ({ world }: AccountScene): readonly string[] =>
  world.emulator.control
    .objects()
    .filter(({ diedAt }) => diedAt === undefined)
    .map(({ collection, key }) => `${collection} ${String(key)}`);

/** By hand, over the years. */
async function made(seed: number): Promise<{ readonly scene: AccountScene; readonly played: Played }> {
  const scene = await AccountScene.create({ emulator: { knobs: planted } });
  return { scene, played: await play(seed, programs, handsOf(scene)) };
}
async function giveSecrets({ world }: AccountScene, secrets: ExportData['secrets'] = []): Promise<void> {
  for (const [name, keys] of Map.groupBy(secrets, (secret) => secret.name))
    await world.secret(name, Object.fromEntries(keys.map(({ key }) => [key, 'correct-Horse-7-battery'])));
}

it.each([1, 2].map((seed) => seed + 10 * seedOfRun()))(
  'an account that random programs of its own operations made, of seed %i, is exported, observed, managed and let go without a change',
  async (seed) => {
    const { scene, played } = await made(seed);
    const { world } = scene;
    const since = world.emulator.control.requests().length;
    const changes = (): readonly string[] => scene.changes(since).filter((call) => !isMark(call));
    const differing = async (): Promise<unknown> => {
      const { exit, out } = await scene.typed('diff -R -f fleet --against account --share 100', { limit: hour });
      return [exit, out.split('\n')[0]];
    };

    const { kinds, unproven, secrets } = dataOf(
      await scene.typed('export --to fleet -o json --share 100', { limit: hour }),
    ) as unknown as ExportData;
    const manifests = scene.manifests();
    const equal = [0, `Nothing differs (${manifests.length} objects compared).`];
    expect(unproven).toEqual([]);
    // Much of everything.
    expect(played.refused.length).toBeLessThan(played.asked / 5);
    expect(kinds.filter(({ written }) => written > 0).length).toBeGreaterThan(12);
    expect(manifests.length).toBeGreaterThan(200);

    await giveSecrets(scene, secrets);
    await world.start();
    for (const { kind, metadata, spec } of manifests) await world.apply(kind, metadata.name, spec);
    expect((await cloud(world, 'wait -R -f fleet --for=Observed', { files: scene.files, limit: hour })).exit).toBe(0);
    expect(await differing()).toEqual(equal);
    expect(changes()).toEqual([]);

    expect((await scene.typed('export --promote fleet')).exit).toBe(0);
    for (const { kind, metadata } of manifests) await world.patch(kind, metadata.name, { spec: { lifecycle: null } });
    await world.clock.advance(hour);
    for (const { kind, metadata } of manifests) await world.ready(kind, metadata.name);
    expect(await differing()).toEqual(equal);
    expect(changes()).toEqual([]);

    const before = alive(scene);
    for (const { kind, metadata } of manifests) await world.delete(kind, metadata.name);
    for (const { kind, metadata } of manifests) await world.gone(kind, metadata.name);
    expect(changes()).toEqual([]);
    const after = new Set(alive(scene));
    expect(before.filter((thing) => !after.has(thing))).toEqual([]);
  },
);
