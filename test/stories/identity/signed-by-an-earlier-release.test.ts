import { beforeEach, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

/** What was noted before identities and intents were signed per object, found after an upgrade without a status that says more. */
let world: World;
let operator: RunningOperator;
const accountRef = { name: 'default', namespace: 'platform' };
const zone = { accountRef, domain: 'example.org', type: 'master', soaEmail: 'a@example.org' };
beforeEach(async () => {
  world = await World.create();
  for (const name of ['platform', 'team-b']) await world.namespace(name);
  await world.account({ access: [{ namespaces: ['team-b'] }] }, 'platform');
  operator = await world.start();
  await world.ready('CloudAccount', 'default', 60_000, 'platform');
});
const annotate = (annotations: Record<string, string | null>): Promise<unknown> =>
  world.patch('CloudDomain', 'zone', { metadata: { annotations } }, 'team-b');
const posts = (): number => changesOf(world).filter((call) => call === 'POST /domains').length;
async function upgraded(annotations: (remote: string) => Record<string, string | null>): Promise<void> {
  await world.apply('CloudDomain', 'zone', zone, 'team-b');
  const { metadata } = await world.ready('CloudDomain', 'zone', 60_000, 'team-b');
  operator.kill();
  await world.server.as('admin', 'PATCH', `${world.path('CloudDomain', 'team-b', 'zone')}/status`, [{ op: 'remove', path: '/status' }]);
  await annotate(annotations(metadata.annotations?.['cloudhosting.dev/remote'] ?? ''));
  await world.start();
}

it('an identity says what to do, and that finds its remote again', async () => {
  await upgraded((remote) => ({ 'cloudhosting.dev/remote': remote.replace(/\.[a-z2-7]{16}$/, '') }));
  const { message } = await world.reason('CloudDomain', 'zone', 'IdentityConflict', 120_000, 'team-b');
  expect(message).toContain('an earlier release');
  expect(message).toContain('CloudAccount platform/default sets spec.recover: true');
  await world.patch('CloudAccount', 'default', { spec: { recover: true } }, 'platform');
  await world.ready('CloudDomain', 'zone', 300_000, 'team-b');
  expect(posts()).toBe(1);
});

it('an open create says what to do, and that takes what it made', async () => {
  const intent = {
    attempts: [{ at: '2026-01-01T00:00:00.000Z', n: 1 }],
    before: [],
    key: { in: '/domains', is: { domain: 'example.org' } },
  };
  await upgraded(() => ({
    'cloudhosting.dev/remote': null,
    'cloudhosting.dev/intent': JSON.stringify({ ...intent, mac: 'aaaaaaaaaaaaaaaa' }),
  }));
  const { message } = await world.reason('CloudDomain', 'zone', 'IdentityConflict', 120_000, 'team-b');
  expect(message).toContain('an earlier release');
  expect(message).toContain('spec.adopt');
  const [row] = world.emulator.control.rows('domains');
  await world.patch('CloudDomain', 'zone', { spec: { adopt: { match: { domain: 'example.org' } } } }, 'team-b');
  await annotate({ 'cloudhosting.dev/intent': null });
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any' }] } }, 'platform');
  await world.ready('CloudDomain', 'zone', 300_000, 'team-b');
  expect(world.emulator.control.rows('domains')).toEqual([row]);
  expect(posts()).toBe(1);
});
