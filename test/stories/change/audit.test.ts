import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const said = (): readonly string[] => world.changes.map(({ method, path }) => `${method} ${path}`);
const last = (): object | undefined => world.outcomes.at(-1);

describe('the audit of changes', () => {
  it('has each call that changes the account, with object, who asked, effect, cause and outcome', async () => {
    await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } });
    const { metadata } = await world.ready('CloudVolume', 'data');
    const about = {
      kind: 'CloudVolume',
      key: { namespace: 'team-a', name: 'data' },
      uid: metadata.uid,
      cause: 'edit',
      outcome: 'Accepted',
    };
    expect(last()).toMatchObject({ ...about, method: 'POST', path: '/volumes', effect: 'Create', generation: 1 });
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
    await world.ready('CloudVolume', 'data');
    expect(last()).toMatchObject({ ...about, method: 'POST', path: '/volumes/1000/resize', effect: 'InPlace', generation: 2 });
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    expect(last()).toMatchObject({ ...about, method: 'DELETE', path: '/volumes/1000', effect: 'Delete' });
    expect(said()).toEqual(changesOf(world).map((call) => call.replace(' /v4', ' ')));
  });
  it('tells a correction of drift from an edit, and how long after the change it was seen', async () => {
    await world.apply('CloudDomain', 'example-org', { domain: 'example.org', type: 'master', soaEmail: 'admin@example.org' });
    await world.ready('CloudDomain', 'example-org');
    await world.clock.advance(60_000);
    const [domain] = world.emulator.control.rows('domains') as unknown as readonly { id: number }[];
    await new CloudUser(world).put(`/domains/${domain?.id}`, { soa_email: 'other@example.org' });
    await world.clock.advance(60_000);
    expect(last()).toMatchObject({ kind: 'CloudDomain', method: 'PUT', effect: 'InPlace', cause: 'drift', outcome: 'Accepted' });
    expect(world.driftSeen).toEqual([{ kind: 'CloudDomain', after: expect.any(Number) as number }]);
    expect(world.driftSeen[0]?.after).toBeLessThan(15_000);
  });
  it('tells that a job on a remote was done, and how long ago', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    const rootPasswordSecretRef = { name: 'root', key: 'password' };
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', image: 'vm/debian11', rootPasswordSecretRef });
    await world.ready('CloudInstance', 'web');
    const key = { namespace: 'team-a', name: 'web' };
    expect(world.jobEnds).toContainEqual({ kind: 'CloudInstance', key, ago: expect.any(Number) as number });
    for (const { ago } of world.jobEnds) expect(Math.abs(ago - 5000)).toBeLessThan(6000);
  });
  it('says who approved, and why', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    const spec = {
      region: 'eu-central',
      type: 'g6-nanode-1',
      image: 'vm/debian11',
      rootPasswordSecretRef: { name: 'root', key: 'password' },
    };
    await world.apply('CloudInstance', 'web', spec);
    await world.ready('CloudInstance', 'web');
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const { status = {} } = await world.get('CloudInstance', 'web');
    const { hash } = status['plan'] as { hash: string };
    const annotations = { 'cloudhosting.dev/approve': hash, 'cloudhosting.dev/approve-reason': `${hash} more memory` };
    await world.patch('CloudInstance', 'web', { metadata: { annotations } });
    await world.ready('CloudInstance', 'web');
    const resize = world.outcomes.find(({ path }) => path.endsWith('/resize'));
    const approved = { hash, reason: 'more memory', at: expect.any(String) as string };
    expect(resize).toMatchObject({ effect: 'Reboot', cause: 'edit', approved });
  });
  it('has what was refused, and what nobody answered, and never a body', async () => {
    const secret = 'Canary-Horse-9-Battery';
    await world.secret('root', { password: secret });
    const fault = (effect: object): void =>
      void world.emulator.control.addFault({ match: { method: 'POST', path: '/volumes', username: 'admin' }, effect } as never);
    fault({ kind: 'answer', status: 400, body: `{"errors":[{"field":"size","reason":"${secret}"}]}` });
    await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 });
    await world.reason('CloudVolume', 'data', 'Rejected');
    expect(last()).toMatchObject({ path: '/volumes', effect: 'Create', outcome: 'Rejected' });
    expect(JSON.stringify([world.changes, world.outcomes])).not.toContain(secret);
  });
});
