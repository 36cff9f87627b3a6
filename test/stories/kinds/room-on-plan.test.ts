import { beforeEach, describe, expect, it } from 'vitest';
import type { PlanData } from '../../../src/plugin/output/plan-shape.ts';
import { changesOf } from '../../support/world/changes.ts';
import { cloud, dataOf, endpoint } from '../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

/** Plans with 51200 and with 25600 MB. */
const [large, small] = ['g6-standard-1', 'g6-nanode-1'] as const;
const spec = { region: 'eu-central', type: large };
let world: World;
let colleague: CloudUser;
let at: string;
beforeEach(async () => {
  world = await World.create();
  colleague = new CloudUser(world);
  await world.account();
  await world.start();
  await world.apply('CloudInstance', 'web', spec);
  at = String((await world.ready('CloudInstance', 'web')).status?.['path']);
});
async function disk(label: string, size: number, filesystem = 'ext4'): Promise<string> {
  const { id } = await colleague.post(`${at}/disks`, { label, size, filesystem });
  await world.clock.advance(120_000);
  return `${at}/disks/${String(id)}`;
}
const edit = (changes: object): Promise<unknown> => world.patch('CloudInstance', 'web', { spec: changes });
const plan = async (): Promise<unknown> => (await world.get('CloudInstance', 'web')).status?.['plan'];
const changes = (): number => changesOf(world).length;
const readsOfDisks = (): number =>
  world.emulator.control
    .requests()
    .filter(({ method, path, username }) => method === 'GET' && username === 'admin' && path.split('?')[0]?.endsWith(`${at}/disks`)).length;
