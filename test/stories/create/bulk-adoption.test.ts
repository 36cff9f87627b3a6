import { plural } from '../../../src/generate/names.ts';
import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

interface Member {
  readonly kind: string;
  readonly name: string;
  readonly spec: Record<string, unknown>;
  readonly post: string;
  readonly body: Record<string, unknown>;
  readonly children?: readonly Member[];
}
const times = <T>(count: number, make: (n: number) => T): readonly T[] => Array.from({ length: count }, (_, n) => make(n));
const record = (n: number, zone: string): Member => ({
  kind: 'CloudDomainRecord',
  name: `${zone}-r${n}`,
  spec: { domainRef: { name: zone }, type: 'A', host: `r${n}`, target: '203.0.113.7' },
  post: '/records',
  body: { type: 'A', name: `r${n}`, target: '203.0.113.7' },
});
const volume = (n: number): Member => ({
  kind: 'CloudVolume',
  name: `v${n}`,
  spec: { label: `v${n}`, region: 'eu-central', sizeGiB: 20 },
  post: '/volumes',
  body: { label: `v${n}`, region: 'eu-central', size: 20 },
});
const members: readonly Member[] = [
  ...times(3, (n) => ({
    kind: 'CloudDomain',
    name: `d${n}`,
    spec: { domain: `d${n}.example`, type: 'master', soaEmail: 'admin@example.org' },
    post: '/domains',
    body: { domain: `d${n}.example`, type: 'master', soa_email: 'admin@example.org' },
    children: times(60, (r) => record(r, `d${n}`)),
  })),
  ...times(60, volume),
  ...times(10, (n) => ({
    kind: 'CloudFirewall',
    name: `wall${n}`,
    spec: { label: `wall${n}`, inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' },
    post: '/networking/firewalls',
    body: { label: `wall${n}`, rules: { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' } },
  })),
  ...times(10, (n) => ({
    kind: 'CloudInstance',
    name: `web${n}`,
    spec: { label: `web${n}`, region: 'eu-central', type: 'g6-nanode-1' },
    post: '/vm/instances',
    body: { label: `web${n}`, region: 'eu-central', type: 'g6-nanode-1' },
  })),
];
const pages = 4 + 3;
const parts = 2 * (10 + 10 + 3);

async function make(world: World, { post, body }: Member, below = ''): Promise<string> {
  const answer = await world.emulator.control.actAs({ username: 'admin', method: 'POST', path: `/v4${below}${post}`, body });
  return `${below}${post}/${(JSON.parse(String(answer.body)) as { id: number }).id}`;
}
interface Applied {
  readonly kind: string;
  readonly name: string;
}
async function plantAndApply(world: World): Promise<readonly Applied[]> {
  const all: Applied[] = [];
  const plant = async (member: Member, below = ''): Promise<void> => {
    const path = await make(world, member, below);
    await world.apply(member.kind, member.name, { ...member.spec, adopt: { id: path.slice(path.lastIndexOf('/') + 1) } });
    all.push(member);
    for (const child of member.children ?? []) await plant(child, path);
  };
  for (const member of members) await plant(member);
  return all;
}

// Each remote was read by its id although the sweep had just listed it: 10,000 adoptions took six windows of a minute.
it('many objects are adopted from the listings: three calls a page, and two writes an object', { timeout: 120_000 }, async () => {
  const world = await World.create({ emulator: { speed: 10 } });
  await world.account();
  const all = await plantAndApply(world);
  await world.clock.advance(60_000);
  const planted = world.emulator.control.requests().length;
  const before = world.server.ledger.writes.length;
  await world.start();
  for (const { kind, name } of all) await world.ready(kind, name);
  await world.clock.advance(5000);
  const calls = world.emulator.control
    .requests()
    .slice(planted)
    .filter(({ path }) => !path.startsWith('/account') && path !== '/profile');
  const items = calls.filter(({ path }) => /\/\d+$/.test(path));
  expect(items.map(({ path }) => path)).toEqual([]);
  expect(calls.length).toBeLessThanOrEqual(3 * pages + parts + 8);
  const writes = world.server.ledger.writes.slice(before).filter(({ verb, resource }) => verb === 'patch' && resource !== 'cloudaccounts');
  const often = all.filter(({ kind, name }) => writes.filter((one) => one.resource === plural(kind) && one.name === name).length > 2);
  expect(often.map(({ name }) => name)).toEqual([]);
});

// 10,000 were adopted in six minutes beside other work: each row had been dropped before its object's next turn, and was read by its id.
it('nor is one read where Kubernetes is slow, and each identity takes a while to be written', { timeout: 120_000 }, async () => {
  const slow = { there: 7_000, back: 7_000 };
  const world = await World.create({
    emulator: { speed: 10 },
    between: (server, backend) => ({
      handle: (request) => backend.handle(request),
      travel: (request) => (server === 'kube' && request.method === 'PATCH' ? slow : { there: 0, back: 0 }),
    }),
  });
  await world.account();
  const volumes = times(200, volume);
  for (const member of volumes) {
    const path = await make(world, member);
    await world.apply(member.kind, member.name, { ...member.spec, adopt: { id: path.slice(path.lastIndexOf('/') + 1) } });
  }
  const planted = world.emulator.control.requests().length;
  await world.start();
  for (const { name } of volumes) await world.ready('CloudVolume', name);
  const calls = world.emulator.control.requests().slice(planted);
  expect(calls.map(({ path }) => path).filter((path) => /^\/volumes\/\d+$/.test(path))).toEqual([]);
});

it('nothing of what an object would adopt is read on while the API server does not take its identity', async () => {
  let isRefused = true;
  const denied = JSON.stringify({ kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden', message: 'denied by a webhook' });
  const world = await World.create({
    emulator: { speed: 10 },
    between: (server, backend) => ({
      handle: (request) =>
        isRefused && server === 'kube' && request.method === 'PATCH' && /cloudfirewalls.wall\d+(?:[?]|$)/.test(request.path)
          ? Promise.resolve({ status: 403, headers: { 'content-type': 'application/json' }, body: denied })
          : backend.handle(request),
    }),
  });
  await world.account();
  const wall = members.find(({ kind }) => kind === 'CloudFirewall');
  if (wall === undefined) throw new Error('no firewall');
  const path = await make(world, wall);
  await world.apply(wall.kind, wall.name, { ...wall.spec, adopt: { id: path.slice(path.lastIndexOf('/') + 1) } });
  const planted = world.emulator.control.requests().length;
  await world.start();
  await world.clock.advance(60 * 60_000);
  const reads = world.emulator.control
    .requests()
    .slice(planted)
    .filter(({ path: asked }) => asked.startsWith(path));
  expect(reads).toEqual([]);
  isRefused = false;
  await world.ready(wall.kind, wall.name, 60 * 60_000);
});
