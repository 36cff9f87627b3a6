import { beforeEach, describe, expect, it } from 'vitest';
import { AccountScene, type Manifest, minute, type Row } from '../../../support/plugin/account-scene.ts';
import { one } from '../../../support/terraform/made.ts';
import { written } from '../../../support/terraform/rows.ts';
import { type Resource, stateText } from '../../../support/terraform/state.ts';
import type { World } from '../../../support/world/world.ts';

let scene: AccountScene;
let world: World;
beforeEach(async () => {
  scene = await AccountScene.create();
  ({ world } = scene);
});
const manifests = (): readonly Manifest[] => scene.manifests('fleet/');
const instance = (): Row => manifests().find(({ kind }) => kind === 'CloudInstance')?.spec ?? {};
const leftAlone = ({ spec }: Manifest): unknown => (spec['lifecycle'] as { readonly ignoreFields?: readonly string[] }).ignoreFields;
/** What each disk leaves alone, by its file system. */
const ofDisks = (): unknown =>
  Object.fromEntries(manifests().flatMap((one) => (one.kind === 'CloudDisk' ? [[one.spec['filesystem'], leftAlone(one)]] : [])));

/** An instance with a disk and one for swap, each of both a resource of its own, or a block of the instance. */
async function made(said: Row, are: 'resources' | 'blocks'): Promise<readonly Resource[]> {
  const of = { region: 'us-east', type: 'g6-nanode-1', label: 'web-1', image: 'vm/debian11', root_pass: 'Marked-Root-Password' };
  const web = await scene.as('POST', '/vm/instances', of);
  await world.clock.advance(10 * minute);
  const at = `/vm/instances/${String(web['id'])}`;
  const [row, disks] = [await scene.as('GET', at), await scene.rows(`${at}/disks`)];
  const own = disks.map((disk, index) => one('linode_instance_disk', `web_${index}`, written.linode_instance_disk(disk, web['id'])));
  const below = are === 'blocks' ? { disks } : {};
  return [one('linode_instance', 'web', { ...written.linode_instance(row, below), ...said }), ...(are === 'resources' ? own : [])];
}

/** All that was written is applied and promoted, and the plan of the instance is changed. */
async function resized(types: readonly string[], named: string): Promise<void> {
  for (const { kind, metadata, spec } of manifests()) {
    const ignoreFields = leftAlone({ kind, metadata, spec });
    await world.apply(kind, metadata.name, { ...spec, lifecycle: ignoreFields === undefined ? {} : { ignoreFields } });
  }
  for (const { kind, metadata } of manifests()) await world.ready(kind, metadata.name);
  for (const type of types) {
    await world.patch('CloudInstance', named, { spec: { type, lifecycle: { approve: ['InPlace', 'Reboot'] } } });
    await world.clock.advance(60 * minute);
    expect((await world.get('CloudInstance', named)).status).toMatchObject({ type });
    for (const { kind, metadata } of manifests()) {
      await world.ready(kind, metadata.name);
      expect((await world.get(kind, metadata.name)).status?.['plan']).toBeUndefined();
    }
  }
}

describe.each(['resources', 'blocks'] as const)('disks that a Terraform state has as %s', (are) => {
  it('stay as they are when the type of their instance is changed, as Terraform leaves them', async () => {
    scene.files['state.json'] = stateText('3.13', await made({ resize_disk: false }, are));
    const { exit, out } = await scene.typed('import terraform state.json --to fleet');
    expect([exit, out]).toEqual([0, expect.not.stringContaining('ignoreFields')]);
    expect(instance()).toMatchObject({ autoResizeDisk: false });
    expect(ofDisks()).toEqual({ ext4: undefined, swap: undefined });
    await world.start();
    await resized(['g6-standard-2'], 'web');
  });

  it('follow it without a question where the instance resizes its disk', async () => {
    scene.files['state.json'] = stateText('3.13', await made({ resize_disk: true }, are));
    const { exit, out } = await scene.typed('import terraform state.json --to fleet');
    const of = are === 'blocks' ? 'linode_instance.web' : 'linode_instance_disk.web_0';
    expect([exit, out]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^${of}: CloudDisk web-.*: sizeMB is left alone \\(lifecycle.ignoreFields\\), as a single disk beside swap takes`, 'm'),
      ),
    ]);
    expect(out).toContain('write autoResizeDisk: false in CloudInstance team-a/web, and take it out of ignoreFields');
    expect(instance()).toMatchObject({ autoResizeDisk: true });
    expect(ofDisks()).toEqual({ ext4: ['sizeMB'], swap: undefined });
    await world.start();
    await resized(['g6-standard-2', 'g6-standard-1'], 'web');
  });

  it('are said the same where nobody is asked', async () => {
    const text = stateText('3.13', await made({ resize_disk: false }, are));
    scene.files['state.json'] = text;
    await scene.typed('import terraform state.json --to fleet --verify none');
    expect(instance()).toMatchObject({ autoResizeDisk: false });
    scene.files['state.json'] = text.replace('"resize_disk":false', '"resize_disk":true');
    const { out } = await scene.typed('import terraform state.json --to fleet --verify none --force');
    expect(instance()).toMatchObject({ autoResizeDisk: true });
    expect(ofDisks()).toEqual({ ext4: ['sizeMB'], swap: undefined });
    expect(out).toContain('sizeMB is left alone');
  });
});

describe('the disks of an instance that is not imported with them', () => {
  it('follow its plan', async () => {
    const [web, ...disks] = await made({ resize_disk: false }, 'resources');
    scene.files['state.json'] = stateText('3.13', disks);
    const { out } = await scene.typed('import terraform state.json --to fleet');
    expect(ofDisks()).toEqual({ ext4: ['sizeMB'], swap: undefined });
    expect(out).toContain('write autoResizeDisk: false once that has an object');
    expect(web?.type).toBe('linode_instance');
  });

  it('are set by themselves where its object says that they stay', async () => {
    const [web, ...disks] = await made({ resize_disk: false }, 'resources');
    const { id } = (web?.instances[0]?.attributes ?? {}) as { readonly id?: unknown };
    await world.start();
    await world.apply('CloudInstance', 'mine', {
      region: 'us-east',
      type: 'g6-nanode-1',
      adopt: { id: Number(id) },
      autoResizeDisk: false,
    });
    await world.ready('CloudInstance', 'mine');
    scene.files['state.json'] = stateText('3.13', disks);
    await scene.typed('import terraform state.json --to fleet');
    expect(ofDisks()).toEqual({ ext4: undefined, swap: undefined });
    await resized(['g6-standard-2'], 'mine');
  });

  it('leave the instance as it is where none of them is imported', async () => {
    const [web] = await made({ resize_disk: false }, 'resources');
    scene.files['state.json'] = stateText('3.13', web === undefined ? [] : [web]);
    await scene.typed('import terraform state.json --to fleet');
    expect(instance()).not.toHaveProperty('autoResizeDisk');
  });
});
