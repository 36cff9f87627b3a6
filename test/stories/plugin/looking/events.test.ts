import { beforeEach, expect, it } from 'vitest';
import type { RowsData } from '../../../../src/plugin/output/account-shapes.ts';
import { accountEvent } from '../../../../src/plugin/output/line-shapes.ts';
import { envelopeOf } from '../../../../src/plugin/output/shapes.ts';
import { begin, cloud, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
const at = `--endpoint ${endpoint}`;
let world: World;
let path: string;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  for (const name of ['edge', 'other']) await world.apply('CloudFirewall', name, { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' });
  for (const name of ['edge', 'other']) await world.ready('CloudFirewall', name);
  path = String((await world.get('CloudFirewall', 'edge')).status?.['path']);
  await world.clock.advance(10 * minute);
  await new CloudUser(world).put(path, { label: 'renamed' });
  await new CloudUser(world).post('/volumes', { region: 'us-east', size: 20, label: 'by-hand' });
  await world.clock.advance(minute);
});
const asked = (line: string): Promise<Ran> => cloud(world, `${line} ${at}`, { limit: 5 * minute });
const rowsOf = async (line: string): Promise<RowsData['rows']> => (dataOf(await asked(`${line} -o json`)) as unknown as RowsData).rows;
const newest = (): number => Math.max(...world.emulator.control.rows('events').map((row) => Number((row as { id?: number }).id)));
const actions = (rows: RowsData['rows']): readonly unknown[] => rows.map(({ action }) => action);

it('events name the object that they are about, and the operator', async () => {
  const rows = await rowsOf('events');
  const theirs = rows.find(({ action, username }) => action === 'firewall_update' && username === 'colleague');
  expect(theirs).toMatchObject({ object: 'CloudFirewall team-a/edge', operatorsUser: false });
  expect(rows.find(({ action, object }) => action === 'firewall_create' && object === 'CloudFirewall team-a/other')).toMatchObject({
    operatorsUser: true,
  });
  expect(rows.find(({ action }) => action === 'volume_create')).toMatchObject({ object: null, operatorsUser: false });
  // A colleague who has the same user is not told apart, and nothing says so.
  expect(rows.filter((row) => Object.hasOwn(row, 'operator'))).toEqual([]);
  const { out, err } = await asked('events');
  expect(out).toMatch(/^ID +CREATED +USER +ACTION +LABEL +OBJECT +STATUS +DURATION\n/);
  expect(out).toMatch(/admin \(operator's user\) +firewall_create .*CloudFirewall team-a\/edge/);
  expect(err).toContain("operator's user: the one whose token a CloudAccount has, here admin (CloudAccount team-a/default). What is under");
});

it('events of a kind, or about an object, and none other', async () => {
  expect(new Set(actions(await rowsOf('events --kind cvol')))).toEqual(new Set(['volume_create']));
  expect(new Set((await rowsOf('events --kind cfw/edge')).map(({ object }) => object))).toEqual(new Set(['CloudFirewall team-a/edge']));
  expect(await rowsOf('events cfw/edge')).toEqual(await rowsOf('events --kind cfw/edge'));
  expect(await rowsOf('events cvol')).toEqual(await rowsOf('events --kind cvol'));
  expect((await asked('events cfw/edge --kind cvol')).exit).toBe(2);
  expect((await asked('events --kind cfw/none')).exit).toBe(4);
  expect((await asked('events --kind colour')).exit).toBe(2);
  expect(await rowsOf('events --since 30d --kind cfw/edge --user colleague')).toHaveLength(1);
});

it('an event about what lies below names the object that has what it names', async () => {
  await world.apply('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' });
  await world.apply('CloudDomainRecord', 'www', { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '192.0.2.1' });
  await world.ready('CloudDomainRecord', 'www');
  await world.clock.advance(minute);
  expect((await rowsOf('events')).find(({ action }) => action === 'domain_record_create')).toMatchObject({
    object: 'CloudDomain team-a/zone',
  });
  expect(actions(await rowsOf('events cdom/zone'))).toContain('domain_record_create');
  const none = await asked('events crec/www');
  expect([none.exit, none.out]).toEqual([0, 'There are none.\n']);
  expect(none.err).toContain(
    'events name only what CloudDomainRecord team-a/www lies below: kubectl cloud history -n team-a crec/www shows those of that',
  );
});

it('how long something took is told as a time, and where the service gave none there is nothing', async () => {
  await world.apply('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1' });
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(minute);
  const made = (await rowsOf('events')).find(({ action }) => action === 'vm_create');
  world.emulator.control.edit({ collection: 'events', key: Number(made?.['id']), row: { duration: 185.4 } });
  const { out } = await asked('events');
  expect(out).toMatch(/ vm_create .* finished +3m05s\n/);
  expect(out).toMatch(/ firewall_create .* notification\n/);
  expect((await asked('get events')).out).toMatch(/ vm_create .* finished +3m05s\n/);
  expect((await rowsOf('events')).find(({ action }) => action === 'vm_create')).toMatchObject({ duration: 185.4 });
});

it('an account is read once a ten seconds while events are followed, each is told once, and Ctrl-C ends it', async () => {
  expect((await asked('events --watch -o json')).exit).toBe(2);
  const typed = begin(world, `events -w --kind cfw ${at}`, { namespace: 'team-a' });
  await world.clock.advance(15_000);
  const before = world.emulator.control.requests().length;
  await new CloudUser(world).put(path, { label: 'again' });
  await world.clock.advance(minute);
  const asks = world.emulator.control
    .requests()
    .slice(before)
    .filter(({ userAgent, query }) => userAgent.includes('(events)') && query.includes('page_size=100'));
  expect(asks.length).toBeGreaterThanOrEqual(5);
  expect(asks.length).toBeLessThanOrEqual(7);
  typed.interrupt();
  const { exit, out } = await typed.ended();
  expect(exit).toBe(130);
  const lines = out.trimEnd().split('\n');
  expect(lines.at(-1)).toMatch(/^\S+ {2}\S+.* {2}firewall_update {2}CloudFirewall team-a\/edge {2}/);
  expect(lines.filter((line) => line.includes('colleague'))).toHaveLength(2);
  expect(new Set(lines).size).toBe(lines.length);
});

it('events are followed as one object a line for a script, whole ones alone, and Ctrl-C ends them with one that says so', async () => {
  expect(await asked('events -o jsonl')).toMatchObject({ exit: 2, err: expect.stringContaining('add --watch, or write -o json') });
  const typed = begin(world, `events -w --kind cfw -o jsonl ${at}`, { namespace: 'team-a' });
  await world.clock.advance(15_000);
  // What people call things breaks no line.
  await new CloudUser(world).put(path, { label: 'again' });
  world.emulator.control.edit({ collection: 'events', key: newest(), row: { message: 'one\ntwo\u2028three\u0007' } });
  await world.clock.advance(minute);
  typed.interrupt();
  const { exit, out } = await typed.ended();
  expect([exit, out.endsWith('\n')]).toEqual([130, true]);
  const lines = out.split('\n').slice(0, -1);
  const told = lines.slice(0, -1).map((line) => accountEvent.strict().parse(JSON.parse(line)).event);
  expect(told.map(({ action }) => action)).toEqual(['firewall_create', 'firewall_create', 'firewall_update', 'firewall_update']);
  expect(told.at(-1)).toMatchObject({ object: 'CloudFirewall team-a/edge', username: 'colleague', message: 'one\ntwo\u2028three\u0007' });
  envelopeOf('Error')
    .strict()
    .parse(JSON.parse(lines.at(-1) ?? ''));
});

it.each(['', ' -o jsonl'])('events are followed no longer than somebody reads them%s', async (form) => {
  let isRead = true;
  const typed = begin(world, `events -w --kind cfw${form} ${at}`, { namespace: 'team-a', isRead: () => isRead });
  await world.clock.advance(30_000);
  expect(typed.isOver()).toBe(false);
  isRead = false;
  expect((await typed.ended()).exit).toBe(0);
});

it('a caller who may list no objects sees events all the same', async () => {
  world.server.addUser('reader', { name: 'reader' });
  world.server.setGrants([
    {
      to: 'reader',
      rules: [
        { apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get'] },
        { apiGroups: [''], resources: ['secrets', 'configmaps'], verbs: ['get'] },
      ],
    },
  ]);
  const { exit, err, out } = await cloud(world, `events ${at}`, { limit: 5 * minute, token: 'reader' });
  expect([exit, err.includes('you may not list objects'), out.includes('firewall_create')]).toEqual([0, true, true]);
});

it('plans that cost no more than asked', async () => {
  const all = await rowsOf('types');
  const cheap = await rowsOf('types --max-usd 20');
  expect(cheap.length).toBeGreaterThan(0);
  expect(cheap.length).toBeLessThan(all.length);
  for (const { price } of cheap) expect((price as { monthly: number }).monthly).toBeLessThanOrEqual(20);
  expect((await asked('types --max-usd cheap')).exit).toBe(2);
  const named = async (line: string) => (await rowsOf(line)).map(({ id }) => id);
  expect(await named('types --region us-east')).toEqual(all.map(({ id }) => id));
  const without = await named('types --region us-west');
  expect(all.map(({ id }) => id).filter((id) => !without.includes(id))).toEqual(['g1-gpu-rtx6000-1']);
  expect(await named('types --region us-west --max-usd 5')).toEqual(['g6-nanode-1']);
  expect(await asked('types --region us-est')).toMatchObject({ exit: 2, err: expect.stringContaining('did you mean us-east') as string });
  expect((await asked('types g6-nanode-1 --region us-east')).exit).toBe(2);
  expect(await rowsOf('regions us-east')).toHaveLength(1);
  for (const verb of ['images', 'versions', 'engines']) expect((await rowsOf(verb)).length).toBeGreaterThan(0);
});
