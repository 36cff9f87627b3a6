import { sleep, systemClock } from '../../../src/lib/clock.ts';
import type { LedgerRequest } from '../../support/process/emulator-program.ts';
import type { Bench } from '../bench.ts';
import { p99 } from '../figure.ts';
import { allGone, allReady, apply, edit, furnish, pluralOf, remove } from '../inhabitants.ts';
import { membersOf, type Member } from '../population.ts';

interface Life {
  readonly kind: string;
  /** Paths of its calls; parts, which are read later and within the cap of sub-collections, are not among them. */
  readonly calls: RegExp;
  /** Calls for each create, listings apart. */
  readonly perCreate: number;
  /** Listings of the parent for all creates of a batch. */
  readonly listings: number;
  /** Writes to Kubernetes for each create. */
  readonly writes: number;
  readonly why: string;
  /** An edit that takes one call. */
  readonly edit: Readonly<Record<string, unknown>>;
  /** Where its jobs are seen to end. */
  readonly collection?: string;
}

const tags = { tags: ['bench', 'edited'] };

const lives: readonly Life[] = [
  { kind: 'CloudDomain', calls: /^\/domains(\/\{\w+\})?$/, perCreate: 1, listings: 0, writes: 3, why: 'unique', edit: tags },
  { kind: 'CloudDomainRecord', calls: /\/records/, perCreate: 1, listings: 1, writes: 3, why: 'counted', edit: { ttlSeconds: 3600 } },
  {
    kind: 'CloudFirewall',
    calls: /^\/networking\/firewalls(\/\{\w+\})?$/,
    perCreate: 1,
    listings: 0,
    writes: 3,
    why: 'unique',
    edit: tags,
  },
  { kind: 'CloudSSHKey', calls: /^\/profile\/sshkeys/, perCreate: 1, listings: 1, writes: 3, why: 'counted', edit: { label: 'edited' } },
  {
    kind: 'CloudBucket',
    calls: /^\/object-storage\/buckets(\/\{\w+\}){0,2}$/,
    perCreate: 2,
    listings: 0,
    writes: 3,
    why: 'bucket: looked for first',
    edit: { acl: 'public-read' },
  },
  {
    kind: 'CloudVolume',
    calls: /^\/volumes(\/\{\w+\})?$/,
    perCreate: 2,
    listings: 1,
    writes: 4,
    why: 'counted, a read per finished job',
    edit: tags,
    collection: 'volumes',
  },
  {
    kind: 'CloudInstance',
    calls: /^\/vm\/instances(\/\{\w+\})?$/,
    perCreate: 3,
    listings: 0,
    writes: 4,
    why: 'unique, a read per finished job: create and boot',
    edit: tags,
    collection: 'instances',
  },
];

/** Not more than the brake lets a namespace delete. */
const batch = 5;

const isListing = ({ method, query }: LedgerRequest): boolean => method === 'GET' && /\bpage=/.test(query);

interface Seen {
  readonly calls: readonly LedgerRequest[];
  readonly single: number;
  readonly listings: number;
  readonly writes: number;
}

/** What a batch cost, when nothing more comes of it. */
async function cost({ stage }: Bench, life: Life, namespace: string, from: number): Promise<Seen> {
  await sleep(systemClock, 5000);
  const calls = (await stage.evidence.calls(from)).filter(({ template }) => life.calls.test(template));
  const writes = (await stage.evidence.writes(from)).filter((one) => one.namespace === namespace && one.resource === pluralOf(life.kind));
  const listed = calls.filter(isListing);
  return {
    calls,
    single: (calls.length - listed.length) / batch,
    listings: listed.filter(({ query }) => /\bpage=1\b/.test(query)).length,
    writes: writes.length / batch,
  };
}

const endpoints = ({ calls }: Seen): string => {
  const counts = new Map<string, number>();
  for (const { method, template } of calls) counts.set(`${method} ${template}`, (counts.get(`${method} ${template}`) ?? 0) + 1);
  return [...counts].map(([endpoint, count]) => `${count} ${endpoint}`).join(', ');
};

/** Seconds from the end of an object's last job to the status that says so. */
async function jobToReady({ stage }: Bench, { collection }: Life, members: readonly Member[]): Promise<readonly number[]> {
  const rows = (await stage.emulator.alive()).filter((object) => object.collection === collection);
  const writes = (await stage.evidence.writes(0)).filter(({ subresource }) => subresource === 'status');
  return members.flatMap(({ name, spec }) => {
    const row = rows.find((object) => object.row['label'] === spec['label']);
    const ended = row?.changes.findLast(({ origin, fields }) => origin.startsWith('job') && fields.includes('status'))?.at;
    const written = writes.findLast((one) => one.name === name)?.at;
    return ended === undefined || written === undefined ? [] : [(written - ended) / 1000];
  });
}

