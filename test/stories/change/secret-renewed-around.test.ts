import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { changesSince, lastRequest } from '../../support/world/gitops.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// No answer of the service shows a password: that the Secret was renewed while its remote went from one object to the next is known by
// what was applied last alone.
const minute = 60_000;
const [first, second] = ['canary-Password-1-of-two', 'canary-Password-2-of-two'];
const text = (value: string): string => Buffer.from(value).toString('base64');

interface Case {
  readonly kind: string;
  readonly field: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** What it is in. */
  readonly before?: readonly [kind: string, name: string, spec: Readonly<Record<string, unknown>>];
  readonly sends: RegExp;
}
const ofSecret = { name: 'login', key: 'password' };
const cases: readonly Case[] = [
  {
    kind: 'CloudManagedCredential',
    field: 'passwordSecretRef',
    spec: { label: 'prod-login', passwordSecretRef: ofSecret },
    sends: /^POST \/managed\/credentials\/\d+\/update 200 /,
  },
  {
    kind: 'CloudDisk',
    field: 'rootPasswordSecretRef',
    spec: {
      instanceRef: { name: 'web' },
      label: 'root',
      sizeMB: 4000,
      image: 'vm/debian11',
      rootPasswordSecretRef: ofSecret,
    },
    before: ['CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' }],
    sends: /^POST \/vm\/instances\/\d+\/disks\/\d+\/password 200 /,
  },
];

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.namespace('team-b');
  await world.account({ access: [{ namespaces: ['team-a', 'team-b'], adopt: 'Any' }] });
  for (const namespace of ['team-a', 'team-b']) await world.secret('login', { password: first }, namespace);
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});
const renewed = (namespace = 'team-a'): Promise<unknown> =>
  world.admin('PATCH', `/api/v1/namespaces/${namespace}/secrets/login`, {
    data: { password: text(second) },
  });
const events = (): readonly {
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly name: string };
}[] => world.server.objects('/events') as never;
const told = (name: string): readonly string[] =>
  events().flatMap(({ message, involvedObject }) =>
    involvedObject.name === name && message.includes('counts as applied') ? [message] : [],
  );
function nothingIsShown(): void {
  const all = ['cloudmanagedcredentials', 'clouddisks', 'events'].flatMap((plural) => world.server.objects(`/${plural}`));
  expect(JSON.stringify([all, world.log])).not.toMatch(/canary-Password|Y2FuYXJ5/);
}

