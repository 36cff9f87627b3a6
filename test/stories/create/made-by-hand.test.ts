import { describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const minute = 60_000;
const script = { label: 'setup', images: ['vm/debian11'], script: '#!/bin/bash\ntrue\n' };
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOy3aI05m4g1XjMCxjDe1RxEej2A1/chTLltdDV98GUl a@b';
/** Nothing refuses a second one of these, and nothing in them says for which object they were made. */
const things = {
  CloudDomainRecord: {
    path: '/domains/1000/records',
    spec: { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '203.0.113.7' },
    body: { type: 'A', name: 'www', target: '203.0.113.7' },
  },
  CloudStackScript: { path: '/vm/stackscripts', spec: script, body: script },
  CloudVolume: {
    path: '/volumes',
    spec: { region: 'eu-central', sizeGiB: 20, label: 'data', lifecycle: { onDelete: 'Delete' } },
    body: { region: 'eu-central', size: 20, label: 'data' },
  },
  CloudSSHKey: { path: '/profile/sshkeys', spec: { label: 'laptop', publicKey }, body: { label: 'laptop', ssh_key: publicKey } },
} as const;
type Thing = keyof typeof things;

interface Doubt {
  readonly world: World;
  readonly operator: RunningOperator;
  /** Somebody makes what the create did not; its path. */
  readonly makeByHand: () => Promise<string>;
  /** What was sent since then that changes something. */
  readonly changes: () => readonly string[];
}
/** A create of `it` was sent that neither came about nor was answered. */
async function inDoubt(kind: Thing): Promise<Doubt> {
  const { path, spec, body } = things[kind];
  const world = await World.create();
  const { control } = world.emulator;
  await world.account();
  const operator = await world.start();
  await world.apply('CloudDomain', 'zone', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' });
  await world.ready('CloudDomain', 'zone');
  control.addFault({ match: { method: 'POST', path }, times: 1, effect: { kind: 'hang' } });
  await world.apply(kind, 'it', spec);
  await world.clock.advance(40_000);
  // A profile has one user alone.
  const user = new CloudUser(world, path.startsWith('/profile/') ? 'token-admin' : undefined);
  let seq = Infinity;
  const makeByHand = async (): Promise<string> => {
    const { id } = await user.post(path, { ...body });
    seq = control.requests().at(-1)?.seq ?? seq;
    return `${path}/${String(id)}`;
  };
  const sent = () => control.requests().filter((one) => one.seq > seq && one.method !== 'GET' && one.username === 'admin');
  return { world, operator, makeByHand, changes: () => sent().map((one) => `${one.method} ${one.path}`) };
}

describe('what somebody makes by hand while a create is in doubt', () => {
  it.each(Object.keys(things) as Thing[])('and the operator is down for long is theirs: %s', async (kind) => {
    const { world, operator, makeByHand, changes } = await inDoubt(kind);
    operator.kill();
    await world.clock.advance(30 * minute);
    await makeByHand();
    await world.clock.advance(20 * minute);
    await world.start();
    await world.reason(kind, 'it', 'AlreadyExists');
    await world.clock.advance(20 * minute);
    await world.delete(kind, 'it');
    await world.gone(kind, 'it');
    expect(changes()).toEqual([]);
  });
  it('soon after it, which the operator sees when it is back, is theirs', async () => {
    const { world, operator, makeByHand, changes } = await inDoubt('CloudDomainRecord');
    operator.kill();
    await world.clock.advance(10_000);
    await makeByHand();
    await world.clock.advance(60 * minute);
    await world.start();
    await world.reason('CloudDomainRecord', 'it', 'AlreadyExists');
    expect(changes()).toEqual([]);
  });
  it('and the account is only read is theirs', async () => {
    const { world, makeByHand, changes } = await inDoubt('CloudDomainRecord');
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(30 * minute);
    await makeByHand();
    await world.clock.advance(60 * minute);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.reason('CloudDomainRecord', 'it', 'AlreadyExists');
    await world.clock.advance(60 * minute);
    expect(changes()).toEqual([]);
  });
  it.each([50, 120, 150])('after %i seconds is not deleted, and not with its object, although no event names it', async (after) => {
    const { world, makeByHand, changes } = await inDoubt('CloudDomainRecord');
    await world.clock.advance((after - 40) * 1000);
    const theirs = await makeByHand();
    await world.clock.advance(30 * minute);
    await world.delete('CloudDomainRecord', 'it');
    await world.gone('CloudDomainRecord', 'it', 60 * minute);
    expect(changes()).not.toContain(`DELETE ${theirs}`);
  });
});

it('that was made for the object itself is taken, when an old snapshot brings its first create back', async () => {
  const world = await World.create();
  await world.account();
  const operator = await world.start();
  await world.ready('CloudAccount', 'default');
  world.emulator.control.addFault({ match: { method: 'POST', path: '/volumes' }, times: 1, effect: { kind: 'delay', seconds: 5 } });
  const lifecycle = { replace: 'Allow', approve: ['InPlace', 'Replace'] };
  await world.apply('CloudVolume', 'data', { region: 'eu-central', lifecycle });
  await world.clock.advance(1000);
  const { metadata } = await world.get('CloudVolume', 'data');
  await world.ready('CloudVolume', 'data');
  await world.clock.advance(10 * minute);
  await world.patch('CloudVolume', 'data', { spec: { region: 'eu-west' } });
  await world.ready('CloudVolume', 'data');
  await world.clock.advance(60 * minute);
  operator.kill();
  const inUse = world.emulator.control.rows('volumes');
  const live = await world.get('CloudVolume', 'data');
  const snapshot = { ...live, metadata: { ...live.metadata, annotations: metadata.annotations } };
  await world.admin('PUT', world.path('CloudVolume', 'team-a', 'data'), snapshot);
  await world.admin('PATCH', `${world.path('CloudVolume', 'team-a', 'data')}/status`, { status: null });
  await world.start();
  await world.ready('CloudVolume', 'data');
  await world.clock.advance(60 * minute);
  expect(world.emulator.control.rows('volumes')).toEqual(inUse);
});
