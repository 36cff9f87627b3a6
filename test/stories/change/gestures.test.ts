import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { Flux } from '../../support/world/flux.ts';
import { type KubeObject, World } from '../../support/world/world.ts';

interface Plan {
  readonly hash: string;
  readonly content?: string;
  readonly approved?: { readonly at: string; readonly hash: string };
}
const minute = 60_000;
let world: World;
let flux: Flux;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  flux = new Flux(world);
});
const planOf = ({ status }: KubeObject): Plan | undefined => status?.['plan'] as Plan | undefined;
async function asked(kind: string, name: string): Promise<Plan> {
  await world.reason(kind, name, 'ApprovalRequired');
  return planOf(await world.get(kind, name)) as Plan;
}
const annotation = async (kind: string, name: string, of: string): Promise<string | undefined> =>
  (await world.get(kind, name)).metadata.annotations?.[`cloudhosting.dev/${of}`];
const changes = (): readonly string[] => changesOf(world);
const type = (): string => (world.emulator.control.rows('instances') as unknown as { type: string }[])[0]?.type ?? '';
const volumes = (): readonly { id: number; region: string; size: number }[] => world.emulator.control.rows('volumes') as never;

async function web(more: Record<string, unknown> = {}): Promise<void> {
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  const rootPasswordSecretRef = { name: 'root', key: 'password' };
  await world.apply('CloudInstance', 'web', {
    region: 'eu-central',
    type: 'g6-nanode-1',
    image: 'vm/debian11',
    rootPasswordSecretRef,
    ...more,
  });
  await world.ready('CloudInstance', 'web');
}
const volume = { region: 'eu-central', sizeGiB: 20, label: 'data' };
async function replaced(): Promise<Plan> {
  await world.apply('CloudVolume', 'data', { ...volume, lifecycle: { replace: 'Allow' } });
  await world.ready('CloudVolume', 'data');
  await world.patch('CloudVolume', 'data', { spec: { region: 'eu-west' } });
  return asked('CloudVolume', 'data');
}
const later = (after: number): string => new Date(world.clock.now() + after).toISOString().replace(/\.\d+Z$/, 'Z');

