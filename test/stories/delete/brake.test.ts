import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

interface Hold {
  readonly namespace?: string;
  readonly kind?: string;
  readonly count: number;
  readonly release: string;
  readonly message: string;
  readonly before?: { readonly count: number; readonly objects?: readonly string[] };
}
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
});
/** Longer than the ten minutes within which deletions and losses count as one act. */
const later = 900_000;
const remotes = (collection: string): { id: number; label: string }[] => world.emulator.control.rows(collection) as never;
const held = async (): Promise<readonly Hold[]> => ((await world.get('CloudAccount', 'default')).status?.['held'] ?? []) as Hold[];
const release = (value: string): Promise<unknown> =>
  world.patch('CloudAccount', 'default', { metadata: { annotations: { 'cloudhosting.dev/release': value } } });
const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

async function volumes(count: number, prefix = 'v'): Promise<readonly string[]> {
  const all = names(prefix, count);
  for (const name of all) await world.apply('CloudVolume', name, { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } });
  for (const name of all) await world.ready('CloudVolume', name);
  return all;
}
async function firewalls(count: number): Promise<readonly string[]> {
  const all = names('f', count);
  const spec = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' };
  for (const name of all) await world.apply('CloudFirewall', name, spec);
  for (const name of all) await world.ready('CloudFirewall', name);
  return all;
}
async function somebodyDeletesAllFirewalls(): Promise<void> {
  for (const { id } of remotes('firewalls'))
    await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4/networking/firewalls/${id}` });
}

it('ten at once are not too many, however slowly Kubernetes answers', async () => {
  const slow = { there: 300, back: 300 };
  world = await World.create({
    between: (server, backend) => ({
      handle: (request) => backend.handle(request),
      travel: (request) => (server === 'kube' && request.method === 'PATCH' ? slow : { there: 0, back: 0 }),
    }),
  });
  await world.account();
  await world.start();
  const all = await volumes(10);
  for (const name of all) {
    await world.delete('CloudVolume', name);
    await world.clock.advance(250);
  }
  for (const name of all) await world.gone('CloudVolume', name);
  expect(await held()).toEqual([]);
});

describe('a held mass deletion', () => {
  it('does not tell as gone for good what was replaced by a yes and is there anew', async () => {
    await world.start();
    const replaced = names('r', 3);
    const spec = { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete', replace: 'Allow' } };
    for (const name of replaced) await world.apply('CloudVolume', name, spec);
    const all = await volumes(14);
    for (const name of replaced) {
      await world.patch('CloudVolume', name, { spec: { region: 'us-east' } });
      await world.reason('CloudVolume', name, 'ApprovalRequired');
      const { status } = await world.get('CloudVolume', name);
      const { hash } = (status?.['plan'] ?? {}) as { hash?: string };
      await world.patch('CloudVolume', name, { metadata: { annotations: { 'cloudhosting.dev/approve': hash } } });
      await world.ready('CloudVolume', name);
    }
    for (const name of all) await world.delete('CloudVolume', name);
    await world.clock.advance(60_000);
    const [hold] = await held();
    expect(hold?.count).toBeGreaterThan(0);
    expect(hold?.before).toBeUndefined();
    expect(hold?.message).not.toContain('nothing brings back');
  });
  it('is held until a person lets it go, not until time has passed, and by the next process too', async () => {
    const first = await world.start();
    for (const name of await volumes(12)) await world.delete('CloudVolume', name);
    await world.clock.advance(later);
    expect(remotes('volumes')).toHaveLength(12);
    first.kill();
    await world.start();
    await world.clock.advance(later);
    expect(remotes('volumes')).toHaveLength(12);
    const [hold] = await held();
    expect(hold).toMatchObject({ namespace: 'team-a', count: 12 });
    await release(hold?.release ?? '');
    await world.gone('CloudVolume', 'v0');
    await world.clock.advance(60_000);
    expect(remotes('volumes')).toEqual([]);
  });
  it('that was released goes on after a crash in the middle of it', async () => {
    const first = await world.start();
    for (const name of await volumes(12)) await world.delete('CloudVolume', name);
    await world.clock.advance(60_000);
    world.emulator.control.addFault({ match: { method: 'DELETE' }, skip: 1, effect: { kind: 'lose-request' } });
    await release((await held())[0]?.release ?? '');
    await world.clock.runUntil(() => Promise.resolve(remotes('volumes').length === 11), 10_000);
    await world.clock.advance(1000);
    first.kill();
    world.emulator.control.clearFaults();
    await world.start();
    await world.clock.advance(later);
    expect(remotes('volumes')).toEqual([]);
  });
  it('stays held when most of it went before it was too much', async () => {
    await world.start();
    for (const name of await volumes(14)) {
      await world.delete('CloudVolume', name);
      await world.clock.advance(15_000);
    }
    await world.clock.advance(later);
    expect(remotes('volumes')).toHaveLength(4);
  });
  it('names what of it went before the rest was held for as long as that is, and by the next process too', async () => {
    const first = await world.start();
    const all = await volumes(14);
    for (const name of all) {
      await world.delete('CloudVolume', name);
      await world.clock.advance(15_000);
    }
    await world.clock.advance(later);
    const gone: string[] = [];
    for (const name of all) if ((await world.find('CloudVolume', name)) === undefined) gone.push(`CloudVolume ${name}`);
    expect(gone).toHaveLength(10);
    const before = { count: 10, objects: expect.arrayContaining(gone) as unknown };
    const told = `4 of 4 objects of namespace team-a are being deleted at once, and 10 others went before that with what they had, which nothing brings back (${gone[0]}, `;
    expect(await held()).toMatchObject([{ count: 4, before, message: expect.stringContaining(told) as unknown }]);
    first.kill();
    await world.clock.advance(later);
    await world.start();
    await world.clock.advance(4 * later);
    expect(await held()).toMatchObject([{ count: 4, before, message: expect.stringContaining(told) as unknown }]);
    const { message } = (await world.condition('CloudVolume', all.at(-1) ?? '', 'Synced')) ?? {};
    expect(message).toContain(
      '. What had gone by then: kubectl -n team-a get events --field-selector reason=Deleted. If it is a mistake, ',
    );
    expect(gone.filter((name) => message?.includes(name.split(' ')[1] ?? ''))).toEqual([]);
  });
  it('says nothing of what went where nothing did, and of what goes later by itself', async () => {
    await world.start();
    await volumes(30);
    for (const name of names('v', 12)) await world.delete('CloudVolume', name);
    await world.clock.advance(later);
    const [hold] = await held();
    expect([hold?.count, hold && 'before' in hold, hold?.message]).toEqual([12, false, expect.not.stringContaining('before')]);
    await world.delete('CloudVolume', 'v20');
    await world.gone('CloudVolume', 'v20');
    await world.clock.advance(60_000);
    expect((await held())[0]).not.toHaveProperty('before');
  });
  it('names nothing of another namespace in the account, which others may read', async () => {
    await world.namespace('team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'] }] } });
    await world.start();
    const spec = { region: 'eu-central', accountRef: { name: 'default', namespace: 'team-a' }, lifecycle: { onDelete: 'Delete' } };
    const all = names('secret-', 14);
    for (const name of all) await world.apply('CloudVolume', name, spec, 'team-b');
    for (const name of all) await world.ready('CloudVolume', name, undefined, 'team-b');
    for (const name of all) {
      await world.delete('CloudVolume', name, 'team-b');
      await world.clock.advance(15_000);
    }
    await world.clock.advance(60_000);
    const status = JSON.stringify((await world.get('CloudAccount', 'default')).status);
    expect(await held()).toMatchObject([{ namespace: 'team-b', before: { count: 10 } }]);
    expect((await held())[0]?.message).toContain('(kubectl -n team-b get events --field-selector reason=Deleted)');
    expect(status).not.toContain('secret-');
  });
  it('lets a release go for what was held then, and for nothing later', async () => {
    await world.start();
    await volumes(30);
    for (const name of names('v', 12)) await world.delete('CloudVolume', name);
    await world.clock.advance(60_000);
    await release((await held())[0]?.release ?? '');
    await world.clock.advance(60_000);
    expect(remotes('volumes')).toHaveLength(18);
    for (const name of names('v', 30).slice(12)) await world.delete('CloudVolume', name);
    await world.clock.advance(later);
    expect(remotes('volumes')).toHaveLength(18);
  });
});

describe('things of one kind that vanish at once', () => {
  it('stop the creates of their kind until a person lets them be made anew', async () => {
    await world.start();
    await firewalls(8);
    await world.clock.advance(200_000);
    await somebodyDeletesAllFirewalls();
    await world.clock.advance(later);
    expect(remotes('firewalls').length).toBeLessThanOrEqual(1);
    // Which one was made before there were too many depends on who was looked at first.
    const reasons = await Promise.all(names('f', 8).map(async (name) => (await world.condition('CloudFirewall', name, 'Synced'))?.reason));
    expect(reasons.filter((reason) => reason === 'DeletionHeld').length).toBeGreaterThanOrEqual(7);
    const before = remotes('firewalls').length;
    await world.apply('CloudFirewall', 'new', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' });
    await world.reason('CloudFirewall', 'new', 'DeletionHeld');
    const [hold] = await held();
    expect(hold?.kind).toBe('CloudFirewall');
    expect(hold?.message).toContain(`annotate cloudaccount default --overwrite cloudhosting.dev/release=${hold?.release}`);
    expect(remotes('firewalls')).toHaveLength(before);
    await release(hold?.release ?? '');
    for (const name of [...names('f', 8), 'new']) await world.ready('CloudFirewall', name);
    expect(remotes('firewalls')).toHaveLength(9);
    expect(await held()).toEqual([]);
  });
});
