import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import client from '../../../src/kinds/cloud-longview-client.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import { type AnyKind, erase, minutes, progressing, ready, type Row, seconds } from '../../../src/resource/index.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const canary = 'Canary-Credential-4711';
const keySchema = z.object({ key: z.string() });
const keys = '/longview/plan';

/** A client whose key is read somewhere else, is not there at first, and takes a scope of its own. */
const laboratory = (scopes: readonly string[] = []): AnyKind =>
  erase({
    ...client,
    parts: {
      key: {
        path: () => keys,
        paged: false,
        schema: keySchema,
        for: 'status',
        notYet: [404, 503],
        secret: { every: minutes(360) },
        rereadWhileProgressing: true,
        ...(scopes.length > 0 && { scopes }),
      },
    },
    health: (row: Row) => (row['key'] === null ? progressing('its key is being made', seconds(15)) : ready),
    outputs: {
      ...client.outputs,
      'api-key': { says: 'Key.', secret: true, part: 'key', of: (row: Row) => (row['key'] as { key?: string } | undefined)?.key },
    },
  });

let world: World;
async function opened(kind: AnyKind): Promise<void> {
  world = await World.create({ kinds: kinds.map((one) => (one.kind === kind.kind ? kind : one)) });
  await world.account();
}
const answers = (status: number, body: unknown, headers: Record<string, string> = {}): number =>
  world.emulator.control.addFault({
    match: { method: 'GET', template: keys },
    effect: { kind: 'answer', status, headers, body: JSON.stringify(body) },
  });
const notYet = (status: number, retryAfter?: string): number =>
  answers(status, { errors: [{ reason: 'not yet available. Please try again later.' }] }, retryAfter ? { 'retry-after': retryAfter } : {});
const reads = (): number => world.emulator.control.requests().filter(({ path }) => path.endsWith(keys)).length;
const secretAt = '/api/v1/namespaces/team-a/secrets/web-clv';
const given = async (): Promise<string | undefined> => {
  const { body, status } = await world.server.as('admin', 'GET', secretAt);
  const key = status === 200 ? (body as { data?: Readonly<Record<string, string>> }).data?.['api-key'] : undefined;
  return key === undefined ? undefined : Buffer.from(key, 'base64').toString();
};
const made = async (): Promise<void> => {
  await world.start();
  await world.apply('CloudLongviewClient', 'web', { label: 'web' });
};
const synced = () => world.condition('CloudLongviewClient', 'web', 'Synced');