describe.each(cases)('the Secret of a $kind', ({ kind, field, spec, before, sends }) => {
  const lifecycle = { onDelete: 'Retain', approve: ['InPlace', 'Reboot'] };
  const whole = { ...spec, lifecycle };
  async function made(): Promise<{
    readonly id: number;
    readonly path: string;
    readonly since: number;
  }> {
    if (before !== undefined) {
      await world.apply(...before);
      await world.ready(before[0], before[1]);
    }
    await world.apply(kind, 'old', whole);
    const { status } = await world.ready(kind, 'old');
    await world.clock.advance(minute);
    return {
      id: Number(status?.['id']),
      path: String(status?.['path']),
      since: lastRequest(world),
    };
  }
  async function pruned(): Promise<void> {
    await world.delete(kind, 'old');
    await world.gone(kind, 'old');
  }
  async function taken(path: string, name = 'new', namespace = 'team-a'): Promise<void> {
    expect((await world.ready(kind, name, 10 * minute, namespace)).status).toMatchObject({ path });
    await world.clock.advance(30 * minute);
    await world.ready(kind, name, undefined, namespace);
    nothingIsShown();
  }
  const sentOnce = [expect.stringMatching(new RegExp(`${sends.source}.*"password":"${second}"`))];

  describe('that is renewed with a rename', () => {
    it('is sent, once, where the old one was there still', async () => {
      const { id, path, since } = await made();
      await renewed();
      await world.apply(kind, 'new', { ...whole, adopt: { id } });
      await world.clock.advance(5000);
      await pruned();
      await taken(path);
      expect(changesSince(world, since)).toEqual(sentOnce);
      expect(told('new')).toEqual([]);
    });
    it('is sent where the tool prunes first, and the new one comes an hour later', async () => {
      const { id, path, since } = await made();
      await pruned();
      await renewed();
      await world.clock.advance(60 * minute);
      await world.apply(kind, 'new', { ...whole, adopt: { id } });
      await taken(path);
      expect(changesSince(world, since)).toEqual(sentOnce);
      expect(told('new')).toEqual([]);
    });
    it('is not sent where it is the same as before', async () => {
      const { id, path, since } = await made();
      await world.apply(kind, 'new', { ...whole, adopt: { id } });
      await world.clock.advance(5000);
      await pruned();
      await taken(path);
      expect(changesSince(world, since)).toEqual([]);
      expect(told('new')).toEqual([]);
      // And a rotation is sent from then on as ever, also after a restart.
      operator.kill();
      operator = await world.start();
      await renewed();
      await world.clock.advance(20 * minute);
      await world.ready(kind, 'new');
      expect(changesSince(world, since)).toEqual(sentOnce);
    });
    it('is compared with what the last of several names had', async () => {
      const { id, path, since } = await made();
      await renewed();
      for (const name of ['mid', 'new']) {
        await world.apply(kind, name, { ...whole, adopt: { id } });
        await world.clock.advance(5000);
        await world.delete(kind, name === 'mid' ? 'old' : 'mid');
        await taken(path, name);
      }
      expect(changesSince(world, since)).toEqual(sentOnce);
    });
    it('is sent after a restart that came before it could be', async () => {
      const { id, path, since } = await made();
      await pruned();
      await renewed();
      await world.clock.advance(10 * minute);
      const match = { method: 'POST', path: `${path}/${kind === 'CloudDisk' ? 'password' : 'update'}` };
      world.emulator.control.addFault({
        match,
        effect: { kind: 'answer', status: 503, body: '{"errors":[{"reason":"down"}]}' },
      });
      await world.apply(kind, 'new', { ...whole, adopt: { id } });
      await world.clock.runUntil(async () => changesSince(world, since).length > 0, 10 * minute);
      operator.kill();
      world.emulator.control.clearFaults();
      operator = await world.start();
      await world.clock.advance(60 * minute);
      await world.ready(kind, 'new');
      expect(changesSince(world, since).filter((call) => !call.includes(' 503 '))).toEqual(sentOnce);
    });
    it.each(['Report', 'Ignore'])('is sent under drift: %s, as a rotation is', async (drift) => {
      const { id, path, since } = await made();
      await renewed();
      await world.apply(kind, 'new', {
        ...whole,
        adopt: { id },
        lifecycle: { ...lifecycle, drift },
      });
      await world.clock.advance(5000);
      await pruned();
      await taken(path);
      expect(changesSince(world, since)).toEqual(sentOnce);
    });
  });

  describe('that is renewed', () => {
    it('while its object is away, is sent for the one that is applied anew', async () => {
      const { id, path, since } = await made();
      await pruned();
      await renewed();
      await world.clock.advance(minute);
      await world.apply(kind, 'old', { ...whole, adopt: { id } });
      await taken(path, 'old');
      expect(changesSince(world, since)).toEqual(sentOnce);
    });
    it('while its object loses its status, is sent', async () => {
      const { path, since } = await made();
      await renewed();
      await world.admin('PUT', `${world.path(kind, 'team-a', 'old')}/status`, {
        ...(await world.get(kind, 'old')),
        status: {},
      });
      await taken(path, 'old');
      expect(changesSince(world, since)).toEqual(sentOnce);
      expect(told('old')).toEqual([]);
    });
    it('is not sent, and nobody is told, where the status is lost and the value is the same', async () => {
      const { path, since } = await made();
      await world.admin('PUT', `${world.path(kind, 'team-a', 'old')}/status`, {
        ...(await world.get(kind, 'old')),
        status: {},
      });
      await taken(path, 'old');
      expect([changesSince(world, since), told('old')]).toEqual([[], []]);
    });
  });

  it('is not compared with what another namespace had', async () => {
    const { id, path, since } = await made();
    await pruned();
    await renewed('team-b');
    await world.account({}, 'team-b');
    const ofB = { ...whole, adopt: { id } };
    const parent = before === undefined ? {} : { instanceRef: { external: Number(path.split('/')[3]) } };
    await world.apply(kind, 'new', { ...ofB, ...parent }, 'team-b');
    await taken(path, 'new', 'team-b');
    expect(changesSince(world, since)).toEqual([]);
    expect(told('new')).toEqual([expect.stringContaining(`spec.${field}`)]);
  });
  it.each([
    ['it only observes', { lifecycle: { ...lifecycle, management: 'Observe' } }],
    ['it is paused', {}],
    ['its account is read only', {}],
  ])('is not sent while %s, and is from then on', async (why, more) => {
    const { id, path, since } = await made();
    await renewed();
    await pruned();
    if (why === 'its account is read only') await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(minute);
    await world.apply(kind, 'new', { ...whole, adopt: { id }, ...more });
    if (why === 'it is paused')
      await world.patch(kind, 'new', {
        metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } },
      });
    await world.clock.advance(30 * minute);
    expect(changesSince(world, since)).toEqual([]);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.patch(kind, 'new', {
      metadata: { annotations: { 'cloudhosting.dev/pause': null } },
      spec: { lifecycle: { management: 'Manage' } },
    });
    await taken(path);
    expect(changesSince(world, since)).toEqual(sentOnce);
  });

  describe('is not sent, and a person is told once what to do', () => {
    it('after a restart in between', async () => {
      const { id, path, since } = await made();
      await pruned();
      operator.kill();
      await renewed();
      operator = await world.start();
      await world.apply(kind, 'new', { ...whole, adopt: { id } });
      await taken(path);
      expect(changesSince(world, since)).toEqual([]);
      expect(told('new')).toEqual([
        `the value of spec.${field} counts as applied, and was not sent: ${path} was there before, and no answer of the service shows which value it has. To have it sent, renew the Secret now`,
      ]);
      operator.kill();
      operator = await world.start();
      await world.clock.advance(30 * minute);
      expect(told('new')).toHaveLength(1);
      await renewed();
      await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/login', {
        data: { password: text(`${second}-3`) },
      });
      await world.clock.advance(30 * minute);
      await world.ready(kind, 'new');
      expect(changesSince(world, since)).toEqual([expect.stringContaining(`${second}-3`)]);
    });
    it('where nobody had it before', async () => {
      const user = new CloudUser(world);
      if (before !== undefined) {
        await world.apply(...before);
        await world.ready(before[0], before[1]);
      }
      const at =
        before === undefined ? '/managed/credentials' : `${String((await world.get(before[0], before[1])).status?.['path'])}/disks`;
      const body =
        before === undefined
          ? { label: 'prod-login', password: 'theirs-1-Pass' }
          : { label: 'root', size: 4000, image: 'vm/debian11', root_pass: 'theirs-1-Pass' };
      const { id } = (await user.post(at, body)) as { id: number };
      await world.clock.advance(5 * minute);
      const since = lastRequest(world);
      await world.apply(kind, 'new', { ...whole, adopt: { id } });
      await taken(`${at}/${id}`);
      expect(changesSince(world, since)).toEqual([]);
      expect(told('new')).toHaveLength(1);
    });
  });
});

