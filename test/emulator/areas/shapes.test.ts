import { expect, test } from 'vitest';
import { runningInstance, testAccount } from './test-account.ts';

/** The fields of each record as the service shows them at release 4.147.0. */
const shapes = {
  instance:
    'alerts backups created group host_uuid hypervisor id image ipv4 ipv6 label region specs status tags type updated watchdog_enabled',
  config: 'comments created devices helpers id initrd interfaces kernel label memory_limit root_device run_level updated virt_mode',
  disk: 'created filesystem id label size status updated',
  backup: 'available configs created disks finished id label region status type updated',
  volume: 'created filesystem_path hardware_type id label region size status tags updated vm_id vm_label',
  domain:
    'axfr_ips created description domain errors expire_sec group id master_ips refresh_sec retry_sec soa_email status tags ttl_sec type updated',
  record: 'created id name port priority protocol service tag target ttl_sec type updated weight',
  image: 'created created_by deprecated description eol expiry id is_public label size status type updated vendor',
  script:
    'created deployments_active deployments_total description id images is_public label logo_url mine ordinal rev_note script updated user_defined_fields user_gravatar_id username',
  mysql:
    'allow_list cluster_size created encrypted engine hosts id label port region replication_type ssl_connection status type updated updates version',
  engine: 'engine id version',
  bucket: 'cluster created hostname label objects size',
  objectCluster: 'domain id region static_site_domain status',
  objectKey: 'access_key bucket_access id label limited secret_key',
  cluster: 'control_plane created id k8s_version label region status tags updated',
  pool: 'autoscaler count disks id nodes tags type',
  node: 'id instance_id status',
  firewall: 'created id label rules status tags updated',
  device: 'created entity id updated',
  address: 'address gateway prefix public rdns region subnet_mask type vm_id',
  range: 'prefix range region route_target',
  vlan: 'created label region vms',
  sshKey: 'created id label ssh_key',
  databaseBackup: 'created id label type',
} as const;

const keys = (row: unknown): string =>
  Object.keys(row as object)
    .toSorted()
    .join(' ');

test('every record has the recorded fields and no other', async () => {
  const api = testAccount();
  const first = async (path: string): Promise<unknown> => (await api.get(path)).data[0];
  const interfaces = [{ purpose: 'vlan', label: 'lan' }];
  const vm = `/vm/instances/${await runningInstance(api, { region: 'eu-west', interfaces, backups_enabled: true })}`;
  const number = Number(vm.split('/').at(-1));
  const domain = `/domains/${String((await api.made('/domains', { type: 'master', domain: 'a.example', soa_email: 'a@a.example' }))['id'])}`;
  const rules = { inbound_policy: 'DROP', outbound_policy: 'DROP' };
  const firewall = await api.made('/networking/firewalls', { label: 'web', rules, devices: { vms: [number] } });
  const mysql = { label: 'dbs', engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-nanode-1' };
  const database = `/databases/mysql/instances/${String((await api.made('/databases/mysql/instances', mysql))['id'])}`;
  const wanted = { label: 'k', region: 'us-east', k8s_version: '1.24', node_pools: [{ type: 'g6-nanode-1', count: 1 }] };
  const cluster = `/lke/clusters/${String((await api.made('/lke/clusters', wanted))['id'])}`;
  await api.made('/networking/ipv6/ranges', { prefix_length: 64, vm_id: number });
  api.seconds(86_400);
  const [pool] = (await api.get(`${cluster}/pools`)).data;
  const seen: Record<keyof typeof shapes, unknown> = {
    instance: await api.seen(vm),
    config: await first(`${vm}/configs`),
    disk: await first(`${vm}/disks`),
    backup: await api.made(`${vm}/backups`, { label: 'snap' }),
    volume: await api.made('/volumes', { label: 'data', region: 'us-east' }),
    domain: await api.seen(domain),
    record: await api.made(`${domain}/records`, { type: 'TXT', target: 'x' }),
    image: await first('/images'),
    script: await first('/vm/stackscripts'),
    mysql: await api.seen(database),
    engine: await first('/databases/engines'),
    bucket: await api.made('/object-storage/buckets', { label: 'my-bucket', cluster: 'us-east-1' }),
    objectCluster: await first('/object-storage/clusters'),
    objectKey: await api.made('/object-storage/keys', { label: 'key' }),
    cluster: await api.seen(cluster),
    pool,
    node: (pool?.['nodes'] as readonly object[] | undefined)?.[0],
    firewall,
    device: await first(`/networking/firewalls/${String(firewall['id'])}/devices`),
    address: await first('/networking/ips'),
    range: await first('/networking/ipv6/ranges'),
    vlan: await first('/networking/vlans'),
    sshKey: await api.made('/profile/sshkeys', { label: 'k', ssh_key: 'ssh-ed25519 AAAAC3Nz' }),
    databaseBackup: await first(`${database}/backups`),
  };
  expect(Object.fromEntries(Object.entries(seen).map(([name, row]) => [name, keys(row)]))).toEqual(shapes);
});

test('the same records come from lists', async () => {
  const api = testAccount();
  await runningInstance(api);
  await api.made('/volumes', { label: 'data', region: 'us-east' });
  for (const path of ['/vm/instances', '/volumes']) {
    const [row] = (await api.get(path)).data;
    expect(row).toEqual(await api.seen(`${path}/${String(row?.['id'])}`));
  }
});
