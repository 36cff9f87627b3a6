import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { type KubeObject, type RunningOperator, World } from '../../support/world/world.ts';

/** An approval by content stays in Git. Whatever a backup puts back, it was used. */
const minute = 60_000;
let world: World;
let operator: RunningOperator;
let value: string;
let old: KubeObject;
let before: number;
const spec = {
  region: 'eu-central',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
  lifecycle: { onDelete: 'Retain' },
};
const colleague = (id: unknown): Promise<unknown> =>
  world.emulator.control.actAs({
    username: 'colleague',
    method: 'POST',
    path: `/v4/vm/instances/${String(id)}/resize`,
    body: { type: 'g6-nanode-1' },
  });
const type = (): unknown => (world.emulator.control.rows('instances') as unknown as { type: string }[])[0]?.type;
const web = (): Promise<KubeObject> => world.get('CloudInstance', 'web');
const statusIs = (status: object): Promise<unknown> => world.admin('PATCH', `${world.path('CloudInstance')}/web/status`, { status });
async function staysSpent(): Promise<void> {
  await world.reason('CloudInstance', 'web', 'ApprovalRequired', 20 * minute);
  await world.clock.advance(10 * minute);
  expect((await world.condition('CloudInstance', 'web', 'Synced'))?.message).toContain('is spent');
  expect(changesOf(world).slice(before)).toEqual([]);
  expect(type()).toBe('g6-nanode-1');
}
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.apply('CloudInstance', 'web', spec);
  await world.ready('CloudInstance', 'web');
  await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
  await world.reason('CloudInstance', 'web', 'ApprovalRequired');
  // The backup is of now: the plan waits for its approval.
  old = await web();
  const until = new Date(world.clock.now() + 60 * minute).toISOString().replace(/\.\d+Z$/, 'Z');
  const { content = '' } = (old.status?.['plan'] ?? {}) as { readonly content?: string };
  value = `${content}.${until}`;
  await world.patch('CloudInstance', 'web', { metadata: { annotations: { 'cloudhosting.dev/approve-change': value } } });
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(5 * minute);
  before = changesOf(world).length;
});

describe('an approval by content that was used', () => {
  it('is noted twice', async () => {
    expect(type()).toBe('g6-standard-1');
    const { metadata, status } = await web();
    expect([metadata.annotations?.['cloudhosting.dev/spent'], status?.['approvals']]).toEqual([value, [value]]);
  });
  it('is not what is offered when it is asked for again, and what is offered counts', async () => {
    const { id } = old.status ?? {};
    const offered: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      await colleague(id);
      await world.reason('CloudInstance', 'web', 'ApprovalRequired', 20 * minute);
      const { message = '' } = (await world.condition('CloudInstance', 'web', 'Synced')) ?? {};
      const [, one = ''] = /annotation cloudhosting\.dev\/approve-change: (\S+)\. /.exec(message) ?? [];
      expect(offered).not.toContain(one);
      offered.push(one);
      await world.patch('CloudInstance', 'web', { metadata: { annotations: { 'cloudhosting.dev/approve-change': one } } });
      await world.clock.runUntil(() => Promise.resolve(type() === 'g6-standard-1'), 20 * minute);
      await world.ready('CloudInstance', 'web', 20 * minute);
      await world.clock.advance(5 * minute);
    }
  });
  it.each([false, true])('does not count again with the status of before (the operator was down: %s)', async (down) => {
    if (down) operator.kill();
    const { plan } = old.status ?? {};
    await statusIs({ ...old.status, plan, approvals: null });
    await colleague(old.status?.['id']);
    await world.clock.advance(5 * minute);
    if (down) await world.start();
    await staysSpent();
    expect((await web()).status?.['approvals']).toEqual([value]);
  });
  it('does not count again for the object that a backup puts back with its status', async () => {
    await world.delete('CloudInstance', 'web');
    await world.gone('CloudInstance', 'web');
    operator.kill();
    await colleague(old.status?.['id']);
    await world.clock.advance(5 * minute);
    const annotations = { ...old.metadata.annotations, 'cloudhosting.dev/approve-change': value };
    await world.admin('POST', world.path('CloudInstance'), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudInstance',
      metadata: { name: 'web', namespace: 'team-a', annotations },
      spec: { ...spec, type: 'g6-standard-1' },
    });
    await statusIs({ ...old.status });
    await world.start();
    await staysSpent();
  });
  it('does not count again when the annotations are replaced, and the status after them', async () => {
    const { metadata } = await web();
    const { 'cloudhosting.dev/spent': spent, ...rest } = metadata.annotations ?? {};
    expect(spent).toBe(value);
    await world.patch('CloudInstance', 'web', { metadata: { annotations: { ...rest, 'cloudhosting.dev/spent': null } } });
    await world.clock.advance(minute);
    await statusIs({ ...old.status, approvals: null });
    await colleague(old.status?.['id']);
    await staysSpent();
  });
  it('is forgotten when its time is over', async () => {
    await world.clock.advance(70 * minute);
    await world.patch('CloudInstance', 'web', { spec: { tags: ['later'] } });
    await world.ready('CloudInstance', 'web');
    expect((await web()).metadata.annotations).not.toHaveProperty('cloudhosting.dev/spent');
  });
});
