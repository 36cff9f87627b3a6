import type { Play } from './player.ts';
import { numberOf } from './player.ts';

const label = (at: number): string => `name-${at % 6}`;
const pool = (count: number): object => ({ type: 'g6-standard-1', count: 1 + (count % 3), tags: ['pool'] });
const databases = '/databases/mysql/instances';
const buckets = '/object-storage/buckets';

const domainPlays: readonly Play[] = [
  async (_some, a) => ['POST', '/domains', { type: 'master', domain: `${label(a)}.example`, soa_email: 'a@b.example', tags: ['dns'] }],
  async (_some, a) => ['POST', '/domains/import', { domain: `${label(a)}.example`, remote_nameserver: 'ns1.other.example' }],
  async (some, a, b) => ['POST', `${await some('/domains', a)}/clone`, { domain: `${label(b)}.example` }],
  async (some, a, b) => ['PUT', await some('/domains', a), { ttl_sec: b }],
  async (some, a) => ['DELETE', await some('/domains', a)],
  async (some, a, b) => ['POST', `${await some('/domains', a)}/records`, { type: 'A', name: label(b), target: '192.0.2.1' }],
  async (some, a, b) => ['POST', `${await some('/domains', a)}/records`, { type: 'CNAME', name: label(b), target: 'www.example' }],
  async (some, a, b) => ['PUT', await some(`${await some('/domains', a)}/records`, b), { ttl_sec: 300 }],
  async (some, a, b) => ['DELETE', await some(`${await some('/domains', a)}/records`, b)],
];

const clusterPlays: readonly Play[] = [
  async (_some, a, b) => ['POST', '/lke/clusters', { label: label(a), region: 'us-east', k8s_version: '1.24', node_pools: [pool(b)] }],
  async (some, a, b) => ['PUT', await some('/lke/clusters', a), { tags: [label(b)] }],
  async (some, a) => ['DELETE', await some('/lke/clusters', a)],
  async (some, a, b) => ['POST', `${await some('/lke/clusters', a)}/pools`, pool(b)],
  async (some, a, b) => ['PUT', await some(`${await some('/lke/clusters', a)}/pools`, b), { count: 1 + (b % 4) }],
  async (some, a, b) => ['POST', `${await some(`${await some('/lke/clusters', a)}/pools`, b)}/recycle`],
  async (some, a, b) => ['DELETE', await some(`${await some('/lke/clusters', a)}/pools`, b)],
];

const databasePlays: readonly Play[] = [
  async (_some, a) => ['POST', databases, { label: label(a), engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-nanode-1' }],
  async (some, a) => ['PUT', await some(databases, a), { allow_list: ['192.0.2.0/24'] }],
  async (some, a, b) => ['POST', `${await some(databases, a)}/backups`, { label: `copy${b % 5}` }],
  async (some, a) => ['POST', `${await some(databases, a)}/credentials/reset`],
  async (some, a, b) => ['POST', `${await some(`${await some(databases, a)}/backups`, b)}/restore`],
  async (some, a) => ['DELETE', await some(databases, a)],
];

/** Everything else of the account. */
export const servicePlays: readonly Play[] = [
  ...domainPlays,
  ...clusterPlays,
  ...databasePlays,
  async (_some, a) => ['POST', buckets, { label: label(a), cluster: 'us-east-1' }],
  async (_some, a) => ['DELETE', `${buckets}/us-east-1/${label(a)}`],
  async (_some, a) => ['POST', '/object-storage/keys', { label: label(a) }],
  async (some, a) => ['DELETE', await some('/object-storage/keys', a)],
  async () => ['POST', '/object-storage/cancel'],
  async (_some, a) => ['POST', '/profile/sshkeys', { label: label(a), ssh_key: 'ssh-ed25519 AAAAC3Nz' }],
  async (some, a) => ['DELETE', await some('/profile/sshkeys', a)],
  async (_some, a) => ['POST', '/vm/stackscripts', { label: label(a), images: ['any/all'], script: '#!/bin/sh' }],
  async (_some, a) => ['POST', '/longview/clients', { label: label(a) }],
  async (some, a, b) => ['PUT', await some('/longview/clients', a), { label: label(b) }],
  async (some, a) => ['DELETE', await some('/longview/clients', a)],
  async (_some, a) => ['POST', '/tags', { label: label(a) }],
  async (some, a) => ['POST', '/tags', { label: 'both', domains: [numberOf(await some('/domains', a))] }],
  async (_some, a) => ['DELETE', `/tags/${label(a)}`],
  async (_some, a) => ['POST', '/support/tickets', { summary: label(a), description: 'Please look.' }],
  async (some, a) => ['POST', `${await some('/support/tickets', a)}/replies`, { description: 'And now?' }],
  async (some, a) => ['POST', `${await some('/support/tickets', a)}/close`],
  async (_some, a) => ['POST', '/account/oauth-clients', { label: label(a), redirect_uri: 'https://example.org/back' }],
  async (some, a) => ['POST', `${await some('/account/oauth-clients', a)}/reset-secret`],
  async (some, a) => ['DELETE', await some('/account/oauth-clients', a)],
  async (_some, a) => ['POST', '/account/payments', { usd: `${5 + (a % 90)}.00`, cvv: '123' }],
  async (_some, a) => ['PUT', '/account', { company: label(a) }],
  async (_some, a) => ['POST', '/managed/contacts', { name: label(a), email: 'a@b.example' }],
  async (_some, a) => ['POST', '/managed/services', { label: label(a), service_type: 'url', address: 'https://a.example', timeout: 30 }],
  async (some, a) => ['DELETE', await some('/managed/services', a)],
];
