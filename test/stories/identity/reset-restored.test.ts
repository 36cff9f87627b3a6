import { beforeEach, describe, expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

interface Client {
  readonly id: string;
  readonly secret: string;
}
const kind = 'CloudOAuthClient';
const spec = { label: 'Example Portal', redirectURI: 'https://portal.example.org/callback' };
const minute = 60_000;
const template = '/account/oauth-clients/{clientId}/reset-secret';

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});

const only = (): Client => (world.emulator.control.rows('oauth clients') as never as readonly Client[])[0] as Client;
const resets = (): number => world.emulator.control.requests().filter(({ path }) => path.endsWith('/reset-secret')).length;
const secretAt = '/api/v1/namespaces/team-a/secrets/portal-coauth';
const shown = async (): Promise<Readonly<Record<string, string>>> => ((await world.get(kind, 'portal')).status ?? {}) as never;
async function published(): Promise<boolean> {
  const { data } = (await world.admin('GET', secretAt)) as unknown as { readonly data: Readonly<Record<string, string>> };
  return Buffer.from(data['client-secret'] ?? '', 'base64').toString() === only().secret;
}
const ready = () => world.condition(kind, 'portal', 'Ready');
const rotate = (value: string): Promise<unknown> =>
  world.patch(kind, 'portal', { metadata: { annotations: { 'cloudhosting.dev/rotate': value } } });

interface Backup {
  readonly object: Awaited<ReturnType<World['get']>>;
  readonly secret: { readonly metadata: object; readonly data: unknown };
}
const backup = async (): Promise<Backup> => ({
  object: await world.get(kind, 'portal'),
  secret: (await world.admin('GET', secretAt)) as never,
});

/** The cluster is lost, and back with other uids, with annotations, status and Secrets. */
async function restored({ object, secret }: Backup): Promise<void> {
  operator.kill();
  await world.patch(kind, 'portal', { metadata: { finalizers: null } });
  await world.delete(kind, 'portal');
  const { name, namespace, annotations, finalizers } = object.metadata;
  const { apiVersion, spec: its, status } = object as unknown as Record<string, unknown>;
  await world.admin('POST', world.path(kind), { apiVersion, kind, metadata: { name, namespace, annotations, finalizers }, spec: its });
  await world.admin('PATCH', `${world.path(kind, undefined, 'portal')}/status`, { status });
  if (world.server.objects('/secrets').some(({ metadata: { name: one } }) => one === 'portal-coauth'))
    await world.admin('DELETE', secretAt);
  const { labels, annotations: noted, name: called } = secret.metadata as Backup['object']['metadata'] & { readonly labels: object };
  const at = { name: called, namespace, labels, annotations: noted };
  await world.admin('POST', secretAt.replace(/\/[^/]*$/, ''), { apiVersion: 'v1', kind: 'Secret', metadata: at, data: secret.data });
  await world.clock.advance(5 * minute);
  operator = await world.start();
}

async function lostOnTheWay(): Promise<void> {
  world.emulator.control.addFault({ match: { method: 'POST', template, username: 'admin' }, times: 1, effect: { kind: 'lose-answer' } });
  await rotate('1');
  await world.reason(kind, 'portal', 'UnknownOutcome');
}

describe('an OAuth client that a backup brings back', () => {
  it.each([{}, { mode: 'ReadOnly' }, { recover: true }])(
    'from the midst of a reset is not Ready under %o, and nothing is sent before a person asks',
    async (account) => {
      await world.apply(kind, 'portal', spec);
      await world.ready(kind, 'portal', 15 * minute);
      await lostOnTheWay();
      const kept = await backup();
      await world.patch('CloudAccount', 'default', { spec: account });
      await restored(kept);
      for (let at = 0; at < 10; at += 1) {
        await world.clock.advance(at < 5 ? 1000 : 10 * minute);
        expect(await ready()).toMatchObject({ status: 'False' });
      }
      const { message } = (await ready()) as { readonly message: string };
      expect(message).toContain(`a reset of the secret of /account/oauth-clients/${only().id} `);
      expect(message).toContain('kubectl -n team-a annotate cloudoauthclient portal --overwrite cloudhosting.dev/rotate=<time>');
      expect([resets(), await published()]).toEqual([1, false]);
      await world.patch('CloudAccount', 'default', { spec: { mode: null, recover: null } });
      await rotate('2');
      await world.clock.advance(10 * minute);
      expect([resets(), await published()]).toEqual([2, true]);
      expect((await world.ready(kind, 'portal')).status).not.toHaveProperty('resetting');
    },
  );
  it('says so, too, where its own operator was killed and may change nothing by now', async () => {
    await world.apply(kind, 'portal', spec);
    await world.ready(kind, 'portal', 15 * minute);
    await lostOnTheWay();
    operator.kill();
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    operator = await world.start();
    await world.clock.advance(30 * minute);
    expect(await ready()).toMatchObject({ status: 'False', message: expect.stringContaining('void') as unknown });
    await world.patch('CloudAccount', 'default', { spec: { mode: null } });
    await world.clock.advance(10 * minute);
    expect([resets(), await published()]).toEqual([2, true]);
    await world.ready(kind, 'portal');
  });
  it('with the status of another one tells nothing of a reset of that', async () => {
    await world.apply(kind, 'portal', spec);
    await world.ready(kind, 'portal', 15 * minute);
    const { object, secret } = await backup();
    const status = { ...object.status, path: '/account/oauth-clients/0123456789abcdef0123', resetting: '2026-01-01T00:00:00.000Z' };
    await restored({ object: { ...object, status }, secret });
    await world.clock.advance(10 * minute);
    await world.ready(kind, 'portal');
    expect(await shown()).not.toHaveProperty('resetting');
    expect(resets()).toBe(0);
  });
  it.each([
    [30, 0],
    [1, 1],
  ])('is as old as its secret was, and not as the restore (every %i days: %i resets)', async (everyDays, times) => {
    await world.apply(kind, 'portal', { ...spec, rotation: { everyDays } });
    await world.ready(kind, 'portal', 15 * minute);
    const { object, secret } = await backup();
    const renewedAt = '2025-12-20T00:00:00Z';
    await restored({ object: { ...object, status: { ...object.status, renewedAt } }, secret });
    await world.clock.advance(15 * minute);
    await world.ready(kind, 'portal');
    expect([resets(), await published()]).toEqual([times, true]);
    expect((await shown())['renewedAt'] === renewedAt).toBe(times === 0);
  });
});