describe('a secret part', () => {
  beforeEach(() => opened(laboratory()));

  it.each([
    ['503', 503],
    ['404', 404],
  ])('that is not there yet (%s) makes its item Progressing, and nothing unreachable or lost', async (_, status) => {
    const fault = notYet(status);
    await made();
    await world.reason('CloudLongviewClient', 'web', 'Creating');
    await world.clock.advance(120_000);
    expect(await synced()).toMatchObject({ reason: 'Creating', message: expect.stringContaining('its key is being made') });
    expect((await world.condition('CloudAccount', 'default', 'Ready'))?.status).toBe('True');
    expect(world.emulator.control.rows('longview clients')).toHaveLength(1);
    expect(await given()).toBeUndefined();
    world.emulator.control.removeFault(fault);
    answers(200, { key: canary });
    // No event tells of it: the looks at what is under way take the part along, no sooner than the service says with a 503.
    await world.ready('CloudLongviewClient', 'web', 150_000);
    expect(await given()).toBe(canary);
  });

  it('is not asked for before the time that the service names', async () => {
    notYet(503, '90');
    await made();
    await world.reason('CloudLongviewClient', 'web', 'Creating');
    const before = reads();
    await world.clock.advance(80_000);
    expect(reads()).toBe(before);
    await world.clock.advance(30_000);
    expect(reads()).toBe(before + 1);
  });

  it('is not taken to be there by an operator that starts while it is not', async () => {
    const first = await world.start();
    notYet(503, '20');
    await world.apply('CloudLongviewClient', 'web', { label: 'web' });
    await world.reason('CloudLongviewClient', 'web', 'Creating');
    first.kill();
    await world.start();
    const ready: unknown[] = [];
    for (let second = 0; second < 90; second += 1) {
      await world.clock.advance(1000);
      ready.push((await world.condition('CloudLongviewClient', 'web', 'Ready'))?.status);
    }
    expect(new Set(ready)).toEqual(new Set(['False']));
  });

  it('is in its Secret and nowhere else', async () => {
    answers(200, { key: canary });
    await made();
    await world.ready('CloudLongviewClient', 'web');
    await world.clock.advance(600_000);
    const places = ['cloudlongviewclients', 'cloudaccounts', 'configmaps', 'events', 'leases', 'secrets'];
    const others = places.flatMap((plural) => world.server.objects(`/${plural}`)).filter(({ metadata }) => metadata.name !== 'web-clv');
    const told = JSON.stringify([others, world.log, world.changes, world.outcomes]);
    expect(await given()).toBe(canary);
    for (const hidden of [canary, Buffer.from(canary).toString('base64')]) expect(told).not.toContain(hidden);
  });

  it('is read again after its time, when its Secret is lost, when an event tells of its item, and when a person asks', async () => {
    answers(200, { key: canary });
    await made();
    await world.ready('CloudLongviewClient', 'web');
    const after = async (what: () => Promise<unknown>, time: number): Promise<number> => {
      const before = reads();
      await what();
      await world.clock.advance(time);
      return reads() - before;
    };
    await world.clock.advance(3_600_000);
    expect(await after(() => Promise.resolve(), 4 * 3_600_000)).toBe(0);
    expect(await after(() => Promise.resolve(), 90 * 60_000)).toBe(1);
    expect(await after(() => world.admin('DELETE', secretAt), 360_000)).toBe(1);
    expect(await given()).toBe(canary);
    const [{ id }] = world.emulator.control.rows('longview clients') as unknown as readonly [{ id: number }];
    expect(await after(() => new CloudUser(world).put(`/longview/clients/${id}`, { label: 'webs' }), 60_000)).toBe(1);
    await world.ready('CloudLongviewClient', 'web');
    const asked = { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': 'now' } } };
    expect(await after(() => world.patch('CloudLongviewClient', 'web', asked), 60_000)).toBe(1);
  });

  it('stays as it was given out while it is made anew, and while its answer cannot be read', async () => {
    const first = answers(200, { key: canary });
    await made();
    await world.ready('CloudLongviewClient', 'web');
    world.emulator.control.removeFault(first);
    const second = notYet(503);
    await world.clock.advance(7 * 3_600_000);
    expect(await given()).toBe(canary);
    expect((await world.get('CloudLongviewClient', 'web')).status).not.toHaveProperty('outputs.0.missing');
    world.emulator.control.removeFault(second);
    const third = answers(200, { key: 7, odd: canary });
    const told = await world.reason('CloudLongviewClient', 'web', 'Unreachable', 8 * 3_600_000);
    expect(told.message).toContain('its answer cannot be read');
    expect(told.message).not.toContain(canary);
    expect(await given()).toBe(canary);
    world.emulator.control.removeFault(third);
    answers(200, { key: `${canary}-2` });
    await world.reason('CloudLongviewClient', 'web', 'Available', 3_600_000);
    expect(await given()).toBe(`${canary}-2`);
  });

  it('that is refused says which scope it takes, and nothing reads like a loss', async () => {
    answers(
      401,
      { errors: [{ reason: 'Your OAuth token is not authorized to use this endpoint.' }] },
      { 'x-oauth-scopes': 'longview:read_only' },
    );
    await made();
    const told = await world.reason('CloudLongviewClient', 'web', 'Forbidden');
    expect(told.message).toContain('longview:read_write');
    expect((await world.condition('CloudLongviewClient', 'web', 'Ready'))?.status).toBe('True');
    await world.clock.advance(3_600_000);
    expect(world.emulator.control.rows('longview clients')).toHaveLength(1);
    expect(await synced()).toMatchObject({ reason: 'Forbidden' });
  });
});

const underWay = (): ReturnType<AnyKind['health']> => progressing('something else of it is being made', seconds(15));

it('a secret part that is there is not read with every look at an item that stays under way', async () => {
  await opened({ ...laboratory(), health: underWay });
  answers(200, { key: canary });
  await made();
  await world.reason('CloudLongviewClient', 'web', 'Creating');
  await world.clock.advance(300_000);
  // One look says that it is there; who gives it out reads it once more.
  expect(reads()).toBeLessThanOrEqual(2);
  expect(await given()).toBe(canary);
  const before = reads();
  await world.clock.advance(3_600_000);
  expect(reads()).toBe(before);
});

it('a part whose scope the token lacks is not asked for, and names that scope, here and on the account', async () => {
  await opened(laboratory(['domains:read_write']));
  world.emulator.control.setToken({
    token: 'token-admin',
    username: 'admin',
    scopes: 'account:read_only events:read_only longview:read_write',
  });
  await made();
  const told = await world.reason('CloudLongviewClient', 'web', 'Forbidden');
  expect(told.message).toContain('the token lacks domains:read_write');
  expect(told.message).toContain('needs the scope domains:read_write');
  await world.clock.advance(3_600_000);
  expect(reads()).toBe(0);
  expect((await world.get('CloudAccount', 'default')).status?.['missingScopes']).toContain('domains:read_write');
  expect((await world.condition('CloudLongviewClient', 'web', 'Ready'))?.status).toBe('True');
});
