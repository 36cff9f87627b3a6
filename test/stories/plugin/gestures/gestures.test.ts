import { type Backend, ConnectionLost } from '../../../support/virtual/backend.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../../support/world/changes.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { begin, cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import { describeObject } from '../../../support/world/describe.ts';
import { type RunningOperator, World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
});
const volume = { region: 'eu-central', sizeGiB: 20 };
const annotation = async (kind: string, name: string, of: string): Promise<string | undefined> =>
  (await world.get(kind, name)).metadata.annotations?.[`cloudhosting.dev/${of}`];
const volumes = (): readonly { id: number; region: string }[] => world.emulator.control.rows('volumes') as never;
const calls = (start: string): readonly string[] => changesOf(world).filter((call) => call.startsWith(start));

async function resized(): Promise<string> {
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
  await world.ready('CloudInstance', 'web');
  await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
  await world.reason('CloudInstance', 'web', 'ApprovalRequired');
  const { status } = await world.get('CloudInstance', 'web');
  return (status?.['plan'] as { hash: string } | undefined)?.hash ?? '';
}
async function moved(): Promise<void> {
  await world.apply('CloudVolume', 'data', { ...volume, label: 'data', lifecycle: { replace: 'Allow' } });
  await world.ready('CloudVolume', 'data');
  await world.patch('CloudVolume', 'data', { spec: { region: 'eu-west' } });
  await world.reason('CloudVolume', 'data', 'ApprovalRequired');
}

