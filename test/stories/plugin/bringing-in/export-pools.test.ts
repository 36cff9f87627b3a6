import { beforeEach, describe, expect, it } from 'vitest';
import { AccountScene, minute } from '../../../support/plugin/account-scene.ts';
import { cloud, endpoint } from '../../../support/plugin/cloud-cli.ts';

let scene: AccountScene;
beforeEach(async () => {
  scene = await AccountScene.create();
});
const report = (): string => scene.files['fleet/REPORT.md'] ?? '';
const kindsWritten = (): readonly string[] => scene.manifests().map(({ kind }) => kind);

async function make(): Promise<string> {
  const pools = [
    { type: 'g6-standard-2', count: 2 },
    { type: 'g6-standard-1', count: 1 },
  ];
  const body = { label: 'prod', region: 'eu-central', k8s_version: '1.24', node_pools: pools };
  const { id } = await scene.as('POST', '/lke/clusters', body);
  await scene.world.clock.advance(10 * minute);
  return `/lke/clusters/${String(id)}`;
}
async function apply(lifecycle: object): Promise<void> {
  for (const { kind, metadata, spec } of scene.manifests()) {
    await scene.world.apply(kind, metadata.name, { ...spec, lifecycle });
    await scene.world.ready(kind, metadata.name);
  }
}

