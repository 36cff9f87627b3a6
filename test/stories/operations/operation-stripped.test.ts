import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../support/world/custom-object.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const kind = 'CloudOperation';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const machine = {
  region: 'us-east',
  type: 'g6-standard-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'web-root', key: 'password' },
};

let world: World;
let operator: RunningOperator;
const at = (ahead: number): string => new Date(world.clock.now() + ahead).toISOString().replace(/\.\d+Z$/, 'Z');
const reboot = (more: object = {}) => ({ action: 'RebootInstance', target: { name: 'web' }, notAfter: at(2 * hour), ...more });
/** What the account took. */
const taken = (word = 'reboot'): number =>
  world.emulator.control.requests().filter(({ method, path, status }) => method === 'POST' && path.endsWith(`/${word}`) && status < 300)
    .length;
const phase = async (name: string): Promise<unknown> => (await world.find(kind, name))?.status?.['phase'];
const until = (name: string, as: string): Promise<unknown> => world.clock.runUntil(async () => (await phase(name)) === as, 3 * hour);
const told = async (name: string): Promise<string> => (await world.condition(kind, name, 'Stalled'))?.message ?? '';
const confirmAs = (value: unknown) => ({ metadata: { annotations: { 'cloudhosting.dev/confirm': value } } });

/** By a tool that replaces the object with what Git has, by one that empties what a backup does not have. */
async function withoutAnnotations(of: string, name: string): Promise<void> {
  const { metadata, ...rest } = await world.get(of, name);
  await world.admin('PUT', world.path(of, undefined, name), { ...rest, metadata: { ...metadata, annotations: {} } });
}
async function withoutStatus(of: string, name: string): Promise<void> {
  const now = await world.get(of, name);
  await world.admin('PUT', `${world.path(of, undefined, name)}/status`, { ...now, status: {} });
}
async function stripped(of: string, name: string): Promise<void> {
  await withoutAnnotations(of, name);
  await withoutStatus(of, name);
}
async function recreated({ metadata: { name }, ...object }: KubeObject): Promise<void> {
  await world.delete(kind, name);
  await world.clock.advance(5000);
  await world.apply(kind, name, object.spec);
}

beforeEach(async () => {
  world = await World.create();
  await world.account({ installation: 'prod' });
  await world.secret('web-root', { password: 'Correct-Horse-7' });
  operator = await world.start();
});
async function web(): Promise<void> {
  await world.apply('CloudInstance', 'web', machine);
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(minute);
}
async function done(): Promise<KubeObject> {
  await web();
  await world.apply(kind, 'once', reboot());
  await until('once', 'Succeeded');
  await world.clock.advance(minute);
  return world.get(kind, 'once');
}

describe('an operation that was done, of which annotation and status are taken away', () => {
  it('is done once, however often that is, and ends as Unknown', async () => {
    await done();
    for (let round = 0; round < 3; round += 1) {
      await stripped(kind, 'once');
      await world.clock.advance(3 * minute);
      expect([await phase('once'), taken()]).toEqual(['Unknown', 1]);
    }
    const message = await told('once');
    expect(message).toContain('CloudInstance web notes that this was begun');
    expect(message).toContain('for another one make another object, once you know from the account that it was not done');
  });
  it('is done once where it was running', async () => {
    await web();
    await world.apply(kind, 'once', reboot());
    await until('once', 'Running');
    await stripped(kind, 'once');
    await world.clock.advance(30 * minute);
    expect([await phase('once'), taken()]).toEqual(['Unknown', 1]);
  });
  it('says after its time, too, that it was begun', async () => {
    await done();
    operator.kill();
    await stripped(kind, 'once');
    await world.clock.advance(3 * hour);
    await world.start();
    await until('once', 'Unknown');
    expect(taken()).toBe(1);
  });
  it('is not done again by the confirmation that stays in Git', async () => {
    await world.apply('CloudDatabase', 'shop', {
      engine: 'mysql/8.0.26',
      region: 'us-east',
      type: 'g6-standard-1',
      clusterSize: 1,
      replicationType: 'none',
    });
    await world.ready('CloudDatabase', 'shop');
    await world.clock.advance(5 * minute);
    await world.apply(kind, 'anew', { action: 'ResetDatabaseCredentials', target: { name: 'shop' }, notAfter: at(5 * hour) });
    await until('anew', 'AwaitingConfirmation');
    const inGit = confirmAs((await world.get(kind, 'anew')).status?.['challenge']);
    await world.patch(kind, 'anew', inGit);
    await until('anew', 'Succeeded');
    await stripped(kind, 'anew');
    await world.patch(kind, 'anew', inGit);
    await world.clock.advance(20 * minute);
    expect([await phase('anew'), taken('reset')]).toEqual(['Unknown', 1]);
  });
});

