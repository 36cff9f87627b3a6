import { beforeEach, describe, expect, it } from 'vitest';
import { cloud, endpoint } from '../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { changesSince, lastRequest } from '../../support/world/gitops.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// Whoever renews a Secret changes what the operator is asked for: nobody has changed the account, so nothing of it is drift.
const minute = 60_000;
const [first, second] = ['canary-Password-1-of-two', 'canary-Password-2-of-two'];
const pem = (what: string, value: string): string => `-----BEGIN ${what}-----\n${value}\n-----END ${what}-----\n`;
const pair = (value: string) => ({ 'tls.crt': pem('CERTIFICATE', value), 'tls.key': pem('PRIVATE KEY', value) });
const text = (value: string): string => Buffer.from(value).toString('base64');
type Data = Readonly<Record<string, string>>;

interface Case {
  readonly kind: string;
  readonly field: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly before?: readonly [kind: string, name: string, spec: Readonly<Record<string, unknown>>];
  readonly values: readonly [Data, Data];
  readonly sends: RegExp;
}
const password = { name: 'secret', key: 'password' };
const passwords = [{ password: first }, { password: second }] as const;
const cases: readonly Case[] = [
  {
    kind: 'CloudManagedCredential',
    field: 'passwordSecretRef',
    spec: { label: 'prod-login', passwordSecretRef: password },
    values: passwords,
    sends: /^POST \/managed\/credentials\/\d+\/update 200 .*-2-of-two/,
  },
  {
    kind: 'CloudDisk',
    field: 'rootPasswordSecretRef',
    spec: {
      instanceRef: { name: 'web' },
      label: 'root',
      sizeMB: 4000,
      image: 'vm/debian11',
      rootPasswordSecretRef: password,
      lifecycle: { approve: ['InPlace', 'Reboot'] },
    },
    before: ['CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' }],
    values: passwords,
    sends: /^POST \/vm\/instances\/\d+\/disks\/\d+\/password 200 .*-2-of-two/,
  },
  {
    kind: 'CloudBucket',
    field: 'tls',
    spec: {
      label: 'assets.example.org',
      cluster: 'eu-central-1',
      tls: { certificate: { name: 'secret', key: 'tls.crt' }, privateKey: { name: 'secret', key: 'tls.key' } },
    },
    values: [pair('MIIB'), pair('MIIC')],
    sends: /^POST .*\/ssl 20\d .*MIIC/,
  },
];

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});
const events = (): readonly {
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly name: string };
}[] => world.server.objects('/events') as never;
const told = (...reasons: readonly string[]): readonly string[] =>
  events().flatMap(({ reason, message, involvedObject }) =>
    involvedObject.name === 'one' && reasons.includes(reason) ? [`${reason}: ${message}`] : [],
  );

