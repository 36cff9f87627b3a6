import { describe, expect, it } from 'vitest';
import { servedKinds } from '../../../src/commands/served-kinds.ts';
import { World } from '../../support/world/world.ts';

const instance = {
  region: 'eu-central',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
};
const refuse = (world: World, namespace: string): void =>
  void world.server.faults.add({
    match: { method: 'GET', path: new RegExp(`namespaces/${namespace}/secrets/`) },
    action: { kind: 'answer', status: 403 },
  });

describe('Secrets of a namespace that the operator may not read', () => {
  it('are waited for by an object, which says who can admit them, and goes on when they are', async () => {
    const world = await World.create();
    await world.namespace('team-b');
    await world.account({ access: [{ namespaces: ['team-b'] }] });
    await world.secret('root', { password: 'Correct-Horse-9' }, 'team-b');
    refuse(world, 'team-b');
    await world.start();
    await world.apply('CloudInstance', 'web', { ...instance, accountRef: { name: 'default', namespace: 'team-a' } }, 'team-b');
    const { message } = await world.reason('CloudInstance', 'web', 'ReferenceNotReady', 60_000, 'team-b');
    expect(message).toContain('spec.rootPasswordSecretRef: the operator may not read Secrets of namespace team-b');
    expect(message).toContain('secrets.namespaces of the chart');
    world.server.faults.clear();
    await world.ready('CloudInstance', 'web', 600_000, 'team-b');
    expect(world.panics).toEqual([]);
  });
  it('are waited for by an account', async () => {
    const world = await World.create();
    await world.account();
    refuse(world, 'team-a');
    await world.start();
    const { message } = await world.reason('CloudAccount', 'default', 'AccountNotReady');
    expect(message).toContain('spec.tokenSecretRef: the operator may not read Secrets of namespace team-a');
    world.server.faults.clear();
    await world.ready('CloudAccount', 'default');
  });
  it('leave deletions to the copy of the token', async () => {
    const world = await World.create();
    await world.account();
    await world.start();
    await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } });
    await world.ready('CloudVolume', 'data');
    refuse(world, 'team-a');
    const { message } = await world.reason('CloudAccount', 'default', 'AccountNotReady');
    expect(message).toContain('the operator may not read Secrets of namespace team-a');
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
  });
});

describe('an operator of some kinds', () => {
  it('serves them and what they refer to, and leaves others alone', async () => {
    const kinds = servedKinds(['CloudDomainRecord']);
    const names = kinds.map(({ kind }) => kind);
    expect(names).toEqual(expect.arrayContaining(['CloudAccount', 'CloudDomain', 'CloudDomainRecord', 'CloudInstance']));
    expect(names).not.toContain('CloudBucket');
    const world = await World.create({ kinds });
    await world.account();
    await world.start();
    await world.apply('CloudDomain', 'example-org', { domain: 'example.org', type: 'master', soaEmail: 'admin@example.org' });
    await world.apply('CloudDomainRecord', 'www', { domainRef: { name: 'example-org' }, type: 'A', host: 'www', target: '192.0.2.1' });
    await world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1' });
    await world.ready('CloudDomainRecord', 'www');
    expect((await world.get('CloudBucket', 'assets')).status?.conditions).toBeUndefined();
    expect(world.panics).toEqual([]);
  });
  it('refuses a kind that there is not, with the closest', () =>
    expect(() => servedKinds(['CloudVolumes'])).toThrow('--kinds: there is no kind CloudVolumes; the closest is CloudVolume'));
});
