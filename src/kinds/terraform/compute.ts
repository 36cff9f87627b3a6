import {
  asked,
  atCreation,
  block,
  blocks,
  computed,
  field,
  further,
  integer,
  integerIn,
  isRecord,
  listOf,
  ofProvider,
  onlyTrue,
  ownWord,
  reference,
  type Attributes,
  type Further,
  type Rules,
  secret,
  tags,
  tell,
  type TypeRule,
  unlessEmpty,
  unlessZero,
} from './rule.ts';

const labelled = (value: unknown, index: number): string =>
  isRecord(value) && typeof value['label'] === 'string' && value['label'] !== '' ? value['label'] : String(index);
/** Blocks of an instance that have an id are things of their own; without one they are not made yet. */
const ofInstance =
  (type: string) =>
  (value: unknown, all: Attributes): readonly Further[] =>
    listOf(value).flatMap((one, index) =>
      isRecord(one) && integer(one['id']) !== undefined
        ? [{ type, attributes: { ...one, linode_id: all['id'] }, called: labelled(one, index) }]
        : [],
    );

const isChosen = (word: unknown): boolean => typeof word === 'string' && word !== '' && word !== 'Scheduling';
const schedule = (value: unknown, all: Attributes): unknown => {
  const [first] = listOf(value);
  const [{ day, window } = {} as Attributes] = listOf(isRecord(first) ? first['schedule'] : undefined).filter(isRecord);
  return all['backups_enabled'] === true && isChosen(day) && isChosen(window) ? { day, window } : undefined;
};
/** In between the instance is on its way to one of both. */
const power = (booted: unknown, { status }: Attributes): unknown =>
  status === undefined || status === 'running' || status === 'offline' ? (booted === true ? 'On' : 'Off') : undefined;

const vpc = 'private clouds are not in this release; the instance is brought in without';
const interfaces: Rules = {
  purpose: field('purpose'),
  label: field('label', unlessEmpty),
  ipam_address: field('ipamAddress', unlessEmpty),
  ...computed('id', 'active'),
  ...Object.fromEntries(['subnet_id', 'vpc_id', 'ip_ranges', 'ipv4', 'ipv6', 'primary'].map((name) => [name, tell(vpc)])),
};

export const instance: TypeRule = {
  is: 'object',
  kind: 'CloudInstance',
  id: integerIn('id'),
  not: ({ lke_cluster_id: cluster }) =>
    integer(cluster) === undefined ? undefined : 'it is a node of a Kubernetes cluster, and goes with its pool',
  rules: {
    label: field('label'),
    region: field('region'),
    type: field('type'),
    group: field('group', unlessEmpty),
    tags,
    watchdog_enabled: field('watchdogEnabled'),
    booted: field('power', power),
    private_ip: field('privateIp', onlyTrue),
    backups_enabled: field('backupsEnabled', onlyTrue),
    backups: field('backupSchedule', schedule),
    alerts: block('alerts', {
      cpu: field('cpuPercent'),
      io: field('ioPerSecond'),
      network_in: field('networkInMbps'),
      network_out: field('networkOutMbps'),
      transfer_quota: field('transferQuotaPercent'),
    }),
    resize_disk: field('autoResizeDisk', onlyTrue),
    disk: further(ofInstance('linode_instance_disk')),
    config: further(ofInstance('linode_instance_config')),
    firewall_id: further((value, all) => [
      {
        type: 'linode_firewall_device',
        attributes: { firewall_id: value, entity_id: all['id'], entity_type: 'linode' },
        called: 'firewall',
      },
    ]),
    shared_ipv4: further((value, all) =>
      listOf(value).length === 0
        ? []
        : [{ type: 'linode_instance_shared_ips', attributes: { linode_id: all['id'], addresses: value }, called: 'shared' }],
    ),
    root_pass: secret,
    stackscript_data: secret,
    metadata: tell('user data is not in this release; it is read when an instance is made, and never shown'),
    boot_config_label: tell('which configuration boots is said at each boot, and is no field of an instance'),
    placement_group: tell('placement groups are not in this release'),
    image: asked('with-image', 'image', ownWord),
    stackscript_id: asked('with-create-fields', 'stackscriptId', reference),
    ...atCreation('authorized_keys', 'authorized_users', 'backup_id', 'swap_size', 'interface'),
    ...computed('id', 'ipv4', 'ipv6', 'ip_address', 'private_ip_address', 'status', 'host_uuid', 'specs', 'capabilities', 'has_user_data'),
    ...computed('lke_cluster_id', 'locks', 'placement_group_externally_managed'),
    ...ofProvider('migration_type', 'maintenance_policy', 'disk_encryption', 'network_helper', 'interface_generation', 'timeouts'),
  },
};

