import { beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
const volume = { region: 'us-east', sizeGiB: 20 };
const numbered = (word: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `${word}-${n}`.replace(/-(\d)$/, '-0$1'));
const count = (text: string, part: string): number => text.split(part).length - 1;
let world: World;
beforeEach(async () => {
  ({ world } = await connectedWorld());
});
const status = (line = '-A') => cloud(world, `status ${line}`.trim(), { limit: 10 * minute });
const roots = async (): Promise<readonly string[]> => {
  const { objects } = dataOf(await cloud(world, 'why -A -o json')) as { objects: { root?: string }[] };
  return [...new Set(objects.flatMap(({ root }) => root ?? []))];
};
async function late(names = numbered('late', 12)): Promise<void> {
  for (const name of names) await world.apply('CloudVolume', name, { ...volume, instanceRef: { name: 'none' } });
  await world.reason('CloudVolume', names.at(-1) ?? '', 'ReferenceNotReady');
}
async function lostZone(): Promise<void> {
  await world.apply('CloudDomain', 'zone', { domain: 'shop.example', type: 'master', soaEmail: 'a@shop.example' });
  await world.ready('CloudDomain', 'zone');
  const record = { domainRef: { name: 'zone' }, type: 'A', target: '203.0.113.7' };
  for (const host of ['www', 'mail']) await world.apply('CloudDomainRecord', host, { ...record, host });
  for (const host of ['www', 'mail']) await world.ready('CloudDomainRecord', host);
  await new CloudUser(world).delete(String((await world.get('CloudDomain', 'zone')).status?.['path']));
  await world.reason('CloudDomainRecord', 'mail', 'ReferenceNotReady', 60 * minute);
}

describe('status of much that waits', () => {
  it('has each cause once, with what it holds up, as why has', async () => {
    await late();
    await lostZone();
    const { exit, out } = await status();
    expect(exit).toBe(1);
    expect(out).toMatch(
      /\nCloudInstance team-a\/none: NotFound\n {2}holds up 12 objects: CloudVolume team-a\/late-00, late-01, .*late-09 and 2 more\n {2}kubectl cloud why -n team-a cvol\/late-00\n/,
    );
    expect(out).toMatch(
      /\nCloudDomain team-a\/zone, not as wanted since \S+ \(.*\): RemoteMissing\n {2}holds up 2 objects: CloudDomainRecord team-a\/mail, www\n {2}kubectl cloud why -n team-a cdom\/zone\n/,
    );
    expect(count(out, 'late-00')).toBe(2);
    expect(out).toMatch(/ +2\n\n/);
    for (const root of await roots()) expect(count(out, `${root}:`) + count(out, `${root},`)).toBe(1);
  });
  it('leads to all that is known of them by its last line, with the namespace that was looked at', async () => {
    await late();
    await lostZone();
    expect((await status()).out).toMatch(/\nWhat to do about each of these 2: kubectl cloud why -A\n$/);
    expect((await status('-n team-a')).out).toMatch(/\nWhat to do about each of these 2: kubectl cloud why -n team-a\n$/);
    expect((await status('')).out).toMatch(/: kubectl cloud why -n team-a\n$/);
  });
  it('has no such line where one line to type tells all', async () => {
    await late();
    expect((await status()).out).toMatch(/\n {2}kubectl cloud why -n team-a cvol\/late-00\n$/);
    await world.delete('CloudVolume', 'late-00');
  });
  it('counts causes in the table, and still gives a script each object', async () => {
    await late(['late-00', 'late-01']);
    await world.apply('CloudVolume', 'odd', { ...volume, volumeRef: { name: 'odd' } });
    await world.reason('CloudVolume', 'odd', 'InvalidSpec');
    expect((await status()).out).toMatch(/^team-a\/default +Ready .* 2$/m);
    const { accounts } = dataOf(await status('-A -o json')) as { accounts: { needPerson: { object: string }[] }[] };
    expect(accounts[0]?.needPerson.map(({ object }) => object)).toEqual([
      'CloudVolume team-a/late-00',
      'CloudVolume team-a/late-01',
      'CloudVolume team-a/odd',
    ]);
  });
  it('tells of objects that have the same cause of their own how many they are', async () => {
    for (const name of numbered('odd', 3)) await world.apply('CloudVolume', name, { ...volume, volumeRef: { name } });
    await world.reason('CloudVolume', 'odd-02', 'InvalidSpec');
    expect((await status()).out).toMatch(
      /\n3 objects, not as wanted since .*: InvalidSpec: CloudVolume team-a\/odd-00, odd-01, odd-02\n {2}kubectl cloud why -n team-a cvol\/odd-00\n$/,
    );
  });
});

describe('status of an account to which there is no way', () => {
  beforeEach(async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    await late(['late-00', 'late-01']);
    world.emulator.control.revokeToken('token-admin');
    await world.reason('CloudAccount', 'default', 'Unauthorized', 60 * minute);
  });
  it('tells what of it is held up, how to mend it, and after that what needed a person before', async () => {
    const { exit, out } = await status();
    expect(exit).toBe(1);
    expect(out).toMatch(
      /\nteam-a\/default: Unauthorized: .*\n {2}holds up 3 objects: CloudVolume team-a\/data, late-00, late-01\n {2}kubectl cloud why -n team-a cacc\/default\nteam-a\/default: what is shown as Ready is as of the last read, .*\n\nWhat needed a person when it was seen last:\nCloudInstance team-a\/none: NotFound\n {2}holds up 2 objects: /,
    );
    expect(out).toMatch(/^team-a\/default +Unauthorized .* 2$/m);
  });
});

/** As an API server notes who wrote which keys, which the one in memory does not. */
const noting = (server: Backend) => ({
  handle: async (request: Parameters<Backend['handle']>[0]) => {
    const answer = await server.handle(request);
    if (!/\/secrets\/(?:root|second)$/.test(request.path) || answer.status !== 200) return answer;
    const secret = JSON.parse(String(answer.body)) as { metadata: object };
    const managedFields = [{ manager: 'kubectl', operation: 'Update', fieldsV1: { 'f:data': { 'f:pw': {}, 'f:api-token': {} } } }];
    return { ...answer, body: JSON.stringify({ ...secret, metadata: { ...secret.metadata, managedFields } }) };
  },
});

it('a Secret that is there, and lacks a key, is not told as missing: which key it is, and which there are', async () => {
  const canary = 'Canary-Horse-9-Battery';
  for (const name of ['root', 'second']) await world.secret(name, { pw: canary, 'api-token': canary });
  const rootPasswordSecretRef = { name: 'root', key: 'password' };
  await world.apply('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1', image: 'vm/debian11', rootPasswordSecretRef });
  await world.apply('CloudAccount', 'second', { endpoint: 'main', tokenSecretRef: { name: 'second', key: 'token' } });
  await world.reason('CloudInstance', 'web', 'ReferenceNotReady');
  const { out } = await cloud(world, 'status', { between: noting });
  expect(out).toContain('\nSecret team-a/root: KeyMissing: it is there, and has no key password; its keys: api-token, pw\n');
  expect(out).toContain('\nteam-a/second: Secret team-a/second: it is there, and has no key token; its keys: api-token, pw\n');
  const why = (await cloud(world, 'why cacc/second', { between: noting })).out;
  expect(why).toContain('\n  Secret team-a/second: KeyMissing: it is there, and has no key token; its keys: api-token, pw\n');
  for (const said of [out, why]) expect(said).not.toMatch(new RegExp(`${canary}|NotFound`));
});
