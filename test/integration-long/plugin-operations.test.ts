import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { plantedArgs } from '../support/samples/planted.ts';
import { Stage } from '../support/process/stage.ts';
import { Typed } from '../support/process/typed.ts';

const token = 'token-admin';
let stage: Stage;
let plugin: Typed;
beforeAll(async () => {
  stage = await Stage.open({ emulator: ['--speed', '50', ...plantedArgs], flags: ['--list-lag=1s'] });
  await stage.account();
  plugin = await Typed.on(stage);
  await stage.apply(
    ...['web', 'db'].map((name) =>
      stage.manifest('CloudInstance', name, { region: 'us-east', type: 'g6-standard-1', backupsEnabled: true }),
    ),
    stage.manifest('CloudKubernetesCluster', 'prod', {
      region: 'eu-central',
      k8sVersion: '1.24',
      nodePools: [{ name: 'base', type: 'g6-standard-1', count: 3 }],
    }),
  );
  for (const name of ['web', 'db']) await stage.ready('CloudInstance', name, 120_000);
  await stage.ready('CloudKubernetesCluster', 'prod', 180_000);
}, START_TIMEOUT_MS);
afterAll(() => stage.close());

const requestsBefore = async (): Promise<number> => (await stage.emulator.requests()).at(-1)?.seq ?? 0;
const changesSince = async (since: number): Promise<readonly string[]> =>
  (await stage.emulator.requests(since))
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path.replace(/^\/v4(beta)?/, '')}`);
const statusOf = async (kind: string, name: string): Promise<Readonly<Record<string, unknown>>> =>
  (await stage.find(kind, name))?.status ?? {};
async function rows(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const answer = await request(`${stage.emulator.ready.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return ((await answer.body.json()) as { readonly data: readonly Readonly<Record<string, unknown>>[] }).data;
}
/** As a script types it: first without the word that is to be typed, which changes nothing; then with it; then once more, which is nothing new. */
async function once(line: string, target: string, wanted: (call: string) => boolean): Promise<void> {
  const name = `once-${line
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/-+$/, '')}`;
  const since = await requestsBefore();
  const unasked = await plugin.line(`${line} --name ${name} --yes --timeout 60s`);
  expect([unasked.code, unasked.stderr]).toEqual([3, expect.stringContaining(`--confirm ${target}`)]);
  expect((await changesSince(since)).filter(wanted)).toEqual([]);
  const confirmed = await plugin.line(`confirm cop/${name} --confirm ${target}`);
  expect(confirmed).toMatchObject({ code: 0 });
  const ended = await stage.until(
    ['CloudOperation', name],
    (object) => ['Succeeded', 'Failed', 'Expired', 'Unknown'].includes(String(object?.status?.['phase'])),
    240_000,
  );
  expect({ phase: ended.status?.['phase'], conditions: ended.status?.conditions }).toMatchObject({ phase: 'Succeeded' });
  expect(await changesSince(since)).toHaveLength(1);
  expect((await changesSince(since)).filter(wanted)).toHaveLength(1);
  expect((await plugin.line(`${line} --name ${name} --yes --confirm ${target}`)).code).toBe(4);
  expect(await changesSince(since)).toHaveLength(1);
}

const clusterPath = async (): Promise<string> => String((await statusOf('CloudKubernetesCluster', 'prod'))['path']);
const nodesIn = (pool: Readonly<Record<string, unknown>> | undefined): readonly string[] =>
  ((pool?.['nodes'] ?? []) as readonly { readonly id: string }[]).map(({ id }) => id);
const nodes = async (): Promise<readonly string[]> => nodesIn((await rows(`${await clusterPath()}/pools`))[0]);

