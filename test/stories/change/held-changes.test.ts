import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});
const sent = (call: RegExp): number => changesOf(world).filter((one) => call.test(one)).length;
const resizes = (): number => sent(/\/resize$/);
const deletions = (): number => sent(/^DELETE \/volumes\//);
const annotate = (kind: string, name: string, annotation: string, value: string): Promise<unknown> =>
  world.patch(kind, name, { metadata: { annotations: { [`cloudhosting.dev/${annotation}`]: value } } });
type Effect = Parameters<World['emulator']['control']['addFault']>[0]['effect'];
const answer = (method: string, template: string, effect: Effect): number =>
  world.emulator.control.addFault({ match: { method, template, username: 'admin' }, effect });
const refusal = (reason: string, status = 400): Effect => ({ kind: 'answer', status, body: JSON.stringify({ errors: [{ reason }] }) });
const colleague = (method: string, path: string, body?: Record<string, unknown>): Promise<unknown> =>
  world.emulator.control.actAs({ username: 'colleague', method, path: `/v4${path}`, ...(body !== undefined && { body }) });
const pem = (what: string, text: string): string => `-----BEGIN ${what}-----\n${text}\n-----END ${what}-----\n`;
const pair = (text: string) => ({ 'tls.crt': pem('CERTIFICATE', text), 'tls.key': pem('PRIVATE KEY', text) });
const posts = (): number => sent(/^POST \/networking\/firewalls$/);
const touchFirewall = async (times: number): Promise<void> => {
  for (let n = 0; n < times; n += 1) {
    await annotate('CloudFirewall', 'edge', 'approve', `touch-${n}`);
    await world.clock.advance(20_000);
  }
};
const volume = { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } };

async function touch(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await annotate('CloudVolume', 'data', 'approve', `touch-${n}`);
    await world.clock.advance(20_000);
  }
}
/** A volume that is to grow; the answer to that is `reason`. */
async function growing(reason: string, spec: Record<string, unknown> = volume): Promise<string> {
  await world.apply('CloudVolume', 'data', spec);
  const { status } = await world.ready('CloudVolume', 'data');
  await world.clock.advance(120_000);
  answer('POST', '/volumes/{volumeId}/resize', refusal(reason));
  await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 30 } });
  await world.clock.advance(10_000);
  return String(status?.['path']);
}
async function leaving(effect: Effect): Promise<string> {
  await world.apply('CloudVolume', 'data', volume);
  const { status } = await world.ready('CloudVolume', 'data');
  await world.clock.advance(120_000);
  answer('DELETE', '/volumes/{volumeId}', effect);
  await world.delete('CloudVolume', 'data');
  await world.clock.advance(10_000);
  return String(status?.['path']);
}

describe('an update that was refused', () => {
  it('is not sent again because somebody touches its object', async () => {
    await growing('The volume cannot grow');
    await touch(10);
    expect(resizes()).toBe(1);
    expect(await world.condition('CloudVolume', 'data', 'Stalled')).toMatchObject({ status: 'True', reason: 'Rejected' });
  });
  it('is not sent again because of its neighbours', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    const rootPasswordSecretRef = { name: 'root', key: 'password' };
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', image: 'vm/debian11', rootPasswordSecretRef });
    const { status } = await world.ready('CloudInstance', 'web');
    await growing('The volume cannot grow', { sizeGiB: 20, instanceRef: { name: 'web' } });
    for (let n = 0; n < 10; n += 1) {
      await world.patch('CloudInstance', 'web', { spec: { tags: [`neighbour-${n}`] } });
      await world.clock.advance(20_000);
      await colleague('PUT', String(status?.['path']), { label: `renamed-${n}` });
      await world.clock.advance(20_000);
    }
    expect(resizes()).toBe(1);
  });
  it('is not sent again because a sweep passes', async () => {
    await growing('The volume cannot grow');
    await world.clock.advance(1_500_000);
    expect(resizes()).toBe(1);
  });
  it('is sent again once its time has come', async () => {
    await growing('The volume cannot grow');
    await world.clock.advance(3_700_000);
    expect(resizes()).toBeGreaterThanOrEqual(2);
    expect(resizes()).toBeLessThanOrEqual(3);
  });
  it('is sent again when another value is asked for, and not for an edit that asks for the same', async () => {
    await growing('The volume cannot grow');
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { protect: true } } });
    await world.clock.advance(20_000);
    expect(resizes()).toBe(1);
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
    await world.clock.advance(20_000);
    expect(resizes()).toBe(2);
  });
  it('is sent again when the remote is another', async () => {
    const path = await growing('The volume cannot grow');
    await colleague('PUT', path, { tags: ['theirs'] });
    await world.clock.advance(20_000);
    expect(resizes()).toBe(2);
  });
  it('is sent again when a person asks by annotation reconcile-at', async () => {
    await growing('The volume cannot grow');
    await annotate('CloudVolume', 'data', 'reconcile-at', 'now');
    await world.clock.advance(20_000);
    expect(resizes()).toBe(2);
  });
  it('is sent again when the token may do something else', async () => {
    await growing('Unauthorized');
    const data = { token: Buffer.from('token-other-scopes').toString('base64') };
    world.emulator.control.setToken({
      token: 'token-other-scopes',
      username: 'admin',
      scopes: 'volumes:read_write vms:read_write events:read_only account:read_only',
    });
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data });
    await world.clock.advance(120_000);
    expect(resizes()).toBe(2);
  });
  it('is sent again at once when the job that was in its way has ended', async () => {
    const path = await growing('Linode busy.');
    await touch(2);
    const before = resizes();
    expect(before).toBeLessThanOrEqual(5);
    expect(await world.condition('CloudVolume', 'data', 'Synced')).toMatchObject({ reason: 'Busy' });
    world.emulator.control.clearFaults();
    await colleague('POST', `${path}/resize`, { size: 25 });
    await world.clock.runUntil(() => Promise.resolve(resizes() > before), 120_000);
    await world.ready('CloudVolume', 'data');
    expect(world.emulator.control.rows('volumes')).toMatchObject([{ size: 30 }]);
  });
});

