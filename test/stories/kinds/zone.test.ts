import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

let world: World;
const many = 30;
const records = Array.from({ length: many }, (_, n) => `r${n}`);
const zone = { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' };

async function begin(lifecycle: Record<string, unknown>, account: Record<string, unknown> = {}): Promise<void> {
  world = await World.create();
  await world.account(account);
  await world.start();
  await world.apply('CloudDomain', 'big', { ...zone, lifecycle });
  for (const host of records)
    await world.apply('CloudDomainRecord', host, { domainRef: { name: 'big' }, type: 'A', host, target: '203.0.113.7' });
  for (const name of records) await world.ready('CloudDomainRecord', name);
  await world.clock.advance(120_000);
}
const removeAll = async (): Promise<void> => {
  await world.delete('CloudDomain', 'big');
  for (const name of records) await world.delete('CloudDomainRecord', name);
};
const calls = (method: string, path: RegExp): number =>
  world.emulator.control.requests().filter((request) => request.method === method && path.test(request.path)).length;
const record = /^\/domains\/\d+\/records\/\d+$/;

/** Holds up the deletion of the zone. */
const slowZone = async (): Promise<number> =>
  world.emulator.control.addFault({
    match: { method: 'DELETE', path: String((await world.get('CloudDomain', 'big')).status?.['path']) },
    effect: { kind: 'answer', status: 400, body: JSON.stringify({ errors: [{ reason: 'The domain is busy.' }] }) },
  });

describe('a zone that is deleted with its records', () => {
  beforeEach(() => begin({ onDelete: 'Delete' }));

  // 2,000 records took 217 s, a DELETE and a read each.
  it('goes by one DELETE, and its records need no call', async () => {
    const before = calls('GET', record);
    await removeAll();
    for (const name of records) await world.gone('CloudDomainRecord', name, 60_000);
    await world.gone('CloudDomain', 'big', 60_000);
    expect(calls('DELETE', record)).toBe(0);
    expect(calls('GET', record)).toBe(before);
    expect(calls('DELETE', /^\/domains\/\d+$/)).toBe(1);
    expect(world.emulator.control.rows('domains')).toEqual([]);
  });

  // "CloudDomain big is not found. Create it".
  it('is what its records wait for, and they say so', async () => {
    const fault = await slowZone();
    await removeAll();
    await world.clock.advance(20_000);
    const condition = await world.condition('CloudDomainRecord', 'r7', 'Synced');
    expect(condition).toMatchObject({ reason: 'Deleting', message: expect.stringContaining('goes with CloudDomain big') as string });
    expect(calls('DELETE', record)).toBe(0);
    world.emulator.control.removeFault(fault);
    for (const name of records) await world.gone('CloudDomainRecord', name, 120_000);
  });

  it('is not waited for by a record that is kept', async () => {
    await world.patch('CloudDomainRecord', 'r7', { spec: { lifecycle: { onDelete: 'Retain' } } });
    await slowZone();
    await removeAll();
    await world.gone('CloudDomainRecord', 'r7', 30_000);
    expect(await world.find('CloudDomainRecord', 'r8')).toBeDefined();
  });

  it('that is kept after all has its records deleted', async () => {
    await slowZone();
    await removeAll();
    await world.clock.advance(20_000);
    expect(calls('DELETE', record)).toBe(0);
    await world.patch('CloudDomain', 'big', { spec: { lifecycle: { onDelete: 'Retain' } } });
    for (const name of records) await world.gone('CloudDomainRecord', name, 120_000);
    expect(calls('DELETE', record)).toBe(many);
    expect(world.emulator.control.rows('domains')).toHaveLength(1);
  });
});

describe('records are deleted themselves', () => {
  it('where only they are deleted', async () => {
    await begin({ onDelete: 'Delete' });
    for (const name of records) await world.delete('CloudDomainRecord', name);
    for (const name of records) await world.gone('CloudDomainRecord', name);
    expect(calls('DELETE', record)).toBe(many);
  });
  it.each([
    ['whose zone is retained', { onDelete: 'Retain' }],
    ['whose zone is only observed', { onDelete: 'Delete', management: 'Observe' }],
  ])('%s', async (_name, lifecycle) => {
    await begin({ onDelete: 'Delete' });
    await world.patch('CloudDomain', 'big', { spec: { lifecycle } });
    await removeAll();
    for (const name of records) await world.gone('CloudDomainRecord', name);
    expect(calls('DELETE', record)).toBe(many);
    expect(calls('DELETE', /^\/domains\/\d+$/)).toBe(0);
  });
  it('whose zone is protected', async () => {
    await begin({ onDelete: 'Delete' });
    await slowZone();
    await world.delete('CloudDomain', 'big');
    await world.patch('CloudDomain', 'big', { spec: { lifecycle: { protect: true } } });
    for (const name of records) await world.delete('CloudDomainRecord', name);
    for (const name of records) await world.gone('CloudDomainRecord', name);
    expect(calls('DELETE', record)).toBe(many);
  });
  it('whose zone is held', async () => {
    await begin({ onDelete: 'Delete' });
    for (let n = 0; n < 12; n += 1)
      await world.apply('CloudDomain', `z${n}`, { ...zone, domain: `z${n}.example`, lifecycle: { onDelete: 'Delete' } });
    for (let n = 0; n < 12; n += 1) await world.ready('CloudDomain', `z${n}`);
    for (let n = 0; n < 12; n += 1) await world.delete('CloudDomain', `z${n}`);
    await removeAll();
    await world.reason('CloudDomain', 'big', 'DeletionHeld');
    for (const name of records) await world.gone('CloudDomainRecord', name);
    expect(calls('DELETE', record)).toBe(many);
    expect(world.emulator.control.rows('domains')).toHaveLength(13);
  });
});
