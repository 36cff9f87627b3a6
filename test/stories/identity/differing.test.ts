import { beforeEach, describe, expect, it } from 'vitest';
import { connectedWorld } from '../../support/world/connected-world.ts';
import type { KubeObject } from '../../support/world/custom-object.ts';
import type { RunningOperator, World } from '../../support/world/world.ts';

// A backup that puts one of the two back, annotation or status, leaves them naming different remotes.
const minute = 60_000;
let world: World;
let operator: RunningOperator;
let before: KubeObject;
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, lifecycle: { onMissing: 'Recreate' } });
  before = await world.ready('CloudVolume', 'data');
  await world.emulator.control.actAs({ username: 'admin', method: 'DELETE', path: `/v4${String(before.status?.['path'])}` });
  await world.clock.runUntil(async () => Number((await world.get('CloudVolume', 'data')).status?.['remotesBefore']) >= 1, 30 * minute);
  await world.ready('CloudVolume', 'data');
});
const path = (): string => world.path('CloudVolume', 'team-a', 'data');
const condition = async (of: string) => (await world.get('CloudVolume', 'data')).status?.conditions?.find(({ type }) => type === of);
async function whileDown(change: () => Promise<unknown>): Promise<void> {
  operator.kill();
  await change();
  operator = await world.start();
  await world.clock.advance(5 * minute);
}
const volumes = (): number => world.emulator.control.rows('volumes').length;

describe('of an annotation and a status that name different remotes', () => {
  it('the status is told to be older, and a line of the message mends that', async () => {
    await whileDown(async () =>
      world.admin('PUT', `${path()}/status`, { ...(await world.get('CloudVolume', 'data')), status: before.status }),
    );
    expect((await condition('Synced'))?.reason).toBe('IdentityConflict');
    expect(await condition('Ready')).toMatchObject({ status: 'False', reason: 'IdentityConflict' });
    const [, patch = ''] = / --subresource=status --type=merge -p '(\{.+\})'/.exec((await condition('Synced'))?.message ?? '') ?? [];
    expect((await condition('Synced'))?.message).toContain('The annotation is right');
    await world.admin('PATCH', `${path()}/status`, JSON.parse(patch) as object);
    expect((await world.ready('CloudVolume', 'data')).status).toMatchObject({ id: '1001' });
    expect(volumes()).toBe(1);
  });
  it('the annotation is told to be older, and its removal mends that', async () => {
    await whileDown(async () => {
      const now = await world.get('CloudVolume', 'data');
      await world.admin('PUT', path(), { ...now, metadata: { ...now.metadata, annotations: before.metadata.annotations } });
    });
    expect((await condition('Synced'))?.message).toContain(
      'The status is right: the annotation is of another object, or of what this one had before. Remove it',
    );
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/remote': null } } });
    await world.clock.advance(minute);
    expect((await world.ready('CloudVolume', 'data')).status).toMatchObject({ id: '1001' });
    expect((await condition('Synced'))?.status).toBe('True');
    expect(volumes()).toBe(1);
  });
});
