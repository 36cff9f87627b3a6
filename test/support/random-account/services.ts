import { type Draw, letters } from './draw.ts';
import { type Act, create, made, onAny, type Row } from './estate.ts';
import { regions } from './machines.ts';

const engines = ['mysql/5.7.30', 'mysql/8.0.26', 'postgresql/10.14', 'postgresql/13.2'];
const networks = ['192.0.2.0/24', '203.0.113.5', '0.0.0.0/0', '2001:db8::/32', '198.51.100.7/32'];
const database: Act = ({ draw }) => {
  const engine = draw.pick(engines);
  const three = draw.chance(0.3);
  return create('database', `/databases/${engine.split('/')[0] ?? ''}/instances`, {
    label: draw.label(32),
    engine,
    region: draw.pick(regions),
    type: draw.pick(['g6-nanode-1', 'g6-dedicated-2', 'g6-standard-1']),
    ...(three && { storesize: 3, ...draw.maybe({ replication_type: () => draw.pick(['asynch', 'semi_synch']) }) }),
    ...draw.maybe({
      allow_list: () => draw.some(networks),
      encrypted: () => draw.chance(0.5),
      ssl_connection: () => draw.chance(0.5),
      ...(engine.startsWith('p') && { replication_commit_type: () => draw.pick(['local', 'remote_write', 'on']) }),
    }),
  });
};
const monthly = (draw: Draw): Row => ({
  frequency: 'monthly',
  week_of_month: draw.from(1, 4),
  day_of_week: draw.from(1, 7),
  hour_of_day: draw.from(0, 23),
  duration: draw.from(1, 3),
});
const databaseWork: Act = onAny('database', ({ path }, { draw }) =>
  draw.pick([
    {
      method: 'PUT' as const,
      path,
      body: draw.maybe({
        label: () => draw.label(32),
        allow_list: () => draw.some(networks),
        updates: () => draw.pick([monthly(draw), { frequency: 'weekly', day_of_week: draw.from(1, 7) }, { hour_of_day: 23 }]),
      }),
    },
    { method: 'POST' as const, path: `${path}/backups`, body: { label: draw.of(letters, draw.from(1, 30)) } },
    { method: 'POST' as const, path: `${path}/credentials/reset` },
  ]),
);

const poolTypes = ['g6-standard-1', 'g6-standard-2', 'g6-dedicated-2'];
function pool(draw: Draw): Row {
  const [least, most] = [draw.from(1, 3), draw.from(3, 6)];
  return {
    type: draw.pick(poolTypes),
    count: draw.from(1, 4),
    ...draw.maybe({
      autoscaler: () => draw.pick([{ enabled: true, min: least, max: most }, { enabled: false, min: least, max: most }, null]),
      disks: () =>
        draw.pick([
          [{ size: 1024, type: 'ext4' }],
          [
            { size: 500, type: 'raw' },
            { size: 500, type: 'ext4' },
          ],
          [],
          null,
        ]),
      tags: () => draw.tags(),
    }),
  };
}
const cluster: Act = ({ draw }) =>
  create('cluster', '/lke/clusters', {
    label: draw.label(32),
    region: draw.pick(regions),
    k8s_version: draw.pick(['1.23', '1.24', '1.25']),
    node_pools: draw.times(1, 3, () => pool(draw)),
    ...draw.maybe({ control_plane: () => draw.maybe({ high_availability: () => draw.chance(0.5) }), tags: () => draw.tags() }),
  });
const clusterWork: Act = onAny('cluster', (thing, { draw }) =>
  draw.pick([
    { method: 'PUT' as const, path: thing.path, body: draw.maybe({ label: () => draw.label(32), tags: () => draw.tags() }) },
    create('pool', `${thing.path}/pools`, pool(draw), thing),
    { method: 'POST' as const, path: `${thing.path}/regenerate`, body: { kubeconfig: true } },
  ]),
);
const poolWork: Act = onAny('pool', (thing, { draw }) =>
  draw.chance(0.3)
    ? { method: 'DELETE', path: thing.path, removes: thing }
    : { method: 'PUT', path: thing.path, body: draw.maybe({ count: () => draw.from(1, 5), tags: () => draw.tags() }) },
);

const stores = ['us-east-1', 'eu-central-1', 'ap-south-1', 'us-southeast-1'];
const bucket: Act = ({ draw }) => {
  const label = `${draw.name(50).toLowerCase()}${draw.pick(['', '.example.org', '-x'])}`;
  const store = draw.pick(stores);
  return {
    method: 'POST',
    path: '/object-storage/buckets',
    body: {
      label,
      cluster: store,
      ...draw.maybe({
        acl: () => draw.pick(['private', 'public-read', 'authenticated-read', 'public-read-write']),
        cors_enabled: () => draw.chance(0.5),
      }),
    },
    makes: made('bucket', () => `/object-storage/buckets/${store}/${label}`),
  };
};
const pem = (kind: string): string => `-----BEGIN ${kind}-----\nTUlJQg==\n-----END ${kind}-----\n`;
const bucketWork: Act = onAny('bucket', ({ path }, { draw }) =>
  draw.pick([
    {
      method: draw.pick(['PUT', 'POST'] as const),
      path: `${path}/access`,
      body: draw.maybe({ acl: () => draw.pick(['private', 'public-read', 'custom']), cors_enabled: () => draw.chance(0.5) }),
    },
    { method: 'POST' as const, path: `${path}/ssl`, body: { certificate: pem('CERTIFICATE'), private_key: pem('PRIVATE KEY') } },
  ]),
);
const key: Act = (estate) => {
  const { draw } = estate;
  const bucket_access = estate
    .all('bucket')
    .map(({ row }) => ({ cluster: row['cluster'], bucket_name: row['label'], permissions: draw.pick(['read_write', 'read_only']) }));
  return create('other', '/object-storage/keys', {
    ...draw.maybe({ label: () => draw.label(50), bucket_access: () => draw.pick([draw.some(bucket_access), null]) }),
  });
};

/** What runs for the account beside its machines. */
export const databaseActs: readonly Act[] = [database, databaseWork];
export const clusterActs: readonly Act[] = [cluster, clusterWork, clusterWork, poolWork];
export const storeActs: readonly Act[] = [bucket, bucketWork, bucketWork, key, key];
