import { beforeEach, expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
const names = Array.from({ length: 8 }, (_, n) => `v${n}`);
beforeEach(async () => {
  ({ world } = await connectedWorld());
  for (const name of names) await world.apply('CloudVolume', name, { region: 'eu-central', sizeGiB: 20 });
  for (const name of names) await world.ready('CloudVolume', name);
  for (const { id } of world.emulator.control.rows('volumes') as { id: number }[]) await new CloudUser(world).delete(`/volumes/${id}`);
  await world.clock.advance(15 * minute);
});
const out = async (line: string): Promise<string> => (await cloud(world, line, { limit: 10 * minute })).out;

const recreate = 'kubectl cloud recreate -n team-a cvol';
const volumes = (): number => world.emulator.control.rows('volumes').length;

it('of what is only made when it is asked for, release says that it does nothing, and which one line does', async () => {
  expect(await out('status')).toMatch(
    new RegExp(
      `\\n  To look first, or to have those made, empty, that are RemoteMissing \\(which asks\\):\\n    kubectl cloud release --list .*\\n    ${recreate}\\n`,
    ),
  );
  expect((await cloud(world, 'doctor')).out).toContain(`${recreate}, which asks.`);
  expect(await out('release --list')).toMatch(
    new RegExp(
      `\\n  8 objects are RemoteMissing \\(lifecycle\\.onMissing: Stall\\), and no release has them made anew\\. .*\\n    ${recreate}\\n$`,
    ),
  );
  const { exit, err } = await cloud(world, 'release --confirm 8');
  expect([exit, err]).toEqual([3, expect.stringMatching(new RegExp(`nothing goes on by a release: all 8 .*\\n.*\\n  ${recreate}\\n`))]);
  expect((await world.get('CloudAccount', 'default')).metadata.annotations?.['cloudhosting.dev/release']).toBeUndefined();
  expect(await out('why cvol -n team-a')).toContain(`\nTo have all of them made anew, empty, which lists them and asks:\n  ${recreate}\n`);
});

it('all of a kind are made anew by one line and one number, and what is there is left as it is', async () => {
  await cloud(world, 'recreate cvol/v0 --confirm v0');
  await world.ready('CloudVolume', 'v0');
  const wrong = await cloud(world, 'recreate cvol --yes');
  expect([wrong.exit, wrong.err]).toEqual([
    3,
    expect.stringContaining('7 objects: another one is made for each, empty (CloudVolume team-a/v1, v2'),
  ]);
  expect((await cloud(world, 'recreate cvol', { answers: ['7'] })).exit).toBe(0);
  for (const name of names) await world.ready('CloudVolume', name);
  expect(volumes()).toBe(8);
  await world.clock.advance(2 * minute);
  expect(await out('status')).toMatch(/^team-a\/default .* 0$/m);
  expect((await cloud(world, 'recreate cvol')).out).toBe('Nothing to make anew: none of them is RemoteMissing.\n');
});

it('what is new waits with them, and no release is said to help it', async () => {
  await world.apply('CloudVolume', 'new', { region: 'eu-central', sizeGiB: 20 });
  await world.reason('CloudVolume', 'new', 'DeletionHeld');
  expect((await cloud(world, 'release --confirm 8')).exit).toBe(3);
  expect((await cloud(world, 'recreate cvol', { answers: ['8'] })).exit).toBe(0);
  for (const name of [...names, 'new']) await world.ready('CloudVolume', name);
});

const at = (name: string): string => (Number(name.slice(1)) < 6 ? 'Recreate' : 'Stall');
it('what a release has made anew is counted apart from what stays missing', async () => {
  for (const name of names) await world.patch('CloudVolume', name, { spec: { lifecycle: { onMissing: at(name) } } });
  await world.reason('CloudVolume', 'v0', 'DeletionHeld');
  await world.clock.advance(minute);
  expect(await out('status')).toMatch(new RegExp(`\\n    ${recreate}\\n    kubectl cloud release -n team-a cacc/default\\n`));
  const { exit, out: said } = await cloud(world, 'release', { answers: ['8'] });
  expect([exit, said]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(`: Of kind CloudVolume 6 objects are released\\. .*\\n  2 objects are RemoteMissing .*\\n    ${recreate}\\n`),
    ),
  ]);
  for (const name of names) if (at(name) === 'Recreate') await world.ready('CloudVolume', name);
  expect(volumes()).toBe(6);
});
