import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

let world: World;
let running: RunningOperator;
const platform = 'platform';
const accountRef = { name: 'default', namespace: platform };
beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, 'team-b']) await world.namespace(name);
  await world.account({ access: [{ namespaces: ['team-a', 'team-b'] }] }, platform);
  running = await world.start();
  await world.ready('CloudAccount', 'default', 60_000, platform);
});
const later = 900_000;
const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `x${n}`);
const firewall = {
  accountRef,
  inboundPolicy: 'DROP',
  outboundPolicy: 'ACCEPT',
  lifecycle: { onDelete: 'Delete' },
};
const zone = (domain: string) => ({
  accountRef,
  domain,
  type: 'master',
  soaEmail: 'a@example.org',
  lifecycle: { onDelete: 'Delete' },
});
const record = (domain: string, host: string) => ({
  accountRef,
  domainRef: { name: domain },
  type: 'A',
  host,
  target: '192.0.2.1',
});
const reason = async (kind: string, name: string, namespace: string): Promise<string> =>
  (await world.condition(kind, name, 'Synced', namespace))?.reason ?? '';
const held = async (): Promise<readonly Record<string, unknown>[]> =>
  ((await world.get('CloudAccount', 'default', platform)).status?.['held'] ?? []) as never;

async function firewalls(namespace: string, count: number): Promise<void> {
  for (const name of names(count)) await world.apply('CloudFirewall', name, firewall, namespace);
  for (const name of names(count)) await world.ready('CloudFirewall', name, 600_000, namespace);
}
/** All that there are, by somebody else. */
async function firewallsVanish(): Promise<void> {
  await world.clock.advance(200_000);
  for (const { id } of world.emulator.control.rows('firewalls') as unknown as { id: number }[])
    await new CloudUser(world).delete(`/networking/firewalls/${id}`);
  await world.clock.advance(later);
}
/** A create of the other team. */
async function others(kind: string, spec: Record<string, unknown>): Promise<string> {
  await world.apply(kind, 'new', spec, 'team-a');
  await world.clock.advance(120_000);
  return reason(kind, 'new', 'team-a');
}

describe('a mass loss', () => {
  it('of one namespace holds its creates and those of no other, for the next process too', async () => {
    await firewalls('team-b', 8);
    await firewallsVanish();
    expect(await others('CloudFirewall', firewall)).toBe('Available');
    const [hold, ...more] = await held();
    expect(more).toEqual([]);
    expect(hold).toMatchObject({ kind: 'CloudFirewall', namespace: 'team-b' });
    running.kill();
    await world.start();
    await world.clock.advance(later);
    await world.apply('CloudFirewall', 'next', firewall, 'team-a');
    await world.ready('CloudFirewall', 'next', 120_000, 'team-a');
    // Which one was made before there were too many depends on who was looked at first.
    const reasons = await Promise.all([...Array(8).keys()].map((n) => reason('CloudFirewall', `x${n}`, 'team-b')));
    expect(reasons.filter((one) => one === 'DeletionHeld').length).toBeGreaterThanOrEqual(7);
    await world.patch(
      'CloudAccount',
      'default',
      { metadata: { annotations: { 'cloudhosting.dev/release': String(hold?.['release']) } } },
      platform,
    );
    for (const name of names(8)) await world.ready('CloudFirewall', name, 600_000, 'team-b');
    expect(await held()).toEqual([]);
  });
  it('of several namespaces holds the creates of all', async () => {
    await firewalls('team-a', 4);
    await firewalls('team-b', 4);
    await firewallsVanish();
    expect(await others('CloudFirewall', firewall)).toBe('DeletionHeld');
  });
  it.each([
    ['the other team', 'team-a'],
    ['the owner of the account', platform],
  ])('of one namespace, while %s happens to lose something too, holds nobody else', async (_, namespace) => {
    await firewalls('team-b', 8);
    await firewalls(namespace, 2);
    await firewallsVanish();
    expect(await others('CloudFirewall', firewall)).toBe('Available');
    for (const name of names(2)) await world.ready('CloudFirewall', name, 600_000, namespace);
    expect(await held()).toMatchObject([{ kind: 'CloudFirewall', namespace: 'team-b' }]);
  });
  it('of most in one namespace and some in others holds the creates of all', async () => {
    await firewalls('team-b', 8);
    await firewalls('team-a', 2);
    await firewalls(platform, 2);
    await firewallsVanish();
    expect(await others('CloudFirewall', firewall)).toBe('DeletionHeld');
    expect(await held()).toMatchObject([{ kind: 'CloudFirewall' }]);
    expect((await held())[0]).not.toHaveProperty('namespace');
  });
  it('of the namespace of the account holds the creates of all', async () => {
    await firewalls(platform, 8);
    await firewallsVanish();
    expect(await others('CloudFirewall', firewall)).toBe('DeletionHeld');
  });
});

describe('no mass loss', () => {
  it('are records that went with a zone which their own namespace deleted', async () => {
    await world.apply('CloudDomain', 'theirs', zone('example.org'), 'team-a');
    await world.apply('CloudDomain', 'zone', zone('example.net'), 'team-b');
    for (const name of names(8)) await world.apply('CloudDomainRecord', name, record('zone', name), 'team-b');
    for (const name of names(8)) await world.ready('CloudDomainRecord', name, 600_000, 'team-b');
    await world.delete('CloudDomain', 'zone', 'team-b');
    await world.gone('CloudDomain', 'zone', 600_000, 'team-b');
    await world.clock.advance(later);
    expect(await others('CloudDomainRecord', record('theirs', 'www'))).toBe('Available');
    await world.apply('CloudDomain', 'zone', zone('example.net'), 'team-b');
    for (const name of names(8)) await world.ready('CloudDomainRecord', name, 600_000, 'team-b');
  });
  it('of the account are annotations of remotes that went long ago', async () => {
    await firewalls('team-b', 8);
    const before = await Promise.all(names(8).map((name) => world.get('CloudFirewall', name, 'team-b')));
    for (const name of names(8)) await world.delete('CloudFirewall', name, 'team-b');
    for (const name of names(8)) await world.gone('CloudFirewall', name, 600_000, 'team-b');
    await firewalls(platform, 1);
    for (const { metadata } of before)
      await world.admin('POST', world.path('CloudFirewall', 'team-b'), {
        apiVersion: 'cloudhosting.dev/v1alpha1',
        kind: 'CloudFirewall',
        metadata: { name: metadata.name, namespace: 'team-b', annotations: metadata.annotations },
        spec: firewall,
      });
    await firewallsVanish();
    expect(await others('CloudFirewall', firewall)).toBe('Available');
  });
});
