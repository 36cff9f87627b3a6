import { beforeEach, describe, expect, it } from 'vitest';
import type { HeldData } from '../../../../src/plugin/output/written-shapes.ts';
import { cloud, dataOf, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import { changesSince, lastRequest } from '../../../support/world/gitops.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
const names = Array.from({ length: 14 }, (_, n) => `v${n}`);
const spec = { region: 'eu-central', lifecycle: { onDelete: 'Delete' } };
let world: World;
let held: readonly string[];
let told: string;
const pathOf = async (name: string): Promise<string> => String((await world.get('CloudVolume', name)).status?.['path']);

describe('what a person keeps of a mass deletion', () => {
  const paths = new Map<string, string>();
  beforeEach(async () => {
    ({ world } = await connectedWorld());
    for (const name of names) await world.apply('CloudVolume', name, spec);
    for (const name of names) await world.ready('CloudVolume', name);
    for (const name of names) paths.set(name, await pathOf(name));
    for (const name of names) await world.delete('CloudVolume', name);
    await world.clock.advance(minute);
    const left = await Promise.all(names.map((name) => world.find('CloudVolume', name)));
    held = names.filter((_, at) => left[at] !== undefined);
    const { out, err } = await cloud(world, 'release cacc/default --keep');
    told = `${out}${err}`;
    for (const name of held) await world.patch('CloudVolume', name, { spec: { lifecycle: { onDelete: 'Retain' } } });
    for (const name of held) await world.gone('CloudVolume', name);
  });

  it('is told how to get it back, and comes back by its own manifest without anything made', async () => {
    expect(held.length).toBeGreaterThan(2);
    expect(told).toMatch(
      /\nThey go from the cluster then, and stay in the account\. To have one back, apply its manifest again, under the same name: it takes up what stayed\.\n/,
    );
    const since = lastRequest(world);
    for (const name of held) await world.apply('CloudVolume', name, spec);
    for (const name of held) await world.ready('CloudVolume', name);
    expect(await Promise.all(held.map(pathOf))).toEqual(held.map((name) => paths.get(name)));
    expect(changesSince(world, since)).toEqual([]);
  });
  it('is not simply told as made by a plan of its manifest, which knows no mark', async () => {
    const [name = ''] = held;
    const metadata = { name, namespace: 'team-a' };
    const files = { 'm/v.yaml': JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudVolume', metadata, spec }) };
    const { out } = await cloud(world, `plan -f m --endpoint ${endpoint}`, { files });
    expect(out).toContain(' is found again by its mark where the account still has it: then that is taken up, and nothing is made.');
    const named = { ...files, 'm/v.yaml': files['m/v.yaml'].replace('"spec":{', '"spec":{"label":"its-own",') };
    expect((await cloud(world, `plan -f m --endpoint ${endpoint}`, { files: named })).out).not.toContain('by its mark');
  });
  it('is told so by its Event, too', () => {
    const events = world.server.objects('/events') as unknown as { reason: string; message?: string; note?: string }[];
    const retained = events.filter(({ reason }) => reason === 'Retained').map(({ message, note }) => note ?? message);
    expect(retained).toHaveLength(held.length);
    for (const text of retained)
      expect(text).toMatch(
        /^\/volumes\/\d+ stays in the account, because the policy is Retain\. It costs what it cost before\. To have it back, apply the same manifest again, or one with spec\.adopt; or delete it in the account$/,
      );
  });
});

it('release --list names what of the same act went and stays in the account, also as data', async () => {
  ({ world } = await connectedWorld());
  for (const name of names) await world.apply('CloudVolume', name, spec);
  for (const name of names) await world.ready('CloudVolume', name);
  for (const name of names) await world.delete('CloudVolume', name);
  await world.clock.advance(minute);
  const left = (await Promise.all(names.map((name) => world.find('CloudVolume', name)))).flatMap((found) => found?.metadata.name ?? []);
  const [kept = '', ...others] = left;
  const path = await pathOf(kept);
  await world.patch('CloudVolume', kept, { spec: { lifecycle: { onDelete: 'Retain' } } });
  await world.gone('CloudVolume', kept);
  await world.clock.advance(minute);
  const { out } = await cloud(world, 'release --list');
  expect(out).toContain(
    [
      '\n  Of namespace team-a went from the cluster, and what they had was left in the account then; to have one back, apply its manifest again:',
      `    CloudVolume team-a/${kept}: ${path} stays in the account, because the policy is Retain\n`,
    ].join('\n'),
  );
  const whole = await cloud(world, 'release --list -o json');
  expect(JSON.parse(whole.out)).toMatchObject({ kind: 'Held', exitCode: 0 });
  const { held: holds } = dataOf(whole) as unknown as HeldData;
  expect(holds).toHaveLength(1);
  expect(holds[0]).toMatchObject({ of: 'team-a', count: others.length, stayed: [{ object: `CloudVolume team-a/${kept}` }] });
  expect(holds[0]?.objects.map(({ object }) => object).toSorted()).toEqual(others.map((name) => `CloudVolume team-a/${name}`).toSorted());
  for (const { fate } of holds[0]?.objects ?? []) expect(fate).toMatch(/^its cloud resource will be deleted \(\/volumes\/\d+\)$/);
  const namesTold = (await cloud(world, 'release --list -o name')).out.trim().split('\n');
  expect(namesTold.toSorted()).toEqual(others.map((name) => `cloudvolume.cloudhosting.dev/${name}`).toSorted());
});