describe('an operation whose target has lost its notes as well', () => {
  it('asks, as the very object and as another one, and each loss asks anew', async () => {
    const once = await done();
    operator.kill();
    await stripped(kind, 'once');
    await stripped('CloudInstance', 'web');
    await world.start();
    await until('once', 'AwaitingConfirmation');
    const { message } = await world.reason(kind, 'once', 'ApprovalRequired');
    expect(message).toMatch(/the object of \/vm\/instances\/\d+ found or adopted it at .* it may have been done already/);
    await recreated(once);
    await until('once', 'AwaitingConfirmation');
    const inGit = confirmAs((await world.get(kind, 'once')).status?.['challenge']);
    await world.patch(kind, 'once', inGit);
    await until('once', 'Succeeded');
    expect(taken()).toBe(2);
    await world.clock.advance(minute);
    await stripped('CloudInstance', 'web');
    await world.ready('CloudInstance', 'web');
    await stripped(kind, 'once');
    await world.patch(kind, 'once', inGit);
    await world.clock.advance(20 * minute);
    expect([await phase('once'), taken()]).toEqual(['AwaitingConfirmation', 2]);
  });
  it('asks also where the target loses its annotations at each sync from then on', async () => {
    const once = await done();
    await stripped('CloudInstance', 'web');
    await world.clock.advance(3 * minute);
    for (let round = 0; round < 2; round += 1) {
      await withoutAnnotations('CloudInstance', 'web');
      await world.clock.advance(3 * minute);
    }
    await recreated(once);
    await world.clock.advance(20 * minute);
    expect([await phase('once'), taken()]).toEqual(['AwaitingConfirmation', 1]);
  });
  it('does not ask once nothing of before can come any more', async () => {
    await done();
    await stripped('CloudInstance', 'web');
    await world.clock.advance(10 * minute);
    operator.kill();
    await world.clock.advance(8 * day);
    await world.start();
    await world.apply(kind, 'later', reboot());
    await until('later', 'Succeeded');
    expect(taken()).toBe(2);
  });
});

it.each([
  ['status first', [withoutStatus, withoutAnnotations]],
  ['annotations first', [withoutAnnotations, withoutStatus]],
])('a target that loses one after the other, %s, still has its notes', async (_, losses) => {
  const once = await done();
  for (const lose of losses) {
    await lose('CloudInstance', 'web');
    await world.clock.advance(3 * minute);
  }
  await recreated(once);
  await until('once', 'Expired');
  expect(taken()).toBe(1);
});

it('the same time written otherwise, as a formatter of YAML does, is the same wish', async () => {
  const { spec } = await done();
  await world.apply(kind, 'again', { ...spec, notAfter: String(spec['notAfter']).replace('Z', '.000Z') });
  await until('again', 'Expired');
  expect(taken()).toBe(1);
});

describe('an operation of which surely nothing was sent', () => {
  it('is done after a refusal that passes and a restart', async () => {
    await web();
    const path = `${String((await world.get('CloudInstance', 'web')).status?.['path'])}/reboot`;
    world.emulator.control.addFault({ match: { method: 'POST', path }, times: 3, effect: { kind: 'answer', status: 429 } });
    await world.apply(kind, 'once', reboot());
    await until('once', 'Waiting');
    await world.clock.advance(5000);
    expect((await world.get('CloudInstance', 'web')).status?.['operations']).toEqual([]);
    operator.kill();
    await world.start();
    await until('once', 'Succeeded');
    expect(taken()).toBe(1);
  });
});
