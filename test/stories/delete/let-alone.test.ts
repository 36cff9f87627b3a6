import { describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

let world: World;
let operator: RunningOperator;
const begin = async (token = 'token-admin'): Promise<void> => {
  world = await World.create();
  await world.account({}, 'team-a', token);
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
};
const sent = (): readonly string[] => changesOf(world);
const colleague = (method: string, path: string, body: Record<string, unknown>): Promise<unknown> =>
  world.emulator.control.actAs({ username: 'colleague', method, path: `/v4${path}`, body });
const password = { rootPasswordSecretRef: { name: 'root', key: 'password' } };
const instance = { region: 'eu-central', type: 'g6-nanode-1', image: 'vm/debian11', ...password };

describe('removing the CRDs', () => {
  it('deletes nothing in the cloud', async () => {
    await begin();
    await world.apply('CloudFirewall', 'edge', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' });
    await world.apply('CloudVolume', 'data', { region: 'eu-central', lifecycle: { onDelete: 'Delete' } });
    await world.ready('CloudFirewall', 'edge');
    await world.ready('CloudVolume', 'data');
    for (const kind of ['cloudfirewalls', 'cloudvolumes'])
      await world.admin('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${kind}.cloudhosting.dev`);
    await world.clock.advance(600_000);
    expect(sent().filter((call) => call.startsWith('DELETE'))).toEqual([]);
    expect(world.server.objects('cloudhosting.dev/cloudfirewalls')).toEqual([]);
    expect(world.emulator.control.rows('volumes')).toHaveLength(1);
  });
});

describe('an adopted volume', () => {
  it('stays on its server while the spec never said where it is; set once, the field rules', async () => {
    await begin();
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.apply('CloudInstance', 'web', instance);
    const { status } = await world.ready('CloudInstance', 'web');
    await colleague('POST', '/volumes', { label: 'data', size: 20, vm_id: Number(status?.['id']) });
    await world.clock.advance(30_000);
    const [volume] = world.emulator.control.rows('volumes') as unknown as { id: number }[];
    const adopted = { label: 'data', adopt: { id: volume?.id } };
    await world.apply('CloudVolume', 'data', adopted);
    await world.ready('CloudVolume', 'data');
    await world.clock.advance(600_000);
    expect(sent().filter((call) => call.endsWith('/detach'))).toEqual([]);
    await world.apply('CloudVolume', 'data', { ...adopted, instanceRef: { name: 'web' } });
    await world.ready('CloudVolume', 'data');
    await world.apply('CloudVolume', 'data', adopted);
    await world.ready('CloudVolume', 'data');
    expect(sent().filter((call) => call.endsWith('/detach'))).toHaveLength(1);
  });
});

describe('a parent that takes its children along', () => {
  it('lets go of them, also for a restricted user', async () => {
    await begin('token-limited');
    await world.apply('CloudDomain', 'zone', {
      domain: 'example.org',
      type: 'master',
      soaEmail: 'a@example.org',
      lifecycle: { onDelete: 'Delete' },
    });
    await world.apply('CloudDomainRecord', 'www', { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '203.0.113.7' });
    await world.ready('CloudDomainRecord', 'www');
    await world.clock.advance(120_000);
    await world.delete('CloudDomain', 'zone');
    await world.gone('CloudDomain', 'zone', 1_200_000);
    await world.delete('CloudDomainRecord', 'www');
    await world.gone('CloudDomainRecord', 'www', 1_200_000);
  });
});

describe('a record whose domain was made anew on another zone', () => {
  it('says where it is, and is not called as wanted', async () => {
    await begin();
    const zone = { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' };
    await world.apply('CloudDomain', 'zone', zone);
    await world.apply('CloudDomainRecord', 'www', { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '203.0.113.7' });
    await world.ready('CloudDomainRecord', 'www');
    await world.delete('CloudDomain', 'zone');
    await world.gone('CloudDomain', 'zone');
    await world.apply('CloudDomain', 'zone', { ...zone, domain: 'example.net' });
    await world.ready('CloudDomain', 'zone');
    const condition = await world.reason('CloudDomainRecord', 'www', 'ImmutableField');
    expect(condition.message).toContain('the spec now leads to /domains/');
    expect(sent().filter((call) => call.startsWith('DELETE'))).toEqual([]);
  });
});

describe('a Secret that was rotated a moment ago', () => {
  it('gives its new value to what is made now', async () => {
    await begin();
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.apply('CloudInstance', 'one', instance);
    await world.ready('CloudInstance', 'one');
    const fresh = Buffer.from('Canary-Staple-7-Correct').toString('base64');
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/root', { data: { password: fresh } });
    await world.clock.advance(30_000);
    await world.apply('CloudInstance', 'two', instance);
    await world.ready('CloudInstance', 'two');
    const sentPasswords = world.emulator.control
      .requests()
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/instances'))
      .map((request) => JSON.stringify(request).includes('Canary-Staple-7-Correct'));
    expect(sentPasswords).toEqual([false, true]);
  });
});

describe('a graceful stop', () => {
  it('sends the Events that are still waiting', async () => {
    await begin();
    await world.apply('CloudVolume', 'data', { region: 'eu-central' });
    await world.ready('CloudVolume', 'data');
    await world.delete('CloudVolume', 'data');
    await world.clock.runUntil(() => Promise.resolve(world.log.some(({ message }) => message.includes('lets go'))), 60_000);
    let stopped = false;
    void operator.operator.stop().then(() => (stopped = true));
    await world.clock.runUntil(() => Promise.resolve(stopped), 60_000);
    expect(JSON.stringify(world.server.objects('/events'))).toContain('"Retained"');
  });
});
