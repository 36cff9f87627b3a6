import type { Draw } from './draw.ts';
import { digits, letters } from './draw.ts';
import { type Act, create, idOf, made, onAny, type Row } from './estate.ts';
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
    ...(three && { cluster_size: 3, ...draw.maybe({ replication_type: () => draw.pick(['asynch', 'semi_synch']) }) }),
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
  const cluster_ = draw.pick(stores);
  return {
    method: 'POST',
    path: '/object-storage/buckets',
    body: {
      label,
      cluster: cluster_,
      ...draw.maybe({
        acl: () => draw.pick(['private', 'public-read', 'authenticated-read', 'public-read-write']),
        cors_enabled: () => draw.chance(0.5),
      }),
    },
    makes: made('bucket', () => `/object-storage/buckets/${cluster_}/${label}`),
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

const sshKey: Act = ({ draw }) => {
  const type = draw.pick([
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI',
    'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB',
    'ecdsa-sha2-nistp256 AAAAE2VjZHNh',
  ]);
  return create('other', '/profile/sshkeys', {
    label: draw.pick([draw.label(64), '']),
    ssh_key: `${type}${draw.of(`${letters}${digits}+/`, 43)}${draw.pick(['', ' me@host', ' two words', '  '])}`,
  });
};
const scripts = [
  '#!/bin/sh\necho hello\n',
  '#!/bin/bash\n# <UDF name="name" label="Name" default="x" />\necho "$NAME"',
  '#!/usr/bin/env python3\r\nprint("\ttab: yes")\r\n',
  `#!/bin/sh\n${'# a long one: "quoted" \'and\' {{ templated }}\n'.repeat(200)}`,
];
const script: Act = ({ draw }) =>
  create('script', '/vm/stackscripts', {
    label: draw.label(128),
    images: draw.pick([['any/all'], ['vm/debian11', 'vm/debian10'], ['vm/debian11']]),
    script: draw.pick(scripts),
    ...draw.maybe({
      description: () => draw.pick([draw.text(0, 300), null]),
      rev_note: () => draw.pick([draw.text(0, 100), null]),
      is_public: () => draw.chance(0.2),
    }),
  });
const scriptWork: Act = onAny('script', ({ path }, { draw }) => ({
  method: 'PUT',
  path,
  body: draw.maybe({
    label: () => draw.label(128),
    description: () => draw.pick([draw.text(0, 300), null]),
    script: () => draw.pick(scripts),
  }),
}));
const longview: Act = ({ draw }) => create('other', '/longview/clients', draw.maybe({ label: () => draw.name(32, '-_') }));
const oauth: Act = ({ draw }) =>
  create('other', '/account/oauth-clients', {
    label: draw.label(512),
    redirect_uri: draw.pick(['https://app.example.org/back', 'http://localhost:3000', 'my-app+x://callback/?a=b&c=%20']),
    ...draw.maybe({ public: () => draw.chance(0.5) }),
  });
const ticket: Act = (estate) => {
  const { draw } = estate;
  const [machine, zone, volume] = (['machine', 'zone', 'volume'] as const).map((sort) => estate.any(sort));
  const subject = draw.pick([
    {},
    machine && { vm_id: idOf(machine) },
    zone && { domain_id: idOf(zone) },
    volume && { volume_id: idOf(volume) },
  ]);
  return create('ticket', '/support/tickets', { summary: draw.label(64), description: draw.text(1, 2000), ...subject });
};
const ticketWork: Act = onAny('ticket', ({ path }, { draw }) =>
  draw.chance(0.5)
    ? { method: 'POST', path: `${path}/close` }
    : { method: 'POST', path: `${path}/replies`, body: { description: draw.text(1, 500) } },
);
const contact: Act = ({ draw }) =>
  create('other', '/managed/contacts', {
    name: draw.name(64, ' _-'),
    email: draw.pick(['a@example.org', 'Some.Body+x@Example.org']),
    ...draw.maybe({
      phone: () => draw.maybe({ primary: () => draw.pick(['+1 555 0100', null]), secondary: () => '0' }),
      group: () => draw.pick(['on call', null, 'x'.repeat(50)]),
    }),
  });
const credential: Act = ({ draw }) =>
  create('credential', '/managed/credentials', {
    label: draw.name(75, ' ._-'),
    password: 'correct-Horse-7-battery',
    ...draw.maybe({ username: () => draw.pick(['root', null, '']) }),
  });
const service: Act = (estate) => {
  const { draw } = estate;
  const hidden = draw.chance(0.3);
  const url = draw.chance(0.6);
  const host = hidden ? '192.168.1.7' : draw.pick(['example.org', '203.0.113.9']);
  return create('service', '/managed/services', {
    label: draw.name(64, ' ._-'),
    service_type: url ? 'url' : 'tcp',
    address: url ? `https://${host}/status` : `${host}:22`,
    timeout: draw.from(1, 255),
    ...(hidden && { region: draw.pick(regions) }),
    ...draw.maybe({
      body: () => draw.pick([draw.text(0, 100), null]),
      consultation_group: () => draw.pick(['', 'on call']),
      credentials: () => draw.some(estate.all('credential')).map(idOf),
      notes: () => draw.pick([draw.text(0, 300), null]),
    }),
  });
};
const serviceWork: Act = onAny('service', ({ path }, { draw }) => ({
  method: 'POST',
  path: `${path}/${draw.pick(['disable', 'enable'])}`,
}));

export const databaseActs: readonly Act[] = [database, databaseWork];
export const clusterActs: readonly Act[] = [cluster, clusterWork, clusterWork, poolWork];
export const storeActs: readonly Act[] = [bucket, bucketWork, bucketWork, key, key];
/** What a person, and not a machine, has. */
export const personActs: readonly Act[] = [
  sshKey,
  sshKey,
  sshKey,
  script,
  script,
  script,
  scriptWork,
  longview,
  oauth,
  oauth,
  ticket,
  ticketWork,
  contact,
  credential,
  service,
  serviceWork,
];
