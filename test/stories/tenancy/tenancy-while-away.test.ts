import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { type KubeObject, type RunningOperator, World } from '../../support/world/world.ts';

/** A machine that team-b gave away belongs to team-a, whose object is not there for some minutes. */
const [platform, heir, giver] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const hour = 3_600_000;
const machine = {
  accountRef,
  region: 'us-southeast',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
  lifecycle: { onDelete: 'Retain', ignoreFields: ['image'] },
};
const gift = { accountRef, lifecycle: { onDelete: 'Delete' }, instanceRef: { name: 'gift' } };
const { instanceRef: _gift, ...apart } = gift;
const mine = { ...apart, instanceRef: { name: 'mine' } };
const walled = { accountRef, outboundPolicy: 'ACCEPT', instanceRefs: [{ name: 'gift' }] };
/** What the giver's spec is at first, and what it asks for once the machine is another's. */
const cases: readonly (readonly [what: string, kind: string, before: object, after: object])[] = [
  ['a volume moved', 'CloudVolume', { ...gift, sizeGiB: 20 }, { ...mine, sizeGiB: 20 }],
  ['a volume detached', 'CloudVolume', { ...gift, sizeGiB: 20 }, { ...apart, sizeGiB: 20 }],
  ['a volume grown', 'CloudVolume', { ...gift, sizeGiB: 20 }, { ...gift, sizeGiB: 40 }],
  ['an address moved', 'CloudIPAddress', { ...gift, type: 'IPv4' }, { ...mine, type: 'IPv4' }],
  ['a firewall opened', 'CloudFirewall', { ...walled, inboundPolicy: 'DROP' }, { ...walled, inboundPolicy: 'ACCEPT' }],
];

let world: World;
let operator: RunningOperator;
let id: unknown;
beforeEach(async () => {
  world = await World.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  for (const name of [platform, giver]) await world.namespace(name);
  for (const name of [heir, giver]) await world.secret('root', { password: 'Correct-Horse-9-Battery' }, name);
  await world.account({ access: [{ namespaces: [heir], adopt: 'Any' }, { namespaces: [giver] }] }, platform);
  operator = await world.start();
  for (const name of ['mine', 'gift']) await world.apply('CloudInstance', name, machine, giver);
  for (const name of ['mine', 'gift']) id = (await world.ready('CloudInstance', name, hour, giver)).status?.['id'];
});
async function given(kind: string, before: object, after: object): Promise<void> {
  await world.apply(kind, 'part', { ...before }, giver);
  await world.ready(kind, 'part', hour, giver);
  await world.delete('CloudInstance', 'gift', giver);
  await world.gone('CloudInstance', 'gift', hour, giver);
  await adopted('shop');
  await world.apply(kind, 'part', { ...after }, giver);
  await world.clock.advance(120_000);
}
async function adopted(name: string): Promise<void> {
  await world.apply('CloudInstance', name, { ...machine, adopt: { id } }, heir);
  await world.ready('CloudInstance', name, hour, heir);
}
async function taken(kind: string, name: string, namespace: string): Promise<KubeObject> {
  const object = await world.get(kind, name, namespace);
  await world.patch(kind, name, { metadata: { finalizers: null } }, namespace);
  await world.delete(kind, name, namespace);
  return object;
}
const restored = ({ kind, metadata: { name, namespace }, spec }: KubeObject) => world.apply(kind, name, { ...(spec as object) }, namespace);
const recover = (on: boolean) => world.patch('CloudAccount', 'default', { spec: { recover: on } }, platform);

