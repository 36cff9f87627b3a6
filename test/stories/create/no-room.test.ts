import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

/** Policies answer 422, webhooks 403 where they name no code. */
const codes = { Invalid: 422, Forbidden: 403 } as const;
const denied = (reason: keyof typeof codes): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason,
  code: codes[reason],
  message: 'admission webhook "no-notes.example.org" denied the request: no notes',
});

it('an object whose annotations leave no room for ours says so, and is made once there is room', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  const other = 'kubectl.kubernetes.io/last-applied-configuration';
  await world.admin('POST', world.path('CloudVolume'), {
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind: 'CloudVolume',
    metadata: { name: 'data', namespace: 'team-a', annotations: { [other]: 'x'.repeat(262_000) } },
    spec: { region: 'eu-central' },
  });
  await world.reason('CloudVolume', 'data', 'Rejected');
  expect((await world.condition('CloudVolume', 'data', 'Synced'))?.message).toContain('256 KiB');
  expect(world.emulator.control.rows('volumes')).toEqual([]);
  await world.patch('CloudVolume', 'data', { metadata: { annotations: { [other]: null, 'cloudhosting.dev/reconcile-at': 'now' } } });
  await world.ready('CloudVolume', 'data');
});

describe.each(['Invalid', 'Forbidden'] as const)('a write of metadata that is refused as %s', (reason) => {
  const spec = { region: 'eu-central', lifecycle: { onDelete: 'Delete' } };
  let refuses: (patch: string) => boolean;
  let world: World;
  let operator: RunningOperator;
  beforeEach(async () => {
    refuses = () => false;
    world = await World.create({
      between: (server, backend) => ({
        ...(backend.travel && { travel: backend.travel.bind(backend) }),
        handle: (request) =>
          server === 'kube' && request.method === 'PATCH' && !request.path.includes('/status') && refuses(request.body.toString())
            ? Promise.resolve({
                status: codes[reason],
                headers: { 'content-type': 'application/json' },
                body: JSON.stringify(denied(reason)),
              })
            : backend.handle(request),
      }),
    });
    await world.account();
    operator = await world.start();
    await world.ready('CloudAccount', 'default');
  });
  const told = async (): Promise<string> => (await world.reason('CloudVolume', 'data', 'Rejected')).message;
  const volumes = (): readonly object[] => world.emulator.control.rows('volumes');

  it('before anything was sent is told in the status, and nothing is sent', async () => {
    refuses = (patch) => patch.includes('finalizers');
    await world.apply('CloudVolume', 'data', spec);
    expect(await told()).toContain('no-notes.example.org');
    expect(changesOf(world)).toEqual([]);
    refuses = () => false;
    await world.ready('CloudVolume', 'data');
    expect(volumes()).toHaveLength(1);
  });
  it.each([false, true])('does not say that nothing was made, and nothing is made twice (killed: %s)', async (killed) => {
    refuses = (patch) => patch.includes('cloudhosting.dev~1remote') || /"cloudhosting.dev\/remote":"/.test(patch);
    await world.apply('CloudVolume', 'data', spec);
    expect(await told()).toMatch(/made \/volumes\/\d+/);
    if (killed) {
      operator.kill();
      await world.start();
      await world.clock.advance(300_000);
    }
    expect(await told()).not.toContain('nothing is made');
    refuses = () => false;
    await world.ready('CloudVolume', 'data');
    expect(volumes()).toHaveLength(1);
    expect(changesOf(world).filter((call) => call === 'POST /volumes')).toHaveLength(1);
  });
  it('does not say that nothing was deleted', async () => {
    await world.apply('CloudVolume', 'data', spec);
    await world.ready('CloudVolume', 'data');
    await world.clock.advance(60_000);
    refuses = (patch) => patch.includes('finalizers');
    await world.delete('CloudVolume', 'data');
    const message = await told();
    expect(volumes()).toEqual([]);
    expect(message).not.toMatch(/nothing is .*deleted/);
    refuses = () => false;
    await world.gone('CloudVolume', 'data');
  });
});
