import { beforeEach, expect, it } from 'vitest';
import { cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

let world: World;
const web = {
  region: 'us-east',
  type: 'g6-standard-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'web-root', key: 'password' },
};
const sent = (word: string): number =>
  world.emulator.control.requests().filter(({ method, path, status }) => method === 'POST' && path.endsWith(`/${word}`) && status < 300)
    .length;
const limit = 60 * 60_000;
const names = async (): Promise<readonly string[]> => {
  const { items } = (await world.admin('GET', world.path('CloudOperation'))) as unknown as {
    items: { metadata: { name: string } }[];
  };
  return items.map(({ metadata }) => metadata.name);
};

beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.secret('web-root', { password: 'Correct-Horse-7' });
  await world.start();
  await world.apply('CloudInstance', 'web', web);
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(60_000);
});

it('a reboot is one object, one call, and told to its end', async () => {
  const { exit, out, err } = await cloud(world, 'reboot cinst/web --yes --reason test', { limit });
  expect([exit, out]).toEqual([
    0,
    expect.stringMatching(/^CloudOperation team-a\/reboot-web-\w{6} Succeeded: done: event \d+ vm_reboot\n$/),
  ]);
  expect(err).toContain('Running');
  expect([err.match(/RebootInstance/g)?.length, err.includes('Succeeded')]).toEqual([1, false]);
  expect(sent('reboot')).toBe(1);
  const [name = ''] = await names();
  expect((await world.get('CloudOperation', name)).metadata).toMatchObject({
    labels: { 'cloudhosting.dev/made-by': 'cli' },
    annotations: { 'cloudhosting.dev/reason': 'test' },
  });
  const again = await cloud(world, `reboot cinst/web --yes --name ${name}`, { limit });
  expect([again.exit, sent('reboot')]).toEqual([4, 1]);
});
it('the sentence of a reboot, and that of what is lost, is told once', async () => {
  const no = await cloud(world, 'reboot cinst/web');
  expect(no).toMatchObject({
    exit: 3,
    err: expect.stringMatching(
      /^kubectl cloud reboot: CloudInstance team-a\/web: RebootInstance, not after \S+: not confirmed, nothing was written\nTo have/,
    ),
  });
  const asked = await cloud(world, 'rebuild cinst/web --yes', { limit });
  expect([asked.exit, asked.err.match(/are erased/g)?.length]).toEqual([3, 1]);
  expect(asked.err).toContain('RebuildInstance: not confirmed, ');
});
it('the same name, typed again, is told to be there already, how that one ended, and what to type for another one', async () => {
  await cloud(world, 'reboot cinst/web --yes --name again', { limit });
  const { finishedAt } = (await world.get('CloudOperation', 'again')).status as {
    readonly finishedAt: string;
  };
  const { exit, err } = await cloud(world, 'reboot cinst/web --yes --name again', { limit });
  expect(exit).toBe(4);
  expect(err).not.toMatch(/POST|409/);
  expect(err).toContain(
    `CloudOperation team-a/again is there already: RebootInstance of web, Succeeded at ${finishedAt}. Nothing was made or changed. For another one type the line again without --name, or with another name\n`,
  );
  await cloud(world, 'rebuild cinst/web --yes --name asks', { limit, answers: ['no'] });
  expect((await cloud(world, 'rebuild cinst/web --yes --name asks', { limit })).err).toContain(
    'is there already: RebuildInstance of web, AwaitingConfirmation. Nothing was made or changed. What it waits for: kubectl cloud why -n team-a cop/asks. For another one',
  );
});
it('the list of what waits for approval has the operations that wait for a confirmation, and how to give it', async () => {
  expect((await cloud(world, 'approve -A --list')).out).toBe('Nothing waits for approval.\n');
  await cloud(world, 'rebuild cinst/web --name anew', { limit, answers: [true, 'no'] });
  const { exit, out } = await cloud(world, 'approve -A --list');
  expect([exit, out]).toEqual([
    0,
    expect.stringMatching(
      /^CloudOperation team-a\/anew waits for a confirmation: .*are erased.*\n {2}kubectl cloud confirm -n team-a cop\/anew\n$/,
    ),
  ]);
  expect(dataOf(await cloud(world, 'approve --list -o json'))).toMatchObject({
    approvals: [],
    confirmations: [
      {
        object: 'CloudOperation team-a/anew',
        consequences: [expect.stringContaining('are erased')],
      },
    ],
  });
});
it('of a machine that was adopted lately a reboot asks why, in sentences, and why tells the line that confirms it', async () => {
  const { id } = (await world.get('CloudInstance', 'web')).status as { readonly id: number };
  await world.patch('CloudInstance', 'web', { spec: { lifecycle: { onDelete: 'Retain' } } });
  await world.clock.advance(60_000);
  await world.delete('CloudInstance', 'web');
  await world.gone('CloudInstance', 'web');
  await world.apply('CloudInstance', 'srv', {
    region: 'us-east',
    type: 'g6-standard-1',
    adopt: { id },
    lifecycle: { onDelete: 'Retain' },
  });
  await world.ready('CloudInstance', 'srv');
  const { exit, err } = await cloud(world, 'reboot cinst/srv --yes --name night', { limit });
  expect([exit, err]).toEqual([
    3,
    expect.stringContaining('RebootInstance of CloudInstance team-a/srv is done only once a person confirms it:\n'),
  ]);
  expect(err).toContain(`  In the account ${id} is CloudInstance team-a/srv of this cluster\n`);
  expect(err).toContain(
    '  It was taken over as it was in the account less than a day ago, so that a person looks once more. If it is to be done now, confirm it\n',
  );
  const why = await cloud(world, 'why cop/night');
  expect(why.out).toContain('  kubectl cloud confirm -n team-a cop/night\n');
  expect(why.out.split('\n').filter((line) => line.trim().startsWith('kubectl annotate'))).toEqual([]);
  expect((await cloud(world, 'confirm cop/night --confirm srv')).exit).toBe(0);
});
it('what loses something is asked about in the words of the operator, and a no leaves it waiting', async () => {
  const no = await cloud(world, 'rebuild cinst/web', { limit, answers: [true, 'no'] });
  expect(no.exit).toBe(3);
  expect(no.err).toContain('are erased');
  const [name = ''] = await names();
  expect((await world.get('CloudOperation', name)).status?.['phase']).toBe('AwaitingConfirmation');
  expect(sent('rebuild')).toBe(0);
  expect(no.err).not.toContain('nothing was written');
  const goesOn = `kubectl cloud confirm -n team-a cop/${name}`;
  expect(no.err).toContain(
    `is made and waits. To have it done: ${goesOn}; without a terminal: ${goesOn} --confirm web. To withdraw it: kubectl delete -n team-a cop/${name}`,
  );
  const unasked = await cloud(world, `confirm cop/${name}`);
  expect([unasked.exit, unasked.err]).toEqual([3, expect.stringContaining('--confirm web')]);
  const yes = await cloud(world, `confirm cop/${name} --confirm web`);
  expect(yes.exit).toBe(0);
  await world.clock.runUntil(async () => (await world.get('CloudOperation', name)).status?.['phase'] === 'Succeeded', limit);
  expect(sent('rebuild')).toBe(1);
  const spent = await cloud(world, `confirm cop/${name} --confirm web`);
  expect([spent.exit, spent.err]).toEqual([3, expect.stringContaining('it asks for nothing')]);
});
it('whoever breaks off at the question is told too that the operation waits', async () => {
  const broken = await cloud(world, 'rebuild cinst/web', { limit, answers: [true, undefined] });
  const [name = ''] = await names();
  expect([broken.exit, broken.err]).toEqual([130, expect.stringContaining(`kubectl cloud confirm -n team-a cop/${name}`)]);
  expect(broken.err).toContain(`To withdraw it: kubectl delete -n team-a cop/${name}`);
  expect(broken.err).not.toContain('nothing was written');
});
it('answers go through to the end in one line, also where nobody types', async () => {
  const ran = await cloud(world, 'rebuild cinst/web --yes --confirm web -o json', { limit });
  expect(dataOf(ran)).toMatchObject({ action: 'RebuildInstance', phase: 'Succeeded' });
  expect([ran.exit, sent('rebuild')]).toEqual([0, 1]);
});
it.each([
  ['shutdown', 'On', 'To shut it down', 'Off'],
  ['boot', 'Off', 'To boot it', 'On'],
  ['reboot', 'Off', 'To boot it', 'On'],
])(
  '%s of what its spec keeps %s is refused at once, with the line that changes the spec, and nothing is made',
  async (verb, power, todo, other) => {
    await world.patch('CloudInstance', 'web', { spec: { power } });
    await world.clock.advance(60_000);
    for (const flags of ['--yes', '--dry-run', '--no-wait --yes']) {
      const { exit, err } = await cloud(world, `${verb} cinst/web ${flags}`, { limit });
      expect([exit, err]).toEqual([3, expect.stringContaining(`CloudInstance team-a/web: spec.power says ${power}, `)]);
      expect(err).toContain(`${todo}: kubectl -n team-a patch cloudinstance web --type=merge -p '{"spec":{"power":"${other}"}}'\n`);
      expect(err).toContain('Nothing was made.');
    }
    expect(await names()).toEqual([]);
  },
);
it('what cannot be done as things are needs a person, and says why, and that it stays', async () => {
  const { exit, out } = await cloud(world, 'boot cinst/web --yes', { limit });
  expect([exit, out]).toEqual([1, expect.stringContaining('CloudInstance web runs; to boot it anew')]);
  const [name = ''] = await names();
  const { notAfter } = (await world.get('CloudOperation', name)).spec as {
    readonly notAfter: string;
  };
  const withdrawn = `It stays, and is done as soon as it can be, until ${notAfter}. To withdraw it before it begins: kubectl delete -n team-a cop/${name}\n`;
  expect(out.endsWith(withdrawn)).toBe(true);
});
it('what ran out of time before it began is told to stay, and goes away by the line that is told', async () => {
  await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
  await world.clock.advance(60_000);
  const { exit, out } = await cloud(world, 'reboot cinst/web --yes --timeout 2m', { limit });
  const [name = ''] = await names();
  expect([exit, out]).toEqual([6, expect.stringContaining(`To withdraw it before it begins: kubectl delete -n team-a cop/${name}`)]);
  await world.delete('CloudOperation', name);
  await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
  await world.clock.advance(10 * 60_000);
  expect([await names(), sent('reboot')]).toEqual([[], 0]);
});
it('what waits already is named and waited for, and not asked for a second time, unless with a name of its own', async () => {
  await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
  await world.clock.advance(60_000);
  await cloud(world, 'reboot cinst/web --yes --no-wait --name first', { limit });
  await world.clock.advance(60_000);
  const { notAfter } = (await world.get('CloudOperation', 'first')).spec as {
    readonly notAfter: string;
  };
  const says = `CloudOperation team-a/first waits already: RebootInstance, not after ${notAfter}. No other one is made; for one beside it type the line again with --name`;
  for (const flags of ['--yes --timeout 2m', '--timeout 2m']) {
    const { exit, out, err } = await cloud(world, `reboot cinst/web ${flags}`, { limit });
    expect([exit, err]).toEqual([6, expect.stringContaining(says)]);
    expect(out).toContain('CloudOperation team-a/first is Pending. Time ran out');
  }
  expect(await cloud(world, 'reboot cinst/web --yes --no-wait')).toMatchObject({
    exit: 0,
    out: expect.stringContaining('To see it done: kubectl cloud wait -n team-a cop/first\n') as string,
  });
  const dry = await cloud(world, 'reboot cinst/web --dry-run -o json');
  expect(dataOf(dry)).toMatchObject({
    dryRun: true,
    operation: 'CloudOperation team-a/first',
    phase: 'Pending',
  });
  expect(await names()).toEqual(['first']);
  // Something else, or what somebody named, is another one.
  await cloud(world, 'reboot cinst/web --yes --no-wait --config 1', { limit });
  await cloud(world, 'shutdown cinst/web --yes --no-wait', { limit });
  await cloud(world, 'reboot cinst/web --yes --no-wait --name second', { limit });
  expect(await names()).toHaveLength(4);
  for (const name of await names()) if (name !== 'first') await world.delete('CloudOperation', name);
  await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
  const done = await cloud(world, 'reboot cinst/web --yes', { limit });
  expect([done.exit, done.out, sent('reboot')]).toEqual([0, expect.stringContaining('team-a/first Succeeded'), 1]);
  // What is over is no obstacle.
  expect([(await cloud(world, 'reboot cinst/web --yes', { limit })).exit, sent('reboot')]).toEqual([0, 2]);
});
it('what runs already is named and followed to its end, and done once', async () => {
  await cloud(world, 'reboot cinst/web --yes --no-wait --name first', { limit });
  await world.clock.runUntil(async () => (await world.get('CloudOperation', 'first')).status?.['phase'] === 'Running', limit);
  const { exit, out, err } = await cloud(world, 'reboot cinst/web --yes', { limit });
  expect([exit, out, await names(), sent('reboot')]).toEqual([
    0,
    expect.stringMatching(/^CloudOperation team-a\/first Succeeded/),
    ['first'],
    1,
  ]);
  expect(err).toContain(
    'CloudOperation team-a/first runs already: RebootInstance. No other one is made; for one beside it type the line again with --name and a name of its own\n',
  );
});
it('what waits for a confirmation already is named, and that one is asked about', async () => {
  await cloud(world, 'rebuild cinst/web --name first', { limit, answers: [true, 'no'] });
  const says = 'CloudOperation team-a/first waits for a confirmation already: RebuildInstance, not after ';
  const goesOn = 'kubectl cloud confirm -n team-a cop/first';
  for (const flags of ['--no-wait', '--dry-run']) {
    const { exit, out } = await cloud(world, `rebuild cinst/web ${flags}`, { limit });
    expect([exit, out]).toEqual([0, expect.stringContaining(says)]);
    expect(out).toContain(`\nTo have it done: ${goesOn}\nTo withdraw it: kubectl delete -n team-a cop/first\n`);
  }
  const unasked = await cloud(world, 'rebuild cinst/web --yes', { limit });
  expect([unasked.exit, unasked.err]).toEqual([3, expect.stringContaining(`${goesOn} --confirm web`)]);
  expect([await names(), sent('rebuild')]).toEqual([['first'], 0]);
  const done = await cloud(world, 'rebuild cinst/web', { limit, answers: ['web'] });
  expect([done.exit, done.out, await names(), sent('rebuild')]).toEqual([
    0,
    expect.stringMatching(/^CloudOperation team-a\/first Succeeded/),
    ['first'],
    1,
  ]);
  expect(done.err).toContain(says);
});
it('what cannot begin before a person acts elsewhere ends the line with that, and what goes on by itself does not', async () => {
  await world.apply('CloudInstance', 'db', { ...web, type: 'g6-nope-1' });
  await world.clock.advance(60_000);
  expect((await world.condition('CloudInstance', 'db', 'Stalled'))?.status).toBe('True');
  const from = world.clock.now();
  const { exit, out } = await cloud(world, 'reboot cinst/db --yes --name no', { limit });
  expect([exit, world.clock.now() - from < 60_000]).toEqual([1, true]);
  expect(out).toMatch(/^CloudOperation team-a\/no Pending: .*CloudInstance db has no id yet.*\n/);
  expect(out).toContain('\nA person must act first: CloudInstance team-a/db: InvalidSpec: ');
  expect(out).toContain('kubectl cloud why -n team-a cop/no\n');
  expect(out).toContain('To withdraw it before it begins: kubectl delete -n team-a cop/no\n');
  await world.apply('CloudInstance', 'new', web);
  expect((await cloud(world, 'reboot cinst/new --yes', { limit })).exit).toBe(0);
});
const listed = async (line: string): Promise<readonly string[]> => {
  const { operations } = dataOf(await cloud(world, `${line} -o json`)) as {
    operations: { operation: string; phase: string; pruned: boolean }[];
  };
  return operations.map(({ operation, phase, pruned }) => `${operation} ${phase}${pruned ? ' pruned' : ''}`);
};
it('ops says why an operation has not begun that is not over, and of one that is over nothing more', async () => {
  await cloud(world, 'boot cinst/web --yes --name stuck', { limit });
  await cloud(world, 'reboot cinst/web --yes --name over', { limit });
  const { out } = await cloud(world, 'ops');
  expect(out).toMatch(/^OPERATION .* PHASE +REASON +ENDED /);
  expect(out).toMatch(/^CloudOperation team-a\/stuck .* Pending +InvalidSpec {2}/m);
  expect(out).toMatch(/^CloudOperation team-a\/over .* Succeeded {3,}2026-/m);
  const { operations } = dataOf(await cloud(world, 'ops -o json')) as {
    operations: { operation: string; reason?: string }[];
  };
  expect(operations.map(({ operation, reason }) => [operation, reason]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))).toEqual([
    ['CloudOperation team-a/over', undefined],
    ['CloudOperation team-a/stuck', 'InvalidSpec'],
  ]);
});
it('ops lists what was done, and prunes what this program made and what is over, after a yes', async () => {
  await cloud(world, 'reboot cinst/web --yes --name mine', { limit });
  await world.apply('CloudOperation', 'git', {
    action: 'RebootInstance',
    target: { name: 'web' },
    notAfter: '2026-01-02T00:00:00Z',
  });
  await world.clock.runUntil(async () => (await world.get('CloudOperation', 'git')).status?.['phase'] === 'Succeeded', limit);
  await cloud(world, 'rebuild cinst/web --yes --within 9h --name asks', { limit, answers: ['no'] });
  const all = ['team-a/asks AwaitingConfirmation', 'team-a/git Succeeded', 'team-a/mine Succeeded'].map((one) => `CloudOperation ${one}`);
  expect((await listed('ops')).toSorted()).toEqual(all);
  expect(await listed('ops mine')).toEqual(['CloudOperation team-a/mine Succeeded']);
  const { finishedAt } = (await world.get('CloudOperation', 'mine')).status as {
    readonly finishedAt: string;
  };
  const from = new Date(Date.parse(finishedAt) + 30 * 24 * 3_600_000).toISOString().replace('.000', '');
  expect((await cloud(world, 'ops --prune --yes')).out).toBe(
    `Nothing to prune: none of what this program made ended more than 30d ago.\nThe one that is over can go from ${from} on; sooner with a shorter age: kubectl cloud ops --prune --older-than 1m\n`,
  );
  expect((await cloud(world, 'ops --prune --yes --older-than 48h asks')).out).toBe(
    'Nothing to prune: none of what this program made ended more than 2d ago.\n',
  );
  await world.clock.advance(2 * 3_600_000);
  expect(await listed('ops --prune --older-than 1h --dry-run')).toEqual(['CloudOperation team-a/mine Succeeded pruned']);
  expect((await cloud(world, 'ops --prune --older-than 1h')).exit).toBe(3);
  expect((await cloud(world, 'ops --prune --older-than 1h', { answers: [false] })).exit).toBe(3);
  expect(await names()).toHaveLength(3);
  expect((await cloud(world, 'ops --prune --older-than 1h --yes')).exit).toBe(0);
  expect((await names()).toSorted()).toEqual(['asks', 'git']);
  expect(sent('reboot')).toBe(2);
});
it.each([
  ['reboot cacc/default --yes', 'reboot is of CloudInstance, not of CloudAccount'],
  ['snapshot cinst/web --yes', 'snapshot of CloudInstance needs --label'],
  ['assign cinst/web --yes', 'assign of CloudInstance needs --address'],
  ['assign cinst/web --address 203.0.113.7 --yes', 'write for example 203.0.113.7=web-2'],
  ['restore cinst/web --yes --backup 12 --to 13', '--to=13 is no CloudInstance of this namespace: write its name'],
  ['restore cinst/web --yes --backup last', '--backup=last is no id: write for example 123456'],
  ['reboot cinst --yes --within soon', '--within=soon is no duration'],
  ['confirm cinst/web', 'confirm one CloudOperation: write cop/NAME'],
  // Neither takes labels, nor a kind with all that is of it.
  ['reboot', 'reboot what? It is done to one object: write KIND/NAME, for example kubectl cloud reboot cinst/web\n'],
  ['assign', 'for example kubectl cloud assign cinst/web --address 203.0.113.7=web-2,203.0.113.9=web\n'],
  ['confirm', 'confirm what? It is done to one object: write KIND/NAME, for example kubectl cloud confirm cop/rebuild-web\n'],
])('%s is refused: %s', async (line, text) => {
  const { exit, err } = await cloud(world, line);
  expect([exit, err]).toEqual([2, expect.stringContaining(text)]);
  expect(await names()).toEqual([]);
});

