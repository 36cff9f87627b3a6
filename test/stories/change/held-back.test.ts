import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

interface Plan {
  readonly hash: string;
}
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const calls = (): readonly string[] => changesOf(world);
const planOf = async (kind: string, name: string): Promise<Plan> => (await world.get(kind, name)).status?.['plan'] as Plan;
const annotate = (kind: string, name: string, annotations: Record<string, string | null>): Promise<unknown> =>
  world.patch(kind, name, { metadata: { annotations } });
const colleague = (method: string, path: string, body?: Record<string, unknown>): Promise<unknown> =>
  world.emulator.control.actAs({ username: 'colleague', method, path: `/v4${path}`, ...(body !== undefined && { body }) });
async function web(more: Record<string, unknown> = {}): Promise<string> {
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.apply('CloudInstance', 'web', {
    region: 'eu-central',
    type: 'g6-nanode-1',
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'root', key: 'password' },
    ...more,
  });
  const { status } = await world.ready('CloudInstance', 'web');
  await world.clock.advance(180_000);
  return String(status?.['id']);
}

describe('an approval', () => {
  it('is for one question: the same difference, come about again, asks again, and names who made it', async () => {
    const id = await web();
    const rebuild = (): Promise<unknown> =>
      colleague('POST', `/vm/instances/${id}/rebuild`, { image: 'vm/debian10', root_pass: 'Canary-Horse-9-Battery' });
    await rebuild();
    await world.reason('CloudInstance', 'web', 'ApprovalRequired', 900_000);
    const first = await planOf('CloudInstance', 'web');
    expect((await world.get('CloudInstance', 'web')).status?.['drift']).toMatchObject([{ field: 'image', by: 'colleague' }]);
    await annotate('CloudInstance', 'web', { 'cloudhosting.dev/approve': first.hash });
    await world.ready('CloudInstance', 'web', 1_200_000);
    await world.clock.advance(600_000);
    const before = calls().length;
    await rebuild();
    await world.reason('CloudInstance', 'web', 'ApprovalRequired', 900_000);
    expect((await planOf('CloudInstance', 'web')).hash).not.toBe(first.hash);
    await world.clock.advance(900_000);
    expect(calls()).toHaveLength(before);
  });
});

describe('an edit that is held up is no drift', () => {
  it('by a ReadOnly account: it is made once the account may be written', async () => {
    await world.apply('CloudVolume', 'data', { region: 'eu-central', lifecycle: { drift: 'Report' } });
    await world.ready('CloudVolume', 'data');
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(2000);
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
    await world.reason('CloudVolume', 'data', 'ReadOnly');
    const ready = await world.condition('CloudVolume', 'data', 'Ready');
    expect(ready?.observedGeneration).toBe(1);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.ready('CloudVolume', 'data');
    expect(calls().filter((call) => call.endsWith('/resize'))).toHaveLength(1);
  });
  it('by a refusal: it stays refused, whoever looks again', async () => {
    await web({ lifecycle: { drift: 'Report', approve: ['InPlace', 'Reboot'] } });
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-nonsense' } });
    await world.reason('CloudInstance', 'web', 'InvalidSpec');
    await annotate('CloudInstance', 'web', { 'cloudhosting.dev/reconcile-at': '1' });
    await world.clock.advance(60_000);
    expect((await world.condition('CloudInstance', 'web', 'Stalled'))?.status).toBe('True');
    expect((await world.condition('CloudInstance', 'web', 'Synced'))?.reason).toBe('InvalidSpec');
  });
});

describe('an account of which only deletions may be made', () => {
  it('makes nothing anew', async () => {
    await world.apply('CloudFirewall', 'edge', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' });
    const { status } = await world.ready('CloudFirewall', 'edge');
    await world.clock.advance(180_000);
    await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/cloud-token');
    await world.clock.advance(120_000);
    const before = calls().length;
    await colleague('DELETE', `/networking/firewalls/${String(status?.['id'])}`);
    const condition = await world.reason('CloudFirewall', 'edge', 'AccountNotReady', 1_200_000);
    expect(condition.message).toContain('Create the Secret again');
    expect(calls()).toHaveLength(before);
    expect((await world.condition('CloudAccount', 'default', 'Synced'))?.message).toContain('deletions still work');
  });
});

describe('a replacement', () => {
  const volume = { region: 'eu-central', lifecycle: { onDelete: 'Delete', replace: 'Allow' } };
  it('is not begun when the live object is protected, though the watch has not told yet', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    await world.clock.advance(120_000);
    await world.patch('CloudVolume', 'data', { spec: { region: 'us-southeast' } });
    await world.reason('CloudVolume', 'data', 'ApprovalRequired');
    const { hash } = await planOf('CloudVolume', 'data');
    world.server.faults.addToWatches({ resource: 'cloudvolumes', nth: 2, times: 100, fate: { delay: 20_000 } });
    await annotate('CloudVolume', 'data', { 'cloudhosting.dev/approve': hash });
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { protect: true } } });
    await world.clock.advance(600_000);
    expect(calls().filter((call) => call.startsWith('DELETE'))).toEqual([]);
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { protect: false } } });
    await world.reason('CloudVolume', 'data', 'ApprovalRequired');
    await annotate('CloudVolume', 'data', { 'cloudhosting.dev/approve': (await planOf('CloudVolume', 'data')).hash });
    await world.ready('CloudVolume', 'data', 1_200_000);
    expect(calls().filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
  });
});