describe('an approval that Flux takes away a second later', () => {
  it('lets a resize happen, once', async () => {
    await web();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    const { hash } = await asked('CloudInstance', 'web');
    await flux.kubectl('CloudInstance', 'web', 'approve', hash);
    const done = await world.ready('CloudInstance', 'web');
    expect(type()).toBe('g6-standard-1');
    expect(changes().filter((call) => call.endsWith('/resize'))).toHaveLength(1);
    expect(planOf(done)).toBeUndefined();
    expect(await annotation('CloudInstance', 'web', 'approve')).toBeUndefined();
  });
  it('covers all that it lists, though the account makes one after the other', async () => {
    await web({ backupsEnabled: true });
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1', backupsEnabled: false } });
    const { hash } = await asked('CloudInstance', 'web');
    await flux.kubectl('CloudInstance', 'web', 'approve', hash);
    await world.ready('CloudInstance', 'web', 30 * minute);
    expect(type()).toBe('g6-standard-1');
    expect(changes().filter((call) => /\/(resize|cancel)$/.test(call))).toHaveLength(2);
  });
  it('is shown with its time while the plan is under way', async () => {
    await web();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    const { hash } = await asked('CloudInstance', 'web');
    await flux.kubectl('CloudInstance', 'web', 'approve', hash);
    await world.clock.advance(3000);
    const { approved } = planOf(await world.get('CloudInstance', 'web')) ?? {};
    expect(approved).toMatchObject({ hash, at: expect.stringMatching(/Z$/) });
  });
  it('holds for what was seen and no further', async () => {
    await web();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    const first = await asked('CloudInstance', 'web');
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-2' } });
    await flux.kubectl('CloudInstance', 'web', 'approve', first.hash);
    await world.clock.advance(5 * minute);
    expect(type()).toBe('g6-nanode-1');
    expect((await asked('CloudInstance', 'web')).hash).not.toBe(first.hash);
  });
  it('makes a volume anew whose data kind stalls when it is gone', async () => {
    const { hash } = await replaced();
    await flux.kubectl('CloudVolume', 'data', 'approve', hash);
    await world.ready('CloudVolume', 'data');
    expect(volumes()).toMatchObject([{ region: 'eu-west' }]);
    expect(changes().filter((call) => call === 'POST /volumes')).toHaveLength(2);
    expect(await annotation('CloudVolume', 'data', 'replacing')).toBeUndefined();
  });
  it.each(['the status', 'the annotations'])('makes it anew although also %s went between its two halves', async (what) => {
    const { hash } = await replaced();
    world.emulator.control.addFault({ match: { method: 'POST', path: '/volumes' }, times: 3, effect: { kind: 'answer', status: 500 } });
    await flux.kubectl('CloudVolume', 'data', 'approve', hash);
    await world.clock.runUntil(() => Promise.resolve(volumes().length === 0), 5 * minute);
    const path = what === 'the status' ? '/status' : '';
    const gone = what === 'the status' ? '/status' : '/metadata/annotations';
    const answer = await world.server.as('admin', 'PATCH', `${world.path('CloudVolume', 'team-a', 'data')}${path}`, [
      { op: 'remove', path: gone },
    ]);
    expect(answer.status).toBe(200);
    // Three refused creates wait longer each time.
    await world.ready('CloudVolume', 'data', 60 * minute);
    expect(volumes()).toMatchObject([{ region: 'eu-west' }]);
  });
  it('is withdrawn with lifecycle.replace as long as nothing was deleted', async () => {
    const { hash } = await replaced();
    world.emulator.control.addFault({
      match: { method: 'DELETE' },
      times: 100,
      effect: { kind: 'answer', status: 503 },
    });
    await flux.kubectl('CloudVolume', 'data', 'approve', hash);
    await world.clock.advance(minute);
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { replace: 'Deny' } } });
    await world.reason('CloudVolume', 'data', 'ImmutableField');
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { replace: 'Allow' } } });
    expect((await asked('CloudVolume', 'data')).hash).not.toBe(hash);
    expect(volumes()).toMatchObject([{ region: 'eu-central' }]);
  });
  it('of a replacement that was given up says nothing about a loss that comes later', async () => {
    const { hash } = await replaced();
    world.emulator.control.addFault({
      match: { method: 'DELETE' },
      times: 100,
      effect: { kind: 'answer', status: 503 },
    });
    await flux.kubectl('CloudVolume', 'data', 'approve', hash);
    await world.clock.advance(minute);
    expect(await annotation('CloudVolume', 'data', 'replacing')).toContain('/volumes/');
    await world.patch('CloudVolume', 'data', { spec: { region: 'eu-central' } });
    await world.ready('CloudVolume', 'data');
    await world.clock.advance(40 * minute);
    const [{ id } = { id: 0 }] = volumes();
    world.emulator.control.edit({ collection: 'volumes', key: id });
    await world.reason('CloudVolume', 'data', 'RemoteMissing', 20 * minute);
  });
});

const resized = async (): Promise<Plan> => {
  await web();
  await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
  return asked('CloudInstance', 'web');
};
const commit = (value: string): Promise<unknown> =>
  world.patch('CloudInstance', 'web', { metadata: { annotations: { 'cloudhosting.dev/approve-change': value } } });
const again = async (to: string): Promise<void> => {
  await world.patch('CloudInstance', 'web', { spec: { type: to } });
  await world.reason('CloudInstance', 'web', 'ApprovalRequired');
};

