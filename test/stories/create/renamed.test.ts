import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  await world.apply('CloudDomain', 'zone', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' });
  await world.secret('root', { password: 'correct-Horse-7-battery' });
  await world.ready('CloudDomain', 'zone');
});

const specs: readonly (readonly [string, Record<string, unknown>])[] = [
  ['CloudDomainRecord', { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '203.0.113.7' }],
  ['CloudFirewall', { label: 'wall', inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' }],
  ['CloudInstance', { label: 'web-1', region: 'eu-central', type: 'g6-nanode-1', lifecycle: { onMissing: 'Recreate' } }],
  ['CloudBucket', { label: 'shop-assets', cluster: 'eu-central-1', lifecycle: { onDelete: 'Delete' } }],
  ['CloudVolume', { label: 'data', region: 'eu-central', lifecycle: { onDelete: 'Delete' } }],
];

// Helm and Argo CD make what was renamed first and prune last. The new one looked again after half an hour.
describe('an object that is made under its new name before the old one is deleted', () => {
  it.each(specs)('%s: has its own a minute after the old one has gone', async (kind, spec) => {
    await world.apply(kind, 'old', spec);
    await world.ready(kind, 'old');
    await world.apply(kind, 'new', spec);
    await world.reason(kind, 'new', 'AlreadyClaimed');
    await world.clock.advance(5 * 60_000);
    await world.delete(kind, 'old');
    await world.gone(kind, 'old');
    await world.ready(kind, 'new', 60_000);
  });

  it.each(specs)('%s: whose old one is deleted a moment later', async (kind, spec) => {
    await world.apply(kind, 'old', spec);
    await world.ready(kind, 'old');
    await world.apply(kind, 'new', spec);
    await world.clock.advance(1000);
    await world.delete(kind, 'old');
    await world.gone(kind, 'old');
    await world.ready(kind, 'new', 120_000);
  });

  it('sees at once that the old one was let go', async () => {
    const spec = { ...specs[4]?.[1], lifecycle: { onDelete: 'Retain' } };
    await world.apply('CloudVolume', 'old', spec);
    await world.ready('CloudVolume', 'old');
    await world.apply('CloudVolume', 'new', spec);
    await world.reason('CloudVolume', 'new', 'AlreadyClaimed');
    await world.clock.advance(5 * 60_000);
    await world.delete('CloudVolume', 'old');
    await world.gone('CloudVolume', 'old');
    expect((await world.reason('CloudVolume', 'new', 'AlreadyExists', 30_000)).message).toContain('spec.adopt');
  });
});
