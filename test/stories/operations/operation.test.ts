import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../support/world/custom-object.ts';
import { World } from '../../support/world/world.ts';

let world: World;
let path: string;
const hour = 3_600_000;
const at = (ahead: number): string => new Date(world.clock.now() + ahead).toISOString().replace(/\.\d+Z$/, 'Z');
const web = {
  region: 'us-east',
  type: 'g6-standard-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'web-root', key: 'password' },
};

beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.secret('web-root', { password: 'Correct-Horse-7' });
  await world.start();
  await world.apply('CloudInstance', 'web', web);
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(60_000);
  path = String((await world.get('CloudInstance', 'web')).status?.['path']);
});

const reboot = (change: object = {}) => ({ action: 'RebootInstance', target: { name: 'web' }, notAfter: at(hour), ...change });
const sent = (word = 'reboot'): readonly number[] =>
  world.emulator.control
    .requests()
    .filter(({ method, path }) => method === 'POST' && path.endsWith(`/${word}`))
    .map(({ status }) => status);
const get = (name: string): Promise<KubeObject> => world.get('CloudOperation', name);
const phase = async (name: string): Promise<unknown> => (await get(name)).status?.['phase'];
async function ends(name: string, as: string): Promise<{ readonly message: string; readonly reason: string }> {
  await world.clock
    .runUntil(async () => (await phase(name)) === as, 2 * hour)
    .catch(async (error: unknown) => {
      throw new Error(`${String(error)} ${JSON.stringify((await get(name)).status)}`);
    });
  const synced = await world.condition('CloudOperation', name, 'Synced');
  return { message: synced?.message ?? '', reason: synced?.reason ?? '' };
}
type Effect = Parameters<World['emulator']['control']['addFault']>[0]['effect'];
const spoil = (effect: Effect, times = 1): number =>
  world.emulator.control.addFault({ match: { method: 'POST', path: `${path}/reboot` }, times, effect });

