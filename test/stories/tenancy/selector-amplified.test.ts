import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const metadata = (n: number) => ({
  name: `i${n}`,
  namespace: 'team-a',
  labels: { a: 'b' },
  annotations: { 'cloudhosting.dev/pause': 'true' },
});

it(
  'a status does not grow with the instances that are selected and have no id, and is not written for each of them',
  { timeout: 120_000 },
  async () => {
    const world = await World.create();
    await world.account();
    await world.start();
    const [firewalls, instances] = [20, 500];
    for (let n = 0; n < instances; n += 1)
      await world.admin('POST', world.path('CloudInstance'), {
        apiVersion: 'cloudhosting.dev/v1alpha1',
        kind: 'CloudInstance',
        metadata: metadata(n),
        spec: { region: 'eu-central', type: 'g6-nanode-1' },
      });
    const policy = { inboundPolicy: 'DROP', outboundPolicy: 'DROP' };
    for (let n = 0; n < firewalls; n += 1)
      await world.apply('CloudFirewall', `f${n}`, { ...policy, instanceSelector: { matchLabels: { a: 'b' } } });
    await world.clock.advance(60_000);
    const { status } = await world.get('CloudFirewall', 'f1');
    expect.soft(JSON.stringify(status).length).toBeLessThan(10_000);
    const before = world.server.ledger.writes.length;
    await world.patch('CloudInstance', 'i7', { metadata: { labels: { a: null } } });
    await world.clock.advance(10_000);
    expect(world.server.ledger.writes.length - before).toBeLessThan(firewalls / 2);
  },
);
