import { plantMongodb } from '../databases/database-rows.ts';
import { activate } from '../databases/life.ts';
import type { TestAccount } from '../test-account.ts';
import { emptyInstance, password, runningInstance, testAccount } from '../test-account.ts';

export interface Furnished {
  readonly api: TestAccount;
  /** What stands for `{name}` in a rule's call and change. */
  readonly ids: Readonly<Record<string, string>>;
}

const rules = { inbound_policy: 'DROP', outbound_policy: 'DROP' };
const script = { label: 'abc', images: ['vm/debian10'], script: '#!/bin/sh' };

async function compute(api: TestAccount): Promise<Readonly<Record<string, string>>> {
  const id = async (at: string, body: object): Promise<string> => String((await api.made(at, body))['id']);
  const first = async (at: string): Promise<string> => String((await api.get(at)).data[0]?.['id']);
  const vm = await runningInstance(api, { label: 'host' });
  const path = `/vm/instances/${vm}`;
  const west = await emptyInstance(api, { label: 'west', region: 'us-west' });
  const udf = { ...script, label: 'udf', images: ['any/all'], script: '#!/bin/sh\n# <UDF name="a" label="A">' };
  return {
    vmId: String(vm),
    westVmId: String(west),
    diskId: await first(`${path}/disks`),
    configId: await first(`${path}/configs`),
    address: ((await api.seen(path))['ipv4'] as string[])[0] ?? '',
    volumeId: await id('/volumes', { label: 'data', region: 'us-east' }),
    stackscriptId: await id('/vm/stackscripts', script),
    udfScriptId: await id('/vm/stackscripts', udf),
    publicScriptId: await id('/vm/stackscripts', { ...script, label: 'shared', is_public: true }),
    firewallId: await id('/networking/firewalls', { label: 'web', rules }),
  };
}

const idOf = (row: unknown): number => (row as { readonly id: number }).id;

/** What no operation makes: an old database, a NodeBalancer, an object in the bucket of the rules. */
function planted(api: TestAccount): Readonly<Record<string, string>> {
  const { control } = api.emulator;
  const world = api.emulator.world('E1AF5EEC-526F-487D-B317EBEB34C87D71', 'admin');
  const mongodb = api.emulator.run(world, () => {
    const { id } = plantMongodb(world, 'docs-db');
    activate(world, id);
    return id;
  });
  const balancer = control.edit({ collection: 'nodebalancers', row: { label: 'balancer12345', region: 'us-east', tags: [] } });
  const nodebalancer_id = idOf(balancer);
  const config_id = idOf(control.edit({ collection: 'nodebalancer configs', row: { port: 80, protocol: 'http', nodebalancer_id } }));
  const back = { label: 'web', address: '192.168.255.254:80', status: 'UP', config_id, nodebalancer_id };
  return {
    mongodbId: String(mongodb),
    nodebalancerId: String(nodebalancer_id),
    balancerConfigId: String(config_id),
    balancerNodeId: String(idOf(control.edit({ collection: 'nodebalancer nodes', row: back }))),
  };
}

/** An account with one object of every kind that the rules speak of. */
export async function furnished(): Promise<Furnished> {
  const api = testAccount();
  const id = async (at: string, body: object): Promise<string> => String((await api.made(at, body))['id']);
  const ids = await compute(api);
  const domain = await id('/domains', { type: 'master', domain: 'example.org', soa_email: 'a@example.org' });
  await api.made(`/domains/${domain}/records`, { type: 'A', name: 'a', target: '192.0.2.1' });
  const pools = [{ type: 'g6-standard-1', count: 1 }];
  const cluster = await id('/lke/clusters', { label: 'c', region: 'us-east', k8s_version: '1.24', node_pools: pools });
  const database = await id('/databases/mysql/instances', { label: 'dbs', engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-nanode-1' });
  await api.made('/object-storage/buckets', { label: 'my-bucket', cluster: 'us-east-1' });
  const image = (await api.made('/images/upload', { label: 'up', region: 'us-east' }))['image'] as { readonly id: string };
  const ticket = await id('/support/tickets', { summary: 'a', description: 'b' });
  api.seconds(7200);
  const more = {
    domainId: domain,
    clusterId: cluster,
    instanceId: database,
    bucket: 'my-bucket',
    ticketId: ticket,
    defaultMethodId: String((await api.get('/account/payment-methods')).data.find((row) => row['is_default'] === true)?.['id']),
    privateImage: image.id,
    ...planted(api),
  };
  return { api, ids: { ...ids, ...more } };
}

/** Good bodies, from which a rule's row changes some fields. */
export const good: Readonly<Record<string, object>> = {
  'POST /vm/instances': { region: 'us-east', type: 'g6-standard-2' },
  'POST /vm/instances/{vmId}/configs': { label: 'c', devices: {} },
  'POST /vm/instances/{westVmId}/disks': { label: 'd', size: 2000 },
  'POST /volumes': { label: 'v', region: 'us-east' },
  'POST /domains': { type: 'master', domain: 'rules.example', soa_email: 'a@a.example' },
  'POST /domains/{domainId}/records': { type: 'A', name: 'b', target: '192.0.2.1' },
  'POST /vm/stackscripts': script,
  'POST /support/tickets': { summary: 'a', description: 'b' },
  'POST /managed/contacts': { name: 'Jo', email: 'jo@a.example' },
  'POST /managed/credentials': { label: 'cred', password },
  'POST /managed/services': { label: 'svc', service_type: 'url', address: 'https://a.example', timeout: 30 },
  'POST /databases/mysql/instances': { label: 'dbx', engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-nanode-1' },
  'POST /object-storage/buckets': { label: 'new-bucket', cluster: 'us-east-1' },
  'POST /lke/clusters': { label: 'k', region: 'us-east', k8s_version: '1.24', node_pools: [{ type: 'g6-standard-1', count: 1 }] },
  'POST /networking/firewalls': { label: 'fire', rules },
};
