import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
});
const writes = (): readonly string[] => changesOf(world);
const zone = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  domain: 'example.com',
  type: 'master',
  soaEmail: 'admin@example.com',
  ...more,
});
const record = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  domainRef: { name: 'example' },
  type: 'A',
  host: 'www',
  target: '192.0.2.1',
  ...more,
});

describe('references', () => {
  it('wait for their target, say for what, and go on at once when it is there', async () => {
    await world.account();
    await world.start();
    await world.apply('CloudDomainRecord', 'www', record());
    const condition = await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady');
    expect(condition.message).toContain('spec.domainRef: CloudDomain example is not found');
    expect((await world.get('CloudDomainRecord', 'www')).status?.['waitingFor']).toEqual([expect.stringContaining('CloudDomain example')]);
    await world.apply('CloudDomain', 'example', zone());
    await world.ready('CloudDomainRecord', 'www', 10_000);
  });
  it('say within three seconds what is not there', async () => {
    await world.account();
    await world.start();
    await world.ready('CloudAccount', 'default');
    await world.apply('CloudVolume', 'data', { region: 'eu-central', instanceRef: { name: 'wbe' } });
    await world.apply('CloudInstance', 'web', {
      region: 'eu-central',
      type: 'g6-nanode-1',
      image: 'vm/debian11',
      rootPasswordSecretRef: { name: 'root', key: 'password' },
    });
    await world.apply('CloudOperation', 'again', {
      action: 'RebootInstance',
      target: { name: 'wbe' },
      notAfter: new Date(world.clock.now() + 3_600_000).toISOString(),
    });
    await world.clock.advance(3000);
    const said = (kind: string, name: string) => world.condition(kind, name, 'Synced');
    expect((await said('CloudVolume', 'data'))?.message).toContain('CloudInstance wbe is not found');
    expect((await said('CloudInstance', 'web'))?.message).toContain('root');
    expect((await said('CloudOperation', 'again'))?.message).toContain('CloudInstance wbe is not found');
  });
  it('say nothing of what was applied a second after them', async () => {
    await world.account();
    await world.start();
    await world.ready('CloudAccount', 'default');
    await world.apply('CloudDomainRecord', 'www', record());
    await world.clock.advance(1000);
    await world.apply('CloudDomain', 'example', zone());
    await world.ready('CloudDomainRecord', 'www', 10_000);
    const all = world.server.ledger.writes.filter(({ resource, verb }) => resource === 'clouddomainrecords' && verb === 'patch');
    expect(all.filter(({ changed }) => changed.includes('status.waitingFor'))).toEqual([]);
    expect(all).toHaveLength(3);
  });
  it('that cannot be edited are corrected by making the object anew, which is said only while that loses nothing', async () => {
    await world.account();
    await world.start();
    await world.apply('CloudDomain', 'example', zone());
    await world.apply('CloudDomainRecord', 'www', record({ domainRef: { name: 'exmaple' } }));
    const { message } = await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady');
    expect(message).toBe(
      'spec.domainRef: CloudDomain exmaple is not found. Create it, or correct the name. Nothing on it tells of anything that was made for it, and spec.domainRef cannot be changed in this object: to correct it, delete the object and apply the corrected one',
    );
    await world.apply('CloudVolume', 'data', { region: 'eu-central', instanceRef: { name: 'wbe' } });
    expect((await world.reason('CloudVolume', 'data', 'ReferenceNotReady')).message).toBe(
      'spec.instanceRef: CloudInstance wbe is not found. Create it, or correct the name',
    );
    await world.delete('CloudDomainRecord', 'www');
    await world.apply('CloudDomainRecord', 'www', record());
    await world.ready('CloudDomainRecord', 'www');
    await world.delete('CloudDomain', 'example');
    const later = await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady', 900_000);
    expect(later.message).not.toContain('delete the object');
  });
  it('to another namespace are admitted by the target alone, and read like not found otherwise', async () => {
    await world.account({ access: [{ namespaces: ['team-b'] }] });
    await world.namespace('team-b');
    await world.start();
    await world.apply('CloudDomain', 'example', zone());
    await world.ready('CloudDomain', 'example');
    const spec = record({ domainRef: { name: 'example', namespace: 'team-a' }, accountRef: { name: 'default', namespace: 'team-a' } });
    await world.apply('CloudDomainRecord', 'www', spec, 'team-b');
    const condition = await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady', 60_000, 'team-b');
    expect(condition.message).toContain('CloudDomain team-a/example is not found');
    await world.patch('CloudDomain', 'example', { spec: { allowedRefs: { namespaces: ['team-b'] } } });
    await world.ready('CloudDomainRecord', 'www', 60_000, 'team-b');
  });
  it('an account admits other namespaces by its access list alone, and reads like not found otherwise', async () => {
    await world.account();
    await world.namespace('team-b');
    await world.start();
    await world.ready('CloudAccount', 'default');
    await world.apply('CloudVolume', 'data', { region: 'eu-central', accountRef: { name: 'default', namespace: 'team-a' } }, 'team-b');
    await world.apply('CloudVolume', 'lost', { region: 'eu-central', accountRef: { name: 'nowhere', namespace: 'team-a' } }, 'team-b');
    const refused = await world.reason('CloudVolume', 'data', 'AccountNotReady', 60_000, 'team-b');
    const absent = await world.reason('CloudVolume', 'lost', 'AccountNotReady', 60_000, 'team-b');
    expect(refused.message.replace('default', 'X')).toBe(absent.message.replace('nowhere', 'X'));
    expect(writes()).toEqual([]);
    await world.delete('CloudVolume', 'data', 'team-b');
    await world.gone('CloudVolume', 'data', 10_000, 'team-b');
  });
});