export const disk: TypeRule = {
  is: 'object',
  kind: 'CloudDisk',
  id: integerIn('id'),
  rules: {
    linode_id: field('instanceRef', reference),
    label: field('label'),
    size: field('sizeMB'),
    filesystem: field('filesystem'),
    root_pass: secret,
    stackscript_data: secret,
    read_only: tell('whether a disk is read only is not in this release'),
    ...atCreation('image', 'authorized_keys', 'authorized_users', 'stackscript_id'),
    ...computed('id', 'status', 'disk_encryption', 'created', 'updated'),
    ...ofProvider('timeouts'),
  },
};

const slot = (value: unknown): readonly [string, unknown][] => {
  if (!isRecord(value)) return [];
  const [diskRef, volumeRef] = [integer(value['disk_id']), integer(value['volume_id'])];
  if (diskRef !== undefined) return [['diskRef', diskRef]];
  return volumeRef === undefined ? [] : [['volumeRef', volumeRef]];
};
const slots = (pairs: readonly (readonly [string, unknown])[]): unknown => {
  const filled = pairs.map(([name, value]) => [name, Object.fromEntries(slot(value))] as const);
  const there = filled.filter(([, what]) => Object.keys(what).length > 0);
  return there.length === 0 ? undefined : Object.fromEntries(there);
};
/** `devices` names the slots, `device` has one block for each. */
const byName = (value: unknown): unknown =>
  slots(Object.entries(listOf(value).find(isRecord) ?? {}).map(([name, at]) => [name, listOf(at)[0]] as const));
const byBlock = (value: unknown): unknown =>
  slots(
    listOf(value).flatMap((one) => (isRecord(one) && typeof one['device_name'] === 'string' ? [[one['device_name'], one] as const] : [])),
  );

export const config: TypeRule = {
  is: 'object',
  kind: 'CloudInstanceConfig',
  id: integerIn('id'),
  rules: {
    linode_id: field('instanceRef', reference),
    label: field('label'),
    comments: field('comments', unlessEmpty),
    kernel: field('kernel', ownWord),
    memory_limit: field('memoryLimitMB', unlessZero),
    root_device: field('rootDevice', unlessEmpty),
    run_level: field('runLevel', (value) => (value === 'default' ? undefined : value)),
    virt_mode: field('virtMode', (value) => (value === 'paravirt' ? undefined : value)),
    devices: field('devices', byName),
    device: field('devices', byBlock),
    helpers: block('helpers', {
      updatedb_disabled: field('updateDBDisabled'),
      distro: field('distro'),
      modules_dep: field('modulesDep'),
      network: field('network'),
      devtmpfs_automount: field('devtmpfsAutomount'),
    }),
    interface: blocks('interfaces', interfaces),
    booted: tell('power belongs to the instance: set spec.power there', (value) => value === true),
    ...computed('id', 'created', 'updated'),
    ...ofProvider('timeouts'),
  },
};

export const sharedIps: TypeRule = {
  is: 'object',
  kind: 'CloudIPShare',
  id: integerIn('linode_id'),
  rules: {
    linode_id: field('instanceRef', reference),
    addresses: field('addresses', (value) => listOf(value).map((address) => ({ address: String(address).replace(/\/\d+$/, '') }))),
    ...computed('id'),
  },
};

export const volume: TypeRule = {
  is: 'object',
  kind: 'CloudVolume',
  id: integerIn('id'),
  rules: {
    label: field('label'),
    region: field('region'),
    size: field('sizeGiB'),
    linode_id: field('instanceRef', reference),
    tags,
    encryption: tell(
      'encryption of volumes is not in this release: a volume that is made anew would have none',
      (value) => value === 'enabled',
    ),
    ...atCreation('source_volume_id'),
    ...computed('id', 'filesystem_path', 'status', 'io_ready'),
    ...ofProvider('timeouts'),
  },
};
