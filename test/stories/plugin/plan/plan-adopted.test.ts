import { beforeEach, describe, expect, it } from 'vitest';
import type { PlanData } from '../../../../src/plugin/output/plan-shape.ts';
import { ConnectionLost } from '../../../support/virtual/backend.ts';
import { cloud, type CliOptions, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});

/** A cluster that nobody may ask. */
const alone: CliOptions = { between: () => ({ handle: () => Promise.reject(new ConnectionLost()) }) };
const document = (kind: string, name: string, spec: object) =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name }, spec });
const planned = async (line: string, files: Record<string, string>, options: CliOptions = {}): Promise<PlanData['objects']> =>
  (dataOf(await cloud(world, `plan ${line} -o json`, { limit: 300_000, files, ...options })) as unknown as PlanData).objects;
const told = (objects: PlanData['objects']) =>
  objects.map(({ name, action, after, message, refusal }) => `${name} ${action} ${after.join()}: ${message ?? refusal?.message ?? ''}`);

const idOf = async (kind: string, name: string): Promise<unknown> => (await world.get(kind, name)).status?.['id'];

const plain = { domain: 'example.org', type: 'master', soaEmail: 'dns@example.org' };
const zone = { ...plain, adopt: { id: 1001 } };
const named = { domainRef: { name: 'zone' }, type: 'A', host: 'www' };
const record = { ...named, target: '203.0.113.7' };
const ofMachine = { region: 'eu-central', type: 'g6-nanode-1' };
const machine = { ...ofMachine, bootConfigRef: { name: 'boot' }, adopt: { id: 2001 } };
const disk = { instanceRef: { name: 'web' }, sizeMB: 20_000, adopt: { id: 3001 } };
const config = { instanceRef: { name: 'web' }, devices: { sda: { diskRef: { name: 'root' } } }, adopt: { id: 4001 } };

describe('what is in something that is adopted', () => {
  const files = {
    'new/all.yaml': [
      document('CloudDomainRecord', 'www', { ...record, adopt: { id: 1002 } }),
      document('CloudDomainRecord', 'mail', { ...record, host: 'mail' }),
      document('CloudDomain', 'zone', zone),
      document('CloudInstance', 'web', machine),
      document('CloudDisk', 'root', disk),
      document('CloudInstanceConfig', 'boot', config),
    ].join('\n---\n'),
    'old/none.yaml': '',
  };
  it.each([
    ['of manifests alone', '-f new --base old --against none', alone, 'default'],
    ['against the cluster', '-f new --against cluster', {}, 'team-a'],
  ])('is adopted or made after it, %s', async (_, line, options, namespace) => {
    const untold = 'the account was not asked: what it takes over, and what differs there, is not looked at';
    const unasked = 'the account was not asked: whether it is there already in what is taken over is not looked at';
    expect(told(await planned(line, files, options))).toEqual([
      `www adopt CloudDomain ${namespace}/zone: ${untold}`,
      `mail create CloudDomain ${namespace}/zone: ${unasked}`,
      `zone adopt : ${untold}`,
      `web adopt : ${untold}`,
      `root adopt CloudInstance ${namespace}/web: ${untold}`,
      `boot adopt CloudInstance ${namespace}/web,CloudDisk ${namespace}/root: ${untold}`,
    ]);
  });
});

describe('against the cluster', () => {
  const before = [document('CloudDomain', 'old', plain), document('CloudDomainRecord', 'www', { ...record, domainRef: { name: 'old' } })];
  beforeEach(async () => {
    await world.apply('CloudDomain', 'old', plain);
    await world.ready('CloudDomain', 'old');
    await world.apply('CloudDomainRecord', 'www', { ...record, domainRef: { name: 'old' } });
    await world.ready('CloudDomainRecord', 'www');
  });
  const renamed = async () => [
    document('CloudDomain', 'zone', { ...plain, adopt: { id: await idOf('CloudDomain', 'old') } }),
    document('CloudDomainRecord', 'www-2', { ...record, adopt: { id: await idOf('CloudDomainRecord', 'www') } }),
  ];

  it('what is renamed is handed over with what is in it', async () => {
    const files = { 'old/all.yaml': before.join('\n---\n'), 'new/all.yaml': (await renamed()).join('\n---\n') };
    const objects = await planned('-f new --base old --against cluster', files);
    expect(objects.map(({ name, action }) => `${name} ${action}`)).toEqual(['zone adopt', 'www-2 adopt', 'old retain', 'www retain']);
    expect(objects.flatMap(({ unknown = [] }) => unknown)).toEqual([]);
  });
  it('what another object has is refused, as it is against the account', async () => {
    const objects = await planned('-f new --against cluster', { 'new/all.yaml': (await renamed()).join('\n---\n') });
    expect(objects).toMatchObject([
      { name: 'zone', action: 'refused', refusal: { reason: 'AlreadyClaimed' } },
      { name: 'www-2', action: 'wait', message: expect.stringContaining('CloudDomain zone has no id yet') as string },
    ]);
  });
  it('what the operator has looked for and not found stays refused, and what is in it waits', async () => {
    await world.apply('CloudDomain', 'zone', { ...zone, adopt: { id: 4711 } });
    await world.reason('CloudDomain', 'zone', 'RemoteMissing');
    const files = { 'new/www.yaml': document('CloudDomainRecord', 'www-2', record) };
    expect(await planned('-f new --against cluster', files)).toMatchObject([{ name: 'www-2', action: 'wait' }]);
    const both = { ...files, 'new/zone.yaml': document('CloudDomain', 'zone', { ...zone, adopt: { id: 4711 } }) };
    expect(await planned('-f new --against cluster', both)).toMatchObject([
      { name: 'www-2', action: 'wait' },
      { name: 'zone', action: 'refused', refusal: { reason: 'RemoteMissing' } },
    ]);
  });
});