describe.each(cases)('%s', (_, kind, before, after) => {
  it('is not so while the object of the machine is applied under another name, or anew', async () => {
    await given(kind, before, after);
    const sent = changesOf(world);
    await world.delete('CloudInstance', 'shop', heir);
    await world.gone('CloudInstance', 'shop', hour, heir);
    await world.clock.advance(600_000);
    await adopted('store');
    await world.delete('CloudInstance', 'store', heir);
    await world.gone('CloudInstance', 'store', hour, heir);
    await adopted('store');
    await world.clock.advance(hour);
    expect(changesOf(world)).toEqual(sent);
  });
  it('is not so while the account recovers, and that object is not back yet', async () => {
    await given(kind, before, after);
    await recover(true);
    await world.clock.advance(10_000);
    operator.process.kill();
    const sent = changesOf(world);
    const [shop, ...theirs] = [
      await taken('CloudInstance', 'shop', heir),
      await taken('CloudInstance', 'mine', giver),
      await taken(kind, 'part', giver),
    ];
    await world.start();
    for (const one of theirs) await restored(one);
    await world.ready('CloudInstance', 'mine', hour, giver);
    await world.clock.advance(600_000);
    expect(changesOf(world)).toEqual(sent);
    await restored(shop);
    await world.ready('CloudInstance', 'shop', hour, heir);
    await recover(false);
    await world.clock.advance(hour);
    // An address has no mark: without annotations nobody knows whose it was, and the object gets another one.
    expect(changesOf(world).filter((call) => call !== 'POST /networking/ips')).toEqual(
      sent.filter((call) => call !== 'POST /networking/ips'),
    );
  });
});

it('who has nobody behind it any more does as its spec says, a quarter of an hour later', async () => {
  const [, kind, before, after] = cases[2] as (typeof cases)[number];
  await given(kind, before, after);
  const sent = changesOf(world);
  await world.delete('CloudInstance', 'shop', heir);
  await world.gone('CloudInstance', 'shop', hour, heir);
  await world.clock.advance(2 * hour);
  expect(changesOf(world).slice(sent.length)).toEqual([expect.stringMatching(/^POST \/volumes\/\d+\/resize$/)]);
});

describe.each([
  ['CloudInstance', { accountRef, region: 'eu-central', type: 'g6-nanode-1' }],
  ['CloudVolume', { accountRef, region: 'eu-central', sizeGiB: 20 }],
])('the deletion of a %s while the account recovers', (kind, spec) => {
  it('waits where a namespace may have got back by its mark what it gave away; it says for what, and what can be done now', async () => {
    await world.apply(kind, 'old', { ...spec, lifecycle: { onDelete: 'Retain' } }, giver);
    const given = (await world.ready(kind, 'old', hour, giver)).status?.['id'];
    await world.delete(kind, 'old', giver);
    await world.gone(kind, 'old', hour, giver);
    await world.apply(kind, 'shop', { ...spec, adopt: { id: given } }, heir);
    await world.ready(kind, 'shop', hour, heir);
    await recover(true);
    const shop = await taken(kind, 'shop', heir);
    await world.clock.advance(120_000);
    const sent = changesOf(world);
    await world.apply(kind, 'old', { ...spec, lifecycle: { onDelete: 'Delete' } }, giver);
    await world.ready(kind, 'old', hour, giver);
    await restored(shop);
    await world.delete(kind, 'old', giver);
    const { message } = await world.reason(kind, 'old', 'DeletionHeld', hour, giver);
    expect(message).toContain('CloudAccount platform/default recovers (spec.recover)');
    await world.clock.advance(hour);
    expect(changesOf(world)).toEqual(sent);
    await world.patch(kind, 'old', { spec: { lifecycle: { onDelete: 'Retain' } } }, giver);
    await world.gone(kind, 'old', hour, giver);
    await world.ready(kind, 'shop', hour, heir);
    expect(changesOf(world)).toEqual(sent);
  });
  it('goes on for what its object made itself, and for the rest once the recovery is over', async () => {
    await world.apply(kind, 'old', { ...spec, lifecycle: { onDelete: 'Delete' } }, giver);
    await world.ready(kind, 'old', hour, giver);
    await recover(true);
    await world.apply(kind, 'other', { ...spec, lifecycle: { onDelete: 'Delete' } }, giver);
    await world.clock.advance(10_000);
    await world.delete(kind, 'old', giver);
    await world.gone(kind, 'old', hour, giver);
    await recover(false);
    await world.ready(kind, 'other', hour, giver);
    await recover(true);
    await world.clock.advance(10_000);
    const other = await taken(kind, 'other', giver);
    await world.clock.advance(120_000);
    await restored(other);
    await world.ready(kind, 'other', hour, giver);
    await world.delete(kind, 'other', giver);
    await world.reason(kind, 'other', 'DeletionHeld', hour, giver);
    await recover(false);
    await world.gone(kind, 'other', hour, giver);
  });
});
