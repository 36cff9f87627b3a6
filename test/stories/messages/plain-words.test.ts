import { beforeEach, describe, expect, it } from 'vitest';
import { cloud, dataOf } from '../../support/plugin/cloud-cli.ts';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const volume = { region: 'eu-central', sizeGiB: 20 };
const rooted = { image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };
const annotate = (kind: string, name: string, annotations: Readonly<Record<string, string>>): Promise<unknown> =>
  world.patch(kind, name, { metadata: { annotations } });

describe('an account that is deleted before what uses it', () => {
  it('says what ends the wait, and that is no release', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    await world.delete('CloudAccount', 'default');
    const { message } = await world.reason('CloudAccount', 'default', 'DeletionHeld');
    expect(message).toContain('lifecycle.onDelete: Retain');
    expect(message).not.toMatch(/or move them/);
    const { out } = await cloud(world, 'why cacc/default');
    expect(out).not.toContain('release');
    expect(out).toContain('What to do: If its deletion was a mistake, ');
    expect(out).toContain('If it is meant, delete the objects that use the account');
  });
});

describe('what is protected and is deleted', () => {
  it('is no case for a release', async () => {
    await world.apply('CloudVolume', 'data', { ...volume, lifecycle: { protect: true } });
    await world.ready('CloudVolume', 'data');
    await world.delete('CloudVolume', 'data');
    await world.reason('CloudVolume', 'data', 'DeletionHeld');
    const { out } = await cloud(world, 'why cvol/data');
    expect(out).toContain('spec.lifecycle.protect is true. To let the object go and leave what it has in the account, set it to false: ');
    expect(out).toContain('The first line lets the object go and leaves its cloud resource');
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { protect: true, onDelete: 'Delete' } } });
    await world.clock.advance(10_000);
    expect((await cloud(world, 'why cvol/data')).out).toContain('set to false alone, what it has is deleted at once, for good');
    expect(out).not.toContain('kubectl cloud release');
  });
});

async function leaving(onDelete: 'Delete' | 'Retain'): Promise<string> {
  await world.apply('CloudVolume', 'data', { ...volume, lifecycle: { onDelete } });
  const { status } = await world.ready('CloudVolume', 'data');
  await annotate('CloudVolume', 'data', { 'cloudhosting.dev/pause': 'true' });
  await world.reason('CloudVolume', 'data', 'Paused');
  await world.delete('CloudVolume', 'data');
  await world.clock.advance(10_000);
  return String(status?.['path']);
}

describe('a paused object that is being deleted', () => {
  it('says so, and what goes; its resumption asks for its name', async () => {
    const path = await leaving('Delete');
    const { out } = await cloud(world, 'why cvol/data');
    expect(out).toContain(`It is being deleted, which goes on with the end of the pause: its cloud resource will be deleted (${path})`);
    const refused = await cloud(world, 'resume cvol/data --yes');
    expect(refused.exit).toBe(3);
    expect(refused.err).toContain(`its cloud resource will be deleted (${path})`);
    await world.clock.advance(60_000);
    expect(changesOf(world)).not.toContainEqual(expect.stringMatching(/^DELETE/));
    expect((await cloud(world, 'resume cvol/data --confirm data')).exit).toBe(0);
    await world.gone('CloudVolume', 'data');
  });
  it('that keeps what it has is resumed by a yes', async () => {
    await leaving('Retain');
    const resumed = await cloud(world, 'resume cvol/data --yes');
    expect(resumed.err).toContain('stays in the account');
    expect(resumed.exit).toBe(0);
    await world.gone('CloudVolume', 'data');
    expect(world.emulator.control.rows('volumes')).toHaveLength(1);
  });
  it('is judged by its spec of now, not by what status told before the pause', async () => {
    await leaving('Delete');
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { onDelete: 'Retain' } } });
    expect((await cloud(world, 'resume cvol/data --yes --dry-run')).err).toContain('stays in the account');
  });
});

describe('why', () => {
  it('calls an object that is Ready as it was not "not Ready"', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', ...rooted });
    await world.ready('CloudInstance', 'web');
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    expect((await cloud(world, 'why cinst/web')).out).toMatch(/^CloudInstance team-a\/web is not as wanted since .*ApprovalRequired/);
  });
  it('of a pause with an end says when that is', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    await cloud(world, 'pause cvol/data --for 1h');
    await world.reason('CloudVolume', 'data', 'Paused');
    expect((await cloud(world, 'why cvol/data')).out).toMatch(/What to do: Wait: the pause ends by itself at 2026-01-01T01:\S+Z/);
  });
});

