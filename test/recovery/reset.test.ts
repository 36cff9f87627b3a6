import { expect, it } from 'vitest';
import { killedEverywhere, type Striking } from '../support/struck.ts';
import { World } from '../support/world/world.ts';

const kind = 'CloudOAuthClient';
interface Client {
  readonly id: string;
  readonly secret: string;
}
const clients = (world: World): readonly Client[] => world.emulator.control.rows('oauth clients') as never;
function secret(world: World): Readonly<Record<string, string>> {
  const found = world.server.objects('/secrets').find(({ metadata }) => metadata.name === 'portal-coauth');
  const { data = {} } = found as { readonly data?: Readonly<Record<string, string>> };
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
}

async function struck(striking: Striking): Promise<World> {
  const world = await World.create({ between: striking.between });
  await world.account();
  const operator = await world.start();
  await world.ready('CloudAccount', 'default');
  await world.apply(kind, 'portal', { label: 'Example Portal', redirectURI: 'https://portal.example.org/callback' });
  await world.ready(kind, 'portal', 900_000);
  striking.arm(operator);
  await world.patch(kind, 'portal', { metadata: { annotations: { 'cloudhosting.dev/rotate': '1' } } });
  await world.clock.advance(30_000);
  return world;
}

it('killed at every step of a reset: what is in the Secret works in the end, with the same client', { timeout: 120_000 }, async () => {
  await killedEverywhere({
    play: struck,
    calm: (seen) => expect(seen.filter((one) => one.startsWith('POST /v4'))).toHaveLength(1),
    end: async (world, step) => {
      await world.clock.advance(300_000);
      const [{ id, secret: hidden } = { id: '', secret: '' }, ...more] = clients(world);
      expect({ step, more, ...secret(world) }).toEqual({ step, more: [], 'client-id': id, 'client-secret': hidden });
      const { status } = await world.ready(kind, 'portal');
      expect({ step, ...status }).toMatchObject({ step, rotated: '1' });
      expect(status).not.toHaveProperty('resetting');
    },
  });
});
