import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';
import { changesSince, lastRequest } from '../../support/world/gitops.ts';
import type { RunningOperator, World } from '../../support/world/world.ts';

// What an object is renamed to goes on where the one before it was: also in what only the status of that one remembers.
const minute = 60_000;
const [before, after] = ['old', 'new'];
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
});

/** As tools do it that apply first and prune last; answers the calls that change something from the new object on. */
async function renamed(kind: string, spec: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  await world.apply(kind, before, { ...spec, lifecycle: { onDelete: 'Delete' } });
  const { status } = await world.ready(kind, before, 30 * minute);
  const since = lastRequest(world);
  await world.apply(kind, after, { ...spec, adopt: { id: status?.['id'] } });
  await world.reason(kind, after, 'AlreadyClaimed');
  await world.delete(kind, before);
  await world.gone(kind, before);
  await world.ready(kind, after, 5 * minute);
  operator.kill();
  operator = await world.start();
  await world.clock.advance(30 * minute);
  await world.ready(kind, after);
  return changesSince(world, since);
}
const cluster = { region: 'eu-central', k8sVersion: '1.24', label: 'prod' };
const pool = { type: 'g6-standard-1', count: 2 };

describe('what is renamed', () => {
  it('has its pools, and writes its own mark on them', async () => {
    expect(await renamed('CloudKubernetesCluster', { ...cluster, nodePools: [{ name: 'base', ...pool }] })).toEqual([
      expect.stringMatching(/^PUT \/lke\/clusters\/\d+\/pools\/\d+ 200 \{"tags":\["pool=base-[a-z2-7]{8}"\]\}$/),
    ]);
  });
  it('has its mark, where it is a pool', async () => {
    await world.apply('CloudKubernetesCluster', 'prod', { ...cluster, nodePools: [{ name: 'base', ...pool }] });
    await world.ready('CloudKubernetesCluster', 'prod', 30 * minute);
    expect(await renamed('CloudNodePool', { clusterRef: { name: 'prod' }, ...pool })).toEqual([]);
    await world.patch('CloudNodePool', after, { spec: { count: 3 } });
    await world.clock.advance(10 * minute);
    expect((await world.ready('CloudNodePool', after, 10 * minute)).status).toMatchObject({ count: 3 });
    await world.patch('CloudNodePool', after, { spec: { lifecycle: { onDelete: 'Delete' } } });
    await world.clock.advance(minute);
    await world.delete('CloudNodePool', after);
    await world.gone('CloudNodePool', after, 30 * minute);
  });
  it('has what was written to the provider, once', async () => {
    const ticket = { summary: 'Additional IPv4', description: 'For SMTP.', replies: [{ id: 'thanks', text: 'Thank you.' }] };
    expect(await renamed('CloudSupportTicket', ticket)).toEqual([]);
  });
  it('has nothing of that where it takes another one after all', async () => {
    const ticket = { summary: 'Additional IPv4', description: 'For SMTP.', replies: [{ id: 'thanks', text: 'Thank you.' }] };
    await world.apply('CloudSupportTicket', before, ticket);
    const { status } = await world.ready('CloudSupportTicket', before);
    const other = await new CloudUser(world).post('/support/tickets', { summary: ticket.summary, description: ticket.description });
    const { id } = other as { id: number };
    await world.apply('CloudSupportTicket', after, { ...ticket, adopt: { id: status?.['id'] } });
    await world.reason('CloudSupportTicket', after, 'AlreadyClaimed');
    await world.patch('CloudSupportTicket', before, { spec: { lifecycle: { onDelete: 'Retain' } } });
    await world.patch('CloudSupportTicket', after, { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
    await world.clock.advance(minute);
    await world.delete('CloudSupportTicket', before);
    await world.gone('CloudSupportTicket', before);
    await world.patch('CloudSupportTicket', after, {
      metadata: { annotations: { 'cloudhosting.dev/pause': null } },
      spec: { adopt: { id } },
    });
    await world.ready('CloudSupportTicket', after);
    const sent = world.emulator.control.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/replies'));
    expect(sent.map(({ path }) => path)).toEqual([expect.stringContaining(String(status?.['id'])), expect.stringContaining(String(id))]);
  });
});
