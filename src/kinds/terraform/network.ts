import {
  block,
  blocks,
  computed,
  field,
  further,
  integer,
  integerIn,
  isRecord,
  later,
  listOf,
  ofProvider,
  reference,
  type Rules,
  tags,
  tell,
  textIn,
  type TypeRule,
  unlessEmpty,
  unlessZero,
  type Converted,
  type Here,
} from './rule.ts';

const networks =
  (all: number): Converted =>
  (value) => {
    const list = listOf(value).map((one) => (String(one).includes('/') ? String(one) : `${String(one)}/${all}`));
    return list.length === 0 ? undefined : list;
  };
const upper: Converted = (value) => String(value).toUpperCase();
const rule: Rules = {
  label: field('label', unlessEmpty),
  description: field('description', unlessEmpty),
  action: field('action', upper),
  protocol: field('protocol', upper),
  ports: field('ports', unlessEmpty),
  ipv4: field('addresses', (value) => under('ipv4', networks(32)(value, {}, nowhere))),
  ipv6: field('addresses', (value) => under('ipv6', networks(128)(value, {}, nowhere))),
  ...later('ruleset', 'addresses'),
};
const nowhere: Here = { resource: () => undefined, asks: () => false };
const under = (name: string, value: unknown): unknown => (value === undefined ? undefined : { [name]: value });

const instances: Converted = (value) => {
  const ids = listOf(value).flatMap((one) => integer(one) ?? []);
  return ids.length === 0 ? undefined : ids;
};
const onlyInstances = 'only instances can be behind a firewall in this release; it is left there';

export const firewall: TypeRule = {
  is: 'object',
  kind: 'CloudFirewall',
  id: integerIn('id'),
  rules: {
    label: field('label'),
    disabled: field('enabled', (value) => (value === true ? false : undefined)),
    inbound_policy: field('inboundPolicy', upper),
    outbound_policy: field('outboundPolicy', upper),
    inbound: blocks('inbound', rule),
    outbound: blocks('outbound', rule),
    linodes: field('instanceRefs', instances),
    nodebalancers: tell(onlyInstances),
    interfaces: tell(onlyInstances),
    tags,
    ...computed('id', 'devices', 'status', 'created', 'updated'),
    ...later('inbound_ruleset', 'outbound_ruleset', 'rules_version'),
  },
};

export const firewallDevice: TypeRule = {
  is: 'part',
  kind: 'CloudFirewall',
  id: integerIn('firewall_id'),
  rules: {
    entity_id: field('instanceRefs', (value, { entity_type: type }) =>
      type === 'linode' || type === undefined ? instances([value], {}, nowhere) : undefined,
    ),
    entity_type: tell(onlyInstances, (value) => value !== 'linode'),
    ...computed('id', 'firewall_id', 'created', 'updated'),
  },
};

const seconds: Converted = unlessZero;
export const domain: TypeRule = {
  is: 'object',
  kind: 'CloudDomain',
  id: integerIn('id'),
  rules: {
    domain: field('domain', (value) => String(value).toLowerCase()),
    type: field('type'),
    status: field('enabled', (value) => (value === 'disabled' ? false : undefined)),
    description: field('description', unlessEmpty),
    group: field('group', unlessEmpty),
    soa_email: field('soaEmail', unlessEmpty),
    master_ips: field('masterIps', unlessEmpty),
    axfr_ips: field('axfrIps', unlessEmpty),
    ttl_sec: field('ttlSeconds', seconds),
    retry_sec: field('retrySeconds', seconds),
    expire_sec: field('expireSeconds', seconds),
    refresh_sec: field('refreshSeconds', seconds),
    tags,
    ...computed('id'),
  },
};

/** A name of its zone, however it is written: short, whole, or with the last period. */
const host: Converted = (value, { record_type: type, domain_id: id }, here) => {
  if (type === 'SRV') return undefined;
  const zone = here.resource('linode_domain', integer(id) ?? 0)?.['domain'];
  const name = String(value).replace(/\.$/, '');
  const short = typeof zone !== 'string' ? name : name === zone ? '' : name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
  return short === '' ? undefined : short;
};
const only =
  (...types: readonly string[]): Converted =>
  (value, { record_type: type }) =>
    types.includes(String(type)) && value !== '' ? value : undefined;

