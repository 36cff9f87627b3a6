import { expect, it } from 'vitest';
import { World } from '../support/world/world.ts';

const records = 1000;
const volumes = 200;
const hour = 3_600_000;

interface Seen {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function unready(world: World): number {
  const objects = ['clouddomainrecords', 'cloudvolumes'].flatMap((plural) => world.server.objects(`cloudhosting.dev/${plural}`)) as Seen[];
  return objects.filter(({ status }) => !status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True')).length;
}

/** Event polls, the account's own reads, pages of collections in use, and sub-collections within their cap. */
const formula = { events: 360, other: 40, pages: 12 * 2, records: 12 * Math.ceil(records / 500), zoneFile: 12 };

it('1,000 records and 200 volumes idle for an hour: nothing written, calls by pages and events alone', { timeout: 300_000 }, async () => {
  const world = await World.create();
  await world.account();
  await world.apply('CloudDomain', 'example', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' });
  for (let n = 0; n < records; n += 1)
    await world.apply('CloudDomainRecord', `r${n}`, {
      domainRef: { name: 'example' },
      type: 'A',
      host: `h${n}`,
      target: `192.0.2.${n % 250}`,
    });
  for (let n = 0; n < volumes; n += 1) await world.apply('CloudVolume', `v${n}`, { region: 'eu-central', sizeGiB: 20 });
  await world.start();
  for (let minute = 0; minute < 60 && (minute === 0 || unready(world) > 0); minute += 1) await world.clock.advance(60_000);
  expect(unready(world)).toBe(0);
  const posts = world.emulator.control.requests().filter(({ method }) => method === 'POST');
  expect(posts).toHaveLength(1 + records + volumes);
  await world.clock.advance(hour / 2);

  world.server.ledger.clear();
  const before = world.emulator.control.requests().at(-1)?.seq ?? 0;
  await world.clock.advance(hour);
  const calls = world.emulator.control.requests(before);
  const counted = (template: RegExp): number => calls.filter((call) => template.test(call.template)).length;
  const seen = {
    events: counted(/^\/account\/events$/),
    pages: counted(/^\/(volumes|domains)$/),
    records: counted(/records$/),
    zoneFile: counted(/zone-file$/),
    single: counted(/^\/(volumes|domains)\/\{[^}]+\}$|records\/\{/),
  };
  const other = calls.length - Object.values(seen).reduce((sum, n) => sum + n, 0);
  process.stdout.write(`idle hour: ${JSON.stringify({ ...seen, other })}, formula: ${JSON.stringify(formula)}\n`);
  expect(world.server.ledger.writes.filter(({ resource }) => resource !== 'leases')).toEqual([]);
  expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(seen.single).toBe(0);
  expect(seen).toMatchObject({ events: formula.events, pages: formula.pages, records: formula.records });
  expect(seen.zoneFile).toBeLessThanOrEqual(formula.zoneFile);
  expect(other).toBeLessThanOrEqual(formula.other);
  expect(world.panics).toEqual([]);
});
