import { beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../support/virtual/backend.ts';
import type { KubeObject } from '../../support/world/custom-object.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const hour = 3_600_000;
const day = 24 * hour;
const web = {
  region: 'us-east',
  type: 'g6-standard-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'web-root', key: 'password' },
};

let world: World;
const operators = new Set<RunningOperator>();
/** Told of each request of an operator, before and after the server has it. */
let strike: (when: 'before' | 'after', request: { readonly method: string; readonly path: string }, operator: RunningOperator) => void;
const struck = (backend: Backend, operator: RunningOperator): Backend => ({
  handle: async (request) => {
    operators.add(operator);
    strike('before', request, operator);
    if (!operator.process.alive) return new Promise(() => undefined);
    const answer = await backend.handle(request);
    strike('after', request, operator);
    return operator.process.alive ? answer : new Promise(() => undefined);
  },
});
const at = (ahead: number): string => new Date(world.clock.now() + ahead).toISOString().replace(/\.\d+Z$/, 'Z');
const reboot = (change: object = {}) => ({ action: 'RebootInstance', target: { name: 'web' }, notAfter: at(hour), ...change });
/** What the account took. */
const taken = (word = 'reboot'): number =>
  world.emulator.control.requests().filter(({ method, path, status }) => method === 'POST' && path.endsWith(`/${word}`) && status < 300)
    .length;
const phase = async (name: string, namespace?: string): Promise<unknown> =>
  (await world.get('CloudOperation', name, namespace)).status?.['phase'];
const until = (name: string, as: string): Promise<unknown> => world.clock.runUntil(async () => (await phase(name)) === as, 2 * hour);

beforeEach(async () => {
  strike = () => undefined;
  operators.clear();
  world = await World.create({ between: (_, backend, operator) => struck(backend, operator) });
  await world.account();
  await world.secret('web-root', { password: 'Correct-Horse-7' });
});
/** An instance of this very object, and an operator. */
async function begin(): Promise<RunningOperator> {
  const operator = await world.start();
  await world.apply('CloudInstance', 'web', web);
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(60_000);
  return operator;
}
const final = ['Succeeded', 'Failed', 'Unknown', 'Expired'];
const settle = (name: string): Promise<unknown> => world.clock.runUntil(async () => final.includes(String(await phase(name))), 2 * hour);

describe('killed with -9', () => {
  it('before and after every request of an operation, it is sent at most once', { timeout: 300_000 }, async () => {
    const first = await begin();
    const steps: string[] = [];
    strike = (when, { method, path }) => {
      if (/cloudoperations\/|cloudinstances\/web|\/reboot$/.test(path) && !/watch=/.test(path))
        steps.push(`${when} ${method} ${path.split('?')[0]}`);
    };
    await world.apply('CloudOperation', 'traced', reboot());
    await settle('traced');
    strike = () => undefined;
    expect(steps.filter((step) => step.includes('POST')).length).toBe(2);
    const ends = new Map<string, number>();
    let operator = first;
    for (const [index, step] of steps.entries()) {
      const name = `killed-${index}`;
      let left = index;
      strike = (_when, { path }, by) => {
        if (!/cloudoperations\/|cloudinstances\/web|\/reboot$/.test(path) || /watch=/.test(path)) return;
        if (by === operator && left-- === 0) by.kill();
      };
      const before = taken();
      await world.apply('CloudOperation', name, reboot({ notAfter: at(hour + index * 60_000) }));
      await world.clock.runUntil(() => Promise.resolve(!operator.process.alive), hour).catch(() => undefined);
      operator.kill();
      strike = () => undefined;
      operator = await world.start();
      await settle(name);
      const outcome = String(await phase(name));
      const calls = taken() - before;
      ends.set(outcome, (ends.get(outcome) ?? 0) + 1);
      expect([step, outcome, calls]).toEqual([step, outcome, outcome === 'Succeeded' ? 1 : 0]);
      await world.clock.advance(120_000);
    }
    expect([...ends.keys()].toSorted()).toEqual(['Succeeded', 'Unknown']);
    expect(world.panics).toEqual([]);
  });
});

async function recreated(object: KubeObject, metadata: object = {}): Promise<void> {
  const { name, namespace } = object.metadata;
  await world.delete(object.kind, name);
  await world.clock.advance(5_000);
  const { apiVersion, kind, spec } = object as unknown as { apiVersion: string; kind: string; spec: object };
  await world.admin('POST', world.path(kind), { apiVersion, kind, metadata: { name, namespace, ...metadata }, spec });
}

describe('what comes again as another object', () => {
  it('out of Git is not done again while it could be', async () => {
    await begin();
    await world.apply('CloudOperation', 'once', reboot());
    await until('once', 'Succeeded');
    await recreated(await world.get('CloudOperation', 'once'));
    await until('once', 'Expired');
    expect((await world.condition('CloudOperation', 'once', 'Stalled'))?.message).toContain(
      'begun for an earlier object, as CloudInstance web notes',
    );
    await world.apply('CloudOperation', 'the-same-by-another-name', (await world.get('CloudOperation', 'once')).spec);
    await until('the-same-by-another-name', 'Expired');
    await world.apply('CloudOperation', 'another', reboot({ notAfter: at(hour + 60_000) }));
    await until('another', 'Succeeded');
    expect(taken()).toBe(2);
  });
  it('out of Git, with another name for the configuration that it boots, is not done again either', async () => {
    await begin();
    const { status } = await world.get('CloudInstance', 'web');
    const configs = await new CloudUser(world).list(`${String(status?.['path'])}/configs`);
    const [{ id = 0 } = {}] = configs;
    const lifecycle = { management: 'Observe' };
    const config = { instanceRef: { name: 'web' }, devices: { sda: { diskRef: { external: 1 } } }, adopt: { id }, lifecycle };
    await world.apply('CloudInstanceConfig', 'rescue', config);
    await world.reason('CloudInstanceConfig', 'rescue', 'Observed');
    const once = reboot({ configRef: { name: 'rescue' } });
    await world.apply('CloudOperation', 'once', once);
    await until('once', 'Succeeded');
    for (const [kind, name] of [
      ['CloudOperation', 'once'],
      ['CloudInstanceConfig', 'rescue'],
    ] as const) {
      await world.delete(kind, name);
      await world.gone(kind, name);
    }
    await world.apply('CloudInstanceConfig', 'rescue-2', config);
    await world.reason('CloudInstanceConfig', 'rescue-2', 'Observed');
    await world.apply('CloudOperation', 'once', { ...once, configRef: { name: 'rescue-2' } });
    await until('once', 'Expired');
    expect(taken()).toBe(1);
    await world.apply('CloudOperation', 'another', { ...once, configRef: { name: 'rescue-2' }, notAfter: at(hour + 60_000) });
    await until('another', 'Succeeded');
    expect(taken()).toBe(2);
  });
  it('out of Git, with a tool that takes every annotation away, is not done again either', async () => {
    await begin();
    await world.apply('CloudOperation', 'once', reboot());
    await until('once', 'Succeeded');
    const bare = { metadata: { annotations: { 'cloudhosting.dev/operations': null } } };
    await world.patch('CloudInstance', 'web', bare);
    await recreated(await world.get('CloudOperation', 'once'));
    await until('once', 'Expired');
    // What is noted next keeps what status alone had.
    await world.apply('CloudOperation', 'another', reboot({ notAfter: at(2 * hour) }));
    await until('another', 'Succeeded');
    const { metadata, status } = await world.get('CloudInstance', 'web');
    expect(metadata.annotations?.['cloudhosting.dev/operations']?.split(' ')).toEqual(status?.['operations']);
    expect(status?.['operations']).toHaveLength(2);
    await world.patch('CloudInstance', 'web', bare);
    await recreated(await world.get('CloudOperation', 'once'));
    await until('once', 'Expired');
    expect(taken()).toBe(2);
  });
  it('out of Git, after its time to stay was over, is not done again, and stays as Expired', async () => {
    await begin();
    const spec = reboot({ ttlSecondsAfterFinished: 600 });
    await world.apply('CloudOperation', 'once', spec);
    await until('once', 'Succeeded');
    await world.clock.advance(590_000);
    expect(await phase('once')).toBe('Succeeded');
    await world.clock.advance(15_000);
    expect(await world.find('CloudOperation', 'once')).toBeUndefined();
    await world.apply('CloudOperation', 'once', spec);
    await until('once', 'Expired');
    // Another time to stay makes no other wish of it.
    await world.apply('CloudOperation', 'longer', { ...spec, ttlSecondsAfterFinished: 700 });
    await until('longer', 'Expired');
    await world.clock.advance(3 * hour);
    expect([await phase('once'), await phase('longer'), taken()]).toEqual(['Expired', 'Expired', 1]);
    await world.apply('CloudOperation', 'late', spec);
    await until('late', 'Expired');
    expect(taken()).toBe(1);
  });
  it('that has a generated name goes also when it is Expired: each sync brings another one, whether this one is there or not', async () => {
    await begin();
    const spec = reboot({ ttlSecondsAfterFinished: 600 });
    for (const sync of ['1', '2']) {
      const metadata = { generateName: 'reboot-web-', annotations: { sync } };
      await world.admin('POST', world.path('CloudOperation'), {
        apiVersion: 'cloudhosting.dev/v1alpha1',
        kind: 'CloudOperation',
        metadata,
        spec,
      });
      await world.clock.advance(60_000);
    }
    const phases = () =>
      world.server.objects('cloudhosting.dev/cloudoperations').map(({ status }) => (status as { readonly phase?: string }).phase);
    expect(new Set(phases())).toEqual(new Set(['Expired', 'Succeeded']));
    await world.clock.advance(700_000);
    expect([phases(), taken()]).toEqual([[], 1]);
  });
  it('goes at once where it may stay for no time, also when its operator was not there at its end', async () => {
    const operator = await begin();
    await world.apply('CloudOperation', 'once', reboot({ ttlSecondsAfterFinished: 3600 }));
    await until('once', 'Succeeded');
    operator.kill();
    await world.clock.advance(2 * hour);
    expect(await phase('once')).toBe('Succeeded');
    await world.start();
    await world.gone('CloudOperation', 'once');
    await world.apply('CloudOperation', 'brief', reboot({ ttlSecondsAfterFinished: 0 }));
    await world.gone('CloudOperation', 'brief');
    expect(taken()).toBe(2);
    expect(world.panics).toEqual([]);
  });
  it('out of a backup, with its annotations, is not done again', async () => {
    await begin();
    await world.apply('CloudOperation', 'once', reboot());
    await until('once', 'Succeeded');
    const { annotations } = (await world.get('CloudOperation', 'once')).metadata;
    await world.patch('CloudInstance', 'web', { metadata: { annotations: { 'cloudhosting.dev/operations': null } } });
    await recreated(await world.get('CloudOperation', 'once'), { annotations });
    await until('once', 'Expired');
    expect(taken()).toBe(1);
  });
  it('and was forged is not done either: nobody can tell', async () => {
    await begin();
    await world.admin('POST', world.path('CloudOperation'), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudOperation',
      metadata: { name: 'forged', annotations: { 'cloudhosting.dev/operation': `x.Succeeded.${'a'.repeat(16)}` } },
      spec: reboot(),
    });
    await until('forged', 'Expired');
    expect(taken()).toBe(0);
  });
  it('stays done when its annotations are taken away, before and after its end', async () => {
    await begin();
    await world.apply('CloudOperation', 'once', reboot());
    await until('once', 'Running');
    const bare = { metadata: { annotations: { 'cloudhosting.dev/operation': null } } };
    await world.patch('CloudOperation', 'once', bare);
    await until('once', 'Succeeded');
    await world.patch('CloudOperation', 'once', bare);
    await world.start();
    await world.clock.advance(30 * 60_000);
    expect([await phase('once'), taken()]).toEqual(['Succeeded', 1]);
  });
});