describe('approve', () => {
  it('shows the plan, asks, and has exactly this done', async () => {
    const hash = await resized();
    const typing = begin(world, 'approve cinst/web --wait', { answers: [true] });
    const { exit, err } = await typing.ended(30 * minute);
    expect(exit).toBe(0);
    expect(err).toContain(
      'CloudInstance team-a/web: Reboot: it is shut down and started again\n  spec.type: the account has g6-nanode-1, wanted g6-standard-1',
    );
    expect(typing.questions).toEqual(['CloudInstance team-a/web: Reboot. Go on?']);
    // The plan was read before the yes: nothing of it comes once more, and nothing that was true before it.
    expect(err).not.toContain('needs approval');
    expect(err).toMatch(
      /plan \w+\n\S+ CloudInstance team-a\/web {2}NotLookedAt: it is approved by annotation, and no operator has taken that up yet\n\S+ CloudInstance team-a\/web {2}Updating: /,
    );
    expect(calls('POST /vm/instances/').filter((call) => call.endsWith('/resize'))).toHaveLength(1);
    expect(await annotation('CloudInstance', 'web', 'approve')).toBe(hash);
  });
  it('repeats what plan warns of: what lies below and changes with it, or is lost', async () => {
    await world.secret('root', { password: 'Correct-Horse-9-Battery' });
    const web = {
      region: 'eu-central',
      type: 'g6-nanode-1',
      image: 'vm/debian11',
      rootPasswordSecretRef: { name: 'root', key: 'password' },
    };
    await world.apply('CloudInstance', 'web', web);
    await world.ready('CloudInstance', 'web');
    await world.clock.advance(minute);
    const [root] = world.emulator.control.rows('disks') as unknown as readonly { readonly id: number; readonly size: number }[];
    await world.apply('CloudDisk', 'root', { instanceRef: { name: 'web' }, sizeMB: root?.size, adopt: { id: root?.id } });
    await world.ready('CloudDisk', 'root');
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const resize = await cloud(world, 'approve cinst/web');
    expect(resize.err).toContain(
      '\n  what these say of spec.sizeMB stays so: CloudDisk team-a/root. To have that taken along, set spec.autoResizeDisk: true on CloudInstance team-a/web, or write there first what it is to be\n',
    );
    await world.patch('CloudInstance', 'web', { spec: { autoResizeDisk: true } });
    await world.clock.advance(minute);
    expect((await cloud(world, 'approve cinst/web')).err).toContain(
      '\n  a single disk beside swap takes the size of the new plan; spec.autoResizeDisk: false keeps it as it is. What these say of it then differs, and they ask to have it set back: CloudDisk team-a/root. To leave them as they are, set spec.autoResizeDisk: false on CloudInstance team-a/web before the yes (the plan and its hash stay the same); to keep what comes of it, write into their spec.sizeMB afterwards what status.sizeMB shows\n',
    );
    const hash = async (): Promise<unknown> =>
      ((await world.get('CloudInstance', 'web')).status?.['plan'] as { hash?: string } | undefined)?.hash;
    const before = await hash();
    await world.patch('CloudInstance', 'web', { spec: { autoResizeDisk: false } });
    await world.clock.advance(minute);
    expect(await hash()).toBe(before);
    expect((await cloud(world, 'approve cinst/web')).err).not.toContain('swap takes');
    expect((await cloud(world, 'approve cinst/web --yes --wait', { limit: 30 * minute })).exit).toBe(0);
    await world.clock.advance(minute);
    expect((await cloud(world, 'diff cdisk/root')).exit).toBe(0);
    await world.patch('CloudInstance', 'web', { spec: { image: 'vm/debian10' } });
    await world.clock.runUntil(
      async () => ((await world.get('CloudInstance', 'web')).status?.['plan'] as { effect?: string } | undefined)?.effect === 'Rebuild',
      minute,
    );
    const rebuild = await cloud(world, 'approve cinst/web');
    expect(rebuild.err).toContain('\n  what these have is lost with it: CloudDisk team-a/root\n');
    expect(rebuild.err).not.toContain('swap takes');
  });
  it('has a name typed where data is lost, and takes no other text', async () => {
    await moved();
    expect((await cloud(world, 'approve cvol/data', { answers: ['yes'] })).exit).toBe(3);
    expect((await cloud(world, 'approve cvol/data --yes')).exit).toBe(3);
    expect((await cloud(world, 'approve cvol/data --confirm dat')).exit).toBe(3);
    expect(await annotation('CloudVolume', 'data', 'approve')).toBeUndefined();
    const { exit, err } = await cloud(world, 'approve cvol/data', { answers: ['data'] });
    expect(exit).toBe(0);
    expect(err).toContain('Replace: it is deleted and another is made: its data and its id are lost');
    await world.ready('CloudVolume', 'data');
    expect(volumes()).toMatchObject([{ region: 'eu-west' }]);
  });
  it('writes nothing when the plan became another between show and yes', async () => {
    await resized();
    const typing = begin(world, 'approve cinst/web', { answers: 'later' });
    await world.clock.settle();
    expect(typing.questions).toHaveLength(1);
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-2' } });
    await world.clock.advance(minute);
    typing.answer(true);
    const { exit, err } = await typing.ended();
    expect(exit).toBe(3);
    expect(err).toContain('is another by now than what was shown; nothing was written');
    const { plan } = (await world.get('CloudInstance', 'web')).status as { plan: { hash: string } };
    expect(err).toMatch(/\n {2}shown: plan \w+, Reboot: spec\.type: the account has g6-nanode-1, wanted g6-standard-1\n/);
    expect(err).toContain(`\n  now: plan ${plan.hash}, Reboot: spec.type: the account has g6-nanode-1, wanted g6-standard-2\n`);
    expect(await annotation('CloudInstance', 'web', 'approve')).toBeUndefined();
  });
  it('says of a plan that is another by now which one waits, what for, and what to type, and does nothing', async () => {
    const old = await resized();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-2' } });
    await world.clock.runUntil(async () => {
      const { status } = await world.get('CloudInstance', 'web');
      return (status?.['plan'] as { hash: string } | undefined)?.hash !== old;
    }, minute);
    const { plan } = (await world.get('CloudInstance', 'web')).status as { plan: { hash: string } };
    const { hash } = plan;
    const { exit, err, out } = await cloud(world, `approve cinst/web --hash ${old} --yes`);
    expect([exit, out]).toEqual([3, '']);
    expect(err).toContain(
      `CloudInstance team-a/web: plan ${old} is not the one that waits. That is ${hash}, Reboot: spec.type: the account has g6-nanode-1, wanted g6-standard-2. Nothing was written. To approve that one: kubectl cloud approve -n team-a cinst/web --hash ${hash}\n`,
    );
    expect(await annotation('CloudInstance', 'web', 'approve')).toBeUndefined();
  });
  it('approves nothing that was shown before the spec was edited', async () => {
    const old = await resized();
    operator.kill();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-2' } });
    for (const line of [`approve cinst/web --hash ${old} --yes`, 'approve cinst/web --yes']) {
      const { exit, err } = await cloud(world, line);
      expect(exit).toBe(3);
      expect(err).toContain(
        `CloudInstance team-a/web was edited after plan ${old} was made, and no operator has looked since. Nothing was written. See what waits then: kubectl cloud why -n team-a cinst/web`,
      );
    }
    expect(await annotation('CloudInstance', 'web', 'approve')).toBeUndefined();
  });
  it('is shown by no verb as still to be given once it was given', async () => {
    const hash = await resized();
    operator.kill();
    await cloud(world, 'approve cinst/web --yes');
    for (const line of ['why cinst/web', 'status', 'approve --list']) {
      const { out } = await cloud(world, line);
      expect(out).not.toContain(hash);
      expect(out).not.toContain('ApprovalRequired');
    }
    expect((await cloud(world, 'status')).out).toContain('1 NotLookedAt');
    expect((await cloud(world, 'why cinst/web')).out).toContain('it is approved by annotation, and no operator has taken that up yet');
  });
  it('is asked for once by a wait that ends with it', async () => {
    await resized();
    const { exit, out, err } = await cloud(world, 'wait cinst/web');
    expect(exit).toBe(1);
    expect(`${out}${err}`.split('needs approval, which means')).toHaveLength(2);
    expect(out).toContain('CloudInstance team-a/web needs a person: ApprovalRequired: Reboot needs approval');
  });
  it('for scripts takes a hash, a greatest effect and a limit of time', async () => {
    const hash = await resized();
    expect(await cloud(world, 'approve cinst/web --hash 0000000000 --yes')).toMatchObject({
      exit: 3,
      err: expect.stringContaining(`That is ${hash}, Reboot`) as string,
    });
    expect((await cloud(world, 'approve cinst/web --max-effect InPlace --yes')).exit).toBe(3);
    expect(await annotation('CloudInstance', 'web', 'approve')).toBeUndefined();
    const dry = await cloud(world, `approve cinst/web --hash ${hash} --dry-run -o json`);
    expect(dataOf(dry)).toEqual({
      dryRun: true,
      gestures: [{ object: 'CloudInstance team-a/web', annotations: { 'cloudhosting.dev/approve': hash } }],
    });
    expect(await annotation('CloudInstance', 'web', 'approve')).toBeUndefined();
    expect((await cloud(world, `approve cinst/web --hash ${hash} --max-effect Reboot --yes --wait`, { limit: 30 * minute })).exit).toBe(0);
    expect((await cloud(world, `approve cinst/web --hash ${hash} --yes`)).exit).toBe(3);
  });
  it('with --wait says nothing of an earlier approval that the operator found wrong before this one', async () => {
    const hash = await resized();
    await world.patch('CloudInstance', 'web', { metadata: { annotations: { 'cloudhosting.dev/approve': '0000000000' } } });
    await world.clock.runUntil(
      async () => /is not the hash of this plan/.test((await world.condition('CloudInstance', 'web', 'Synced'))?.message ?? ''),
      minute,
    );
    const { exit, err } = await cloud(world, `approve cinst/web --hash ${hash} --yes --wait`, { limit: 30 * minute });
    expect(exit).toBe(0);
    expect(err).not.toContain('not the hash');
  });
  it('names a wait that does not end before what was approved is done', async () => {
    await resized();
    operator.kill();
    const { out } = await cloud(world, 'approve cinst/web --yes');
    const [, line] = /To see it done: kubectl cloud (.*)\n/.exec(out) ?? [];
    expect(line).toBe('wait --for=Synced --on-approval=wait -n team-a cinst/web');
    for (const goal of ['Synced', 'Ready'])
      expect(await cloud(world, `wait cinst/web --for=${goal} --timeout 1m`, { limit: 2 * minute })).toMatchObject({
        exit: 6,
        err: expect.stringContaining('NotLookedAt: it is approved by annotation, and no operator has taken that up yet') as string,
      });
  });
  it('has its reason told, for this plan alone', async () => {
    const hash = await resized();
    expect(await cloud(world, ['approve', 'cinst/web', '--yes', '--reason', '!'.repeat(201)])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('--reason has 201 characters: write no more than 200') as string,
    });
    expect((await cloud(world, ['approve', 'cinst/web', '--yes', '--reason', ' '])).exit).toBe(2);
    expect(await annotation('CloudInstance', 'web', 'approve')).toBeUndefined();
    const line = ['approve', 'cinst/web', '--reason', 'more memory for the sale', '--wait'];
    expect((await cloud(world, line, { answers: [true], limit: 30 * minute })).exit).toBe(0);
    expect(await annotation('CloudInstance', 'web', 'approve-reason')).toBe(`${hash} more memory for the sale`);
    expect(await describeObject(world, 'CloudInstance', 'web')).toMatch(/approved \("more memory for the sale"\): /);
  });
  it('lists what waits, with the age', async () => {
    const hash = await resized();
    await world.clock.advance(2 * minute);
    expect(await cloud(world, 'approve cacc/default --yes')).toMatchObject({
      exit: 3,
      err: expect.stringContaining('CloudAccount team-a/default waits for no approval') as string,
    });
    expect((await cloud(world, 'approve --list -A')).out).toMatch(
      new RegExp(`CloudInstance team-a/web +Reboot +${hash} +2 min +spec.type`),
    );
  });
});