describe('what is done once to a cluster', () => {
  it('recycle of one node, of the cluster, and delete-node are one call each, which somebody confirmed', { timeout: 600_000 }, async () => {
    const [first = '', , third = ''] = await nodes();
    await once(`recycle ck8s/prod --node ${first}`, 'prod', (call) => call.endsWith(`/nodes/${first}/recycle`));
    await stage.ready('CloudKubernetesCluster', 'prod', 180_000);
    expect(await nodes()).not.toContain(first);

    const full = await plugin.line(`delete-node ck8s/prod --node ${third} --yes --confirm prod --timeout 30s`);
    expect([full.code, full.stdout + full.stderr]).toEqual([1, expect.stringContaining('spec.nodePools[base].count is 3')]);
    await stage.patch('CloudKubernetesCluster', 'prod', { spec: { nodePools: [{ name: 'base', type: 'g6-standard-1', count: 2 }] } });
    await once(
      `delete-node ck8s/prod --node ${third}`,
      'prod',
      (call) => call === `DELETE /lke/clusters/${call.split('/')[3] ?? ''}/nodes/${third}`,
    );
    await stage.ready('CloudKubernetesCluster', 'prod', 180_000);
    expect((await nodes()).length).toBe(2);
    expect(await nodes()).not.toContain(third);

    const before = await nodes();
    await once('recycle ck8s/prod', 'prod', (call) => call.endsWith('/recycle'));
    await stage.ready('CloudKubernetesCluster', 'prod', 180_000);
    expect((await nodes()).filter((node) => before.includes(node))).toEqual([]);
  });

  it('recycle of a pool replaces its nodes, and none of the pools beside it', { timeout: 600_000 }, async () => {
    await stage.apply(stage.manifest('CloudNodePool', 'batch', { clusterRef: { name: 'prod' }, type: 'g6-standard-2', count: 2 }));
    await stage.ready('CloudNodePool', 'batch', 180_000);
    const { id } = await statusOf('CloudNodePool', 'batch');
    const pool = async (): Promise<readonly string[]> =>
      nodesIn((await rows(`${await clusterPath()}/pools`)).find((one) => String(one['id']) === String(id)));
    const [mine, others] = [await pool(), await nodes()];
    expect(mine).toHaveLength(2);
    await once('recycle cpool/batch', 'batch', (call) => call.endsWith(`/pools/${String(id)}/recycle`));
    await stage.ready('CloudNodePool', 'batch', 180_000);
    expect(await pool()).toHaveLength(2);
    expect((await pool()).filter((node) => mine.includes(node))).toEqual([]);
    expect(await nodes()).toEqual(others);
  });

  it('regenerate gives the Secret another kubeconfig', { timeout: 300_000 }, async () => {
    const { body } = await stage.cluster.request<{
      readonly items: readonly { readonly metadata: { readonly name: string }; readonly data?: Readonly<Record<string, string>> }[];
    }>('GET', `/api/v1/namespaces/${stage.namespace}/secrets`);
    const secret = body.items.find(({ data }) => data?.['kubeconfig'] !== undefined);
    const read = async (): Promise<string | undefined> =>
      (
        await stage.cluster.request<{ readonly data?: Readonly<Record<string, string>> }>(
          'GET',
          `/api/v1/namespaces/${stage.namespace}/secrets/${secret?.metadata.name}`,
        )
      ).body.data?.['kubeconfig'];
    const before = await read();
    expect(before).toBeDefined();
    await once('regenerate ck8s/prod --what kubeconfig', 'prod', (call) => call.endsWith('/regenerate'));
    await stage.ready('CloudKubernetesCluster', 'prod', 180_000);
    expect(await read()).not.toBe(before);
  });
});

describe('what is done once to an instance', () => {
  it('assign gives an address to another one', { timeout: 240_000 }, async () => {
    const [web, db] = await Promise.all(['web', 'db'].map((name) => statusOf('CloudInstance', name)));
    const [mine, theirs] = [String(web?.['publicIPv4']), String(db?.['publicIPv4'])];
    await once(`assign cinst/web --address ${mine}=db,${theirs}=web`, 'web', (call) => call === 'POST /networking/ips/assign');
    const where = new Map((await rows('/networking/ips?page_size=500')).map(({ address, vm_id: on }) => [address, String(on)]));
    expect([where.get(mine), where.get(theirs)]).toEqual([String(db?.['id']), String(web?.['id'])]);
  });

  it('restore brings a backup back, and is refused for one that the instance does not have', { timeout: 400_000 }, async () => {
    const path = String((await statusOf('CloudInstance', 'db'))['path']);
    expect(await plugin.line('snapshot cinst/db --label before --yes --confirm db --timeout 180s')).toMatchObject({ code: 0 });
    const answer = await request(`${stage.emulator.ready.url}${path}/backups`, { headers: { authorization: `Bearer ${token}` } });
    const { snapshot } = (await answer.body.json()) as { readonly snapshot: { readonly current: { readonly id: number } } };
    const { id } = snapshot.current;
    const since = await requestsBefore();
    const strange = await plugin.line(`restore cinst/db --backup ${id + 1000} --overwrite --yes --confirm db --timeout 30s`);
    expect([strange.code, strange.stdout + strange.stderr]).toEqual([1, expect.stringContaining('has no backup')]);
    expect(await changesSince(since)).toEqual([]);
    await once(`restore cinst/db --backup ${id} --overwrite`, 'db', (call) => call.endsWith(`/backups/${id}/restore`));

    const [web, db] = await Promise.all(['web', 'db'].map((name) => statusOf('CloudInstance', name)));
    const onto = `restore cinst/db --backup ${id} --to cinst/web --overwrite`;
    const itself = await plugin.line(`restore cinst/db --backup ${id} --to db --yes --confirm db`);
    expect([itself.code, itself.stdout + itself.stderr]).toEqual([4, expect.stringContaining('toInstanceRef is the target itself')]);
    await once(onto, 'web', (call) => call === `POST ${String(db?.['path'])}/backups/${id}/restore`);
    expect(await rows('/account/events')).toContainEqual(
      expect.objectContaining({ action: 'backups_restore', entity: expect.objectContaining({ id: Number(web?.['id']) }) }),
    );
  });
});
