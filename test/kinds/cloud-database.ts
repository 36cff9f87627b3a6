import CloudDatabase from '../../src/kinds/cloud-database.ts';
import type { Fixture } from '../conformance/fixture.ts';

const from = (name: string) => ({ instanceRef: { name }, address: 'PublicIPv4' });
/** As the emulator gives them, in this order. */
const addressOf = { other: '172.0.0.2', web: '172.0.0.4' };
const weekly = { frequency: 'weekly', dayOfWeek: 7, hourOfDay: 2, durationHours: 3 } as const;
const monthly = { ...weekly, frequency: 'monthly', weekOfMonth: 2 } as const;

const row = {
  id: 1234,
  label: 'shop-abcdefgh',
  type: 'g6-dedicated-2',
  engine: 'mysql',
  version: '8.0.26',
  region: 'us-east',
  status: 'active',
  encrypted: false,
  allow_list: [addressOf.web],
  cluster_size: 3,
  hosts: {
    primary: 'lin-1234-5678-mysql-primary.servers.vmdb.net',
    secondary: 'lin-1234-5678-mysql-primary-private.servers.vmdb.net',
  },
  ssl_connection: true,
  replication_type: 'semi_synch',
  port: 3306,
  created: '2023-03-06T10:00:00',
  updated: '2023-03-06T10:30:00',
  updates: { frequency: 'weekly', duration: 3, hour_of_day: 2, day_of_week: 7, week_of_month: null },
};
const update = (body: object) => ({ do: 'update', call: { method: 'PUT', path: '/databases/mysql/instances/1234', body } }) as const;

