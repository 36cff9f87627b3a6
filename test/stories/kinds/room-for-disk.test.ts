import { beforeEach, describe, expect, it } from 'vitest';
import type { PlanData } from '../../../src/plugin/output/plan-shape.ts';
import { changesOf } from '../../support/world/changes.ts';
import { cloud, dataOf, endpoint } from '../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

/** Plans with 51200 and with 25600 MB. */
const [large, small] = ['g6-standard-1', 'g6-nanode-1'] as const;
const kind = 'CloudDisk';
const spec = { instanceRef: { name: 'web' }, label: 'data', filesystem: 'raw', sizeMB: 10_000 };
let world: World;
let colleague: CloudUser;
let at: string;
beforeEach(async () => {
  world = await World.create();
  colleague = new CloudUser(world);
  await world.account();
  await world.start();
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: small });
  at = String((await world.ready('CloudInstance', 'web')).status?.['path']);
  await other('boot', 12_000);
  await world.apply(kind, 'data', spec);
  await world.ready(kind, 'data');
  await world.clock.advance(60_000);
});
async function other(label: string, size: number): Promise<string> {
  const { id } = await colleague.post(`${at}/disks`, { label, size });
  await world.clock.advance(120_000);
  return String(id);
}
const wish = (sizeMB: number): Promise<unknown> => world.patch(kind, 'data', { spec: { sizeMB } });
const plan = async (): Promise<unknown> => (await world.get(kind, 'data')).status?.['plan'];
const reads = (): number =>
  world.emulator.control
    .requests()
    .filter(({ method, path, username }) => method === 'GET' && username === 'admin' && path.split('?')[0]?.endsWith(`${at}/disks`)).length;

describe('a disk that its instance has no room for', () => {
  it('is refused before anybody is asked, with what there is room for, and what to do', async () => {
    const { sizeMB, ...rest } = spec;
    const manifest = {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind,
      metadata: { name: 'data' },
      spec: { ...rest, sizeMB: sizeMB + 4000 },
    };
    const files = { 'data.yaml': JSON.stringify(manifest) };
    const planned = await cloud(world, `plan -f data.yaml --against account --endpoint ${endpoint} -o json`, { files, limit: 600_000 });
    const [entry] = (dataOf(planned) as unknown as PlanData).objects;
    expect([planned.exit, entry?.refusal]).toEqual([4, expect.objectContaining({ reason: 'InvalidSpec', field: 'spec.sizeMB' })]);

    const before = changesOf(world).length;
    await wish(14_000);
    const { message } = await world.reason(kind, 'data', 'InvalidSpec');
    expect(message).toMatch(
      /^spec\.sizeMB: plan g6-nanode-1 of its instance has 25600 MB, of which its other disks take 12000 MB \(\d+ boot: 12000 MB\), so that there is room for 13600 MB here\. Write no more, make others smaller, or give the instance a plan with more disk: the change goes on by itself then\. Nothing of it was sent$/,
    );
    expect(await plan()).toBeUndefined();
    expect(await world.condition(kind, 'data', 'Ready')).toMatchObject({ status: 'True' });
    await world.clock.advance(600_000);
    expect(changesOf(world)).toHaveLength(before);
    await wish(13_600);
    await world.ready(kind, 'data', 600_000);
  });
  it('is refused although its effect needs no approval, and holds up no other field', async () => {
    await world.patch(kind, 'data', { spec: { label: 'db', sizeMB: 14_000, lifecycle: { approve: ['InPlace', 'Reboot', 'Rebuild'] } } });
    await world.reason(kind, 'data', 'InvalidSpec');
    expect(world.emulator.control.rows('disks')).toMatchObject([{ size: 12_000 }, { label: 'db', size: 10_000 }]);
  });
  it('goes on as soon as its instance has another plan, applied with it', async () => {
    await wish(30_000);
    await world.patch('CloudInstance', 'web', { spec: { type: large, lifecycle: { approve: ['InPlace', 'Reboot'] } } });
    await world.clock.runUntil(async () => (await world.get('CloudInstance', 'web')).status?.['type'] === large, 600_000);
    await world.clock.advance(60_000);
    await world.ready(kind, 'data', 120_000);
    expect(world.emulator.control.rows('disks')).toMatchObject([{}, { size: 30_000 }]);
  });
  it('goes on as soon as another disk is gone', async () => {
    const id = await other('spare', 3000);
    await wish(12_000);
    await world.reason(kind, 'data', 'InvalidSpec');
    await colleague.delete(`${at}/disks/${id}`);
    await world.clock.advance(60_000);
    await world.ready(kind, 'data', 120_000);
  });
  it('has what it lacks read once for a wish, and nothing for a smaller one', async () => {
    await wish(14_000);
    await world.reason(kind, 'data', 'InvalidSpec');
    const before = reads();
    await world.clock.advance(600_000);
    await wish(9000);
    await world.clock.advance(60_000);
    expect(reads() - before).toBeLessThan(3);
  });
});