it('a certificate that was refused is sent again when its Secret is rotated, and not before', async () => {
  await world.secret('shop-tls', pair('MIIB'));
  const tls = { certificate: { name: 'shop-tls', key: 'tls.crt' }, privateKey: { name: 'shop-tls', key: 'tls.key' } };
  answer('POST', '/object-storage/buckets/{clusterId}/{bucket}/ssl', refusal('The certificate has expired'));
  await world.apply('CloudBucket', 'assets', { label: 'assets.example.org', cluster: 'eu-central-1', tls });
  await world.reason('CloudBucket', 'assets', 'Rejected');
  for (let n = 0; n < 10; n += 1) {
    await annotate('CloudBucket', 'assets', 'approve', `touch-${n}`);
    await world.clock.advance(60_000);
  }
  expect(sent(/\/ssl$/)).toBe(1);
  const data = Object.fromEntries(Object.entries(pair('MIIC')).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/shop-tls', { data });
  await world.clock.advance(400_000);
  expect(sent(/\/ssl$/)).toBe(2);
});

describe('a deletion that was refused', () => {
  it('is not sent again because somebody touches its object, or a sweep passes', async () => {
    await leaving(refusal('The volume must stay'));
    await touch(10);
    await world.clock.advance(700_000);
    expect(deletions()).toBe(1);
    expect(await world.condition('CloudVolume', 'data', 'Stalled')).toMatchObject({ status: 'True', reason: 'Rejected' });
  });
  it('is sent again once its time has come', async () => {
    await leaving(refusal('The volume must stay'));
    world.emulator.control.clearFaults();
    await world.gone('CloudVolume', 'data', 3_700_000);
    expect(deletions()).toBe(2);
  });
  it('is sent again when a person asks by annotation reconcile-at', async () => {
    await leaving(refusal('The volume must stay'));
    world.emulator.control.clearFaults();
    await annotate('CloudVolume', 'data', 'reconcile-at', 'now');
    await world.gone('CloudVolume', 'data', 60_000);
    expect(deletions()).toBe(2);
  });
  it('is sent again when the remote is another', async () => {
    const path = await leaving(refusal('The volume must stay'));
    world.emulator.control.clearFaults();
    await colleague('PUT', path, { label: 'renamed' });
    await world.gone('CloudVolume', 'data', 120_000);
    expect(deletions()).toBe(2);
  });
  it('needs no further call once the remote went by itself', async () => {
    const path = await leaving(refusal('The volume must stay'));
    await colleague('DELETE', path);
    await world.gone('CloudVolume', 'data', 120_000);
    expect(deletions()).toBe(1);
  });
  it('is sent once more by the next process, which has forgotten it', async () => {
    await leaving(refusal('The volume must stay'));
    operator.kill();
    await world.start();
    await world.clock.advance(60_000);
    await touch(3);
    expect(deletions()).toBe(2);
  });
});

describe('a change whose answer never came', () => {
  it('is not sent again for a touch before it can surely not come about any more', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    await world.clock.advance(120_000);
    answer('POST', '/volumes/{volumeId}/resize', { kind: 'lose-request' });
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 30 } });
    await world.clock.advance(2000);
    await annotate('CloudVolume', 'data', 'reconcile-at', 'now');
    for (let n = 0; n < 5; n += 1) {
      await annotate('CloudVolume', 'data', 'approve', `touch-${n}`);
      await world.clock.advance(10_000);
    }
    expect(resizes()).toBe(1);
    expect(await world.condition('CloudVolume', 'data', 'Synced')).toMatchObject({ reason: 'UnknownOutcome' });
    world.emulator.control.clearFaults();
    await world.ready('CloudVolume', 'data', 240_000);
  });
});

describe('a create that was refused because its name is taken', () => {
  const firewall = { label: 'edge', inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' };
  it('is not sent again because somebody touches its object, but when the name is free', async () => {
    const rules = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' };
    await colleague('POST', '/networking/firewalls', { label: 'edge', rules });
    await world.clock.advance(600_000);
    await world.apply('CloudFirewall', 'edge', firewall);
    await world.reason('CloudFirewall', 'edge', 'AlreadyExists');
    await touchFirewall(10);
    expect(posts()).toBe(1);
    expect((await world.condition('CloudFirewall', 'edge', 'Stalled'))?.message).toContain('spec.adopt');
    const [row] = world.emulator.control.rows('firewalls') as unknown as { id: number }[];
    await colleague('DELETE', `/networking/firewalls/${row?.id}`);
    await world.clock.advance(60_000);
    await touchFirewall(1);
    await world.ready('CloudFirewall', 'edge');
    expect(posts()).toBe(2);
  });
});