describe.each(cases)('of $kind, a Secret that is renewed', ({ kind, field, spec, before, values: [old, renewed], sends }) => {
  const lifecycle = spec['lifecycle'] ?? {};
  async function made(more: object = {}): Promise<number> {
    await world.secret('secret', old);
    if (before !== undefined) {
      await world.apply(...before);
      await world.ready(before[0], before[1]);
    }
    await world.apply(kind, 'one', { ...spec, lifecycle: { ...lifecycle, ...more } });
    await world.ready(kind, 'one');
    await world.clock.advance(12 * minute);
    return lastRequest(world);
  }
  const renew = (): Promise<unknown> =>
    world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/secret', {
      data: Object.fromEntries(Object.entries(renewed).map(([key, value]) => [key, text(value)])),
    });
  async function later(since: number): Promise<object> {
    await world.clock.advance(20 * minute);
    await world.ready(kind, 'one');
    const { status = {} } = await world.get(kind, 'one');
    return {
      drift: [status['lastCorrection'], status['drift']],
      told: told('Drifted', 'DriftReported', 'Updating'),
      sent: changesSince(world, since),
    };
  }
  const sentAndNoDrift = {
    drift: [undefined, undefined],
    told: [`Updating: the Secret of spec.${field} was renewed; its value was sent`],
    sent: [expect.stringMatching(sends)],
  };

  it('is sent, and nobody is told of drift', async () => {
    const since = await made();
    await renew();
    expect(await later(since)).toEqual(sentAndNoDrift);
    const { out } = await cloud(world, `history ${kind.toLowerCase()}/one -n team-a --endpoint ${endpoint}`, { limit: 10 * minute });
    expect(out).toContain(`the Secret of spec.${field} was renewed`);
    expect(out).not.toMatch(/set back|Drifted|corrected/);
  });
  it('while no operator runs is sent, and nobody is told of drift', async () => {
    const since = await made();
    operator.kill();
    await renew();
    operator = await world.start();
    expect(await later(since)).toEqual(sentAndNoDrift);
  });
  it.each(['Report', 'Ignore'])('is sent under drift: %s, as nobody else made the difference', async (drift) => {
    const since = await made({ drift });
    await renew();
    expect(await later(since)).toEqual(sentAndNoDrift);
  });
  it('again and again is contested by nobody', async () => {
    await made();
    for (let turn = 0; turn < 8; turn++) {
      const value = kind === 'CloudBucket' ? pair(`MII${'ABCDEFGH'[turn]}`) : { password: `${second}-${turn}` };
      const next = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, text(one)]));
      await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/secret', { data: next });
      await world.clock.advance(3 * minute);
    }
    await world.clock.advance(20 * minute);
    await world.ready(kind, 'one');
    expect(told('Drifted', 'Contested')).toEqual([]);
  });
  it('is told, and is no drift, while the account may only be read, and is sent from then on', async () => {
    const since = await made();
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(minute);
    await renew();
    await world.clock.advance(20 * minute);
    expect(changesSince(world, since)).toEqual([]);
    expect((await world.get(kind, 'one')).status?.['drift']).toBeUndefined();
    expect((await world.condition(kind, 'one', 'Synced'))?.message).toContain(
      `spec.${field}: the value that its Secret has by now was not sent`,
    );
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    expect(await later(since)).toEqual(sentAndNoDrift);
  });
});

it('a password that awaits approval is no drift meanwhile', async () => {
  const [, { kind, spec, before, sends }] = cases as readonly [Case, Case, Case];
  await world.secret('secret', { password: first });
  await world.apply('CloudInstance', 'web', before?.[2] ?? {});
  await world.ready('CloudInstance', 'web');
  await world.apply(kind, 'one', { ...spec, lifecycle: {} });
  await world.ready(kind, 'one');
  const user = new CloudUser(world);
  const { id } = (await world.get(kind, 'one')).status ?? {};
  await user.post('/vm/instances/1000/configs', { label: 'main', devices: { sda: { disk_id: Number(id) } } });
  await user.post('/vm/instances/1000/boot');
  await world.clock.advance(12 * minute);
  const since = lastRequest(world);
  await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/secret', { data: { password: text(second) } });
  await world.clock.advance(20 * minute);
  const { status = {} } = await world.get(kind, 'one');
  expect([status['drift'], told('Drifted'), changesSince(world, since)]).toEqual([undefined, [], []]);
  expect((await world.condition(kind, 'one', 'Synced'))?.message).toContain('spec.rootPasswordSecretRef');
  await world.patch('CloudInstance', 'web', { spec: { power: 'Off' } });
  await world.clock.advance(30 * minute);
  await world.ready(kind, 'one');
  expect(changesSince(world, since)).toContainEqual(expect.stringMatching(sends));
  expect(told('Drifted')).toEqual([]);
});

it('a certificate that somebody took away is drift still', async () => {
  const [, , { kind, spec, values }] = cases as readonly [Case, Case, Case];
  await world.secret('secret', values[0]);
  await world.apply(kind, 'one', spec);
  await world.ready(kind, 'one');
  await world.clock.advance(12 * minute);
  const path = '/v4/object-storage/buckets/eu-central-1/assets.example.org/ssl';
  await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path });
  await world.patch(kind, 'one', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': 'now' } } });
  await world.clock.advance(60 * minute);
  await world.ready(kind, 'one');
  expect(told('Drifted')).not.toEqual([]);
  expect((await world.get(kind, 'one')).status?.['lastCorrection']).toMatchObject({ fields: ['tls'] });
});