export const domainRecord: TypeRule = {
  is: 'object',
  kind: 'CloudDomainRecord',
  id: integerIn('id'),
  rules: {
    domain_id: field('domainRef', reference),
    record_type: field('type'),
    name: field('host', host),
    target: field('target'),
    ttl_sec: field('ttlSeconds', seconds),
    priority: field('priority', (value, all, here) =>
      value === 0 && all['record_type'] === 'MX' ? undefined : only('MX', 'SRV')(value, all, here),
    ),
    weight: field('weight', only('SRV')),
    port: field('port', only('SRV')),
    service: field('service', only('SRV')),
    protocol: field('protocol', only('SRV')),
    tag: field('tag', only('CAA')),
    ...computed('id', 'created', 'updated'),
  },
};

const reserved = tell('reserved addresses are not in this release');
/** The account's own ways to an address: which fields it has is told by the account. */
const address = (id: string, rules: Rules): TypeRule => ({ is: 'object', kind: 'CloudIPAddress', id: textIn(id), whole: true, rules });
export const instanceIp = address('address', {
  reserved,
  ...computed('id', 'address', 'linode_id', 'public', 'rdns', 'type', 'gateway', 'prefix', 'subnet_mask', 'region', 'vpc_nat_1_1'),
  ...ofProvider('apply_immediately'),
});
export const networkingIp = address('address', {
  reserved,
  ...computed('id', 'address', 'linode_id', 'public', 'rdns', 'type', 'gateway', 'prefix', 'subnet_mask', 'region', 'vpc_nat_1_1'),
  ...ofProvider('wait_for_available'),
});
export const rdns = address('address', {
  ...computed('id', 'address', 'rdns', 'reserved'),
  ...ofProvider('wait_for_available', 'timeouts'),
});
export const ipv6Range: TypeRule = {
  is: 'object',
  kind: 'CloudIPAddress',
  id: ({ range, id, prefix_length: length }) => {
    const first = typeof range === 'string' && range !== '' ? range : id;
    return typeof first !== 'string' ? undefined : first.includes('/') ? first : `${first}/${String(length)}`;
  },
  whole: true,
  rules: computed('id', 'prefix_length', 'linode_id', 'route_target', 'is_bgp', 'linodes', 'range', 'region'),
};
/** An action, not a thing: each assignment says where its address is. */
export const assignment: TypeRule = {
  is: 'only further',
  rules: {
    assignments: further((value) =>
      listOf(value).flatMap((one) =>
        isRecord(one) && typeof one['address'] === 'string'
          ? [{ type: 'linode_networking_ip', attributes: { ...one, id: one['address'] }, called: one['address'] }]
          : [],
      ),
    ),
    ...computed('id', 'region'),
  },
};

/** With all its pools, whichever resource made them: one that were an object of its own too would have two owners. */
export const cluster: TypeRule = {
  is: 'object',
  kind: 'CloudKubernetesCluster',
  id: integerIn('id'),
  whole: true,
  rules: {
    label: field('label'),
    region: field('region'),
    tags,
    control_plane: block('highAvailability', { high_availability: field('enabled'), ...later('acl', 'audit_logs_enabled') }),
    kubeconfig: { does: 'secret' },
    ...later('external_pool_tags', 'apl_enabled', 'tier', 'vpc_id', 'subnet_id', 'stack_type'),
    ...computed('id', 'k8s_version', 'pool', 'api_endpoints', 'dashboard_url', 'status'),
  },
};
const pool: Rules = {
  ...later('labels', 'taint', 'disk_encryption', 'k8s_version', 'update_strategy', 'firewall_id', 'label'),
  ...computed('id', 'cluster_id', 'type', 'count', 'node_count', 'autoscaler', 'nodes', 'tags'),
};
/** The object of a cluster names one pool at least, and cannot tell others from those that it names before they are marked. */
export const nodePool: TypeRule = {
  is: 'part',
  kind: 'CloudKubernetesCluster',
  id: integerIn('cluster_id'),
  rules: pool,
  alone: {
    is: 'object',
    kind: 'CloudNodePool',
    id: integerIn('id'),
    whole: true,
    rules: { ...pool, cluster_id: field('clusterRef', reference) },
  },
};
