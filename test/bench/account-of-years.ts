import { sleep, systemClock } from '../../src/lib/clock.ts';
import type { EmulatorProgram } from '../support/process/emulator-program.ts';
import { atOnce } from './at-once.ts';
import { cloudUser } from './evidence.ts';

type Body = Readonly<Record<string, unknown>>;
export type Id = number | string;
/** What was made, as far as others refer to it. */
export interface Made {
  readonly instances: readonly Id[];
  readonly buckets: readonly string[];
}

const width = 12;
const number = (index: number): string => String(index).padStart(6, '0');
const region = 'us-southeast';
const tags = ['bench'];
const publicKey = (index: number): string =>
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${Buffer.from(number(index).padStart(33, 'k')).toString('base64').slice(0, 43)}`;

/** Of 1,000 things: how many of each an account has, what they are made by, and nothing that needs another. */
const things: readonly (readonly [share: number, path: string, body: (n: string, index: number) => Body])[] = [
  [150, '/volumes', (n) => ({ label: `v${n}`, region, size: 20, tags })],
  [40, '/profile/sshkeys', (n, index) => ({ label: `k${n}`, ssh_key: publicKey(index) })],
  [
    40,
    '/networking/firewalls',
    (n) => ({ label: `f${n}`, rules: { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }, tags }),
  ],
  [40, '/vm/stackscripts', (n) => ({ label: `s${n}`, images: ['vm/debian11'], script: '#!/bin/sh\necho hello\n' })],
  [20, '/object-storage/keys', (n) => ({ label: `o${n}` })],
  [20, '/account/oauth-clients', (n) => ({ label: `a${n}`, redirect_uri: 'https://app.example.org/back' })],
  [3, '/databases/mysql/instances', (n) => ({ label: `db${n}`, region: 'us-east', type: 'g6-nanode-1', engine: 'mysql/8.0.26' })],
  [
    3,
    '/lke/clusters',
    (n) => ({ label: `c${n}`, region: 'eu-central', k8s_version: '1.24', node_pools: [{ type: 'g6-standard-1', count: 2 }] }),
  ],
  [10, '/managed/contacts', (n) => ({ name: `contact ${n}`, email: 'a@example.org' })],
  [10, '/managed/credentials', (n) => ({ label: `m${n}`, password: 'correct-Horse-7-battery' })],
  [10, '/managed/services', (n) => ({ label: `w${n}`, address: 'https://example.org', service_type: 'url', timeout: 30 })],
  [10, '/support/tickets', (n) => ({ summary: `question ${n}`, description: 'about something' })],
];
const records = 418;
const recordsOfADomain = 19;
const instances = 40;
const buckets = 10;

/** Fills the account with something of every kind that can be exported, about `count` in all, as its own user did it over the years. */
export async function fill(emulator: EmulatorProgram, count: number): Promise<Made> {
  const as = async (path: string, body: Body): Promise<Body> => {
    const answer = await emulator.control<{ status: number; body: Body }>('POST', '/as', {
      username: cloudUser,
      method: 'POST',
      path: `/v4${path}`,
      body,
    });
    if (answer.status !== 200) throw new Error(`planting at ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const times = <T>(share: number, one: (index: number) => Promise<T>): Promise<readonly T[]> =>
    atOnce(
      Array.from({ length: Math.max(1, Math.round((share * count) / 1000)) }, (_, index) => index),
      width,
      one,
    );
  // The free plan has ten, whatever the size of an account.
  for (let index = 0; index < 8; index += 1) await as('/longview/clients', { label: `l${number(index)}` });
  for (const [share, path, body] of things) await times(share, (index) => as(path, body(number(index), index)));
  const machines = await times(instances, (index) =>
    as('/vm/instances', {
      label: `i${number(index)}`,
      region,
      type: 'g6-nanode-1',
      image: 'vm/debian11',
      root_pass: 'correct-Horse-7-battery',
      tags,
    }),
  );
  await times(records / recordsOfADomain, async (index) => {
    const { id } = await as('/domains', { domain: `d${number(index)}.example`, type: 'master', soa_email: 'admin@example.org', tags });
    for (let record = 0; record < recordsOfADomain; record += 1)
      await as(`/domains/${String(id)}/records`, { type: 'A', name: `r${record}`, target: `203.0.113.${record}`, ttl_sec: 300 });
  });
  const stores = await times(buckets, async (index) => {
    await as('/object-storage/buckets', { label: `b${number(index)}`, cluster: 'us-east-1' });
    return `us-east-1/b${number(index)}`;
  });
  // Databases are there within a minute, clusters and instances before.
  await sleep(systemClock, 20_000);
  return { instances: machines.map(({ id }) => id as Id), buckets: stores };
}
