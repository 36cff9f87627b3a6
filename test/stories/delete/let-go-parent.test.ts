import { beforeEach, expect, it } from 'vitest';
import { connectedWorld } from '../../support/world/connected-world.ts';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { changesSince, lastRequest } from '../../support/world/gitops.ts';
import type { World } from '../../support/world/world.ts';

const minute = 60_000;
let world: World;
beforeEach(async () => {
  ({ world } = await connectedWorld());
});
const made = async (kind: string, name: string, spec: Record<string, unknown>): Promise<string> => {
  await world.apply(kind, name, spec);
  return String((await world.ready(kind, name, 10 * minute)).status?.['path']);
};
const isThere = async (path: string): Promise<boolean> =>
  (await world.emulator.control.actAs({ username: 'admin', method: 'GET', path: `/v4${path}` })).status === 200;
const of = { instanceRef: { name: 'web' } };
const disk = { ...of, sizeMB: 2000, filesystem: 'ext4' };
const inZone = { domainRef: { name: 'zone' }, type: 'A', target: '203.0.113.5' };
const lost = { lifecycle: { onDelete: 'Delete' } };
const kept = { lifecycle: { onDelete: 'Retain' } };

/** A machine and a zone that are let go on purpose, and what names them. */
const children: readonly (readonly [string, string, Record<string, unknown>])[] = [
  ['CloudDisk', 'root', { ...disk, label: 'root' }],
  ['CloudDisk', 'scratch', { ...disk, label: 'scratch', ...lost }],
  ['CloudInstanceConfig', 'main', { ...of, label: 'main', devices: { sda: { diskRef: { name: 'root' } } } }],
  ['CloudIPAddress', 'vip', { ...of, type: 'IPv6Range', prefixLength: 64 }],
  ['CloudIPShare', 'share', { ...of, addresses: [], ...kept }],
  ['CloudVolume', 'data', { region: 'eu-central', ...of }],
  ['CloudFirewall', 'edge', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs: [{ name: 'web' }] }],
  ['CloudDomainRecord', 'www', inZone],
  ['CloudDomainRecord', 'kept', { ...inZone, target: '203.0.113.6', ...kept }],
];
async function letGo(): Promise<ReadonlyMap<string, string>> {
  await made('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', ...kept });
  await made('CloudDomain', 'zone', { domain: 'shop.example', type: 'master', soaEmail: 'a@shop.example' });
  const paths = new Map<string, string>();
  for (const [kind, name, spec] of children) paths.set(`${kind}/${name}`, await made(kind, name, spec));
  for (const [kind, name] of [
    ['CloudInstance', 'web'],
    ['CloudDomain', 'zone'],
  ] as const) {
    await world.delete(kind, name);
    await world.gone(kind, name);
  }
  for (const [kind, name] of children) await world.reason(kind, name, 'ReferenceNotReady');
  await world.clock.advance(3 * minute);
  return paths;
}
const messageOf = async (kind: string, name: string): Promise<string> => (await world.condition(kind, name, 'Synced'))?.message ?? '';

const offered =
  /is not found\. Create it.*\. If that was let go on purpose, .*delete this object too: its cloud resource (will be deleted|stays in the account).* \((\S+)\)(\. To have that stay, set spec\.lifecycle\.onDelete: Retain before)?$/;

it('what names something that was let go offers its own deletion, and that does what was said', async () => {
  const paths = await letGo();
  const pathOf = ([kind, name]: (typeof children)[number]): string => paths.get(`${kind}/${name}`) ?? '';
  const said: boolean[] = [];
  for (const child of children) {
    const message = await messageOf(child[0], child[1]);
    const [, does, path, keeping] = offered.exec(message) ?? [];
    expect([message, path, keeping !== undefined]).toEqual([message, pathOf(child), does === 'will be deleted']);
    said.push(does !== 'will be deleted');
  }
  expect(said.filter((stays) => stays)).toHaveLength(5);
  for (const child of children) expect(await isThere(pathOf(child))).toBe(true);
  for (const [kind, name] of children) await world.delete(kind, name);
  for (const [kind, name] of children) await world.gone(kind, name, 20 * minute);
  await world.clock.advance(minute);
  const left = await Promise.all(children.map((child) => isThere(pathOf(child))));
  expect(children.map(([kind, name], at) => [kind, name, left[at]])).toEqual(children.map(([kind, name], at) => [kind, name, said[at]]));
});

it('what is taken out of a spec instead is undone in the account, as is said', async () => {
  const paths = await letGo();
  const undone =
    'If that was let go on purpose, take it out of this spec (which undoes it in the account, too), or delete this object too: ';
  for (const kind of ['CloudVolume/data', 'CloudFirewall/edge'])
    expect(await messageOf(...(kind.split('/') as [string, string]))).toContain(undone);
  for (const kind of ['CloudDisk/root', 'CloudDomainRecord/www', 'CloudIPAddress/vip'])
    expect(await messageOf(...(kind.split('/') as [string, string]))).not.toContain('take it out');
  await world.patch('CloudVolume', 'data', { spec: { instanceRef: null } });
  await world.patch('CloudFirewall', 'edge', { spec: { instanceRefs: [] } });
  await world.ready('CloudVolume', 'data', 10 * minute);
  await world.ready('CloudFirewall', 'edge', 10 * minute);
  const [volume] = world.emulator.control.rows('volumes') as unknown as { vm_id: number | null }[];
  expect(volume?.vm_id).toBeNull();
  expect(world.emulator.control.rows('firewall devices')).toEqual([]);
  expect(paths.size).toBe(children.length);
});

it('a protected one says so first, and what never had anything of the account is offered nothing', async () => {
  await letGo();
  await world.patch('CloudDisk', 'scratch', { spec: { lifecycle: { protect: true } } });
  await world.clock.advance(2 * minute);
  expect(await messageOf('CloudDisk', 'scratch')).toContain(
    'on purpose, set spec.lifecycle.protect: false and delete this object too: its cloud resource will be deleted (',
  );
  await world.apply('CloudDisk', 'late', { ...disk, label: 'late' });
  expect((await world.reason('CloudDisk', 'late', 'ReferenceNotReady')).message).not.toContain('let go on purpose');
});

it('why offers the deletion with what it does, and the line that keeps what it has', async () => {
  const paths = await letGo();
  const seq = lastRequest(world);
  const of = async (name: string) => (await cloud(world, `why ${name}`)).out;
  expect(await of('cdisk/root')).toContain(
    `What to do: Create it. If it was let go on purpose, this object waits for ever: the first line deletes it, and its cloud resource stays in the account, and goes on costing what it costs (${paths.get('CloudDisk/root')}).\n  kubectl -n team-a delete clouddisk root\n`,
  );
  expect(await of('crec/www')).toContain(
    `the second line deletes it, and its cloud resource will be deleted (${paths.get('CloudDomainRecord/www')}); to have that stay, type the first one before.\n  kubectl -n team-a patch clouddomainrecord www --type=merge -p '{"spec":{"lifecycle":{"onDelete":"Retain"}}}'\n  kubectl -n team-a delete clouddomainrecord www\n`,
  );
  expect(await of('cvol/data')).toContain(
    'What to do: Create it, or correct spec.instanceRef with the first line. If it was let go on purpose, and this object is not wanted without it: the second line deletes it, and its cloud resource stays',
  );
  await world.patch('CloudDomainRecord', 'www', { spec: { lifecycle: { onDelete: 'Retain' } } });
  await world.delete('CloudDomainRecord', 'www');
  await world.gone('CloudDomainRecord', 'www');
  expect(changesSince(world, seq)).toEqual([]);
});