describe('Secrets', () => {
  const instance = {
    region: 'eu-central',
    type: 'g6-nanode-1',
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'root', key: 'password' },
  };
  it('are awaited by name, and appear nowhere', async () => {
    await world.account();
    await world.start();
    await world.apply('CloudInstance', 'web', instance);
    expect((await world.reason('CloudInstance', 'web', 'ReferenceNotReady')).message).toContain(
      'Secret root is not found in namespace team-a. Create it with key password',
    );
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.ready('CloudInstance', 'web');
    const seen = JSON.stringify([await world.get('CloudInstance', 'web'), world.log, world.server.objects('/events')]);
    for (const secret of ['Canary-Horse-9-Battery', Buffer.from('Canary-Horse-9-Battery').toString('base64'), 'token-admin'])
      expect(seen).not.toContain(secret);
  });
});

describe('accounts', () => {
  it('a token of another account stops all writes and says so', async () => {
    await world.account();
    await world.start();
    await world.ready('CloudAccount', 'default');
    await world.apply('CloudVolume', 'data', { region: 'eu-central' });
    await world.ready('CloudVolume', 'data');
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', {
      data: { token: Buffer.from('token-other').toString('base64') },
    });
    const condition = await world.reason('CloudAccount', 'default', 'AccountMismatch', 180_000);
    expect(condition.message).toMatch(/another account|leads to/);
    const before = writes().length;
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 99 } });
    await world.clock.advance(600_000);
    expect(writes()).toHaveLength(before);
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', {
      data: { token: Buffer.from('token-admin').toString('base64') },
    });
    await world.ready('CloudVolume', 'data');
  });
  it('a wrong token says what to do and comes back by itself', async () => {
    await world.account({}, 'team-a', 'no-such-token');
    await world.start();
    await world.apply('CloudVolume', 'data', { region: 'eu-central' });
    expect((await world.reason('CloudAccount', 'default', 'Unauthorized')).message).toContain('Secret');
    await world.reason('CloudVolume', 'data', 'AccountNotReady');
    const before = world.emulator.control.requests().length;
    await world.clock.advance(3_600_000);
    expect(world.emulator.control.requests().length - before).toBeLessThan(80);
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', {
      data: { token: Buffer.from('token-admin').toString('base64') },
    });
    await world.ready('CloudVolume', 'data', 700_000);
  });
});

describe('what a reference leads to', () => {
  it('is followed at once when it comes to be something else, and is no drift', async () => {
    await world.account();
    await world.start();
    await world.apply('CloudDomain', 'example', zone());
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', lifecycle: { onMissing: 'Recreate' } });
    const targetFrom = { instanceRef: { name: 'web' }, address: 'PublicIPv4' };
    await world.apply('CloudDomainRecord', 'www', record({ target: undefined, targetFrom, lifecycle: { drift: 'Report' } }));
    const before = (await world.ready('CloudDomainRecord', 'www')).status?.['target'];
    const { status } = await world.get('CloudInstance', 'web');
    await world.emulator.handle({
      method: 'DELETE',
      path: `/v4/vm/instances/${String(status?.['id'])}`,
      headers: { authorization: 'Bearer token-colleague' },
    });
    await world.clock.runUntil(async () => {
      const now = (await world.get('CloudInstance', 'web')).status?.['publicIPv4'];
      return now !== before && (await world.get('CloudDomainRecord', 'www')).status?.['target'] === now;
    }, 900_000);
    expect((await world.ready('CloudDomainRecord', 'www')).status?.['drift']).toBeUndefined();
  });
  it('and was taken from what is gone: it is not Ready, until it can be followed again', async () => {
    await world.account();
    await world.start();
    await world.apply('CloudDomain', 'example', zone());
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
    const targetFrom = { instanceRef: { name: 'web' }, address: 'PublicIPv4' };
    await world.apply('CloudDomainRecord', 'www', record({ target: undefined, targetFrom }));
    const address = String((await world.ready('CloudDomainRecord', 'www')).status?.['target']);
    await world.delete('CloudInstance', 'web');
    await world.gone('CloudInstance', 'web', 600_000);
    await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady');
    const ready = await world.condition('CloudDomainRecord', 'www', 'Ready');
    expect(ready).toMatchObject({ status: 'False', reason: 'ReferenceNotReady' });
    expect(ready?.message).toContain('spec.targetFrom: CloudInstance web is not found');
    expect(ready?.message).toContain(`the account still has "${address}" there, which may be gone or somebody else's by now`);
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
    await world.clock.runUntil(
      async () =>
        (await world.condition('CloudDomainRecord', 'www', 'Ready'))?.status === 'True' &&
        (await world.get('CloudDomainRecord', 'www')).status?.['target'] ===
          (await world.get('CloudInstance', 'web')).status?.['publicIPv4'],
      600_000,
    );
  });
  it('and is a Secret that is gone: what was made with it is as Ready as before', async () => {
    await world.account();
    await world.start();
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    const rootPasswordSecretRef = { name: 'root', key: 'password' };
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', image: 'vm/debian11', rootPasswordSecretRef });
    await world.ready('CloudInstance', 'web');
    await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/root');
    await world.reason('CloudInstance', 'web', 'ReferenceNotReady', 900_000);
    expect(await world.condition('CloudInstance', 'web', 'Ready')).toMatchObject({ status: 'True', reason: 'Available' });
  });
});
