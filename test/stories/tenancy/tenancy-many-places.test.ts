import { expect, it, vi } from 'vitest';
import { derivedLabel, InstallationKey } from '../../../src/engine/model/identity.ts';
import firewall from '../../../src/kinds/cloud-firewall.ts';
import { World } from '../../support/world/world.ts';

/** Whoever may write CloudAccounts in one namespace must not have the operator compute for minutes: it would lose its lease. */
it('an account that nobody has connected makes no label of another team dear, however many namespaces it names', async () => {
  const world = await World.create();
  for (const namespace of ['team-b', 'team-c']) await world.namespace(namespace);
  await world.account({ access: [{ namespaces: ['team-b'] }] });
  await world.start();
  await world.ready('CloudAccount', 'default');
  const access = Array.from({ length: 16 }, (_, entry) => ({
    namespaces: Array.from({ length: 256 }, (_, n) => `invented-${entry}-${n}`),
  }));
  for (const name of ['one', 'two'])
    await world.apply(
      'CloudAccount',
      name,
      { endpoint: 'main', tokenSecretRef: { name: 'nowhere', key: 'token' }, installation: name, access },
      'team-c',
    );
  await world.clock.advance(10_000);
  const asked = vi.spyOn(InstallationKey.prototype, 'ownerKeys');
  const accountRef = { name: 'default', namespace: 'team-a' };
  await world.apply(
    'CloudFirewall',
    'web',
    { accountRef, label: 'team-database', inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' },
    'team-b',
  );
  await world.ready('CloudFirewall', 'web', undefined, 'team-b');
  expect(asked.mock.calls.length).toBeLessThan(500);
  asked.mockRestore();
});

it('an account that is connected counts before its status says so', async () => {
  const world = await World.create();
  for (const namespace of ['team-b', 'team-c']) await world.namespace(namespace);
  const bytes = Buffer.alloc(32, 7);
  await world.secret('cloud-operator-key', { key: bytes.toString('base64') }, 'cloud-operator');
  world.server.faults.add({ match: { method: 'PATCH', path: /cloudaccounts\/default\/status/ }, action: { kind: 'answer', status: 500 } });
  await world.account({ access: [{ namespaces: ['team-b', 'team-c'] }] });
  await world.start();
  const theirs = { installation: 'tests', kind: 'CloudFirewall', namespace: 'team-c', name: 'web' };
  const label = derivedLabel(firewall.label, new InstallationKey(bytes), theirs);
  const accountRef = { name: 'default', namespace: 'team-a' };
  await world.apply('CloudFirewall', 'mine', { accountRef, label, inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' }, 'team-b');
  await world.reason('CloudFirewall', 'mine', 'InvalidSpec', undefined, 'team-b');
  expect((await world.get('CloudAccount', 'default')).status?.['account']).toBeUndefined();
  expect(world.emulator.control.rows('firewalls')).toEqual([]);
});
