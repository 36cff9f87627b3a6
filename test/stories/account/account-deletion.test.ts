import { beforeEach, describe, expect, it } from 'vitest';
import { connectedWorld } from '../../support/world/connected-world.ts';
import { changesSince, lastRequest } from '../../support/world/gitops.ts';
import type { RunningOperator, World } from '../../support/world/world.ts';

let world: World;
let operator: RunningOperator;
const volume = { region: 'eu-central', lifecycle: { onDelete: 'Delete' } };
const volumes = (): unknown[] => world.emulator.control.rows('volumes') as never;
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
});

describe('an account that is being deleted while objects still need it', () => {
  it('is connected again after a restart, so that they can go and then it', async () => {
    await world.delete('CloudAccount', 'default');
    await world.clock.advance(30_000);
    operator.kill();
    await world.start();
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    await world.gone('CloudAccount', 'default');
    expect(volumes()).toHaveLength(0);
  });
  it('is had back in the way that it tells, and nothing of its objects changes', async () => {
    const { spec } = (await world.get('CloudAccount', 'default')) as unknown as { readonly spec: Record<string, unknown> };
    await world.delete('CloudAccount', 'default');
    const { message } = await world.reason('CloudAccount', 'default', 'DeletionHeld');
    expect(message).toContain('To undo it: kubectl cloud why -n team-a cacc/default');
    const seq = lastRequest(world);
    await world.patch('CloudAccount', 'default', { metadata: { finalizers: null } });
    await world.gone('CloudAccount', 'default');
    await world.clock.advance(5 * 60_000);
    await world.apply('CloudAccount', 'default', spec);
    await world.ready('CloudAccount', 'default', 600_000);
    await world.clock.advance(600_000);
    await world.ready('CloudVolume', 'data');
    await world.patch('CloudVolume', 'data', { spec: { tags: ['kept'] } });
    await world.ready('CloudVolume', 'data', 600_000);
    expect(changesSince(world, seq)).toEqual([expect.stringMatching(/^PUT \/volumes\/\d+ 200/)]);
  });
  it('goes with its namespace and its Secret, through a restart in the middle', async () => {
    await world.delete('CloudAccount', 'default');
    await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/cloud-token');
    operator.kill();
    await world.delete('CloudVolume', 'data');
    await world.start();
    await world.gone('CloudVolume', 'data');
    await world.gone('CloudAccount', 'default');
    expect(volumes()).toHaveLength(0);
  });
  it('follows a rotated token', async () => {
    await world.delete('CloudAccount', 'default');
    await world.clock.advance(5000);
    world.emulator.control.setToken({ token: 'token-second', username: 'admin', scopes: '*' });
    world.emulator.control.revokeToken('token-admin');
    const token = Buffer.from('token-second').toString('base64');
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data: { token } });
    await world.clock.advance(120_000);
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    await world.gone('CloudAccount', 'default');
  });
  it('still says what is held back, and why it stays', async () => {
    await world.delete('CloudAccount', 'default');
    const condition = await world.reason('CloudAccount', 'default', 'DeletionHeld');
    expect(condition.message).toContain('CloudVolume team-a/data');
    operator.kill();
    await world.start();
    await world.clock.advance(60_000);
    expect((await world.get('CloudAccount', 'default')).status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual(
      expect.arrayContaining(['Ready=False', 'Reconciling=True', 'Stalled=False']),
    );
  });
});

describe("the operator's copy of the token", () => {
  it('is not replaced by a token that leads to another account', async () => {
    await world.clock.advance(60_000);
    const other = Buffer.from('token-other').toString('base64');
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data: { token: other } });
    await world.reason('CloudAccount', 'default', 'AccountMismatch');
    const copies = world.server.objects('/secrets') as unknown as { metadata: { name: string }; data: { token?: string } }[];
    const copy = copies.find(({ metadata }) => metadata.name.startsWith('token-'));
    expect(Buffer.from(copy?.data.token ?? '', 'base64').toString()).toBe('token-admin');
  });
});
