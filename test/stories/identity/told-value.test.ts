import { beforeEach, describe, expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

interface Secret {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly data: Readonly<Record<string, string>>;
}
const minute = 60_000;
const client = { label: 'Example Portal', redirectURI: 'https://portal.example.org/callback' };
const cases = [
  { kind: 'CloudOAuthClient', secret: 'one-coauth', key: 'client-secret', spec: client },
  { kind: 'CloudObjectKey', secret: 'one-cokey', key: 'AWS_SECRET_ACCESS_KEY', spec: { bucketAccess: [] } },
] as const;

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});
const at = '/api/v1/namespaces/team-a/secrets';
const read = async (name: string): Promise<Secret> => (await world.admin('GET', `${at}/${name}`)) as never;
const write = (name: string, data: Readonly<Record<string, string>>, labels = {}) =>
  world.admin('PATCH', `${at}/${name}`, { metadata: { labels }, data });
const base64 = (text: string): string => Buffer.from(text).toString('base64');
async function lost(kind: string): Promise<{ readonly message: string }> {
  const ready = () => world.condition(kind, 'one', 'Ready');
  await world.clock.runUntil(async () => (await ready())?.status === 'False', 20 * minute);
  expect(await ready()).toMatchObject({ reason: 'RemoteFailed' });
  return (await ready()) as { readonly message: string };
}
const rotate = (kind: string, value: string) =>
  world.patch(kind, 'one', { metadata: { annotations: { 'cloudhosting.dev/rotate': value } } });
const resetNow = (): string => {
  const [row] = world.emulator.control.rows('oauth clients') as readonly { readonly secret: string }[];
  return base64(row?.secret ?? '');
};

describe.each(cases)('what was told once of a $kind', ({ kind, secret, key, spec }) => {
  beforeEach(async () => {
    await world.apply(kind, 'one', { ...spec, outputs: [{ secretName: 'app', keys: { value: `{${key}}` } }] });
    await world.ready(kind, 'one', 30 * minute);
  });
  it('is not Ready once something writes another value there, gives that to nobody, and is again once it is put back', async () => {
    const { data } = await read(secret);
    await write(secret, { [key]: base64('something else') });
    const { message } = await lost(kind);
    expect(message).toContain(`Secret ${secret} does not hold what was told of `);
    expect(message).toContain('something has changed a value');
    expect((await read('app')).data).toEqual({ value: data[key] });
    operator.kill();
    operator = await world.start();
    await world.clock.advance(30 * minute);
    expect(await world.condition(kind, 'one', 'Ready')).toMatchObject({ status: 'False' });
    await write(secret, data);
    await world.ready(kind, 'one', 20 * minute);
    expect((await read('app')).data).toEqual({ value: data[key] });
  });
  it('that an operator of before has written, without a sum, is believed and gets one', async () => {
    const { metadata } = await read(secret);
    const told = metadata.labels['cloudhosting.dev/told-of'] ?? '';
    expect(told).toMatch(/^[0-9a-f]{16}\.[0-9a-f]{16}$/);
    operator.kill();
    await write(secret, {}, { 'cloudhosting.dev/told-of': told.slice(0, 16) });
    operator = await world.start();
    await world.clock.runUntil(async () => (await read(secret)).metadata.labels['cloudhosting.dev/told-of'] === told, 20 * minute);
    await world.ready(kind, 'one');
  });
});

describe('the secret of an OAuth client that was reset', () => {
  const kind = 'CloudOAuthClient';
  const name = 'one-coauth';
  beforeEach(async () => {
    await world.apply(kind, 'one', client);
    await world.ready(kind, 'one', 30 * minute);
  });
  it('is void in a Secret of before, which says so until one of since comes or another reset', async () => {
    const old = await read(name);
    await world.clock.advance(minute);
    await rotate(kind, '1');
    await world.clock.advance(5 * minute);
    const { status } = await world.ready(kind, 'one');
    const current = await read(name);
    expect(current.data['client-secret']).toBe(resetNow());
    await write(name, old.data, { 'cloudhosting.dev/told-of': null, ...old.metadata.labels });
    const { message } = await lost(kind);
    expect(message).toContain(`by its reset of ${String(status?.['resetAt'])}`);
    expect(message).toContain('from a backup of since then');
    await write(name, current.data, current.metadata.labels);
    await world.ready(kind, 'one', 20 * minute);
    await write(name, old.data, old.metadata.labels);
    await lost(kind);
    await rotate(kind, '2');
    await world.ready(kind, 'one', 20 * minute);
    expect((await read(name)).data['client-secret']).toBe(resetNow());
  });
  it('is of use where the status is older than it, or gone', async () => {
    await rotate(kind, '1');
    await world.ready(kind, 'one', 20 * minute);
    const { status: before } = await world.get(kind, 'one');
    await world.clock.advance(minute);
    await rotate(kind, '2');
    await world.clock.advance(5 * minute);
    await world.ready(kind, 'one');
    operator.kill();
    for (const status of [{ ...before, rotated: '2' }, {}]) {
      const object = await world.get(kind, 'one');
      await world.admin('PUT', `${world.path(kind, undefined, 'one')}/status`, { ...object, status });
      operator = await world.start();
      await world.clock.advance(30 * minute);
      await world.ready(kind, 'one');
      operator.kill();
    }
    expect((await read(name)).data['client-secret']).toBe(resetNow());
  });
});