export default {
  kind: CloudDatabase,
  sample: {
    name: 'shop',
    spec: {
      engine: 'mysql/8.0.26',
      region: 'us-east',
      type: 'g6-dedicated-2',
      clusterSize: 3,
      replicationType: 'semi_synch',
      allowFrom: [from('web')],
    },
  },
  needs: { 'web-2': { kind: 'CloudInstance', spec: { label: 'web-2' } }, web: { kind: 'CloudInstance' } },
  want: {
    name: 'shop-abcdefgh',
    engine: 'mysql/8.0.26',
    region: 'us-east',
    type: 'g6-dedicated-2',
    clusterSize: 3,
    replicationType: 'semi_synch',
    allowFrom: [addressOf.web],
  },
  wants: {
    'one node, for nobody': {
      clusterSize: undefined,
      replicationType: undefined,
      allowFrom: undefined,
    },
    'a label of its own': { label: 'shop' },
    'everything said': {
      label: 'a'.repeat(32),
      clusterSize: 1,
      replicationType: 'none',
      encrypted: true,
      sslConnection: false,
      allowList: ['203.0.113.0/24', '2001:DB8:0::/48', addressOf.web],
    },
    'nobody but the instances': { allowList: [] },
    'maintained once a week': { maintenance: weekly },
    'maintained once a month': { maintenance: monthly },
  },
  remote: row,
  told: {
    credentials: { username: 'linroot', password: 'not-a-password' },
    ssl: { ca_certificate: Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64') },
  },

  rejects: {
    'no engine': [{ engine: undefined }, 'engine'],
    'an engine without its version': [{ engine: 'mysql' }, 'write for example mysql/8.0.26'],
    'an engine of another provider': [{ engine: 'redis/7.0' }, 'engine is mysql, postgresql or mongodb'],
    'an engine that leads elsewhere': [{ engine: 'mysql/../../account' }, 'write for example mysql/8.0.26'],
    'no plan': [{ type: undefined }, 'type'],
    'two nodes': [{ clusterSize: 2 }, 'write 1 or 3'],
    'a replication with one node': [{ clusterSize: 1 }, 'replicationType none goes with one node'],
    'three nodes without a replication': [{ replicationType: 'none' }, 'asynch and semi_synch with clusterSize: 3'],
    'a replication that there is not': [{ replicationType: 'sync' }, 'replicationType'],
    'a name in allowList': [{ allowList: ['web.example.org'] }, 'write for example 203.0.113.7 or 203.0.113.0/24'],
    'a mask that is too long': [{ allowList: ['203.0.113.0/33'] }, 'is an address or a network'],
    'an address that instances do not publish': [{ allowFrom: [{ instanceRef: { name: 'web' }, address: 'IPv6' }] }, 'address'],
    'an id in place of an object': [{ allowFrom: [{ instanceRef: { external: 5 }, address: 'PublicIPv4' }] }, 'write name'],
    'a week of the month every week': [{ maintenance: { ...weekly, weekOfMonth: 1 } }, 'leave it out with weekly'],
    'every month, in no week': [{ maintenance: { ...weekly, frequency: 'monthly' } }, 'weekOfMonth goes with frequency: monthly'],
    'an eighth day': [{ maintenance: { ...weekly, dayOfWeek: 8 } }, 'dayOfWeek'],
    'an hour that there is not': [{ maintenance: { ...weekly, hourOfDay: 24 } }, 'hourOfDay'],
    'four hours of maintenance': [{ maintenance: { ...weekly, durationHours: 4 } }, 'durationHours'],
    'half a window': [{ maintenance: { frequency: 'weekly' } }, 'dayOfWeek'],
    'a label that is too short': [{ label: 'db' }, 'label'],
    'a label that ends with a blank': [{ label: 'shop ' }, 'begins or ends with a blank'],
    'a region that is no slug': [{ region: 'US east' }, 'region'],
  },
  edits: [
    { field: 'label', to: 'shop-2', calls: ['PUT {item}'], body: { label: 'shop-2' } },
    { field: 'engine', to: 'mysql/5.7.30', refused: true },
    { field: 'region', to: 'eu-central', refused: true },
    { field: 'type', to: 'g6-dedicated-4', refused: true },
    { field: 'clusterSize', to: 1, with: { replicationType: undefined }, refused: true },
    { field: 'replicationType', to: 'asynch', refused: true },
    { field: 'encrypted', to: true, refused: true },
    { field: 'sslConnection', to: false, refused: true },
    {
      field: 'allowList',
      to: ['203.0.113.0/24'],
      calls: ['PUT {item}'],
      body: { allow_list: [addressOf.web, '203.0.113.0/24'] },
    },
    {
      field: 'allowFrom',
      to: [addressOf.web, addressOf.other],
      spec: [from('web'), from('web-2')],
      calls: ['PUT {item}'],
      body: { allow_list: [addressOf.other, addressOf.web] },
    },
    { field: 'allowFrom', to: [], calls: ['PUT {item}'], body: { allow_list: [] } },
    {
      field: 'maintenance',
      to: monthly,
      calls: ['PUT {item}'],
      body: { updates: { frequency: 'monthly', day_of_week: 7, hour_of_day: 2, duration: 3, week_of_month: 2 } },
    },
  ],
  exempt: {
    'complete after one POST: maintained once a week': 'the create call knows no maintenance window',
    'complete after one POST: maintained once a month': 'the create call knows no maintenance window',
  },
  plans: [
    {
      name: 'clients must connect with TLS unless the spec says otherwise, whatever the default of the service is',
      remote: null,
      step: { do: 'create', call: { path: '/databases/mysql/instances', body: { ssl_connection: true, allow_list: [addressOf.web] } } },
    },
    {
      name: 'another engine is another place',
      want: { engine: 'mongodb/4.4.10' },
      remote: { engine: 'mongodb', version: '4.4.10', replication_type: undefined },
      step: { do: 'nothing' },
    },
    {
      name: 'all that differs is put right by one call',
      want: { label: 'shop-2', allowList: [], maintenance: monthly },
      remote: { allow_list: ['203.0.113.0/24'] },
      step: update({ label: 'shop-2', allow_list: [addressOf.web], updates: { week_of_month: 2 } }),
    },
    {
      name: 'order, spelling and an address as a network are no difference',
      want: { allowList: ['2001:db8:0:0::/48', '203.0.113.7'] },
      remote: { allow_list: ['203.0.113.7/32', '2001:db8::/48', `${addressOf.web}/32`] },
      step: { do: 'nothing' },
    },
    {
      name: 'an address of an instance that is no more is taken away where no list is written',
      remote: { allow_list: ['172.0.0.99', addressOf.web] },
      step: update({ allow_list: [addressOf.web] }),
    },
    {
      name: 'what is in both lists stays when one of them lets go of it',
      want: { allowList: [addressOf.web], allowFrom: [] },
      step: { do: 'nothing' },
    },
    {
      name: 'while an instance has no address yet nobody is shut out',
      want: { allowList: [], awaited: ['allowFrom'] },
      remote: { allow_list: ['172.0.0.99', addressOf.web] },
      step: { do: 'nothing' },
    },
    {
      name: 'who is allowed anew may connect without waiting for that',
      want: { allowList: ['203.0.113.7'], awaited: ['allowFrom'] },
      remote: { allow_list: ['172.0.0.99', addressOf.web] },
      step: update({ allow_list: [addressOf.web, '203.0.113.7', '172.0.0.99'] }),
    },
    { name: 'a list that nobody manages is left alone', want: { allowFrom: undefined }, step: { do: 'nothing' } },
    {
      name: 'a window that the service has not filled yet is set',
      want: { maintenance: weekly },
      remote: { updates: { frequency: 'weekly', duration: 3, hour_of_day: 0, day_of_week: null, week_of_month: null } },
      step: update({ updates: { day_of_week: 7 } }),
    },
    {
      name: 'nothing is sent while it is being made',
      want: { label: 'x-2' },
      remote: { status: 'provisioning' },
      step: { do: 'wait', differs: true },
    },
    { name: 'a backup is waited out', want: { label: 'x-2' }, remote: { status: 'backing_up' }, step: { do: 'wait', differs: true } },
    { name: 'one that has failed is for a person', remote: { status: 'failed' }, step: { do: 'refuse', reason: 'RemoteFailed' } },
    { name: 'so is one that is suspended', remote: { status: 'suspended' }, step: { do: 'refuse', reason: 'RemoteFailed' } },
    { name: 'an unknown status waits', remote: { status: 'frozen' }, step: { do: 'wait' } },
    { name: 'an active one is deleted', deleting: true, step: { do: 'delete', call: { path: '/databases/mysql/instances/1234' } } },
    { name: 'so is one that has failed', remote: { status: 'failed' }, deleting: true, step: { do: 'delete' } },
    { name: 'one that is being made is deleted later', remote: { status: 'provisioning' }, deleting: true, step: { do: 'wait' } },
    {
      name: 'nobody can delete a suspended one',
      remote: { status: 'suspended' },
      deleting: true,
      step: { do: 'refuse', reason: 'Rejected' },
    },
  ],
} satisfies Fixture<typeof CloudDatabase>;
