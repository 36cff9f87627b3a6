import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const [kind, hour, minute] = ['CloudObjectKey', 3_600_000, 60_000];
let world: World;
let operator: RunningOperator;
let id = 0;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
  ({ id } = (await new CloudUser(world).post('/object-storage/keys', { label: 'of-years' })) as { id: number });
  await world.clock.advance(5 * minute);
});
const there = (): readonly number[] =>
  (world.emulator.control.rows('object keys') as unknown as readonly { readonly id: number }[]).map((key) => key.id);
const rotate = (value: string): Promise<unknown> =>
  world.patch(kind, 'uploads', { metadata: { annotations: { 'cloudhosting.dev/rotate': value } } });
async function adopted(rotation: object, lifecycle: object = {}): Promise<void> {
  await world.apply(kind, 'uploads', { label: 'of-years', unlimited: true, adopt: { id }, rotation, lifecycle });
  await world.ready(kind, 'uploads');
  await world.clock.advance(minute);
}
async function renewed(): Promise<number> {
  await rotate('1');
  await world.clock.advance(2 * minute);
  const { status } = await world.ready(kind, 'uploads');
  expect(status?.['id']).not.toBe(id);
  expect((await world.condition(kind, 'uploads', 'Synced'))?.status).toBe('True');
  return Number(status?.['id']);
}

describe('the rotation of a key that was adopted by its id', () => {
  it('ends the old one at once where nothing overlaps, and the object is in step', async () => {
    await adopted({ overlapHours: 0 });
    const next = await renewed();
    expect(there()).toEqual([next]);
  });

  it('ends the old one when its time is over, also by an operator that starts meanwhile, and is repeated', async () => {
    await adopted({ overlapHours: 2 });
    const next = await renewed();
    expect(there()).toEqual([id, next]);
    operator.kill();
    operator = await world.start();
    await world.clock.advance(minute);
    await world.ready(kind, 'uploads');
    await world.clock.advance(2 * hour);
    expect(there()).toEqual([next]);
    await rotate('2');
    await world.clock.advance(2 * hour + 5 * minute);
    const { status } = await world.ready(kind, 'uploads');
    expect(there()).toEqual([Number(status?.['id'])]);
    expect(Number(status?.['id'])).not.toBe(next);
  });

  it('leaves it in step where the old one may not be deleted, also for an operator that starts later', async () => {
    await adopted({ overlapHours: 2 });
    const next = await renewed();
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(3 * hour);
    operator.kill();
    operator = await world.start();
    await world.clock.advance(5 * minute);
    expect(there()).toEqual([id, next]);
    expect((await world.condition(kind, 'uploads', 'Stalled'))?.reason).not.toBe('InvalidSpec');
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.clock.advance(hour);
    await world.ready(kind, 'uploads');
    expect(there()).toEqual([next]);
  });

  it('is no leave to name the old one anew: what the spec names later is judged as ever', async () => {
    await adopted({ overlapHours: 24 });
    const next = await renewed();
    const { id: another } = (await new CloudUser(world).post('/object-storage/keys', { label: 'another' })) as { id: number };
    await world.patch(kind, 'uploads', { spec: { adopt: { id: another } } });
    const { message } = await world.reason(kind, 'uploads', 'InvalidSpec');
    expect(message).toContain(`this object has /object-storage/keys/${next}`);
  });
});
