import type { TypeRule } from './rule.ts';
import { config, disk, instance, sharedIps, volume } from './compute.ts';
import { image, sshKey, stackScript } from './images.ts';
import {
  assignment,
  cluster,
  domain,
  domainRecord,
  firewall,
  firewallDevice,
  instanceIp,
  ipv6Range,
  networkingIp,
  nodePool,
  rdns,
} from './network.ts';
import { accessControls, accountSettings, bucket, laterMysql, longviewPlan, mongodb, mysql, objectAcl, objectKey } from './rest.ts';

const none = (why: string, ...types: readonly string[]): Readonly<Record<string, TypeRule>> =>
  Object.fromEntries(types.map((type) => [type, { is: 'nothing', why }]));

const noOperation = 'this release has no operation for it; keep it in Terraform';
const balancers = 'load balancers have no operation in this release; keep them in Terraform, which can refer to instances by id';
const another = 'it is of another generation of the service, which this release does not reach; keep it in Terraform';

/** What becomes of every type of resource of the provider, up to version 3.13. */
export const types: Readonly<Record<string, TypeRule>> = {
  linode_instance: instance,
  linode_volume: volume,
  linode_firewall: firewall,
  linode_firewall_device: firewallDevice,
  linode_domain: domain,
  linode_domain_record: domainRecord,
  linode_object_storage_bucket: bucket,
  linode_object_storage_key: objectKey,
  linode_object_storage_object: {
    is: 'nothing',
    why: 'objects of a bucket are data; keep them in Terraform, or put them with an S3 client',
    instead: objectAcl,
  },
  linode_sshkey: sshKey,
  linode_stackscript: stackScript,
  linode_image: image,
  linode_instance_disk: disk,
  linode_instance_config: config,
  linode_instance_ip: instanceIp,
  linode_networking_ip: networkingIp,
  linode_reserved_ip: { is: 'nothing', why: noOperation },
  linode_rdns: rdns,
  linode_ipv6_range: ipv6Range,
  linode_instance_shared_ips: sharedIps,
  linode_networking_ip_assignment: assignment,
  linode_vlan: { is: 'nothing', why: 'a private network is there by its label on an interface; there is nothing to adopt' },
  linode_database_mysql: mysql,
  linode_database_mongodb: mongodb,
  linode_database_access_controls: accessControls,
  linode_lke_cluster: cluster,
  linode_lke_node_pool: nodePool,
  linode_nodepool: nodePool,
  linode_account_settings: accountSettings,
  longview_subscription: longviewPlan,
  linode_token: { is: 'nothing', why: 'no tool that holds a token should make tokens, and the state has this one in clear', rotate: true },
  ...none('users and their grants have no operation in this release; keep them in Terraform', 'linode_user', 'linode_iam_user'),
  ...none(balancers, 'linode_nodebalancer', 'linode_nodebalancer_config', 'linode_nodebalancer_node'),
  linode_database_mysql_v2: { is: 'nothing', why: another, instead: laterMysql },
  ...none(another, 'linode_database_postgresql', 'linode_database_postgresql_v2'),
  ...none(
    noOperation,
    'linode_vpc',
    'linode_vpc_subnet',
    'linode_interface',
    'linode_placement_group',
    'linode_placement_group_assignment',
    'linode_reserved_ip_assignment',
    'linode_firewall_settings',
    'linode_lock',
    'linode_monitor_alert_definition',
    'linode_producer_image_share_group',
    'linode_producer_image_share_group_member',
    'linode_consumer_image_share_group_token',
  ),
};