/** A cluster that was rebuilt: its object is new, and its instance is not. */
async function rebuilt(): Promise<string> {
  await begin();
  const { spec, status } = await world.get('CloudInstance', 'web');
  await world.patch('CloudInstance', 'web', { spec: { lifecycle: { onDelete: 'Retain' } } });
  await world.delete('CloudInstance', 'web');
  await world.gone('CloudInstance', 'web');
  await world.clock.advance(60_000);
  await world.apply('CloudInstance', 'web', { ...spec, adopt: { id: status?.['id'] } });
  await world.ready('CloudInstance', 'web');
  await world.apply('CloudOperation', 'once', reboot());
  await until('once', 'AwaitingConfirmation');
  return String((await world.get('CloudOperation', 'once')).status?.['challenge']);
}
const confirm = (value: string) => ({ metadata: { annotations: { 'cloudhosting.dev/confirm': value } } });

describe('a confirmation', () => {
  it('is asked for where nothing tells that it was not done before, and counts once', async () => {
    const challenge = await rebuilt();
    const { message } = await world.reason('CloudOperation', 'once', 'ApprovalRequired');
    expect(message).toContain(`cloudhosting.dev/confirm=${challenge}`);
    expect(message).toContain('it may have been done already');
    await world.patch('CloudOperation', 'once', confirm('abcdefghij'));
    await world.clock.advance(600_000);
    expect(taken()).toBe(0);
    await world.patch('CloudOperation', 'once', confirm(challenge));
    await until('once', 'Succeeded');
    expect((await world.get('CloudOperation', 'once')).status?.['confirmed']).toMatchObject({ challenge });
    await world.patch('CloudOperation', 'once', confirm('again'));
    await world.patch('CloudOperation', 'once', confirm(challenge));
    await world.clock.advance(600_000);
    expect(taken()).toBe(1);
  });
  it('is not asked for on what the object made itself since, in place of what it adopted', async () => {
    await rebuilt();
    await world.delete('CloudOperation', 'once');
    const path = String((await world.get('CloudInstance', 'web')).status?.['path']);
    await world.clock.advance(5 * 60_000);
    await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4${path}`, body: {} });
    await world.reason('CloudInstance', 'web', 'RemoteMissing');
    await world.patch('CloudInstance', 'web', { metadata: { annotations: { 'cloudhosting.dev/recreate': at(0) } } });
    const { status } = await world.ready('CloudInstance', 'web', hour);
    expect([status?.['origin'], status?.['path'] === path]).toEqual(['Created', false]);
    await world.apply('CloudOperation', 'anew', reboot());
    await until('anew', 'Succeeded');
    expect(taken()).toBe(1);
  });
  it('that came with the manifest is none, whatever it says', async () => {
    const challenge = await rebuilt();
    const once = await world.get('CloudOperation', 'once');
    await recreated(once, { annotations: { 'cloudhosting.dev/confirm': challenge } });
    await world.clock.advance(600_000);
    expect([await phase('once'), taken()]).toEqual(['AwaitingConfirmation', 0]);
    expect((await world.get('CloudOperation', 'once')).status?.['challenge']).not.toBe(challenge);
  });
  it('that was accepted holds although the annotation is taken away', async () => {
    const challenge = await rebuilt();
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(5_000);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.patch('CloudOperation', 'once', confirm(challenge));
    await world.clock.runUntil(async () => (await world.get('CloudOperation', 'once')).status?.['confirmed'] !== undefined, hour);
    await world.patch('CloudOperation', 'once', { metadata: { annotations: { 'cloudhosting.dev/confirm': null } } });
    await until('once', 'Succeeded');
    expect(taken()).toBe(1);
  });
  it('is asked for by every action while the account recovers', async () => {
    await begin();
    await world.patch('CloudAccount', 'default', { spec: { recover: true } });
    await world.clock.advance(60_000);
    await world.apply('CloudOperation', 'once', reboot());
    await until('once', 'AwaitingConfirmation');
    expect(taken()).toBe(0);
    await world.patch('CloudAccount', 'default', { spec: { recover: false } });
    await until('once', 'Succeeded');
  });
  it('is not asked for of a target whose object is older than any operation of that time', async () => {
    await rebuilt();
    for (const operator of operators) operator.kill();
    await world.clock.advance(7 * day);
    await world.start();
    await world.apply('CloudOperation', 'later', reboot());
    await until('later', 'Succeeded');
    expect([await phase('once'), taken()]).toEqual(['Expired', 1]);
  });
});

describe('another team', () => {
  it('can do nothing to what is not an object of its own namespace', async () => {
    await begin();
    await world.namespace('team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any' }] } });
    const accountRef = { name: 'default', namespace: 'team-a' };
    await world.apply('CloudOperation', 'theirs', reboot({ accountRef }), 'team-b');
    await world.reason('CloudOperation', 'theirs', 'ReferenceNotReady', 600_000, 'team-b');
    // An object that only says that the instance is its own.
    const { metadata, status } = await world.get('CloudInstance', 'web');
    await world.admin('POST', world.path('CloudInstance', 'team-b'), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudInstance',
      metadata: { name: 'web', annotations: metadata.annotations },
      spec: { ...web, accountRef },
    });
    await world.clock.advance(600_000);
    expect(status?.['path']).toMatch(/^\/vm\/instances\/\d+$/);
    expect(taken()).toBe(0);
    expect(await phase('theirs', 'team-b')).not.toBe('Succeeded');
  });
});
