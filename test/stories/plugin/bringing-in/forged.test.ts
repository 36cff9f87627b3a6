import { beforeEach, describe, expect, it } from 'vitest';
import type { OrphansData } from '../../../../src/plugin/output/account-shapes.ts';
import { cloud, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { stateText } from '../../../support/terraform/state.ts';
import { World } from '../../../support/world/world.ts';

const [platform, victim, tenant, stranger] = ['platform', 'team-a', 'evil', 'stranger'];
const accountRef = { name: 'default', namespace: platform };
const volume = { region: 'eu-central', sizeGiB: 20 };
const nobody = 'a'.repeat(16);

/** What any tenant may write into an object of its own: annotations, and no status. */
describe('an annotation that names a remote, and that no status confirms,', () => {
  let world: World;
  let loose: number;
  let bound: number;

  const run = (line: string, files: Record<string, string> = {}): Promise<Ran> =>
    cloud(world, `${line} --account platform/default --endpoint ${endpoint}`, { limit: 30 * 60_000, files });
  const seen = async (): Promise<OrphansData> => dataOf(await run('orphans -o json')) as unknown as OrphansData;
  const listed = async () => (await seen()).orphans.map(({ path, claimedBy }) => [path, claimedBy]);
  async function claim(namespace: string, name: string, path: string): Promise<void> {
    const account = String((await world.get('CloudAccount', 'default', platform)).status?.['account']);
    const annotations = {
      'cloudhosting.dev/remote': `${account}${path}#created.${nobody}.${nobody}`,
      'cloudhosting.dev/pause': 'true',
    };
    const metadata = { name, namespace, annotations };
    await world.admin('POST', world.path('CloudVolume', namespace), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudVolume',
      metadata,
      spec: { accountRef, ...volume },
    });
    await world.clock.advance(60_000);
  }

  beforeEach(async () => {
    world = await World.create();
    for (const name of [platform, tenant, stranger]) await world.namespace(name);
    await world.account({ access: [{ namespaces: [victim], adopt: 'Any' }, { namespaces: [tenant] }] }, platform);
    await world.start();
    await world.ready('CloudAccount', 'default', 60_000, platform);
    await world.apply('CloudVolume', 'prod', { accountRef, ...volume, tags: ['team=team-a'] }, victim);
    bound = Number((await world.ready('CloudVolume', 'prod', 60_000, victim)).status?.['id']);
    const made = await new CloudUser(world).post('/volumes', {
      label: 'by-hand',
      region: 'eu-central',
      size: 20,
      tags: ['team=team-a'],
    });
    loose = Number(made['id']);
  });

  it('hides nothing: what it names is listed, with who says so; what is not there is not told as missing', async () => {
    await claim(tenant, 'x', `/volumes/${loose}`);
    await claim(tenant, 'never', '/volumes/99999');
    const { orphans, missing } = await seen();
    expect(orphans.map(({ path, claimedBy }) => [path, claimedBy])).toEqual([[`/volumes/${loose}`, 'CloudVolume evil/x']]);
    expect(missing).toEqual([]);
    const { out } = await run('orphans');
    expect(out).toContain(
      `By annotation cloudhosting.dev/remote alone, which no status confirms: CloudVolume evil/x names CloudVolume ${loose}.`,
    );
    expect((await run('cost -A --unmanaged')).out).toMatch(/by-hand \(unmanaged\)/);
  });

  it('is not even told where the account does not admit the namespace, or where the remote has its object', async () => {
    await claim(stranger, 'x', `/volumes/${loose}`);
    await claim(tenant, 'y', `/volumes/${bound}`);
    expect(await listed()).toEqual([[`/volumes/${loose}`, undefined]]);
    const { out } = await run('export --to - --all --namespace-by tag:team=');
    expect(out).toContain('name: by-hand\n  namespace: team-a');
  });

  it('hides nothing where its object has something of its own', async () => {
    await world.apply('CloudVolume', 'own', { accountRef, ...volume }, tenant);
    const own = String((await world.ready('CloudVolume', 'own', 60_000, tenant)).status?.['path']);
    const { metadata } = await world.get('CloudVolume', 'own', tenant);
    const text = String(metadata.annotations?.['cloudhosting.dev/remote']).replace(own, `/volumes/${loose}`);
    await world.patch('CloudVolume', 'own', { metadata: { annotations: { 'cloudhosting.dev/remote': text } } }, tenant);
    await world.clock.advance(60_000);
    expect(await listed()).toEqual([[`/volumes/${loose}`, 'CloudVolume evil/own']]);
    const { out } = await run('export --to - --all --namespace-by tag:team=');
    expect(out).toContain('name: own\n  namespace: evil');
  });

  it('gets no manifest of what another object has, and none of what nobody has', async () => {
    await claim(tenant, 'x', `/volumes/${loose}`);
    await claim(tenant, 'y', `/volumes/${bound}`);
    const all = await run('export --to - --all --namespace-by tag:team=');
    expect(all.out).toContain('name: prod\n  namespace: team-a');
    expect(all.out).not.toContain('namespace: evil');
    expect(all.out).not.toContain(`id: ${loose}\n`);
    expect(all.err).toContain(`CloudVolume ${loose} is not written: an object of namespace evil names it in annotation`);
    const files: Record<string, string> = {};
    const fleet = await run('export --to fleet/ --all --namespace-by tag:team= --management Manage', files);
    expect(fleet.out).toContain('1 skipped: an object of namespace evil names it');
    expect(fleet.out).not.toContain('namespace evil may not adopt');
    expect(Object.keys(files).filter((name) => name.includes('evil'))).toEqual([]);
  });

  it('keeps nobody from what is named by its id or by a state of Terraform', async () => {
    await claim(tenant, 'x', `/volumes/${loose}`);
    const one = await run(`export --to - --id cvol/${loose} -n ${victim}`);
    expect(one.out).toContain(`name: by-hand\n  namespace: ${victim}`);
    const attributes = { id: String(loose), label: 'by-hand', region: 'eu-central', size: 20, tags: ['team=team-a'] };
    const files: Record<string, string> = {
      'state.json': stateText('3.13', [{ type: 'linode_volume', name: 'db', instances: [{ attributes }] }]),
    };
    const { out } = await run(`import terraform state.json --to out/ -n ${victim}`, files);
    expect(out).not.toContain('an object stands for it already');
    expect(Object.values(files).join('\n')).toContain(`id: ${loose}`);
  });
});
