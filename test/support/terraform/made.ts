import { type AccountScene, minute, type Row } from '../plugin/account-scene.ts';
import { written } from './rows.ts';
import type { Resource } from './state.ts';

export const one = (type: string, name: string, attributes: object, more: Partial<Resource> = {}): Resource => ({
  type,
  name,
  instances: [{ attributes: attributes as Row }],
  ...more,
});

/** An account as Terraform made it, and the resources of its state. */
export async function made(scene: AccountScene): Promise<readonly Resource[]> {
  const image = { image: 'vm/debian11', root_pass: 'Marked-Root-Password' };
  const web = await scene.as('POST', '/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'web-1', tags: ['shop'], ...image });
  const bare = await scene.as('POST', '/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'bare' });
  await scene.world.clock.advance(10 * minute);
  const volume = await scene.as('POST', '/volumes', { label: 'data', size: 20, tags: ['shop'], vm_id: web['id'] });
  const loose = await scene.as('POST', '/volumes', { label: 'loose', size: 20, region: 'us-east' });
  const rule = { label: 'ssh', protocol: 'TCP', ports: '22', action: 'ACCEPT', addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] } };
  const firewall = await scene.as('POST', '/networking/firewalls', {
    label: 'edge',
    rules: { inbound_policy: 'DROP', outbound_policy: 'ACCEPT', inbound: [rule] },
    devices: { vms: [web['id']] },
  });
  const zone = await scene.as('POST', '/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org', ttl_sec: 300 });
  for (const record of [
    { type: 'A', name: 'www', target: '192.0.2.1' },
    { type: 'A', name: '', target: '192.0.2.1' },
    { type: 'MX', name: '', target: 'mail.example.org', priority: 10 },
    { type: 'SRV', service: 'sip', protocol: 'tcp', target: 'sip.example.org', priority: 1, weight: 2, port: 5060 },
    { type: 'CAA', name: '', target: 'letsencrypt.org', tag: 'issue' },
  ])
    await scene.as('POST', `/domains/${String(zone['id'])}/records`, record);
  const bucket = await scene.as('POST', '/object-storage/buckets', { label: 'assets', cluster: 'us-east-1' });
  const access = [{ cluster: 'us-east-1', bucket_name: 'assets', permissions: 'read_only' }];
  const key = await scene.as('POST', '/object-storage/keys', { label: 'uploads', bucket_access: access });
  const ssh = await scene.as('POST', '/profile/sshkeys', {
    label: 'ops',
    ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEmanyYearsAgoThatThisKeyWasMadeAndUsedNow ops',
  });
  const script = await scene.as('POST', '/vm/stackscripts', { label: 'setup', images: ['vm/debian11'], script: '#!/bin/sh\necho hello\n' });
  const database = await scene.as('POST', '/databases/mysql/instances', {
    label: 'shop-db',
    region: 'us-east',
    type: 'g6-nanode-1',
    engine: 'mysql/8.0.26',
  });
  await scene.world.clock.advance(90 * minute);
  const below = async (row: Row) => ({
    disks: await scene.rows(`/vm/instances/${String(row['id'])}/disks`),
    configs: await scene.rows(`/vm/instances/${String(row['id'])}/configs`),
  });
  const now = async (path: string, row: Row): Promise<Row> => scene.as('GET', `${path}/${String(row['id'])}`);
  const whole = await below(web);
  return [
    one('linode_instance', 'web', written.linode_instance(await now('/vm/instances', web))),
    ...whole.disks.map((disk, index) => one('linode_instance_disk', `web_${index}`, written.linode_instance_disk(disk, web['id']))),
    ...whole.configs.map((config) => one('linode_instance_config', 'web', written.linode_instance_config(config, web['id']))),
    one('linode_instance', 'bare', written.linode_instance(await now('/vm/instances', bare), await below(bare)), {
      module: 'module.shop["eu"]',
    }),
    one('linode_volume', 'data', written.linode_volume(await now('/volumes', volume))),
    {
      type: 'linode_volume',
      name: 'loose',
      instances: [{ index_key: "it's", attributes: written.linode_volume(await now('/volumes', loose)) }],
    },
    one('linode_firewall', 'edge', written.linode_firewall(firewall, [])),
    one('linode_firewall_device', 'web', { id: '1', firewall_id: firewall['id'], entity_id: web['id'], entity_type: 'linode' }),
    one('linode_domain', 'zone', written.linode_domain(zone)),
    {
      type: 'linode_domain_record',
      name: 'all',
      instances: (await scene.rows(`/domains/${String(zone['id'])}/records`)).map((record, index_key) => ({
        index_key,
        attributes: written.linode_domain_record(record, zone['id']),
      })),
    },
    one('linode_object_storage_bucket', 'assets', written.linode_object_storage_bucket(bucket)),
    one('linode_object_storage_key', 'uploads', written.linode_object_storage_key(key)),
    one('linode_sshkey', 'ops', written.linode_sshkey(ssh)),
    one('linode_stackscript', 'setup', written.linode_stackscript(script)),
    one('linode_database_mysql', 'db', written.linode_database_mysql(await now('/databases/mysql/instances', database))),
    one('linode_account_settings', 'all', {
      id: 'E1AF',
      longview_subscription: 'longview-3',
      backups_enabled: false,
      network_helper: false,
      managed: false,
    }),
  ];
}