async function heldNow(): Promise<number> {
  const { status } = await world.get('CloudAccount', 'default');
  const [{ count } = { count: 0 }] = (status?.['held'] ?? []) as { count: number }[];
  return count;
}

/** One of the volumes is in no list. */
const hides = (server: Backend): Backend => ({
  handle: async (request) => {
    const answer = await server.handle(request);
    if (!request.path.includes('/cloudvolumes')) return answer;
    const list = JSON.parse(String(answer.body)) as { items?: { metadata: { name: string } }[] };
    return { ...answer, body: JSON.stringify({ ...list, items: list.items?.filter(({ metadata }) => metadata.name !== 'v13') }) };
  },
});

describe('release', () => {
  const names = Array.from({ length: 14 }, (_, n) => `v${n}`);
  async function held(first = 0): Promise<void> {
    for (const name of names) await world.apply('CloudVolume', name, { ...volume, lifecycle: { onDelete: 'Delete' } });
    for (const name of names) await world.ready('CloudVolume', name);
    for (const name of names.slice(0, first)) await world.delete('CloudVolume', name);
    for (const name of names.slice(0, first)) await world.gone('CloudVolume', name);
    for (const name of names.slice(first)) await world.delete('CloudVolume', name);
    await world.clock.runUntil(
      async () => ((await world.get('CloudAccount', 'default')).status?.['held'] as unknown[] | undefined)?.length === 1,
      minute,
    );
    await world.clock.advance(10_000);
  }
  it('shows each object and its fate, has their number typed, and lets them go', async () => {
    await held();
    const count = await heldNow();
    const list = await cloud(world, 'release --list');
    expect(list.out).toMatch(
      /\nTo have what namespace team-a has stay in the account: kubectl cloud release --keep -n team-a cacc\/default prints the lines\n/,
    );
    expect(list.out).toMatch(/CloudVolume team-a\/v\d+: its cloud resource will be deleted \(\/volumes\/\d+\)/);
    expect((await cloud(world, 'release --confirm 3')).exit).toBe(3);
    expect((await cloud(world, 'wait cvol --for=Deleted')).out).toContain('need a person: DeletionHeld');
    expect((await cloud(world, 'why cvol -n team-a')).out).toContain('kubectl cloud release -n team-a cacc/default');
    const { exit, err } = await cloud(world, 'release', { answers: [String(count)] });
    expect({ exit, shown: err.match(/: its cloud resource will be deleted/g)?.length }).toEqual({ exit: 0, shown: count });
    for (const name of names) await world.gone('CloudVolume', name);
    expect(volumes()).toEqual([]);
  });
  it('shows in status how many are held, and how many have gone before', async () => {
    await held(8);
    await world.clock.advance(minute);
    expect([await heldNow(), volumes().length]).toEqual([6, 6]);
    expect((await cloud(world, 'status')).out).toMatch(
      /\n6 of 6 objects of namespace team-a are being deleted at once, and 8 others went before that with what they had, which nothing brings back \(CloudVolume v[0-7], .*\n {2}To look first, [^\n]*\n {4}kubectl cloud release --list -n team-a cacc\/default\n/,
    );
    expect(dataOf(await cloud(world, 'status -o json'))).toMatchObject({ accounts: [{ held: [{ count: 6, gone: 8 }] }] });
  });
  it('is told in status of all that one brake holds in one line', async () => {
    await held();
    await world.delete('CloudVolume', 'v0');
    const count = await heldNow();
    await world.clock.advance(2 * minute);
    const { out } = await cloud(world, 'status');
    expect(out).not.toContain('kubectl cloud why');
    expect(out).toMatch(
      new RegExp(
        ` 1\\n\\n${count} of \\d+ objects of namespace team-a are being deleted at once\\n  To look first, .*\\n    kubectl cloud release --list -n team-a cacc/default\\n    kubectl cloud release --keep -n team-a cacc/default\\n    kubectl cloud release -n team-a cacc/default\\n$`,
      ),
    );
    const { out: looked } = await cloud(world, 'doctor');
    expect(looked).toMatch(
      /\nfail {2}D22 {2}CloudAccount team-a\/default: \d+ of \d+ objects of namespace team-a are being deleted at once\n +To look first: kubectl cloud release --list -n team-a cacc\/default\. To .* --keep -n team-a cacc\/default, .*: kubectl cloud release -n team-a cacc\/default, which asks/,
    );
    expect(`${out}${looked}`).not.toContain('annotate');
    const waiting = await cloud(world, 'wait cvol --for=Deleted');
    expect(waiting.out.match(/DeletionHeld/g)).toHaveLength(1);
    expect(waiting.out).toMatch(
      new RegExp(`^${count} objects need a person: DeletionHeld: .*\\n  CloudVolume team-a/v\\d+, v\\d+, .* and ${count - 10} more\\n`),
    );
    const { accounts } = dataOf(await cloud(world, 'status -o json')) as { accounts: { needPerson: object[] }[] };
    expect(accounts[0]?.needPerson).toHaveLength(count);
  });
  it('does not cover what is deleted after the list was shown', async () => {
    await held();
    await world.apply('CloudVolume', 'late', { ...volume, lifecycle: { onDelete: 'Delete' } });
    await world.ready('CloudVolume', 'late');
    const count = await heldNow();
    const typing = begin(world, 'release', { answers: 'later' });
    await world.clock.settle();
    await world.delete('CloudVolume', 'late');
    await world.clock.advance(minute);
    typing.answer(String(count));
    const { exit, err } = await typing.ended();
    expect(exit).toBe(3);
    expect(err).toContain(
      [
        `CloudAccount team-a/default: what is held of namespace team-a is another set by now than what was shown; nothing was written. 1 came, 0 went, ${count + 1} are held:`,
        '  came: CloudVolume team-a/late: its cloud resource will be deleted (/volumes/1014)',
        'To see all of them, and be asked for these: kubectl cloud release -n team-a cacc/default --of team-a\n',
      ].join('\n'),
    );
    await world.clock.advance(10 * minute);
    expect(await world.find('CloudVolume', 'late')).toBeDefined();
    expect(volumes().length).toBeGreaterThan(names.length - 1);
  });
  it('of a wrong number says so, and what to type, without the list', async () => {
    await held();
    const count = await heldNow();
    const { exit, err } = await cloud(world, 'release --confirm 3');
    expect([exit, err]).toEqual([
      3,
      [
        `kubectl cloud release: CloudAccount team-a/default: --confirm 3 is wrong: of namespace team-a ${count} objects are held now. Nothing was written`,
        'If 3 was right before, other objects are held since. To see which, each with what becomes of it: kubectl cloud release --list -n team-a cacc/default',
        `To let these ${count} go: kubectl cloud release --confirm ${count}\n`,
      ].join('\n'),
    ]);
    const typed = await cloud(world, 'release', { answers: ['3'] });
    expect([typed.exit, typed.err]).toEqual([
      3,
      expect.stringContaining(`not confirmed, nothing was written: what was typed is not ${count}\n`),
    ]);
    expect(await annotation('CloudAccount', 'default', 'release')).toBeUndefined();
  });
  it('does not ask anew where the same are held and only others came to the namespace', async () => {
    await held();
    const typing = begin(world, 'release', { answers: 'later' });
    await world.clock.settle();
    await world.apply('CloudVolume', 'other', volume);
    await world.ready('CloudVolume', 'other');
    await world.clock.advance(minute);
    typing.answer(String(await heldNow()));
    expect((await typing.ended()).exit).toBe(0);
    await world.gone('CloudVolume', 'v13');
  });
  it('says which of what the account counts it cannot list', async () => {
    await held();
    const count = await heldNow();
    const list = await cloud(world, 'release --list', { between: hides });
    expect(list.out).toContain(`  the account counts ${count}, and ${count - 1} objects say by now that they are held.`);
    expect((await cloud(world, 'release --list')).out).not.toContain('the account counts');
  });
  it('of nothing says so', async () => {
    expect(await cloud(world, 'release')).toMatchObject({ exit: 0, out: 'Nothing of CloudAccount team-a/default is held.\n' });
  });
});

describe('recreate', () => {
  it('is for what is gone, and has the name typed where data is lost', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    expect((await cloud(world, 'recreate cvol/data --confirm data')).exit).toBe(3);
    const [{ id } = { id: 0 }] = volumes();
    await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4/volumes/${id}` });
    await world.reason('CloudVolume', 'data', 'RemoteMissing');
    const why = await cloud(world, 'why cvol/data');
    expect(why.out).toContain('\n  kubectl cloud recreate -n team-a cvol/data');
    expect((await cloud(world, 'recreate cvol/data --yes')).exit).toBe(3);
    expect(volumes()).toEqual([]);
    expect(await cloud(world, 'recreate -n team-a cvol/data', { answers: ['data'] })).toMatchObject({
      exit: 0,
      err: expect.stringContaining('by colleague') as string,
    });
    await world.ready('CloudVolume', 'data');
    expect(volumes()).toHaveLength(1);
  });
});

const keys = () => world.emulator.control.rows('object keys');

describe('rotate', () => {
  it('of what was adopted by its id says that the manifest names the old one then', async () => {
    const { id } = (await new CloudUser(world).post('/object-storage/keys', { label: 'of-years' })) as { id: number };
    await world.clock.advance(5 * minute);
    await world.apply('CloudObjectKey', 'uploads', { label: 'of-years', unlimited: true, adopt: { id }, rotation: { overlapHours: 0 } });
    await world.ready('CloudObjectKey', 'uploads');
    const told = `\n  spec.adopt names the old one (${id}), which counts no more here then. In a cluster that is rebuilt from Git, or under another name,`;
    const done = await cloud(world, 'rotate cokey/uploads --confirm uploads');
    expect(done).toMatchObject({ exit: 0, err: expect.stringContaining(told) as string });
    await world.clock.advance(minute);
    expect((await cloud(world, 'rotate cokey/uploads --dry-run')).err).not.toContain('spec.adopt names the old one');
  });
  it('has an object key renewed, says until when the old one works, and leaves that to its object', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    const refused = await cloud(world, 'rotate cvol/data --confirm data');
    expect(refused).toMatchObject({ exit: 3, err: expect.stringContaining('Kinds that do: CloudOAuthClient, CloudObjectKey') as string });
    await world.apply('CloudObjectKey', 'uploads', { bucketAccess: [], rotation: { overlapHours: 0 } });
    await world.ready('CloudObjectKey', 'uploads');
    expect((await cloud(world, 'rotate cokey/uploads --dry-run')).err).toContain(
      '\n  the old values are refused right after, as /object-storage/keys/',
    );
    await world.patch('CloudObjectKey', 'uploads', { spec: { rotation: { overlapHours: 48 } } });
    expect(await cloud(world, 'rotate cokey/uploads')).toMatchObject({
      exit: 3,
      err: expect.stringContaining(
        'not confirmed, nothing was written\nTo have it done without a terminal: kubectl cloud rotate cokey/uploads --confirm uploads\n',
      ) as string,
    });
    const help = (await cloud(world, 'rotate --help')).out;
    expect(help).not.toContain('--yes');
    expect(help).toContain('has you type what is at stake; without a terminal --confirm with exactly that text is needed');
    await world.clock.advance(minute);
    expect(keys()).toHaveLength(1);
    const done = await cloud(world, 'rotate cokey/uploads', { answers: ['uploads'] });
    expect(done).toMatchObject({
      exit: 0,
      err: expect.stringContaining(
        'CloudObjectKey team-a/uploads: its credential is renewed\n  another one is made in the account, and Secret team-a/uploads-cokey has its values then\n  the old values work for 48 hours more, and are refused then, as /object-storage/keys/1000 is deleted\n  what reads the Secret only at its start, as a pod that has it as environment, is to be restarted by then\n',
      ) as string,
      out: 'CloudObjectKey team-a/uploads: its renewal is asked for. To see it done: kubectl cloud wait --for=Synced -n team-a cokey/uploads\n',
    });
    await world.clock.advance(minute);
    expect(keys()).toHaveLength(2);
  });
  it.each([
    ['CloudDatabase', 'cdb', { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-standard-1' }, ['reset-credentials']],
    [
      'CloudKubernetesCluster',
      'ck8s',
      { region: 'eu-central', k8sVersion: '1.24', nodePools: [{ name: 'base', type: 'g6-standard-1', count: 1 }] },
      ['reset-credentials', 'regenerate'],
    ],
  ])('names for a %s what renews what that gives out', async (kind, short, spec, verbs) => {
    await world.apply(kind, 'main', spec);
    const { exit, err } = await cloud(world, `rotate ${short}/main`);
    const lines = verbs.map((verb) => `  kubectl cloud ${verb} -n team-a ${short}/main`);
    expect([exit, err.match(/^ {2}kubectl cloud .*/gm)]).toEqual([3, lines]);
    await world.ready(kind, 'main', 60 * minute);
    for (const line of lines) expect((await cloud(world, `${line.replace('  kubectl cloud ', '')} --dry-run`)).exit).toBe(0);
  });
  it('says that it waits where as many as may work beside the one in use', async () => {
    await world.apply('CloudObjectKey', 'uploads', { bucketAccess: [] });
    await world.ready('CloudObjectKey', 'uploads');
    for (let rotations = 0; rotations < 3; rotations++) {
      expect((await cloud(world, 'rotate cokey/uploads --dry-run')).err).not.toContain('not at once');
      expect((await cloud(world, 'rotate cokey/uploads --confirm uploads')).exit).toBe(0);
      await world.clock.advance(2 * minute);
    }
    expect(keys()).toHaveLength(4);
    const { status } = await world.get('CloudObjectKey', 'uploads');
    const [first] = (status?.['retiring'] ?? []) as readonly { readonly path: string; readonly until: string }[];
    expect(first).toBeDefined();
    expect((await cloud(world, 'rotate cokey/uploads --dry-run')).err).toContain(
      `It is made when ${first?.path} goes, at ${first?.until}; a shorter spec.rotation.overlapHours has them go sooner`,
    );
  });
});

describe('abandon', () => {
  it('is refused for what can be reached, and names the way', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    const { exit, err } = await cloud(world, 'abandon cvol/data --confirm data');
    expect(exit).toBe(3);
    expect(err).toContain('"onDelete":"Retain"');
  });
  it('lets an object go that the token cannot see any more, without a call', async () => {
    world = await World.create();
    await world.account({}, 'team-a', 'token-limited');
    await world.start();
    await world.apply('CloudVolume', 'data', { ...volume, lifecycle: { onDelete: 'Delete' } });
    const { status } = await world.ready('CloudVolume', 'data');
    await world.clock.advance(2 * minute);
    world.emulator.control.setGrants('limited', { [`volume:${String(status?.['id'])}`]: null });
    await world.reason('CloudVolume', 'data', 'RemoteNotVisible', 15 * minute);
    expect((await cloud(world, 'abandon cvol/data --confirm data')).err).toContain('and not being deleted');
    await world.delete('CloudVolume', 'data');
    await world.clock.advance(minute);
    await world.clock.runUntil(async () => (await world.condition('CloudVolume', 'data', 'Stalled'))?.status === 'True', 30 * minute);
    expect((await cloud(world, 'why cvol/data')).out).toContain('\n  kubectl cloud abandon -n team-a cvol/data');
    const before = changesOf(world, 'limited').length;
    expect((await cloud(world, 'abandon cvol/data')).exit).toBe(3);
    const { exit, out } = await cloud(world, 'abandon cvol/data', { answers: ['data'] });
    expect({ exit, out }).toEqual({
      exit: 0,
      out: expect.stringMatching(/is let go\. To take \/volumes\/\d+ over again: spec\.adopt: \{id: \d+\}/) as string,
    });
    await world.gone('CloudVolume', 'data');
    expect(changesOf(world, 'limited')).toHaveLength(before);
    expect(volumes()).toHaveLength(1);
  });
});

describe('pause and resume', () => {
  it('takes no pause that is over at once', async () => {
    await world.apply('CloudVolume', 'data', volume);
    const { exit, err } = await cloud(world, 'pause cvol/data --for 0s');
    expect([exit, err]).toEqual([2, expect.stringContaining('--for=0s is over at once')]);
    expect(await annotation('CloudVolume', 'data', 'pause')).toBeUndefined();
  });
  it('stops work until it is resumed, also when Flux takes the annotation away', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    expect(await cloud(world, ['pause', 'cvol/data', '--for', '2h', '--reason', 'moving house'])).toMatchObject({
      exit: 0,
      out: expect.stringMatching(
        /^CloudVolume team-a\/data: is paused until 2026-01-01T02:\d\d:\d\dZ: "moving house"\. To go on: kubectl cloud resume -n team-a cvol\/data\n$/,
      ) as string,
    });
    expect(await annotation('CloudVolume', 'data', 'pause')).toMatch(/^until=2026-01-01T02:\d\d:\d\dZ;reason=moving house$/);
    await world.reason('CloudVolume', 'data', 'Paused');
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/pause': null } }, spec: { sizeGiB: 40 } });
    await world.clock.advance(10 * minute);
    expect(calls('POST /volumes/')).toEqual([]);
    expect((await cloud(world, 'pause --list')).out).toMatch(/CloudVolume team-a\/data +until 2026-01-01T02:\d\d:\d\dZ: "moving house"/);
    expect((await cloud(world, 'why cvol/data')).out).toContain('\n  kubectl cloud resume -n team-a cvol/data');
    expect((await cloud(world, 'resume cvol/data')).exit).toBe(3);
    expect((await cloud(world, 'resume cvol/data --yes')).exit).toBe(0);
    await world.ready('CloudVolume', 'data');
    expect(calls('POST /volumes/')).toHaveLength(1);
    expect((await cloud(world, 'resume cvol/data')).out).toBe('CloudVolume team-a/data is not paused\n');
  });
  it('without an end lasts until it is resumed', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    await cloud(world, 'pause cvol/data');
    await world.reason('CloudVolume', 'data', 'Paused');
    expect((await cloud(world, 'resume cvol/data', { answers: [true] })).exit).toBe(0);
    await world.ready('CloudVolume', 'data');
    await world.reason('CloudVolume', 'data', 'Available');
    expect(await annotation('CloudVolume', 'data', 'pause')).toBeUndefined();
  });
  it('of an account stops all changes in it', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    await cloud(world, 'pause cacc/default --for 1h');
    await world.reason('CloudAccount', 'default', 'Paused');
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
    await world.clock.advance(10 * minute);
    expect(calls('POST /volumes/')).toEqual([]);
    const paused = async (how: string): Promise<void> => {
      const { out } = await cloud(world, 'why cvol/data');
      expect(out).toContain(`nothing is changed in it, paused until ${how}`);
      expect(out).not.toMatch(/may write|not paused/);
      expect((await cloud(world, 'status')).out).toContain(`team-a/default: nothing is changed in it, paused until ${how}`);
    };
    await paused('2026-01-01T01:');
    await cloud(world, 'resume cacc/default --yes');
    expect((await cloud(world, 'pause cacc/default')).out).toContain('is paused until it is resumed. To go on: ');
    await world.reason('CloudAccount', 'default', 'Paused');
    await paused('it is resumed');
    expect((await cloud(world, 'status')).out).toContain('Manage, paused');
    await cloud(world, 'resume cacc/default --yes');
    await world.ready('CloudVolume', 'data');
    expect(calls('POST /volumes/')).toHaveLength(1);
  });
  it.each([
    ['pause', 2, 'pause what?'],
    ['pause cvol/data --for soon', 2, 'is no duration'],
  ])('%s is refused', async (line, exit, text) => {
    await world.apply('CloudVolume', 'data', volume);
    expect(await cloud(world, line)).toMatchObject({ exit, err: expect.stringContaining(text) as string });
  });
  it('refuses a reason that the operator would read as an end', async () => {
    await world.apply('CloudVolume', 'data', volume);
    expect((await cloud(world, ['pause', 'cvol/data', '--reason', ';until=2030-01-01T00:00:00Z'])).exit).toBe(2);
  });
});

/** The second write fails. */
const second = (server: Backend): Backend => {
  let patches = 0;
  return {
    handle: (request) => {
      if (request.method === 'PATCH') patches += 1;
      return patches === 2 ? Promise.reject(new ConnectionLost()) : server.handle(request);
    },
  };
};

describe('a gesture on several objects', () => {
  it('that ends half way says what is written', async () => {
    for (const name of ['one', 'three', 'two']) {
      await world.apply('CloudVolume', name, { region: 'us-southeast', sizeGiB: 20 });
      await world.ready('CloudVolume', name);
    }
    const { exit, err } = await cloud(world, 'pause cvol', { between: second });
    expect(exit).toBe(5);
    expect(err).toContain('\nWritten before that: CloudVolume team-a/one\nNot written: CloudVolume team-a/two\n');
    const written = await Promise.all(['one', 'three', 'two'].map((name) => annotation('CloudVolume', name, 'pause')));
    expect(written).toEqual(['true', undefined, undefined]);
  });
});

describe('reconcile', () => {
  it('has what was refused tried again', async () => {
    await world.apply('CloudVolume', 'data', { ...volume, region: 'eu-central' });
    await world.ready('CloudVolume', 'data');
    const before = world.emulator.control.requests().length;
    await cloud(world, 'reconcile cvol/data');
    await world.clock.advance(5000);
    expect(
      world.emulator.control
        .requests()
        .slice(before)
        .filter(({ path }) => /\/volumes\/\d+$/.test(path)).length,
    ).toBeGreaterThan(0);
  });
  it('says of what is paused that nobody looks at it, and of the others that they are looked at', async () => {
    for (const name of ['data', 'held']) {
      await world.apply('CloudVolume', name, volume);
      await world.ready('CloudVolume', name);
    }
    await cloud(world, 'pause cvol/held --for 2h');
    expect(await cloud(world, 'reconcile cvol/held cvol/data')).toMatchObject({
      exit: 3,
      out: expect.stringMatching(
        /^CloudVolume team-a\/data: is looked at\..*\nCloudVolume team-a\/held: is paused until 2026-01-01T02:\d\d:\d\dZ, so nobody looks at it\. To go on: kubectl cloud resume -n team-a cvol\/held\n$/,
      ) as string,
    });
    expect(await annotation('CloudVolume', 'held', 'reconcile-at')).toBeUndefined();
  });
  it('waits until it was looked at, and no verdict of before counts', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    const path = String((await world.get('CloudVolume', 'data')).status?.['path']);
    world.emulator.control.addFault({ match: { method: 'GET', path }, times: 1, effect: { kind: 'delay', seconds: 5 } });
    const typing = begin(world, 'reconcile cvol/data --wait');
    await world.clock.advance(4000);
    expect(typing.isOver()).toBe(false);
    await world.clock.advance(4000);
    expect(typing.isOver()).toBe(true);
    expect(await typing.ended()).toMatchObject({ exit: 0, out: 'CloudVolume team-a/data  Available\n' });
    expect((await cloud(world, 'reconcile cvol/data --wait')).exit).toBe(0);
    await cloud(world, 'pause cvol/data --reason audit');
    await world.reason('CloudVolume', 'data', 'Paused');
    expect(await cloud(world, 'reconcile cvol/data --wait')).toMatchObject({
      exit: 1,
      out: expect.stringContaining('needs a person: Paused') as string,
    });
  });
  it('with --wait ends with 1 where it needs a person still, and with 6 where no operator looks', async () => {
    const body = JSON.stringify({ errors: [{ field: 'size', reason: 'not today' }] });
    world.emulator.control.addFault({ match: { method: 'POST', path: '/volumes' }, effect: { kind: 'answer', status: 400, body } });
    await world.apply('CloudVolume', 'data', volume);
    await world.reason('CloudVolume', 'data', 'Rejected');
    const before = world.emulator.control.requests().filter(({ method }) => method === 'POST').length;
    const { exit, out } = await cloud(world, 'reconcile cvol/data --wait -o json');
    expect([exit, JSON.parse(out)]).toMatchObject([1, { data: { for: 'LookedAt', objects: [{ state: 'failed', reason: 'Rejected' }] } }]);
    expect(world.emulator.control.requests().filter(({ method }) => method === 'POST').length).toBeGreaterThan(before);
    operator.kill();
    expect(await cloud(world, 'reconcile cvol/data --wait --timeout 30s')).toMatchObject({
      exit: 6,
      out: expect.stringContaining('Time ran out. What is waited for: kubectl cloud why -n team-a cvol/data') as string,
    });
    expect((await cloud(world, 'reconcile cvol/data --wait --timeout soon')).exit).toBe(2);
  });
  it('of an account is one look for all of it', async () => {
    expect((await cloud(world, 'reconcile cvol/data --account default')).exit).toBe(2);
    expect((await cloud(world, 'reconcile --account none')).exit).toBe(4);
    const { exit, err, out } = await cloud(world, 'reconcile --account team-a/default --wait');
    expect({ exit, err, out }).toEqual({
      exit: 0,
      err: expect.stringContaining('its token at once, and each of its lists within half a minute') as string,
      out: 'CloudAccount team-a/default  Available\n',
    });
  });
  it('of very many asks', async () => {
    for (let n = 0; n < 101; n += 1) await world.apply('CloudVolume', `v${n}`, volume);
    expect((await cloud(world, 'reconcile cvol -A')).exit).toBe(3);
    expect((await cloud(world, 'reconcile cvol -A --yes')).exit).toBe(0);
    expect(await annotation('CloudVolume', 'v100', 'reconcile-at')).toBeDefined();
  });
});
