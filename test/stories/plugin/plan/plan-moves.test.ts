import { beforeEach, describe, expect, it } from 'vitest';
import type { PlanData } from '../../../../src/plugin/output/plan-shape.ts';
import { cloud, dataOf, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { changesOf } from '../../../support/world/changes.ts';
import { World } from '../../../support/world/world.ts';

const [kind, minute] = ['CloudIPAddress', 60_000];
let world: World;
beforeEach(async () => {
  world = await World.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  for (const name of ['lb-1', 'lb-2']) {
    await world.apply('CloudInstance', name, { region: 'eu-central', type: 'g6-nanode-1' });
    await world.ready('CloudInstance', name);
  }
});
const idOf = async (name: string): Promise<number> => Number((await world.get('CloudInstance', name)).status?.['id']);

async function planned(spec: object): Promise<PlanData['objects'][number] | undefined> {
  const files = { 'vip.yaml': JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name: 'vip' }, spec }) };
  const ran = await cloud(world, `plan -f vip.yaml --endpoint ${endpoint} -o json`, { files, limit: 5 * minute });
  expect(ran.exit).toBe(1);
  return (dataOf(ran) as unknown as PlanData).objects[0];
}
/** It is there, and its object says of another instance that it is to have it. */
async function moves(before: object): Promise<void> {
  const after = { ...before, instanceRef: { name: 'lb-2' } };
  const entry = await planned(after);
  expect(entry).toMatchObject({
    action: 'change',
    changes: [{ field: 'instanceRef', from: await idOf('lb-1'), to: await idOf('lb-2') }],
  });
  const sent = changesOf(world).length;
  await world.apply(kind, 'vip', after);
  await world.ready(kind, 'vip');
  expect(changesOf(world).slice(sent)).toEqual(entry?.calls.map(({ method, path }) => `${method} ${path}`));
}

describe('a plan of an address that moves to another instance says what the apply does', () => {
  it.each([
    ['of one that was made here', { type: 'IPv4' }],
    ['of a range', { type: 'IPv6Range', prefixLength: 64 }],
  ])('%s', async (_, spec) => {
    const before = { ...spec, instanceRef: { name: 'lb-1' } };
    await world.apply(kind, 'vip', before);
    await world.ready(kind, 'vip');
    await world.clock.advance(10 * minute);
    await moves(before);
  });

  it('of one that is adopted', async () => {
    const made = await world.emulator.control.actAs({
      username: 'admin',
      method: 'POST',
      path: '/v4/networking/ips',
      body: { vm_id: await idOf('lb-1'), type: 'ipv4', public: true },
    });
    const { address } = JSON.parse(String(made.body)) as { readonly address: string };
    expect(made.status).toBe(200);
    const before = { type: 'IPv4', adopt: { id: address }, instanceRef: { name: 'lb-1' } };
    await world.apply(kind, 'vip', before);
    await world.ready(kind, 'vip');
    await moves(before);
  });
});