describe('of a field that a spec comes to name', () => {
  const kind = 'CloudManagedCredential';
  const spec = { label: 'prod-login', passwordSecretRef: ofSecret };
  const login = expect.stringMatching(
    new RegExp(`"password":"${first}","username":"${first}"|"username":"${first}","password":"${first}"`),
  );
  beforeEach(() => world.secret('user', { password: first }));
  async function named(field: string, name: string): Promise<void> {
    await world.patch(kind, name, { spec: { [field]: { name: 'user', key: 'password' } } });
    await world.clock.advance(minute);
    await world.ready(kind, name);
    await world.clock.advance(30 * minute);
    expect(told(name)).toEqual([]);
    nothingIsShown();
  }

  it('is sent, once, where the operator has made what it is of', async () => {
    await world.apply(kind, 'old', spec);
    await world.ready(kind, 'old');
    const since = lastRequest(world);
    await named('usernameSecretRef', 'old');
    expect(changesSince(world, since)).toEqual([login]);
  });

  it('is sent, once, to what was adopted without it, also after a restart, and not where it is only observed', async () => {
    const { id } = (await new CloudUser(world).post('/managed/credentials', { label: 'theirs', password: 'theirs-1-Pass' })) as {
      id: number;
    };
    await world.clock.advance(5 * minute);
    await world.apply(kind, 'old', { label: 'theirs', adopt: { id }, lifecycle: { management: 'Observe' } });
    await world.reason(kind, 'old', 'Observed');
    const since = lastRequest(world);
    await world.patch(kind, 'old', { spec: { lifecycle: { management: 'Manage' } } });
    await world.ready(kind, 'old');
    operator.kill();
    operator = await world.start();
    await world.ready(kind, 'old');
    expect(changesSince(world, since)).toEqual([]);
    await named('passwordSecretRef', 'old');
    expect(changesSince(world, since)).toEqual([expect.stringContaining(`"password":"${first}"`)]);
  });

  it('is not sent where it was named while that was only observed: to manage it changes nothing', async () => {
    const { id } = (await new CloudUser(world).post('/managed/credentials', { label: 'theirs', password: 'theirs-1-Pass' })) as {
      id: number;
    };
    await world.clock.advance(5 * minute);
    const since = lastRequest(world);
    await world.apply(kind, 'old', { label: 'theirs', adopt: { id }, lifecycle: { management: 'Observe' } });
    await world.reason(kind, 'old', 'Observed');
    await world.patch(kind, 'old', { spec: { passwordSecretRef: ofSecret } });
    await world.clock.advance(30 * minute);
    await world.patch(kind, 'old', { spec: { lifecycle: { management: 'Manage' } } });
    await world.ready(kind, 'old');
    await world.clock.advance(30 * minute);
    expect(changesSince(world, since)).toEqual([]);
    expect(told('old')).toHaveLength(1);
  });
});

