import { beforeEach, describe, expect, it } from 'vitest';
import type { DiffData } from '../../../../src/plugin/output/shapes.ts';
import { cloud, dataOf, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
let user: CloudUser;
beforeEach(async () => {
  ({ world } = await connectedWorld());
  user = new CloudUser(world);
});
const status = '';
const account = ` --against account --endpoint ${endpoint}`;
const diff = (line: string) => cloud(world, `diff ${line}`, { limit: 10 * minute });
const dataIn = async (line: string): Promise<DiffData> => dataOf(await diff(`${line} -o json`)) as unknown as DiffData;
const idOf = async (kind: string, name: string): Promise<number> => Number((await world.get(kind, name)).status?.['id']);

describe.each([status, account])('a zone that is lost with its records, by diff%s', (against) => {
  const hosts = ['www', 'mail', 'api'];
  beforeEach(async () => {
    await world.apply('CloudDomain', 'zone', { domain: 'shop.example', type: 'master', soaEmail: 'a@shop.example' });
    await world.ready('CloudDomain', 'zone');
    const record = { domainRef: { name: 'zone' }, type: 'A', target: '203.0.113.7' };
    for (const host of hosts) await world.apply('CloudDomainRecord', host, { ...record, host });
    for (const host of hosts) await world.ready('CloudDomainRecord', host);
    await user.delete(`/domains/${await idOf('CloudDomain', 'zone')}`);
  });
  const told =
    'CloudDomain team-a/zone: wanted, but not in the account\n  3 objects went with it: CloudDomainRecord team-a/api, mail, www\n';
  it('is told once with how many went with it', async () => {
    await world.reason('CloudDomainRecord', 'api', 'ReferenceNotReady', 60 * minute);
    expect(await diff(`-A${against}`)).toMatchObject({ exit: 1, out: told });
  });
  it('is told of records alone in one line, and of one by name', async () => {
    await world.reason('CloudDomainRecord', 'api', 'ReferenceNotReady', 60 * minute);
    expect((await diff(`crec${against}`)).out).toBe(
      '3 objects: wanted, but not in the account: they went with CloudDomain team-a/zone: CloudDomainRecord team-a/api, mail, www\n',
    );
    expect((await diff(`crec/www${against}`)).out).toBe(
      'CloudDomainRecord team-a/www: wanted, but not in the account: it went with CloudDomain team-a/zone\n',
    );
  });
  it('gives a script each object, and what it went with', async () => {
    await world.reason('CloudDomainRecord', 'api', 'ReferenceNotReady', 60 * minute);
    const { differences, unknown } = await dataIn(`-A${against}`);
    expect(unknown).toBeUndefined();
    expect(differences.map(({ object, have, with: parent }) => [object, have, parent])).toEqual([
      ['CloudDomain team-a/zone', 'not there', undefined],
      ...['api', 'mail', 'www'].map((host) => [`CloudDomainRecord team-a/${host}`, 'not there', 'CloudDomain team-a/zone']),
    ]);
  });
});

it('a zone that is lost is told so by the account before any operator has looked, with its records', async () => {
  await world.apply('CloudDomain', 'zone', { domain: 'shop.example', type: 'master', soaEmail: 'a@shop.example' });
  await world.ready('CloudDomain', 'zone');
  await world.apply('CloudDomainRecord', 'www', { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '203.0.113.7' });
  await world.ready('CloudDomainRecord', 'www');
  await user.delete(`/domains/${await idOf('CloudDomain', 'zone')}`);
  expect((await diff(`-A${account}`)).out).toBe(
    'CloudDomain team-a/zone: wanted, but not in the account\n  1 object went with it: CloudDomainRecord team-a/www\n',
  );
});

describe('ids of what objects have', () => {
  beforeEach(async () => {
    const machine = { region: 'us-east', type: 'g6-nanode-1' };
    for (const name of ['web', 'other']) await world.apply('CloudInstance', name, { ...machine, power: 'Off' });
    for (const name of ['web', 'other']) await world.ready('CloudInstance', name);
    const spec = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs: [{ name: 'web' }], lifecycle: { drift: 'Report' } };
    await world.apply('CloudFirewall', 'edge', spec);
    await world.ready('CloudFirewall', 'edge');
    const path = `/networking/firewalls/${await idOf('CloudFirewall', 'edge')}/devices`;
    await user.post(path, { id: await idOf('CloudInstance', 'other'), type: 'vm' });
    await world.reason('CloudFirewall', 'edge', 'DriftReported', 60 * minute);
  });
  const legend = '(1000 is CloudInstance team-a/web, 1001 is CloudInstance team-a/other)';
  it.each([status, account])('stand beside their names in diff%s', async (against) => {
    expect((await diff(`cfw/edge${against}`)).out).toContain(`spec.instanceRefs: wanted [1000], the account has [1000,1001] ${legend}`);
    expect((await dataIn(`cfw/edge${against}`)).differences[0]?.names).toEqual([
      '1000 is CloudInstance team-a/web',
      '1001 is CloudInstance team-a/other',
    ]);
  });
  it('stand beside them in why, and a time has no parts of a second', async () => {
    expect((await cloud(world, 'why cfw/edge')).out).toContain(
      `spec.instanceRefs: the account has [1000,1001], wanted [1000] ${legend}; likely`,
    );
    expect((await diff('cfw/edge')).out).toMatch(/ since 2026-01-01T\d\d:\d\d:\d\dZ, likely by colleague/);
  });
  it('are told alone to who may not list those objects', async () => {
    world.server.addUser('reader', { name: 'reader' });
    const rule = { apiGroups: ['cloudhosting.dev'], resources: ['cloudfirewalls', 'cloudaccounts'], verbs: ['get', 'list'] };
    world.server.setGrants([{ to: 'reader', rules: [rule] }]);
    const { out } = await cloud(world, 'diff cfw/edge', { token: 'reader' });
    expect(out).toContain('the account has [1000,1001] since');
  });
});
