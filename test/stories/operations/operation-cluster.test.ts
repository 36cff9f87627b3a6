import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../support/world/custom-object.ts';
import { World } from '../../support/world/world.ts';

let world: World;
let path: string;
const hour = 3_600_000;
const at = (ahead: number): string => new Date(world.clock.now() + ahead).toISOString().replace(/\.\d+Z$/, 'Z');
const base = { name: 'base', type: 'g6-standard-2', count: 3 };
const lifecycle = { approve: ['InPlace', 'Reboot'] };
const confirmAs = (value: unknown) => ({ metadata: { annotations: { 'cloudhosting.dev/confirm': String(value) } } });
/** Changing calls of operations that the account took. */
const sent = (): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ method, userAgent, status }) => method !== 'GET' && userAgent?.includes('(CloudOperation)') && status < 300)
    .map(({ method, path: to }) => `${method} ${to.slice(to.indexOf('/lke'))}`);
const get = (name: string): Promise<KubeObject> => world.get('CloudOperation', name);
async function ends(name: string, as: string): Promise<KubeObject> {
  await world.clock
    .runUntil(async () => (await get(name)).status?.['phase'] === as, 3 * hour)
    .catch(async (error: unknown) => {
      throw new Error(`${String(error)} ${JSON.stringify((await get(name)).status)}`);
    });
  return get(name);
}
const ask = (name: string, action: string, more: object = {}): Promise<KubeObject> =>
  world.apply('CloudOperation', name, { action, target: { name: 'prod' }, notAfter: at(hour), ...more });
async function confirmed(name: string): Promise<readonly string[]> {
  const { status } = await ends(name, 'AwaitingConfirmation');
  await world.patch('CloudOperation', name, confirmAs(status?.['challenge']));
  return status?.['consequences'] as readonly string[];
}
type Nodes = readonly { readonly id: string; readonly status: string; readonly pool_id: number }[];
const nodes = (): Nodes => world.emulator.control.rows('nodes') as unknown as Nodes;
const ids = (): readonly string[] => nodes().map(({ id }) => id);
const secret = async (): Promise<string> => {
  const { data } = (await world.admin('GET', '/api/v1/namespaces/team-a/secrets/prod-ck8s')) as { data?: { kubeconfig?: string } };
  return Buffer.from(data?.kubeconfig ?? '', 'base64').toString();
};
const message = async (name: string): Promise<string> => (await world.condition('CloudOperation', name, 'Ready'))?.message ?? '';

beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudKubernetesCluster', 'prod', {
    region: 'eu-central',
    k8sVersion: '1.24',
    nodePools: [base],
    secretName: 'prod-ck8s',
    lifecycle,
  });
  await world.ready('CloudKubernetesCluster', 'prod');
  await world.clock.advance(5 * 60_000);
  path = String((await world.get('CloudKubernetesCluster', 'prod')).status?.['path']);
});

describe('the access to a cluster', () => {
  it('is reset, and its Secret has the new kubeconfig as soon as that is there', async () => {
    const before = await secret();
    expect(before).toContain('apiVersion');
    await ask('reset', 'ResetKubeconfig');
    await ends('reset', 'AwaitingConfirmation');
    await world.clock.advance(5 * 60_000);
    expect(sent()).toEqual([]);
    expect(await confirmed('reset')).toEqual([expect.stringContaining('is cut off until he has the new one')]);
    await ends('reset', 'Succeeded');
    await world.clock.advance(10_000);
    expect(await secret()).not.toBe(before);
    expect(await secret()).toContain('apiVersion');
    await world.clock.advance(hour);
    expect(sent()).toEqual([`DELETE ${path}/kubeconfig`]);
    const token = /token: (\S+)/.exec(await secret())?.[1] ?? 'none';
    expect(JSON.stringify([await get('reset'), world.changes, world.log])).not.toContain(token);
    expect(world.panics).toEqual([]);
  });
  it('whose reset was answered by nobody is told by the kubeconfig itself, and is never reset twice', async () => {
    const before = await secret();
    const spoil = (effect: 'lose-answer' | 'lose-request') =>
      world.emulator.control.addFault({ match: { method: 'DELETE', path: `${path}/kubeconfig` }, times: 1, effect: { kind: effect } });
    spoil('lose-answer');
    await ask('answered', 'ResetKubeconfig');
    await confirmed('answered');
    await ends('answered', 'Succeeded');
    await world.clock.advance(10_000);
    expect(await secret()).not.toBe(before);
    spoil('lose-request');
    await ask('lost', 'ResetKubeconfig', { notAfter: at(2 * hour) });
    await confirmed('lost');
    await ends('lost', 'Unknown');
    await world.clock.advance(hour);
    expect(sent().length).toBeLessThanOrEqual(2);
  });
  it('is renewed in parts, and a service token says what it restarts', async () => {
    const before = await secret();
    await ask('token', 'ResetServiceToken');
    expect(await confirmed('token')).toEqual([expect.stringContaining('are started again')]);
    await ends('token', 'Succeeded');
    await ask('again', 'RegenerateClusterAccess', { serviceToken: true });
    expect(await confirmed('again')).toHaveLength(1);
    await ends('again', 'Succeeded');
    await world.clock.advance(60_000);
    expect(await secret()).toBe(before);
    await ask('both', 'RegenerateClusterAccess', { serviceToken: true, kubeconfig: true });
    expect(await confirmed('both')).toHaveLength(2);
    await ends('both', 'Succeeded');
    await world.clock.advance(10_000);
    expect(await secret()).not.toBe(before);
    expect(sent()).toEqual([`DELETE ${path}/servicetoken`, `POST ${path}/regenerate`, `POST ${path}/regenerate`]);
  });
});

