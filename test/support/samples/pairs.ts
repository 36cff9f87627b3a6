import type { Row } from '../../../src/resource/index.ts';

/** Kind, name and spec, in the order in which they need each other. */
export type Named = readonly [kind: string, name: string, spec: Row];
/** Kinds that refer to each other, one of each; `chosen` is what stands in specs whatever the objects are called. */
export type Pair = (name: string, chosen: string) => readonly Named[];

const bare = { region: 'us-southeast', type: 'g6-standard-1' };
const instance = (name: string): Named => ['CloudInstance', name, bare];
/** What boots has a configuration, in which volumes find their place. */
const deployed = { image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };
const on = (name: string): Row => ({ instanceRef: { name } });
const bucket = (name: string): Named => ['CloudBucket', name, { cluster: 'eu-central-1' }];

export const pairs: Readonly<Record<string, Pair>> = {
  'volume and instance': (name) => [
    ['CloudInstance', name, { ...bare, ...deployed }],
    ['CloudVolume', name, { ...on(name), sizeGiB: 20 }],
  ],
  'volume and instance with labels of their own': (name, chosen) => [
    ['CloudInstance', name, { ...bare, ...deployed, label: `web-${chosen}` }],
    ['CloudVolume', name, { ...on(name), label: `data-${chosen}` }],
  ],
  'configuration, disk and instance': (name) => [
    ['CloudInstance', name, { ...bare, bootConfigRef: { name } }],
    ['CloudDisk', name, { ...on(name), sizeMB: 1024 }],
    ['CloudInstanceConfig', name, { ...on(name), devices: { sda: { diskRef: { name } } } }],
  ],
  'firewall and instance': (name) => [
    instance(name),
    ['CloudFirewall', name, { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs: [{ name }] }],
  ],
  'record and domain': (name, chosen) => [
    ['CloudDomain', name, { domain: `${chosen}.example.org`, type: 'master', soaEmail: 'admin@example.org' }],
    ['CloudDomainRecord', name, { domainRef: { name }, type: 'A', host: 'www', target: '203.0.113.7' }],
  ],
  'access rule and bucket': (name) => [
    bucket(name),
    ['CloudObjectACL', name, { bucketRef: { name }, object: 'img/logo.png', acl: 'public-read' }],
  ],
  'key and bucket': (name) => [
    bucket(name),
    ['CloudObjectKey', name, { bucketAccess: [{ bucketRef: { name }, permissions: 'read_write' }] }],
  ],
  'pool and cluster': (name) => [
    [
      'CloudKubernetesCluster',
      name,
      { region: 'eu-central', k8sVersion: '1.24', nodePools: [{ name: 'base', type: 'g6-standard-2', count: 1 }] },
    ],
    ['CloudNodePool', name, { clusterRef: { name }, type: 'g6-standard-4', count: 1 }],
  ],
  'backup and database': (name) => [
    ['CloudDatabase', name, { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-dedicated-2', clusterSize: 1 }],
    ['CloudDatabaseBackup', name, { databaseRef: { name } }],
  ],
  'image and instance': (name) => [
    instance(name),
    ['CloudDisk', name, { ...on(name), sizeMB: 1024 }],
    ['CloudImage', name, { capture: { diskRef: { name } } }],
    ['CloudInstance', `${name}-copy`, { ...bare, ...deployed, image: undefined, imageRef: { name } }],
  ],
  'share and address': (name) => [
    instance(name),
    instance(`${name}-standby`),
    ['CloudIPAddress', name, { type: 'IPv4', ...on(name) }],
    ['CloudIPShare', name, { ...on(`${name}-standby`), addresses: [{ addressRef: { name } }] }],
  ],
};