interface Batch {
  readonly life: Life;
  readonly namespace: string;
  readonly members: readonly Member[];
}

const patienceFor = ({ life, namespace }: Batch) => ({ kinds: [life.kind], namespace, limit: 180_000 });

/** What they need is there when they are made. */
async function prepare({ stage }: Bench, life: Life): Promise<Batch> {
  const { kind } = life;
  const namespace = `life-${kind.toLowerCase()}`;
  await furnish(stage.cluster, [namespace], stage.emulator.ready.token);
  const all = membersOf(kind, { count: batch, in: [namespace], from: 900_000 });
  await apply(
    stage.cluster,
    all.filter((member) => member.kind !== kind),
  );
  await allReady(stage.cluster, { kinds: ['CloudAccount', 'CloudDomain'], namespace, limit: 60_000 });
  await sleep(systemClock, 3000);
  return { life, namespace, members: all.filter((member) => member.kind === kind) };
}

async function begin(bench: Bench, one: Batch): Promise<void> {
  const { stage, report } = bench;
  const { life, namespace, members } = one;
  const { kind, why } = life;
  const created = systemClock.now();
  await apply(stage.cluster, members);
  await allReady(stage.cluster, patienceFor(one));
  const births = await cost(bench, life, namespace, created);
  report({
    name: `create ${kind}: calls`,
    value: births.single,
    unit: 'calls',
    limit: life.perCreate,
    formula: `${why}; ${batch} at once: ${endpoints(births)}`,
  });
  report({
    name: `create ${kind}: listings`,
    value: births.listings,
    unit: 'listings',
    limit: life.listings + 1,
    formula: `${life.listings} for the batch, and a sweep may fall due`,
  });
  report({
    name: `create ${kind}: writes`,
    value: births.writes,
    unit: 'writes',
    limit: life.writes,
    formula: 'audit log: intent, identity, status; status again when a job ends',
  });
  if (life.collection !== undefined) {
    const delays = await jobToReady(bench, life, members);
    report({
      name: `own job to Ready, ${kind}, p99`,
      value: p99(delays),
      unit: 's',
      limit: 3,
      formula: `${delays.length} jobs; poll of 2 s + one read + one write`,
    });
  }
}

async function change(bench: Bench, one: Batch): Promise<void> {
  const { stage, report } = bench;
  const { life, namespace, members } = one;
  const { kind } = life;
  const edited = systemClock.now();
  for (const member of members) await edit(stage.cluster, member, life.edit);
  await allReady(stage.cluster, patienceFor(one));
  const edits = await cost(bench, life, namespace, edited);
  report({ name: `update ${kind}: calls`, value: edits.single, unit: 'calls', formula: endpoints(edits) });
  report({ name: `update ${kind}: writes`, value: edits.writes, unit: 'writes', formula: 'audit log' });
}

async function end(bench: Bench, one: Batch): Promise<void> {
  const { stage, report } = bench;
  const { life, namespace, members } = one;
  const { kind } = life;
  const deleted = systemClock.now();
  for (const member of members) await remove(stage.cluster, member);
  await allGone(stage.cluster, patienceFor(one));
  const deaths = await cost(bench, life, namespace, deleted);
  report({ name: `delete ${kind}: calls`, value: deaths.single, unit: 'calls', formula: endpoints(deaths) });
  report({ name: `delete ${kind}: writes`, value: deaths.writes, unit: 'writes', formula: 'audit log' });
}

/** In 20 s: rounds list 600 an hour for good. */
const few = 4;

/**
 * After a cold start each of many parents is listed for the first time, and those that a window of list reads does not hold are
 * listed in the next: they belong to no create.
 */
async function firstLooksOver({ stage, say }: Bench): Promise<void> {
  const begun = systemClock.now();
  while (systemClock.now() - begun < 300_000) {
    const from = systemClock.now();
    await sleep(systemClock, 20_000);
    const listed = (await stage.evidence.calls(from)).filter(isListing);
    if (listed.length <= few) return;
    say(`waiting for the first look at each list: ${listed.length} pages in the last 20 s`);
  }
}

/** Five of each kind are made, edited and deleted beside everything else. */
export async function lifecycle(bench: Bench): Promise<void> {
  await firstLooksOver(bench);
  for (const life of lives) {
    const one = await prepare(bench, life);
    await begin(bench, one);
    await change(bench, one);
    await end(bench, one);
  }
}