describe('a cluster that was managed once', () => {
  it('is exported again once the marks of its pools are taken off, and until then it is said which calls do that', async () => {
    const { world } = scene;
    const path = await make();
    await scene.typed('export --to fleet --kinds ck8s,cpool');
    await world.start();
    await apply({});
    await world.delete('CloudKubernetesCluster', 'prod');
    await world.gone('CloudKubernetesCluster', 'prod');
    const pools = await scene.rows(`${path}/pools`);
    expect(pools.map(({ tags }) => tags)).toEqual([[expect.stringMatching(/^pool=/)], [expect.stringMatching(/^pool=/)]]);
    scene.files = {};
    const ran = await scene.typed('export --to fleet --kinds ck8s,cpool');
    expect([ran.exit, kindsWritten()]).toEqual([1, []]);
    const [first, second] = pools.map(
      ({ id }) => `kubectl cloud api PUT ${path}/pools/${String(id)} --write --data '{"tags":[]}' --endpoint '${endpoint}'`,
    );
    for (const text of [ran.out, report()]) {
      expect(text).toContain(`CloudKubernetesCluster ${path} is not written: 2 of its 2 pools bear tags`);
      expect(text).toContain(`export again: ${String(first)}; ${String(second)}`);
      expect(text).not.toContain('Invalid input');
      expect(text).not.toContain('names it in spec.nodePools');
      expect(text).toMatch(/CloudNodePool \S+ is not written: pool \d+ bears the mark "pool=/);
    }
    for (const line of [first, second].map((one) => String(one).replace('kubectl cloud ', '').replaceAll("'", ''))) {
      const done = await cloud(world, `${line} --confirm ${String(line.split(' ')[2])}`, { cloudToken: 'token-admin', limit: 10 * minute });
      expect(done).toMatchObject({ exit: 0 });
    }
    expect((await scene.rows(`${path}/pools`)).map(({ tags }) => tags)).toEqual([[], []]);
    expect((await scene.typed('export --to fleet --kinds ck8s,cpool')).exit).toBe(0);
    expect(kindsWritten()).toEqual(['CloudKubernetesCluster']);
  });

  it('is not written either while one of its pools bears a mark, and the other pool is not said to be named', async () => {
    const path = await make();
    const [pool] = await scene.rows(`${path}/pools`);
    const at = `${path}/pools/${String(pool?.['id'])}`;
    await scene.as('PUT', at, { tags: ['pool=batch-abcdefgh', 'mine'] });
    const { out, exit } = await scene.typed('export --to fleet --kinds ck8s,cpool');
    expect([exit, kindsWritten()]).toEqual([1, []]);
    expect(out).toContain(`is not written: 1 of its 2 pools bears a tag`);
    expect(out).toContain(`export again: kubectl cloud api PUT ${at} --write --data '{"tags":["mine"]}' --endpoint '${endpoint}'\n`);
    expect(out).toContain('1 skipped: the manifest of CloudKubernetesCluster prod names it in spec.nodePools once that can be written');
    expect(out).toContain(`CloudNodePool ${at} is not written: pool`);
  });
});

describe('the marks that management puts on pools', () => {
  it('are told before it begins, are no drift before it does, and nothing waits for them', async () => {
    const { world } = scene;
    const path = await make();
    const pools = await scene.rows(`${path}/pools`);
    const [first, second] = pools.map(({ id }) => `PUT ${path}/pools/${String(id)} {"tags":["pool=pool-${String(id)}-********"]}`);
    const says = `once it is managed, it marks by a tag which of these are its own, and changes nothing else: ${String(first)}; ${String(second)}`;
    const { out } = await scene.typed('export --to fleet --kinds ck8s');
    for (const text of [out, report()]) expect(text).toContain(`CloudKubernetesCluster ${path}: ${says}`);

    await world.start();
    await apply({ management: 'Observe' });
    const looks = async (): Promise<void> => {
      const { status } = await world.get('CloudKubernetesCluster', 'prod');
      expect(status?.['drift'] ?? []).toEqual([]);
    };
    await looks();
    const plan = await scene.typed('plan -R -f fleet');
    expect([plan.exit, plan.out]).toEqual([0, expect.stringContaining(says)]);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await scene.typed('export --promote fleet');
    await world.patch('CloudKubernetesCluster', 'prod', { spec: { lifecycle: null } });
    await world.clock.advance(20 * minute);
    expect((await cloud(world, 'wait -R -f fleet --timeout 60s', { files: scene.files, limit: 10 * minute })).exit).toBe(0);
    await looks();
    // What a plan tells of a ReadOnly account is what happens once that may be written.
    const held = await scene.typed('plan -R -f fleet');
    expect([held.exit, held.out]).toEqual([1, expect.stringContaining(says.replace('once it is managed, it', 'it'))]);

    const before = world.emulator.control.requests().length;
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.clock.advance(20 * minute);
    await world.ready('CloudKubernetesCluster', 'prod');
    expect(scene.changes(before)).toEqual(pools.map(({ id }) => `PUT ${path}/pools/${String(id)}`));
    expect((await scene.typed('plan -R -f fleet')).out).not.toContain('by a tag which of these');
  });

  it('ask nobody, also where a pool has more nodes than its autoscaler lets it have', async () => {
    const { world } = scene;
    const pool = { type: 'g6-standard-2', count: 4, autoscaler: { enabled: true, min: 3, max: 3 } };
    const body = { label: 'prod', region: 'eu-central', k8s_version: '1.24', node_pools: [pool] };
    const { id } = await scene.as('POST', '/lke/clusters', body);
    await world.clock.advance(10 * minute);
    await scene.typed('export --to fleet --kinds ck8s');
    await world.start();
    await apply({});
    const [made] = await scene.rows(`/lke/clusters/${String(id)}/pools`);
    expect(made).toMatchObject({ count: 4, autoscaler: pool.autoscaler, tags: [expect.stringMatching(/^pool=/)] });
    // Whatever the service makes of bounds that are sent again: nothing is sent but the mark.
    const sent = world.emulator.control.requests().filter(({ method, path }) => method === 'PUT' && path.includes('/pools/'));
    expect(sent.map(({ body: text }) => Object.keys(JSON.parse(text) as object))).toEqual([['tags']]);
    await world.patch('CloudKubernetesCluster', 'prod', {
      spec: {
        nodePools: [
          { name: `pool-${String(made?.['id'])}`, type: 'g6-standard-2', count: 4, autoscaler: { enabled: true, min: 1, max: 2 } },
        ],
      },
    });
    await world.reason('CloudKubernetesCluster', 'prod', 'ApprovalRequired');
  });

  it('are not told of a cluster that is refused, or made anew, so that none is set', async () => {
    const { world } = scene;
    await make();
    await scene.typed('export --to fleet --kinds ck8s');
    await world.start();
    await scene.typed('export --promote fleet');
    const edit = (from: string, to: string): void => {
      scene.files = Object.fromEntries(Object.entries(scene.files).map(([name, text]) => [name, text.replace(from, to)]));
    };
    edit('region: eu-central', 'region: us-east');
    const { out } = await scene.typed('plan -R -f fleet');
    expect(out).toContain('prod   refused');
    expect(out).not.toContain('it marks by a tag');
    edit('spec:\n', 'spec:\n  lifecycle: {replace: Allow}\n');
    const anew = await scene.typed('plan -R -f fleet');
    expect(anew.out).toContain('prod   replace');
    expect(anew.out).not.toContain('it marks by a tag');
  });
});

it('what is written costs what its cluster has, too, as its pools are in that manifest', async () => {
  await make();
  await scene.typed('export --to fleet');
  expect(JSON.parse(scene.files['fleet/report.jsonl'] ?? '')).toMatchObject({ monthly: { usd: 50, unknown: 0 } });
  expect(kindsWritten()).toEqual(['CloudKubernetesCluster']);
});

it('costs nothing to promote, also where nobody says what it costs', async () => {
  const pool = { type: 'g6-standard-1', count: 1, autoscaler: { enabled: true, min: 1, max: 3 } };
  const body = { region: 'eu-central', k8s_version: '1.24', node_pools: [pool], tags: ['team-a'] };
  await scene.as('POST', '/lke/clusters', { ...body, label: 'prod' });
  await scene.as('POST', '/lke/clusters', { ...body, label: 'high', control_plane: { high_availability: true } });
  await scene.world.clock.advance(10 * minute);
  await scene.typed('export --to fleet --kinds ck8s');
  await scene.world.start();
  await apply({ management: 'Observe' });
  await scene.typed('export --promote fleet');
  const { out } = await scene.typed('plan -R -f fleet');
  expect(out.match(/ change   .*/g)).toEqual([' change   InPlace', ' change   InPlace']);
  expect(out).toContain('2 objects: 2 change.\n');
  expect(await scene.typed('plan -R -f fleet --max-monthly 0')).toMatchObject({ exit: 1 });
});