it('what was adopted is told as kept where its manifest is taken away, and so is what names it', async () => {
  const parts = [document('CloudDisk', 'root', disk), document('CloudInstanceConfig', 'boot', config)];
  const files = {
    'old/all.yaml': [document('CloudInstance', 'web', machine), ...parts].join('\n---\n'),
    'new/all.yaml': parts.join('\n---\n'),
  };
  const objects = await planned('-f new --base old --against none', files, alone);
  const web = objects.find(({ name }) => name === 'web');
  expect(web?.action).toBe('retain');
  const stays = 'once deleted, its cloud resource stays in the account, and goes on costing what it costs';
  expect(web?.message).toContain(`CloudDisk default/root (${stays})`);
  expect(web?.message).toContain(`CloudInstanceConfig default/boot (${stays})`);
  expect(JSON.stringify(objects)).not.toContain('/supposed/');
});

const inZone = (name: string, more: object = {}) => ({ ...record, domainRef: { name }, ...more });
describe('a rename in manifests alone', () => {
  const [asks, unlike] = [{ adopt: { id: 5 } }, { target: '192.0.2.99' }];
  const lifecycle = { onDelete: 'Delete' };
  it.each<readonly [string, object, object, readonly [string, number]]>([
    ['is told as left to the new one', {}, asks, ['retain', 1]],
    ['is told as that for sure where both name its id', { ...asks, lifecycle }, asks, ['retain', 0]],
    ['is a deletion where both name another one', { adopt: { id: 6 }, lifecycle }, asks, ['delete', 0]],
    ['is a deletion where the new one asks for nothing', {}, {}, ['delete', 0]],
    ['is a deletion where the new one says something else', {}, { ...asks, ...unlike }, ['delete', 0]],
  ])('%s', async (_, before, after, [action, unknown]) => {
    const files = {
      'old/all.yaml': [document('CloudDomain', 'old', plain), document('CloudDomainRecord', 'www', inZone('old', before))].join('\n---\n'),
      'new/all.yaml': [
        document('CloudDomain', 'zone', { ...plain, adopt: { id: 7 } }),
        document('CloudDomainRecord', 'www-2', inZone('zone', after)),
      ].join('\n---\n'),
    };
    const objects = await planned('-f new --base old --against none', files, alone);
    const www = objects.find(({ name }) => name === 'www');
    expect([www?.action, www?.unknown?.length ?? 0]).toEqual([action, unknown]);
    const isLeft = www?.message?.includes('left to CloudDomainRecord default/www-2, which asks for it (spec.adopt)');
    expect(isLeft === true).toBe(action === 'retain');
    const limited = await cloud(world, 'plan -f new --base old --against none --max-deletes 0', { files, ...alone });
    expect(limited.exit).toBe(action === 'delete' || unknown === 1 ? 3 : 1);
  });
  it('is a deletion where the new one is in a zone of others, or several ask', async () => {
    const others = [document('CloudDomain', 'theirs', { ...plain, domain: 'example.net' })];
    const old = [document('CloudDomain', 'old', plain), document('CloudDomainRecord', 'www', inZone('old'))];
    const actionIn = async (now: readonly string[]) => {
      const files = { 'old/all.yaml': [...others, ...old].join('\n---\n'), 'new/all.yaml': [...others, ...now].join('\n---\n') };
      return (await planned('-f new --base old --against none', files, alone)).find(({ name }) => name === 'www')?.action;
    };
    const kept = old.slice(0, 1);
    expect(await actionIn([...kept, document('CloudDomainRecord', 'a', inZone('theirs', asks))])).toBe('delete');
    expect(await actionIn([...kept, document('CloudDomainRecord', 'a', inZone('old', asks))])).toBe('retain');
    const both = ['a', 'b'].map((name, at) => document('CloudDomainRecord', name, inZone('old', { adopt: { id: 5 + at } })));
    expect(await actionIn([...kept, ...both])).toBe('delete');
  });
});

it('what the account of the manifests keeps by default is told as kept', async () => {
  const account = { endpoint: 'main', tokenSecretRef: { name: 'token', key: 'token' }, defaults: { onDelete: 'Retain' } };
  const parts = [
    document('CloudDomain', 'zone', plain),
    document('CloudDomainRecord', 'www', { ...named, targetFrom: { instanceRef: { name: 'web' }, address: 'PublicIPv4' } }),
  ];
  const files = {
    'old/all.yaml': [document('CloudAccount', 'default', account), document('CloudInstance', 'web', ofMachine), ...parts].join('\n---\n'),
    'new/all.yaml': [document('CloudAccount', 'default', account), ...parts].join('\n---\n'),
  };
  const objects = await planned('-f new --base old --against none', files, alone);
  expect(objects.find(({ name }) => name === 'web')).toMatchObject({
    action: 'retain',
    message: expect.stringContaining('CloudDomainRecord default/www (once deleted, its cloud resource stays in the account') as string,
  });
});
