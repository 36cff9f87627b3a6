import { beforeEach, describe, expect, it } from 'vitest';
import { insertRecord } from '../../emulator/areas/domains/record-rows.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

let world: World;
const zone = { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com', lifecycle: { onDelete: 'Delete' } };
const record = (more: Record<string, unknown>): Record<string, unknown> => ({ domainRef: { name: 'example' }, ...more });
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudDomain', 'example', zone);
  await world.ready('CloudDomain', 'example');
});
const zoneId = async (): Promise<number> => Number((await world.get('CloudDomain', 'example')).status?.['id']);
const stalled = (name: string) => world.condition('CloudDomainRecord', name, 'Stalled');

describe('a domain', () => {
  it('shows the hash of its zone file, another one when a record changes, and the same while none does', async () => {
    const hash = async (): Promise<unknown> => (await world.get('CloudDomain', 'example')).status?.['zoneFileHash'];
    await world.clock.advance(600_000);
    const empty = await hash();
    expect(empty).toMatch(/^[0-9a-f]{16}$/);
    await world.apply('CloudDomainRecord', 'www', record({ type: 'A', host: 'www', target: '192.0.2.1' }));
    await world.ready('CloudDomainRecord', 'www');
    await world.clock.runUntil(async () => (await hash()) !== empty, 1_800_000);
    const filled = await hash();
    await world.clock.advance(1_800_000);
    expect(await hash()).toBe(filled);
  });

  it('is copied with its records, and the copy takes fields of its own', async () => {
    await world.apply('CloudDomainRecord', 'www', record({ type: 'A', host: 'www', target: '192.0.2.1' }));
    await world.ready('CloudDomainRecord', 'www');
    await world.apply('CloudDomain', 'copy', { domain: 'example.net', cloneFrom: { name: 'example' }, description: 'A copy' });
    const { status } = await world.ready('CloudDomain', 'copy');
    const user = new CloudUser(world);
    expect(await user.list(`/domains/${String(status?.['id'])}/records`)).toMatchObject([{ name: 'www', target: '192.0.2.1' }]);
    expect(await user.get(`/domains/${String(status?.['id'])}`)).toMatchObject({ domain: 'example.net', description: 'A copy' });
  });

  it('is moved here from another name server', async () => {
    await world.apply('CloudDomain', 'moved', { domain: 'example.org', importFrom: { nameServer: 'ns1.example.net' } });
    await world.ready('CloudDomain', 'moved');
    const posts = world.emulator.control.requests().filter(({ method }) => method === 'POST');
    expect(posts.map(({ path }) => path)).toEqual(['/domains', '/domains/import']);
  });
});

describe('a record', () => {
  it('of a tuple that an older object has is AlreadyClaimed, and goes without a call', async () => {
    const spec = record({ type: 'A', host: 'www', target: '192.0.2.1' });
    await world.apply('CloudDomainRecord', 'first', spec);
    await world.ready('CloudDomainRecord', 'first');
    await world.apply('CloudDomainRecord', 'second', { ...spec, host: 'www.example.com.' });
    const { message } = await world.reason('CloudDomainRecord', 'second', 'AlreadyClaimed');
    expect(message).toContain('CloudDomainRecord team-a/first');
    expect(await stalled('second')).toMatchObject({ status: 'True' });
    await world.delete('CloudDomainRecord', 'second');
    await world.gone('CloudDomainRecord', 'second');
    expect(await new CloudUser(world).list(`/domains/${await zoneId()}/records`)).toHaveLength(1);
    expect(world.emulator.control.requests().filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  it('beyond the 12,000th of its domain stalls, naming the domain', async () => {
    const account = world.emulator.world('E1AF5EEC-526F-487D-B317EBEB34C87D71', 'admin');
    const id = await zoneId();
    world.emulator.run(account, () => {
      for (let index = 0; index < 12_000; index += 1) insertRecord(account, id, { type: 'A', name: `n${index}`, target: '192.0.2.1' });
    });
    await world.apply('CloudDomainRecord', 'more', record({ type: 'A', host: 'more', target: '192.0.2.1' }));
    const { message } = await world.reason('CloudDomainRecord', 'more', 'Rejected');
    expect(message).toContain('spec.domainRef: it said "Must be 0-12000 records"');
    expect(await stalled('more')).toMatchObject({ status: 'True' });
  });

  it('that says there is no mail stalls beside one that does, naming its target', async () => {
    await world.apply('CloudDomainRecord', 'mail', record({ type: 'MX', target: 'mail.example.com', priority: 5 }));
    await world.ready('CloudDomainRecord', 'mail');
    await world.apply('CloudDomainRecord', 'none', record({ type: 'MX', host: '', target: '' }));
    const { message } = await world.reason('CloudDomainRecord', 'none', 'Rejected');
    expect(message).toContain('spec.target: ');
    expect(await stalled('none')).toMatchObject({ status: 'True' });
    await world.patch('CloudDomainRecord', 'mail', { spec: { lifecycle: { onDelete: 'Delete' } } });
    await world.delete('CloudDomainRecord', 'mail');
    await world.gone('CloudDomainRecord', 'mail');
    await world.ready('CloudDomainRecord', 'none', 3_700_000);
  });
});