const taken = (): number => sent('backups');
it('a snapshot of a database is an object that stays, made by one call', async () => {
  await world.apply('CloudDatabase', 'shop', {
    engine: 'mysql/8.0.26',
    region: 'us-east',
    type: 'g6-standard-1',
  });
  await world.ready('CloudDatabase', 'shop', 2 * limit);
  const dry = await cloud(world, 'snapshot cdb/shop --label before --dry-run -o json', { limit });
  expect([dry.exit, taken(), dataOf(dry)]).toEqual([0, 0, expect.objectContaining({ action: 'CloudDatabaseBackup', dryRun: true })]);
  expect((await cloud(world, 'snapshot cdb/shop --label before', { limit })).exit).toBe(3);
  const line = 'snapshot cdb/shop --label before --target primary --reason upgrade --yes --name first';
  expect(await cloud(world, line, { limit: 5 * limit })).toMatchObject({ exit: 0 });
  expect(taken()).toBe(1);
  const { spec, metadata } = await world.get('CloudDatabaseBackup', 'first');
  expect(spec).toEqual({ databaseRef: { name: 'shop' }, label: 'before', target: 'primary' });
  expect(metadata).toMatchObject({
    labels: { 'cloudhosting.dev/made-by': 'cli' },
    annotations: { 'cloudhosting.dev/reason': 'upgrade' },
  });
  expect([(await cloud(world, line, { limit })).exit, taken()]).toEqual([4, 1]);
  expect(await cloud(world, 'snapshot cinst/web --label x --target primary --yes')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('snapshot of CloudInstance takes no --target') as string,
  });
});
it('a snapshot of a database that is on its way is named and waited for, and no second one is taken', async () => {
  await world.apply('CloudDatabase', 'shop', {
    engine: 'mysql/8.0.26',
    region: 'us-east',
    type: 'g6-standard-1',
  });
  await world.ready('CloudDatabase', 'shop', 2 * limit);
  await cloud(world, 'snapshot cdb/shop --yes --no-wait --name first', { limit });
  await world.clock.advance(10_000);
  const says =
    'CloudDatabaseBackup team-a/first is on its way already. No other one is made; for one beside it type the line again with --name and a name of its own\n';
  for (const flags of ['--no-wait', '--dry-run'])
    expect(await cloud(world, `snapshot cdb/shop ${flags}`, { limit })).toMatchObject({
      exit: 0,
      out: `${says}To see it done: kubectl cloud wait -n team-a cdbb/first\n`,
    });
  const { exit, out, err } = await cloud(world, 'snapshot cdb/shop', { limit: 5 * limit });
  expect([exit, out, err, taken()]).toEqual([
    0,
    expect.stringContaining('CloudDatabaseBackup team-a/first'),
    expect.stringContaining(says),
    1,
  ]);
  // Another label is another one, and so is one after that which is there.
  await cloud(world, 'snapshot cdb/shop --label other --yes --no-wait --name second', { limit });
  expect((await cloud(world, 'snapshot cdb/shop --yes --no-wait --name third --dry-run', { limit })).out).toContain('Would be made: ');
  expect((await cloud(world, 'snapshot cdb/shop --dry-run', { limit })).out).toContain('Would be made: ');
});