describe('an operation', () => {
  it('is sent once, is followed by its event and stays as it ended', async () => {
    await world.apply('CloudOperation', 'once', reboot());
    const { status } = await world.ready('CloudOperation', 'once');
    expect(status).toMatchObject({ phase: 'Succeeded', targetPath: (await world.get('CloudInstance', 'web')).status?.['path'] });
    expect((await world.condition('CloudOperation', 'once', 'Ready'))?.message).toMatch(/^done: event \d+ vm_reboot$/);
    const [call] = world.emulator.control.requests().filter(({ path }) => path.endsWith('/reboot'));
    expect(call?.userAgent).toContain('(CloudOperation)');
    await world.start();
    await world.clock.advance(hour / 4);
    expect(sent()).toEqual([200]);
    expect(await phase('once')).toBe('Succeeded');
    expect(world.panics).toEqual([]);
  });
  it('whose answer is lost is found by its event, and one that was never received is never sent again', async () => {
    spoil({ kind: 'lose-answer' });
    await world.apply('CloudOperation', 'answered', reboot());
    await ends('answered', 'Succeeded');
    spoil({ kind: 'lose-request' });
    const before = sent().length;
    await world.apply('CloudOperation', 'lost', reboot({ notAfter: at(2 * hour) }));
    const { message, reason } = await ends('lost', 'Unknown');
    expect([reason, message]).toEqual([
      'UnknownOutcome',
      expect.stringContaining('no event of the account tells of it. It is not done again'),
    ]);
    await world.clock.advance(hour / 4);
    expect(sent()).toHaveLength(before + 1);
    expect(await phase('lost')).toBe('Unknown');
  });
  it('that is carried out late, after its answer was lost, is not sent a second time', async () => {
    spoil({ kind: 'commit-late', seconds: 55 });
    await world.apply('CloudOperation', 'late', reboot());
    await ends('late', 'Succeeded');
    expect(sent()).toHaveLength(1);
  });
  it('that a proxy delivers twice is refused because of itself, and is done once', async () => {
    spoil({ kind: 'twice' });
    await world.apply('CloudOperation', 'doubled', reboot());
    await ends('doubled', 'Succeeded');
    await world.clock.advance(hour / 4);
    const events = world.emulator.control.rows('events') as unknown as { action: string }[];
    expect(events.filter(({ action }) => action === 'vm_reboot')).toHaveLength(1);
    expect(sent().length).toBeLessThanOrEqual(2);
  });
  it('is not sent over and over to a target that answers that it is busy, nor in an outage', async () => {
    const body = JSON.stringify({ errors: [{ reason: 'Linode busy.' }] });
    spoil({ kind: 'answer', status: 400, body }, 3);
    await world.apply('CloudOperation', 'patient', reboot());
    await ends('patient', 'Succeeded');
    expect(sent()).toEqual([400, 400, 400, 200]);
    spoil({ kind: 'answer', status: 503, body: '' }, 3);
    await world.apply('CloudOperation', 'after-it', reboot({ notAfter: at(2 * hour) }));
    await world.clock.advance(hour / 2);
    expect(sent().length).toBeLessThanOrEqual(9);
    expect(await phase('patient')).toBe('Succeeded');
  });
  it('waits while the target is busy, and for the one that came first', async () => {
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-2', lifecycle: { approve: ['InPlace', 'Reboot'] } } });
    await world.clock.advance(1_000);
    await world.apply('CloudOperation', 'first', reboot());
    await world.clock.advance(2_000);
    await world.apply('CloudOperation', 'second', reboot({ notAfter: at(2 * hour) }));
    await world.reason('CloudOperation', 'first', 'Busy');
    await ends('first', 'Succeeded');
    await ends('second', 'Succeeded');
    const events = world.emulator.control.rows('events') as unknown as { action: string; created: string; duration: number }[];
    expect(events.filter(({ action }) => action === 'vm_reboot')).toHaveLength(2);
    expect((await get('first')).status?.['job']).toBeLessThan(Number((await get('second')).status?.['job']));
    expect(sent().filter((status) => status < 300)).toHaveLength(2);
  });
  it('holds its target still while it runs', async () => {
    await world.apply('CloudOperation', 'once', reboot());
    await ends('once', 'Running');
    await world.patch('CloudInstance', 'web', { spec: { watchdogEnabled: false } });
    expect((await world.reason('CloudInstance', 'web', 'Busy')).message).toBe('waits until CloudOperation once has ended');
    expect((await world.get('CloudInstance', 'web')).status?.['blockedBy']).toEqual(['CloudOperation once']);
    const puts = () => world.emulator.control.requests().filter(({ method, path }) => method === 'PUT' && path.includes('/instances/'));
    expect(puts()).toHaveLength(0);
    await ends('once', 'Succeeded');
    await world.ready('CloudInstance', 'web', 60_000);
    expect(puts()).toHaveLength(1);
  });
  it('that the account refuses has failed, and one that fails there says so', async () => {
    const body = JSON.stringify({ errors: [{ reason: 'Not today' }] });
    spoil({ kind: 'answer', status: 400, body }, 9);
    await world.apply('CloudOperation', 'refused', reboot());
    const { message, reason } = await ends('refused', 'Failed');
    expect([reason, message]).toEqual(['OperationFailed', expect.stringContaining('Not today')]);
    await world.clock.advance(hour / 4);
    expect(sent()).toEqual([400]);
  });
  it('that never becomes possible in time is Expired', async () => {
    await world.apply('CloudOperation', 'nowhere', reboot({ target: { name: 'nothing' }, notAfter: at(600_000) }));
    await world.reason('CloudOperation', 'nowhere', 'ReferenceNotReady');
    const { reason, message } = await ends('nowhere', 'Expired');
    expect([reason, message]).toEqual(['Expired', expect.stringContaining('(spec.notAfter)')]);
    await world.apply('CloudOperation', 'far', reboot({ notAfter: at(8 * 24 * hour) }));
    expect((await world.reason('CloudOperation', 'far', 'InvalidSpec')).message).toContain('more than 7 days');
    await world.apply('CloudOperation', 'past', reboot({ notAfter: at(-1000) }));
    await ends('past', 'Expired');
    expect(sent()).toEqual([]);
  });
  it('that the spec of its target contradicts is not sent, and says which field', async () => {
    await world.patch('CloudInstance', 'web', { spec: { power: 'On' } });
    await world.ready('CloudInstance', 'web');
    await world.apply('CloudOperation', 'off', reboot({ action: 'ShutdownInstance' }));
    expect((await world.reason('CloudOperation', 'off', 'InvalidSpec')).message).toMatch(
      /^spec\.action: CloudInstance web would be booted again, as its spec\.power is On; set power to Off instead, or take it away first\. Nothing was sent\. As soon as this is otherwise it is done, if that is before \S+Z \(spec\.notAfter\); delete this object if it shall not be$/,
    );
    expect(sent('shutdown')).toEqual([]);
    await world.patch('CloudInstance', 'web', { spec: { power: null } });
    await ends('off', 'Succeeded');
    await world.apply('CloudOperation', 'on', reboot({ action: 'BootInstance' }));
    await ends('on', 'Succeeded');
    expect([sent('shutdown'), sent('boot').at(-1)]).toEqual([[200], 200]);
  });
  it('is not begun by a paused object, of a paused target, or in a read-only account', async () => {
    const pause = { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } };
    await world.patch('CloudInstance', 'web', pause);
    await world.apply('CloudOperation', 'later', reboot());
    expect((await world.reason('CloudOperation', 'later', 'ReferenceNotReady')).message).toContain('is paused');
    await world.patch('CloudInstance', 'web', { metadata: { annotations: { 'cloudhosting.dev/pause': null } } });
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.reason('CloudOperation', 'later', 'ReadOnly');
    expect(sent()).toEqual([]);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await ends('later', 'Succeeded');
    await world.patch('CloudOperation', 'later', pause);
    await world.reason('CloudOperation', 'later', 'Paused');
    await world.patch('CloudOperation', 'later', { metadata: { annotations: { 'cloudhosting.dev/pause': null } } });
    await world.ready('CloudOperation', 'later');
    expect(sent()).toEqual([200]);
  });
  it('only observes what its target only observes', async () => {
    await world.patch('CloudInstance', 'web', { spec: { lifecycle: { management: 'Observe' } } });
    await world.apply('CloudOperation', 'once', reboot());
    expect((await world.reason('CloudOperation', 'once', 'ReferenceNotReady')).message).toContain('spec.lifecycle.management to Manage');
    expect(sent()).toEqual([]);
  });
});
