import { beforeEach, describe, expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

/** Plans with 51200 and with 25600 MB. */
const [large, small] = ['g6-standard-1', 'g6-nanode-1'] as const;
const approved = { approve: ['InPlace', 'Reboot'] };
const minute = 60_000;
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.secret('root', { password: 'Correct-Horse-9-Battery' });
  operator = await world.start();
});

interface Disk {
  readonly id: number;
  readonly size: number;
  readonly filesystem: string;
}
const disks = (): readonly Disk[] => world.emulator.control.rows('disks') as unknown as readonly Disk[];
const ofMain = (): Disk | undefined => disks().find(({ filesystem }) => filesystem !== 'swap');

/** A machine with an image, and its disk as one that somebody looks after. */
async function machine(type: string, disk: object = {}, instance: object = {}): Promise<void> {
  const image = { image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type, ...image, lifecycle: approved, ...instance });
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(minute);
  await adopt('root', ofMain(), disk);
}
async function adopt(name: string, row: Disk | undefined, more: object = {}): Promise<void> {
  await world.apply('CloudDisk', name, { instanceRef: { name: 'web' }, sizeMB: row?.size, adopt: { id: row?.id }, ...more });
  await world.clock.advance(minute);
}
async function resize(type: string, more: object = {}): Promise<void> {
  await world.patch('CloudInstance', 'web', { spec: { type, ...more } });
  await world.clock.runUntil(async () => (await world.get('CloudInstance', 'web')).status?.['type'] === type, 20 * minute);
  await world.clock.advance(5 * minute);
}
const sent = (): readonly unknown[] =>
  world.emulator.control
    .requests()
    .flatMap(({ method, path, body }) => (method === 'POST' && path.endsWith('/resize') ? [JSON.parse(body)] : []));

describe('a disk whose object says the size that it has', () => {
  it('stays as it is when its instance gets another plan, and its object asks for nothing', async () => {
    await machine(small);
    const before = ofMain()?.size;
    await resize(large);
    expect(ofMain()?.size).toBe(before);
    expect(sent()).toEqual([{ type: large, allow_auto_disk_resize: false }]);
    await world.ready('CloudDisk', 'root');
    expect((await world.get('CloudDisk', 'root')).status).not.toHaveProperty('plan');
  });
  it('also after a restart, before anything of the disk was read', async () => {
    await machine(small);
    const before = ofMain()?.size;
    operator.kill();
    await world.patch('CloudInstance', 'web', { spec: { type: large } });
    await world.start();
    await resize(large);
    expect([ofMain()?.size, sent()]).toEqual([before, [{ type: large, allow_auto_disk_resize: false }]]);
  });
  it('keeps a plan away that it does not fit onto, until its object lets go of the size', async () => {
    await machine(large);
    await world.patch('CloudInstance', 'web', { spec: { type: small } });
    const { message } = await world.reason('CloudInstance', 'web', 'InvalidSpec');
    expect(message).toContain('or set spec.autoResizeDisk: true to have the single disk fitted');
    await world.clock.advance(10 * minute);
    expect(sent()).toEqual([]);
    await world.patch('CloudDisk', 'root', { spec: { lifecycle: { ignoreFields: ['sizeMB'] } } });
    await resize(small);
    expect(sent()).toEqual([{ type: small }]);
  });
});

const fitted = async (): Promise<unknown> => {
  await resize(large);
  return sent();
};

describe('a disk is fitted to a new plan all the same', () => {
  it('where the instance says so', async () => {
    await machine(small, {}, { autoResizeDisk: true });
    expect(await fitted()).toEqual([{ type: large, allow_auto_disk_resize: true }]);
  });
  it.each([
    ['is left alone in the spec', { ignoreFields: ['sizeMB'] }],
    ['is only looked at', { management: 'Observe' }],
  ])('where its size %s', async (_, lifecycle) => {
    await machine(small, { lifecycle });
    expect(await fitted()).toEqual([{ type: large }]);
  });
  it('where its object says already what it will have then, which needs no other shutdown', async () => {
    await machine(small);
    const all = 51_200 - (disks().find(({ filesystem }) => filesystem === 'swap')?.size ?? 0);
    await world.patch('CloudDisk', 'root', { spec: { sizeMB: all } });
    expect(await fitted()).toEqual([{ type: large }]);
    await world.ready('CloudDisk', 'root');
    expect(ofMain()?.size).toBe(all);
  });
  it('where only the disk for swap has an object, which no plan fits', async () => {
    await machine(small);
    await world.patch('CloudDisk', 'root', { spec: { lifecycle: { onDelete: 'Retain' } } });
    await world.delete('CloudDisk', 'root');
    await world.gone('CloudDisk', 'root');
    await adopt(
      'swap',
      disks().find(({ filesystem }) => filesystem === 'swap'),
    );
    expect(await fitted()).toEqual([{ type: large }]);
  });
});
