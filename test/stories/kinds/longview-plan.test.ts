import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
});
async function begin(spec: Record<string, unknown> = {}, token?: string): Promise<void> {
  await world.account(spec, 'team-a', token);
  await world.start();
  await world.ready('CloudAccount', 'default');
}

const planOf = async (): Promise<unknown> => (await new CloudUser(world).get('/longview/plan'))['id'] ?? 'Free';
/** Calls of the operator that change it. */
const puts = (): number => world.changes.filter(({ path }) => path === '/longview/plan').length;
const retained = (): readonly string[] =>
  (world.server.objects('/events') as unknown as { reason: string; message: string }[])
    .filter(({ reason }) => reason === 'Retained')
    .map(({ message }) => message);

describe('the Longview plan', () => {
  it('is changed once, shows what it costs, and follows the spec also against who changes it in the account', async () => {
    await begin();
    await world.apply('CloudLongviewPlan', 'plan', { plan: 'longview-10' });
    const { status } = await world.ready('CloudLongviewPlan', 'plan');
    expect(status).toMatchObject({ subscription: 'longview-10', clientsIncluded: 10, monthlyUSD: '40.00' });
    expect(puts()).toBe(1);
    await new CloudUser(world).put('/longview/plan', { longview_subscription: 'longview-100' });
    await world.clock.runUntil(async () => (await planOf()) === 'longview-10', 400_000);
    await world.patch('CloudLongviewPlan', 'plan', { spec: { plan: 'Free' } });
    const after = (await world.ready('CloudLongviewPlan', 'plan')).status;
    expect(after).toMatchObject({ subscription: 'Free', monthlyUSD: '0.00' });
    expect(after).not.toHaveProperty('clientsIncluded');
    expect(await planOf()).toBe('Free');
  });
  it('stays when its object goes, and an Event says that it goes on to cost', async () => {
    await begin();
    await world.apply('CloudLongviewPlan', 'plan', { plan: 'longview-40' });
    await world.ready('CloudLongviewPlan', 'plan');
    await world.delete('CloudLongviewPlan', 'plan');
    await world.gone('CloudLongviewPlan', 'plan');
    expect(await planOf()).toBe('longview-40');
    expect(puts()).toBe(1);
    expect(retained()).toEqual([expect.stringMatching(/^\/longview\/plan is always there and stays .* what it costs goes on/)]);
  });
  it('is one for the account: of two objects, also under two CloudAccounts, the older has it', async () => {
    await begin();
    await world.namespace('platform');
    await world.account({}, 'platform');
    await world.apply('CloudLongviewPlan', 'plan', { plan: 'longview-10' });
    await world.ready('CloudLongviewPlan', 'plan');
    await world.clock.advance(5000);
    await world.apply('CloudLongviewPlan', 'second', { plan: 'longview-40' });
    await world.apply('CloudLongviewPlan', 'plan', { plan: 'longview-100' }, 'platform');
    for (const [name, namespace] of [
      ['second', 'team-a'],
      ['plan', 'platform'],
    ] as const)
      await world.reason('CloudLongviewPlan', name, 'AlreadyClaimed', 600_000, namespace);
    await world.start();
    await world.clock.advance(600_000);
    expect(await planOf()).toBe('longview-10');
    expect(puts()).toBe(1);
    await world.delete('CloudLongviewPlan', 'second');
    await world.gone('CloudLongviewPlan', 'second');
    await world.delete('CloudLongviewPlan', 'plan');
    await world.ready('CloudLongviewPlan', 'plan', 600_000, 'platform');
    expect(await planOf()).toBe('longview-100');
  });
  it('that is younger than the hourly list is asked for by its id, and taken', async () => {
    const data = (await new CloudUser(world).list('/longview/subscriptions')).filter(({ id }) => id !== 'longview-40');
    const old = { kind: 'answer' as const, status: 200, body: JSON.stringify({ data, page: 1, pages: 1, results: data.length }) };
    world.emulator.control.addFault({ match: { method: 'GET', path: '/longview/subscriptions' }, effect: old });
    await begin();
    await world.apply('CloudLongviewPlan', 'plan', { plan: 'longview-40' });
    await world.ready('CloudLongviewPlan', 'plan');
    expect(await planOf()).toBe('longview-40');
    const reads = world.emulator.control.requests().filter(({ path }) => path === '/longview/subscriptions/longview-40');
    expect(reads).toHaveLength(1);
  });
  it('that is not offered is refused before anything is sent, with what is', async () => {
    await begin();
    await world.apply('CloudLongviewPlan', 'plan', { plan: 'longview-41' });
    const { message } = await world.reason('CloudLongviewPlan', 'plan', 'InvalidSpec');
    expect(message).toContain('longview-40');
    expect(puts()).toBe(0);
  });
  it('may not be touched by a namespace that the account merely admits', async () => {
    await begin({ access: [{ namespaces: ['tenant'], adopt: 'Any' }] });
    await world.namespace('tenant');
    const accountRef = { name: 'default', namespace: 'team-a' };
    await world.apply('CloudLongviewPlan', 'plan', { accountRef, plan: 'longview-100' }, 'tenant');
    await world.clock.advance(600_000);
    expect((await world.condition('CloudLongviewPlan', 'plan', 'Ready', 'tenant'))?.status).not.toBe('True');
    expect(await planOf()).toBe('Free');
    expect(puts()).toBe(0);
  });
  it('is Forbidden to a restricted user without the grant, and left as it is', async () => {
    await begin({}, 'token-limited');
    await world.apply('CloudLongviewPlan', 'plan', { plan: 'longview-3' });
    await world.reason('CloudLongviewPlan', 'plan', 'Forbidden');
    expect(await planOf()).toBe('Free');
  });
});