describe('approval by content', () => {
  it('is spent once: what it approved needs another one to happen again', async () => {
    const { content } = await resized();
    expect(content).toMatch(/^[a-z2-7]{16}$/);
    const value = `${content}.${later(60 * minute)}`;
    await commit(value);
    const { status } = await world.ready('CloudInstance', 'web');
    expect(type()).toBe('g6-standard-1');
    expect(status?.['approvals']).toEqual([value]);
    const first = changes().length;
    // Back by hand of a colleague, and so the very change that was approved is wanted again.
    await world.clock.advance(5 * minute);
    const path = `/v4/vm/instances/${String(status?.['id'])}/resize`;
    await world.emulator.control.actAs({ username: 'colleague', method: 'POST', path, body: { type: 'g6-nanode-1' } });
    const { message } = await world.reason('CloudInstance', 'web', 'ApprovalRequired', 20 * minute);
    expect(planOf(await world.get('CloudInstance', 'web'))?.content).toBe(content);
    expect(message).toContain('spent');
    expect(changes().slice(first)).toEqual([]);
  });
  it.each([
    ['that is over', -minute, 'is over'],
    ['more than 14 days away', 15 * 24 * 60 * minute, '14 days'],
  ])('with an end %s counts for nothing, and says so', async (_, after, text) => {
    const { content } = await resized();
    await commit(`${content}.${later(after)}`);
    await world.clock.advance(5 * minute);
    expect((await world.condition('CloudInstance', 'web', 'Synced'))?.message).toContain(text);
    expect(type()).toBe('g6-nanode-1');
  });
  it('for another state counts for nothing', async () => {
    const { content } = await resized();
    await again('g6-standard-2');
    await commit(`${content}.${later(60 * minute)}`);
    await world.clock.advance(5 * minute);
    expect(type()).toBe('g6-nanode-1');
  });
  it('does not end with its time once it was accepted', async () => {
    await web({ backupsEnabled: true });
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1', backupsEnabled: false } });
    const { content } = await asked('CloudInstance', 'web');
    await commit(`${content}.${later(5000)}`);
    await world.ready('CloudInstance', 'web', 30 * minute);
    expect(type()).toBe('g6-standard-1');
  });
  it('on an object that is seen for the first time is spent', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    const value = `aaaaaaaaaaaaaaaa.${later(60 * minute)}`;
    await world.admin('POST', world.path('CloudVolume'), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudVolume',
      metadata: { name: 'data', namespace: 'team-a', annotations: { 'cloudhosting.dev/approve-change': value } },
      spec: volume,
    });
    expect((await world.ready('CloudVolume', 'data')).status?.['approvals']).toEqual([value]);
  });
  it('is refused while eight others are kept', async () => {
    await web();
    const sizes = ['g6-standard-1', 'g6-nanode-1'];
    for (let n = 0; n < 8; n += 1) {
      await again(sizes[n % 2] ?? '');
      const { content } = await asked('CloudInstance', 'web');
      await commit(`${content}.${later(60 * minute + n * 1000)}`);
      await world.ready('CloudInstance', 'web', 30 * minute);
    }
    await again('g6-standard-1');
    const { content } = await asked('CloudInstance', 'web');
    await commit(`${content}.${later(90 * minute)}`);
    await world.clock.advance(5 * minute);
    expect((await world.condition('CloudInstance', 'web', 'Synced'))?.message).toContain('eight');
    expect(type()).toBe('g6-nanode-1');
    await world.clock.advance(60 * minute);
    await world.ready('CloudInstance', 'web', 30 * minute);
    expect(type()).toBe('g6-standard-1');
  });
});

describe('what ApprovalRequired says', () => {
  it('names both ways, and what keeps Flux from taking the first away', async () => {
    await web();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    const plan = await asked('CloudInstance', 'web');
    const plain = (await world.condition('CloudInstance', 'web', 'Synced'))?.message ?? '';
    expect(plain).toContain(`cloudhosting.dev/approve=${plan.hash}`);
    expect(plain).toContain(`cloudhosting.dev/approve-change: ${plan.content}.`);
    expect(plain).not.toContain('--field-manager');
    await world.patch('CloudInstance', 'web', { metadata: { labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } } });
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-2' } });
    await world.clock.advance(minute);
    expect((await world.condition('CloudInstance', 'web', 'Synced'))?.message).toContain('--field-manager=flux-client-side-apply');
  });
});