const touched = (value: string): Promise<unknown> =>
  world.patch('CloudInstance', 'web', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': value } } });

describe('a plan with less disk than the disks take', () => {
  // Asked for an approval of Reboot, and was refused by the service after it.
  it('is refused before anybody is asked, with what they take, what it has, and what to do', async () => {
    const boot = await disk('boot', 20_000);
    const data = await disk('data', 10_000, 'raw');
    const before = changes();
    await edit({ type: small });
    const { message } = await world.reason('CloudInstance', 'web', 'InvalidSpec');
    const ids = [boot, data].map((path) => path.slice(path.lastIndexOf('/') + 1));
    expect(message).toBe(
      `spec.type: its disks take 30000 MB (${ids[0]} boot: 20000 MB, ${ids[1]} data: 10000 MB), and the plan g6-nanode-1 has 25600 MB. Delete disks or make them smaller, by 4400 MB in all, for which the instance must be off: the change goes on by itself then. Or name a plan with more disk, or put back g6-standard-1. Nothing of it was sent`,
    );
    expect(await world.condition('CloudInstance', 'web', 'Stalled')).toMatchObject({ status: 'True' });
    expect(await world.condition('CloudInstance', 'web', 'Ready')).toMatchObject({ status: 'True' });
    expect(await plan()).toBeUndefined();
    await world.clock.advance(600_000);
    expect({ sent: changes() - before, reads: readsOfDisks() }).toEqual({ sent: 0, reads: 1 });
  });
  it('is refused although its effect needs no approval', async () => {
    await disk('boot', 20_000);
    await disk('data', 10_000);
    const before = changes();
    await edit({ type: small, lifecycle: { approve: ['InPlace', 'Reboot'] } });
    await world.reason('CloudInstance', 'web', 'InvalidSpec');
    expect(changes()).toBe(before);
  });
  it('holds up no other field', async () => {
    await disk('boot', 20_000);
    await disk('data', 10_000);
    await edit({ type: small, tags: ['prod'] });
    await world.reason('CloudInstance', 'web', 'InvalidSpec');
    expect(world.emulator.control.rows('instances')).toMatchObject([{ type: large, tags: expect.arrayContaining(['prod']) }]);
  });
  it('is asked for as soon as a disk is gone', async () => {
    await disk('boot', 20_000);
    const data = await disk('data', 10_000);
    await edit({ type: small });
    await world.reason('CloudInstance', 'web', 'InvalidSpec');
    await colleague.delete(data);
    await world.reason('CloudInstance', 'web', 'ApprovalRequired', 120_000);
    const { hash } = (await plan()) as { readonly hash: string };
    await world.patch('CloudInstance', 'web', { metadata: { annotations: { 'cloudhosting.dev/approve': hash } } });
    await world.ready('CloudInstance', 'web', 600_000);
    expect(world.emulator.control.rows('instances')).toMatchObject([{ type: small }]);
  });
  it('is asked for as soon as a CloudDisk was made smaller', async () => {
    await disk('boot', 20_000);
    const more = { instanceRef: { name: 'web' }, filesystem: 'raw', lifecycle: { approve: ['InPlace', 'Reboot', 'Rebuild'] } };
    await world.apply('CloudDisk', 'data', { ...more, sizeMB: 10_000 });
    await world.ready('CloudDisk', 'data');
    await edit({ type: small });
    await world.reason('CloudInstance', 'web', 'InvalidSpec');
    await world.patch('CloudDisk', 'data', { spec: { sizeMB: 5000 } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired', 120_000);
  });
  it('is refused as soon as a disk came that does not fit, in place of the question', async () => {
    await disk('boot', 20_000);
    await edit({ type: small });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    await disk('data', 10_000);
    await world.reason('CloudInstance', 'web', 'InvalidSpec', 120_000);
    expect(await plan()).toBeUndefined();
  });
});

describe('a refusal of which no event tells that it is over', () => {
  beforeEach(async () => {
    await disk('boot', 20_000);
    await disk('data', 10_000);
    await edit({ type: small });
    await world.reason('CloudInstance', 'web', 'InvalidSpec');
    const answer = { kind: 'answer', status: 200, body: JSON.stringify({ data: [], page: 1, pages: 1, results: 0 }) } as const;
    world.emulator.control.addFault({ match: { method: 'GET', path: '/account/events' }, effect: answer });
    const [, data] = (await colleague.list(`${at}/disks`)) as readonly { readonly id: number }[];
    await colleague.delete(`${at}/disks/${data?.id}`);
    await world.clock.advance(120_000);
    await world.reason('CloudInstance', 'web', 'InvalidSpec', 1000);
  });
  it('is looked at again within the hour', async () => {
    await world.reason('CloudInstance', 'web', 'ApprovalRequired', 3_600_000);
  });
  it('and at once when somebody asks for a look', async () => {
    await touched('now');
    await world.reason('CloudInstance', 'web', 'ApprovalRequired', 10_000);
  });
  it('or names another plan that is too small', async () => {
    await edit({ type: 'g7-highmem-1', label: 'web' });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired', 10_000);
  });
});

describe('disks that may fit', () => {
  it('are left to the service: how far a single one can be made smaller depends on its files', async () => {
    await disk('boot', 40_000);
    await disk('swap', 512, 'swap');
    await edit({ type: small });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
  });
  it('but not where it is to be left as it is', async () => {
    await disk('boot', 40_000);
    await edit({ type: small, autoResizeDisk: false });
    const { message } = await world.reason('CloudInstance', 'web', 'InvalidSpec');
    expect(message).toContain('or set spec.autoResizeDisk: true to have the single disk fitted');
  });
  it('are read once for a wish, and not at all for a plan with more disk', async () => {
    await disk('boot', 20_000);
    await edit({ type: 'g6-standard-2' });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    await world.clock.advance(3_600_000);
    expect(readsOfDisks()).toBe(0);
    await edit({ type: small });
    await world.clock.advance(60_000);
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    await edit({ tags: ['prod'] });
    await world.clock.advance(3_600_000);
    expect(readsOfDisks()).toBe(1);
  });
  it('are no reason where their list cannot be read', async () => {
    await disk('boot', 20_000);
    await disk('data', 10_000);
    const body = JSON.stringify({ data: [{ id: 1 }], page: 1, pages: 1, results: 1 });
    world.emulator.control.addFault({ match: { method: 'GET', path: `${at}/disks` }, effect: { kind: 'answer', status: 200, body } });
    await edit({ type: small });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
  });
});

const manifest = (type: string): string =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudInstance', metadata: { name: 'web' }, spec: { ...spec, type } });

describe('kubectl cloud', () => {
  it('plan and why say the same', async () => {
    await disk('boot', 20_000);
    await disk('data', 10_000);
    const ran = await cloud(world, `plan -f all.yaml -o json --endpoint ${endpoint}`, {
      files: { 'all.yaml': manifest(small) },
      limit: 300_000,
    });
    const [entry] = (dataOf(ran) as unknown as PlanData).objects;
    await edit({ type: small });
    const { message } = await world.reason('CloudInstance', 'web', 'InvalidSpec');
    expect(ran.exit).toBe(4);
    expect(entry).toMatchObject({ action: 'refused', calls: [], refusal: { message } });
    expect((await cloud(world, 'why cinst/web')).out.replace(/\s+/g, ' ')).toContain(message);
  });
});