describe('an account without its Secret', () => {
  beforeEach(async () => {
    const lonely = { endpoint: 'main', tokenSecretRef: { name: 'none', key: 'token' }, installation: 'tests' };
    await world.apply('CloudAccount', 'lonely', lonely);
    await world.apply('CloudVolume', 'data', { ...volume, accountRef: { name: 'lonely' } });
    await world.reason('CloudVolume', 'data', 'AccountNotReady');
    await world.clock.advance(60_000);
  });
  it('why ends at it with what to do, and does not send back to itself', async () => {
    const { out } = await cloud(world, 'why cvol/data');
    expect(out).toContain('CloudAccount team-a/lonely');
    expect(out).toMatch(/\n {4}Secret team-a\/\S+: NotFound: it is not there\nWhat to do: Create it, or correct spec\.tokenSecretRef\./);
    expect(out).not.toContain('kubectl cloud why');
  });
  it('counts as in need of a person', async () => {
    const { accounts } = dataOf(await cloud(world, 'status -o json')) as { accounts: { account: string; needPerson: unknown[] }[] };
    const needy = accounts.map(({ account, needPerson }) => [account, needPerson.length]);
    expect(needy).toEqual([
      ['team-a/default', 0],
      ['team-a/lonely', 1],
    ]);
    expect((await cloud(world, 'status')).out).toMatch(/team-a\/lonely +AccountNotReady .* 1$/m);
  });
});

describe('annotation approve with another value', () => {
  it('is answered', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', ...rooted });
    await world.ready('CloudInstance', 'web');
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    await annotate('CloudInstance', 'web', { 'cloudhosting.dev/approve': 'yes' });
    await world.clock.advance(60_000);
    const { message = '' } = (await world.condition('CloudInstance', 'web', 'Synced')) ?? {};
    expect(message).toContain('Annotation cloudhosting.dev/approve is "yes", which is not the hash of this plan');
  });
  it('and approve-change shows a whole value', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', ...rooted });
    await world.ready('CloudInstance', 'web');
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    const { message } = await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    expect(message).toMatch(/approve-change: [a-z2-7]{16}\.2026-01-\d\dT\d\d:\d\d:\d\dZ\./);
  });
});

describe('what lacks a region', () => {
  it.each([
    ['CloudVolume', {}],
    ['CloudInstance', { type: 'g6-nanode-1' }],
  ])('%s: is told before anything is sent', async (kind, spec) => {
    await world.apply(kind, 'bare', spec);
    const { message } = await world.reason(kind, 'bare', 'InvalidSpec');
    expect(message).toContain('spec.region');
    expect(message).toContain('defaults.region');
    expect(changesOf(world)).toEqual([]);
    await world.patch('CloudAccount', 'default', { spec: { defaults: { region: 'eu-central' } } });
    await annotate(kind, 'bare', { 'cloudhosting.dev/reconcile-at': 'now' });
    await world.ready(kind, 'bare');
  });
  it('a volume takes that of its instance', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', ...rooted });
    await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' } });
    await world.ready('CloudVolume', 'data');
  });
});

describe('what the service refuses', () => {
  it('of a Secret is to be changed there', async () => {
    await world.secret('root', { password: 'weak' });
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', ...rooted });
    const { message } = await world.reason('CloudInstance', 'web', 'Rejected');
    expect(message).toContain('Put another value into the Secret root, key password');
    expect(message).not.toContain('Change the spec');
    expect(message).toContain('it is read again within five minutes');
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/root', {
      data: { password: Buffer.from('Canary-Horse-9-Battery').toString('base64') },
    });
    await world.clock.advance(5 * 60_000);
    // No more than the boot is left then.
    await world.ready('CloudInstance', 'web', 60_000);
  });
  it('a volume smaller than the service makes is refused by admission', async () => {
    await expect(world.apply('CloudVolume', 'small', { region: 'eu-central', sizeGiB: 5 })).rejects.toThrow(/sizeGiB/);
  });
});
