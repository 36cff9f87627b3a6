import { beforeEach, describe, expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
const region = 'us-east';
let world: World;
let user: CloudUser;
beforeEach(async () => {
  ({ world } = await connectedWorld());
  user = new CloudUser(world);
});
const why = async (line: string): Promise<string> => (await cloud(world, `why ${line}`, { limit: 10 * minute })).out;
const patchIn = (out: string): Record<string, unknown> =>
  JSON.parse(/ patch \w+ \S+ --type=merge -p '(.*)'/.exec(out)?.[1] ?? '') as Record<string, unknown>;

describe('why of what is there already under its name', () => {
  let id: number;
  beforeEach(async () => {
    ({ id } = (await user.post('/volumes', { label: 'data', region, size: 20 })) as { id: number });
    // Who did that is told by an event.
    await world.clock.advance(minute);
    await world.apply('CloudVolume', 'data', { region, sizeGiB: 20, label: 'data' });
    await world.reason('CloudVolume', 'data', 'AlreadyExists');
  });
  it('says who made it, where the account tells, and offers to take it over, or another name', async () => {
    const out = await why('cvol/data');
    expect(out).toContain(
      `/volumes/${id} exists in the account (made 2026-01-01T00:00:00Z by colleague), and nothing shows that it was made for this object`,
    );
    expect(out).toContain('else write another spec.label, or rename or delete the one there\n');
    expect(out).toContain(
      `\n  kubectl -n team-a patch cloudvolume data --type=merge -p '{"spec":{"adopt":{"id":${id}}}}'\n  kubectl -n team-a edit cloudvolume data\n`,
    );
    expect(out).toMatch(
      /\nWhat to do: If it is what this object is for, the first line takes it over: it is then changed to what this spec says, and stays in the account when this object is deleted\. .* If it is something else, give this object another spec\.label, by the second line\.\n/,
    );
  });
  it('is no mere absence to diff, which leads to why', async () => {
    const { exit, out } = await cloud(world, 'diff -A');
    expect(exit).toBe(1);
    expect(out).toMatch(
      new RegExp(
        `^CloudVolume team-a/data {2}not made: /volumes/${id} exists in the account .*\\. See who has it, and what to do: kubectl cloud why -n team-a cvol/data\\n$`,
      ),
    );
  });
  it('takes it over by the line that is told', async () => {
    await world.patch('CloudVolume', 'data', patchIn(await why('cvol/data')));
    expect((await world.ready('CloudVolume', 'data')).status).toMatchObject({ id: String(id), origin: 'Adopted' });
  });
  it('says so where it is deleted with the object that takes it over', async () => {
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { onDelete: 'Delete' } } });
    await world.clock.advance(minute);
    expect(await why('cvol/data')).toMatch(/\nWhat to do: .*is deleted with this object \(lifecycle\.onDelete: Delete\)/);
  });
  it('offers nothing that another object has by now', async () => {
    await world.apply('CloudVolume', 'other', { region, sizeGiB: 20, label: 'data', adopt: { id } });
    await world.ready('CloudVolume', 'other');
    const out = await why('cvol/data');
    expect(out).toContain(`\n  CloudVolume team-a/other: AlreadyClaimed: it has /volumes/${id} by now\n`);
    expect(out).not.toContain('"adopt"');
    expect(out).toContain('\n  kubectl -n team-a edit cloudvolume data\n');
  });
});

it('why of a name that is set once has its object made anew, as nothing was made for it', async () => {
  const { id } = (await user.post('/domains', { domain: 'shop.example', type: 'master', soa_email: 'a@shop.example' })) as { id: number };
  await world.apply('CloudDomain', 'zone', { domain: 'shop.example', type: 'master', soaEmail: 'a@shop.example' });
  await world.reason('CloudDomain', 'zone', 'AlreadyExists');
  const out = await why('cdom/zone');
  expect(out).toContain('else make an object with another spec.domain in place of this one, or rename or delete the one there\n');
  expect(out).toContain(
    `\n  kubectl -n team-a patch clouddomain zone --type=merge -p '{"spec":{"adopt":{"id":${id}}}}'\n  kubectl -n team-a delete clouddomain zone\n`,
  );
});

it('why of a name of which this namespace may not be told what it is offers no adoption', async () => {
  await world.namespace('team-b');
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'] }] } });
  await user.post('/volumes', { label: 'data', region, size: 20 });
  await world.apply(
    'CloudVolume',
    'data',
    { region, sizeGiB: 20, label: 'data', accountRef: { namespace: 'team-a', name: 'default' } },
    'team-b',
  );
  await world.reason('CloudVolume', 'data', 'AlreadyExists', 10 * minute, 'team-b');
  const out = await why('cvol/data -n team-b');
  expect(out).not.toMatch(/"adopt"|colleague/);
  expect(out).toContain('\n  kubectl -n team-b edit cloudvolume data\n');
});