const pem = (what: string, value: string): string => `-----BEGIN ${what}-----\n${value}\n-----END ${what}-----\n`;
const pair = (value: string) => ({ 'tls.crt': pem('CERTIFICATE', value), 'tls.key': pem('PRIVATE KEY', value) });
const uploaded = (since: number): readonly string[] => changesSince(world, since).filter((call) => call.includes('/ssl '));
const renewedTls = (value: string): Promise<unknown> =>
  world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/tls', {
    data: Object.fromEntries(Object.entries(pair(value)).map(([key, one]) => [key, text(one)])),
  });
const removed = (since: number): readonly string[] => uploaded(since).filter((call) => call.startsWith('DELETE '));
/** Writes the whole spec, as a tool does. */
async function dropsTls(name: string, namespace = 'team-a'): Promise<void> {
  const { tls: _, ...rest } = (await world.get('CloudBucket', name, namespace)).spec;
  await world.apply('CloudBucket', name, rest, namespace);
  await world.clock.advance(30 * minute);
}

describe('the certificate of a bucket', () => {
  const kind = 'CloudBucket';
  const at = '/v4/object-storage/buckets';
  const tls = { certificate: { name: 'tls', key: 'tls.crt' }, privateKey: { name: 'tls', key: 'tls.key' } };
  const bucket = { label: 'assets.example.org', cluster: 'eu-central-1', tls, lifecycle: { onDelete: 'Retain' } };
  const adopt = { id: 'eu-central-1/assets.example.org' };
  async function goneFrom(): Promise<number> {
    await world.secret('tls', pair('MIIB'));
    await world.apply(kind, 'old', bucket);
    await world.ready(kind, 'old');
    await world.clock.advance(12 * minute);
    const since = lastRequest(world);
    await world.delete(kind, 'old');
    await world.gone(kind, 'old');
    await renewedTls('MIIC');
    await world.clock.advance(10 * minute);
    return since;
  }

  /** Another one of the name has come in place of what the operator had uploaded one to, with a certificate of its own. */
  async function takenOverAnew(): Promise<number> {
    await goneFrom();
    const act = (method: string, path: string, body?: object) =>
      world.emulator.control.actAs({ username: 'colleague', method, path, ...(body && { body }) });
    await act('DELETE', `${at}/eu-central-1/assets.example.org`);
    await world.clock.advance(minute);
    await act('POST', at, { label: bucket.label, cluster: bucket.cluster });
    await act('POST', `${at}/eu-central-1/assets.example.org/ssl`, {
      certificate: pem('CERTIFICATE', 'MIIA'),
      private_key: pem('PRIVATE KEY', 'MIIA'),
    });
    await world.clock.advance(10 * minute);
    const since = lastRequest(world);
    await world.apply(kind, 'new', { ...bucket, adopt });
    await world.ready(kind, 'new');
    return since;
  }

  it('that is renewed with a rename is uploaded once', async () => {
    const since = await goneFrom();
    await world.apply(kind, 'new', { ...bucket, adopt });
    await world.ready(kind, 'new');
    await world.clock.advance(30 * minute);
    expect(uploaded(since)).toEqual([expect.stringMatching(/^POST .*MIIC/)]);
    expect(told('new')).toEqual([]);
  });
  it('is not compared with that of a bucket of the same name which went', async () => {
    const since = await takenOverAnew();
    await world.clock.advance(30 * minute);
    expect(uploaded(since)).toEqual([]);
    expect(told('new')).toHaveLength(1);
  });
  it('is neither sent nor told of where its field is ignored, and is sent once it is not', async () => {
    const since = await goneFrom();
    await world.apply(kind, 'new', { ...bucket, adopt, lifecycle: { onDelete: 'Retain', ignoreFields: ['tls'] } });
    await world.ready(kind, 'new');
    await world.clock.advance(30 * minute);
    expect([uploaded(since), told('new')]).toEqual([[], []]);
    await world.patch(kind, 'new', { spec: { lifecycle: { ignoreFields: [] } } });
    await world.ready(kind, 'new');
    await world.clock.advance(30 * minute);
    expect(uploaded(since)).toEqual([expect.stringMatching(/^POST .*MIIC/)]);
  });

  describe('that the operator has uploaded, once the spec drops it,', () => {
    const bare = { label: bucket.label, cluster: bucket.cluster, lifecycle: bucket.lifecycle };
    async function uploadedBy(name: string): Promise<number> {
      await world.secret('tls', pair('MIIB'));
      await world.apply(kind, name, bucket);
      await world.ready(kind, name);
      await world.clock.advance(12 * minute);
      return lastRequest(world);
    }
    async function renamed(from: string, to: string, namespace = 'team-a'): Promise<void> {
      await world.apply(kind, to, { ...bucket, adopt }, namespace);
      await world.clock.advance(5000);
      await world.delete(kind, from);
      await world.clock.advance(2 * minute);
      await world.ready(kind, to, undefined, namespace);
      await world.clock.advance(12 * minute);
    }
    it('is taken away after a rename, after two of them, and after a restart', async () => {
      const since = await uploadedBy('old');
      await renamed('old', 'mid');
      await renamed('mid', 'new');
      operator.kill();
      operator = await world.start();
      await world.ready(kind, 'new');
      await dropsTls('new');
      expect(uploaded(since)).toEqual([expect.stringMatching(/^DELETE .*\/ssl 20/)]);
      await world.ready(kind, 'new');
    });
    it('is taken away where the Secret was renewed with the rename', async () => {
      const since = await uploadedBy('old');
      await renewedTls('MIIC');
      await renamed('old', 'new');
      await dropsTls('new');
      expect(uploaded(since).map((call) => call.slice(0, 4))).toEqual(['POST', 'DELE']);
    });
    it('is taken away where status was lost, and is left while it is only observed', async () => {
      const since = await uploadedBy('old');
      await world.admin('PUT', `${world.path(kind, 'team-a', 'old')}/status`, { ...(await world.get(kind, 'old')), status: {} });
      await world.clock.advance(12 * minute);
      await world.patch(kind, 'old', { spec: { lifecycle: { management: 'Observe' } } });
      await dropsTls('old');
      expect(uploaded(since)).toEqual([]);
      await world.patch(kind, 'old', { spec: { lifecycle: { management: 'Manage' } } });
      await world.clock.advance(30 * minute);
      expect(removed(since)).toHaveLength(1);
    });
    it('stays where the rename itself drops it', async () => {
      const since = await uploadedBy('old');
      await world.apply(kind, 'new', { ...bare, adopt });
      await world.clock.advance(5000);
      await world.delete(kind, 'old');
      await world.clock.advance(60 * minute);
      await world.ready(kind, 'new');
      expect(uploaded(since)).toEqual([]);
    });
    it('stays where another namespace has the bucket by then', async () => {
      const since = await uploadedBy('old');
      await world.account({}, 'team-b');
      await world.secret('tls', pair('MIIB'), 'team-b');
      await renamed('old', 'new', 'team-b');
      await dropsTls('new', 'team-b');
      expect(removed(since)).toEqual([]);
    });
  });
  it('of a bucket that was made anew stays, though the operator had uploaded one to that of the same name', async () => {
    const since = await takenOverAnew();
    await world.clock.advance(12 * minute);
    await dropsTls('new');
    expect(uploaded(since)).toEqual([]);
  });
});
