import { beforeEach, expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

interface Secret {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly data: Readonly<Record<string, string>>;
}
const minute = 60_000;
const kind = 'CloudOAuthClient';
const name = 'one-coauth';
const client = { label: 'Example Portal', redirectURI: 'https://portal.example.org/callback' };
const at = '/api/v1/namespaces/team-a/secrets';
let world: World;
let operator: RunningOperator;
let dies: ((request: unknown) => boolean) | undefined;
beforeEach(async () => {
  dies = undefined;
  world = await World.create({
    between: (server, backend, running) =>
      ({
        ...(backend.travel && { travel: (request: never) => backend.travel?.(request) }),
        handle: async (request: never) => {
          const answer = await backend.handle(request);
          if (server === 'kube' && dies?.(request) === true) {
            dies = undefined;
            running.kill();
          }
          return answer;
        },
      }) as never,
  });
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});
const read = async (of = name): Promise<Secret> => (await world.admin('GET', `${at}/${of}`)) as never;
const put = async ({ data, metadata: { labels } }: Secret) => {
  const live = (await world.admin('GET', `${at}/${name}`)) as never as Secret;
  await world.admin('PUT', `${at}/${name}`, { ...live, data, metadata: { ...live.metadata, labels } });
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const rotate = async (value: string) => {
  await world.patch(kind, 'one', { metadata: { annotations: { 'cloudhosting.dev/rotate': value } } });
  await world.clock.advance(5 * minute);
};
const row = () => (world.emulator.control.rows('oauth clients') as never as readonly { readonly id: string; readonly secret: string }[])[0];
const works = async () => (await read()).data['client-secret'] === base64(row()?.secret ?? '');
const resets = () => world.emulator.control.requests().filter(({ path }) => path.endsWith('/reset-secret')).length;
const ready = async () => (await world.condition(kind, 'one', 'Ready'))?.status;
const synced = async () => (await world.condition(kind, 'one', 'Synced'))?.message ?? '';
const setStatus = async (status: object) => {
  const object = await world.get(kind, 'one');
  await world.admin('PUT', `${world.path(kind, undefined, 'one')}/status`, { ...object, status });
};
async function made(spec: object = {}): Promise<void> {
  await world.apply(kind, 'one', { ...client, ...spec });
  await world.ready(kind, 'one', 30 * minute);
}
async function adopted(): Promise<void> {
  await world.apply(kind, 'zero', { ...client, lifecycle: { onDelete: 'Retain' } });
  await world.ready(kind, 'zero', 30 * minute);
  const id = row()?.id;
  await world.delete(kind, 'zero');
  await world.gone(kind, 'zero');
  await made({ adopt: { id } });
}

it.each(['one of before the last reset', 'another value', 'none'])(
  'an adopted client that this operator reset is not Ready with %s',
  async (what) => {
    await adopted();
    await rotate('1');
    const first = await read();
    await rotate('2');
    expect([await ready(), await works()]).toEqual(['True', true]);
    if (what === 'none') await world.admin('DELETE', `${at}/${name}`);
    else await put(what === 'another value' ? { ...(await read()), data: { ...first.data, 'client-secret': base64('x') } } : first);
    await world.clock.advance(30 * minute);
    expect(await ready()).toBe('False');
  },
);

it.each(['older', 'gone'])('a reset that the Secret told of while the status was %s is known from then on', async (status) => {
  await made();
  await rotate('1');
  const [first, before] = [await read(), (await world.get(kind, 'one')).status];
  await rotate('2');
  operator.kill();
  await setStatus(status === 'gone' ? {} : { ...before, rotated: '2' });
  operator = await world.start();
  await world.clock.advance(30 * minute);
  expect([await ready(), await works()]).toEqual(['True', true]);
  await put(first);
  await world.clock.advance(30 * minute);
  expect([await ready(), await works()]).toEqual(['False', false]);
});

it.each(['ReadOnly', 'Manage'])(
  'killed between the Secret and the status of a reset, the new secret is not called void (%s)',
  async (mode) => {
    await made();
    dies = (request) => {
      const { method, path = '' } = request as { readonly method: string; readonly path?: string };
      return method !== 'GET' && JSON.stringify([path, request]).includes(`secrets/${name}`);
    };
    await rotate('1');
    const kept = await read();
    expect([dies, await works(), resets()]).toEqual([undefined, true, 1]);
    if (mode === 'ReadOnly') await world.patch('CloudAccount', 'default', { spec: { mode } });
    operator = await world.start();
    await world.clock.advance(30 * minute);
    expect([await ready(), await works(), resets()]).toEqual(['True', true, 1]);
    expect((await read()).data).toEqual(kept.data);
  },
);

it('a good Secret whose labels were stripped is not to be deleted, as the message advises', async () => {
  await made();
  await put({ ...(await read()), metadata: { labels: {} } });
  await world.clock.advance(30 * minute);
  expect(await works()).toBe(true);
  expect(await synced()).not.toContain('Delete it');
});

it('a good Secret under the old name is found, where secretName changes while the status is gone', async () => {
  await made();
  operator.kill();
  await world.apply(kind, 'one', { ...client, secretName: 'other' });
  await setStatus({});
  operator = await world.start();
  await world.clock.advance(30 * minute);
  expect(await works()).toBe(true);
  expect(await ready()).toBe('True');
});
