import { expect, it } from 'vitest';
import { World } from '../support/world.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOy3aI05m4g1XjMCxjDe1RxEej2A1/chTLltdDV98GUl alice@laptop';

/** Design 10: intent, identity and status; a job that ends is one more. Parts and progress are told later and are not here. */
it.each([
  ['CloudSSHKey', { publicKey: key }, 3],
  ['CloudVolume', { region: 'eu-central' }, 4],
])('a new %s is written in so many steps', async (kind, spec, most) => {
  const world = await World.create({ emulator: { speed: 10 } });
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  await world.apply(kind, 'one', spec);
  await world.ready(kind, 'one');
  await world.clock.advance(30_000);
  const resource = `${kind.toLowerCase()}s`;
  const writes = world.server.ledger.writes.filter((one) => one.resource === resource && one.verb !== 'create');
  expect(writes.length).toBeLessThanOrEqual(most);
});