describe('nodes', () => {
  it('are all replaced, those of other pools too, which is said before', async () => {
    await world.apply('CloudNodePool', 'batch', { clusterRef: { name: 'prod' }, type: 'g6-standard-4', count: 1 });
    await world.ready('CloudNodePool', 'batch');
    const before = ids();
    await ask('anew', 'RecycleCluster');
    expect(await confirmed('anew')).toEqual([
      expect.stringContaining('all 4 nodes of'),
      expect.stringContaining('pools that are not of this object'),
    ]);
    await ends('anew', 'Running');
    await world.clock.advance(90_000);
    expect((await world.condition('CloudOperation', 'anew', 'Synced'))?.message).toContain('that shall go are still there');
    await ends('anew', 'Succeeded');
    expect(ids().filter((id) => before.includes(id))).toEqual([]);
    expect(nodes().every(({ status }) => status === 'ready')).toBe(true);
    const other = ids();
    await ask('batch-anew', 'RecycleNodePool', { target: { name: 'batch' }, notAfter: at(2 * hour) });
    expect(await confirmed('batch-anew')).toEqual([
      expect.stringContaining('all 1 nodes of pool'),
      // When a pool was made nothing tells.
      expect.stringContaining('it may have been done already'),
    ]);
    await ends('batch-anew', 'Succeeded');
    expect(ids().filter((id) => other.includes(id))).toHaveLength(3);
    expect(sent()).toEqual([`POST ${path}/recycle`, expect.stringMatching(/^POST \/lke\/clusters\/\d+\/pools\/\d+\/recycle$/)]);
  });
  it('are replaced one by one, and none that is not of this cluster', async () => {
    const [first = '', second] = ids();
    await ask('one', 'RecycleNode', { nodeId: first });
    await confirmed('one');
    await ends('one', 'Succeeded');
    expect(ids()).not.toContain(first);
    expect(ids()).toContain(second);
    expect(nodes()).toHaveLength(3);
    await ask('gone', 'RecycleNode', { nodeId: first, notAfter: at(2 * hour) });
    expect((await world.reason('CloudOperation', 'gone', 'InvalidSpec')).message).toContain(`has no node ${first}: those that it has are`);
    expect(sent()).toEqual([`POST ${path}/nodes/${first}/recycle`]);
    const looks = world.emulator.control.requests().filter(({ method, path: to }) => method === 'GET' && to.endsWith(`/nodes/${first}`));
    expect(looks.every(({ userAgent }) => userAgent?.includes('(CloudOperation)'))).toBe(true);
    expect(looks.length).toBeGreaterThan(0);
  });
  it('are deleted where the count has room for it, and stay deleted', async () => {
    const [first = '', second = ''] = ids();
    await ask('gone', 'DeleteNode', { nodeId: first });
    expect((await world.reason('CloudOperation', 'gone', 'InvalidSpec')).message).toContain('spec.nodePools[base].count is 3');
    // It waits for an approval, as the service would choose which node goes.
    await world.patch('CloudKubernetesCluster', 'prod', { spec: { nodePools: [{ ...base, count: 2 }] } });
    await world.reason('CloudKubernetesCluster', 'prod', 'ApprovalRequired');
    await confirmed('gone');
    await ends('gone', 'Succeeded');
    await world.ready('CloudKubernetesCluster', 'prod');
    await world.clock.advance(hour);
    expect(ids()).toHaveLength(2);
    expect(ids()).toContain(second);
    expect(sent()).toEqual([`DELETE ${path}/nodes/${first}`]);
    expect(await message('gone')).toContain('done');
  });
});
