import { beforeEach, expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
const kind = 'CloudObjectKey';
const key = { label: 'one', bucketAccess: [], lifecycle: { onDelete: 'Retain' } };

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account({ access: [{ namespaces: ['team-a'], adopt: 'Any' }] });
});

const doc = (name: string, more: object = {}): string =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name, namespace: 'team-a' }, spec: { ...key, ...more } });
const tag = JSON.stringify({
  apiVersion: 'cloudhosting.dev/v1alpha1',
  kind: 'CloudTag',
  metadata: { name: 'x', namespace: 'team-a' },
  spec: { label: 'some-tag' },
});
async function made(): Promise<number> {
  await world.apply(kind, 'old', key);
  return Number((await world.ready(kind, 'old', 30 * minute)).status?.['id']);
}

it('plan and why of a rename, and of a deletion that keeps it, name the Secret with what was told once', async () => {
  await world.start();
  const id = await made();
  const files = { 'old.yaml': doc('old'), 'new.yaml': doc('new', { adopt: { id } }), 'none.yaml': tag };
  const says =
    'what was told of it once stays, in Secret old-cokey, which belongs to no object then; where one of this namespace asks for what it has (spec.adopt), that one has it in its own Secret';
  for (const next of ['new.yaml', 'none.yaml']) {
    const { out } = await cloud(world, `plan -f ${next} --base old.yaml --against cluster`, { files });
    expect(out).toContain(says);
  }
  await world.apply(kind, 'new', { ...key, adopt: { id } });
  await world.reason(kind, 'new', 'AlreadyClaimed');
  const { out } = await cloud(world, 'why cokey/new');
  expect(out).toContain('What was told of it once goes from Secret old-cokey into Secret new-cokey where it is handed over.');
  await world.delete(kind, 'old');
  await world.ready(kind, 'new', 10 * minute);
  expect((await cloud(world, 'why cokey/new')).out).not.toContain('not there');
});

it('a deletion that takes it along says nothing of what would stay', async () => {
  await world.start();
  await world.apply(kind, 'old', { ...key, lifecycle: { onDelete: 'Delete' } });
  await world.ready(kind, 'old', 30 * minute);
  const files = { 'old.yaml': doc('old', { lifecycle: { onDelete: 'Delete' } }), 'none.yaml': tag };
  const { out } = await cloud(world, 'plan -f none.yaml --base old.yaml --against cluster', { files });
  expect(out).toContain('delete');
  expect(out).not.toContain('told of it once');
});

it('who came after a restart, under a Secret of its own name, is told by which label it finds the one that was left, and has it again', async () => {
  const operator = await world.start();
  const id = await made();
  await world.delete(kind, 'old');
  await world.gone(kind, 'old');
  operator.kill();
  await world.start();
  await world.apply(kind, 'new', { ...key, adopt: { id } });
  await world.ready(kind, 'new', 30 * minute);
  const { out } = await cloud(world, 'why cokey/new');
  expect(out).toContain(
    'Secret team-a/new-cokey, to which it gives something out, is not there. This object adopted /object-storage/keys/',
  );
  const [, begin = ''] = /the one whose label cloudhosting\.dev\/told-of begins with ([0-9a-f]{16})\. /.exec(out) ?? [];
  const labels = world.server
    .objects('/secrets')
    .flatMap(({ metadata }) => (metadata.labels?.['cloudhosting.dev/told-of']?.startsWith(`${begin}.`) === true ? [metadata] : []));
  expect(labels).toMatchObject([{ name: 'old-cokey', labels: { 'cloudhosting.dev/released': 'true' } }]);
  expect(out).toContain(
    '  kubectl -n team-a get secrets -l cloudhosting.dev/told-of,cloudhosting.dev/released -L cloudhosting.dev/told-of\n  kubectl -n team-a edit cloudobjectkey new\n  kubectl cloud rotate -n team-a cokey/new\n',
  );
  await world.patch(kind, 'new', { spec: { secretName: 'old-cokey' } });
  await world.ready(kind, 'new', 10 * minute);
  expect((await cloud(world, 'why cokey/new')).out).not.toContain('not there');
});
