import { expect, it } from 'vitest';
import { World } from '../support/world.ts';

const records = 1000;
const volumes = 200;

it('idles for an hour at the cost of pages and events, not of objects', { timeout: 240_000 }, async () => {
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
  const started = world.clock.monotonic();
  await world.clock.runUntil(async () => (await unready(world)) === 0, 3_600_000);
  console.log('converged after', (world.clock.monotonic() - started) / 1000, 's');
  await world.clock.advance(30 * 60_000);

  world.server.ledger.clear();
  const before = world.emulator.control.requests().at(-1)?.seq ?? 0;
  await world.clock.advance(3_600_000);
  const calls = Object.groupBy(world.emulator.control.requests(before), ({ method, template }) => `${method} ${template}`);
  const counts = Object.fromEntries(Object.entries(calls).map(([name, all]) => [name, all?.length ?? 0]));
  console.log(counts);
  console.log(
    world.server.ledger.writes
      .filter(({ resource }) => resource !== 'leases')
      .map(({ resource, name, changed }) => `${resource} ${name} ${changed.join()}`),
  );
  console.log(
    world.emulator.control
      .requests(before)
      .filter(({ template }) => template === '')
      .map(({ path }) => path),
  );
  expect(world.panics).toEqual([]);
});

async function unready(world: World): Promise<number> {
  const objects = ['clouddomainrecords', 'cloudvolumes'].flatMap((plural) => world.server.objects(`cloudhosting.dev/${plural}`)) as {
    status?: { conditions?: { type: string; status: string }[] };
  }[];
  return objects.filter(({ status }) => !status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True')).length;
}
