import { beforeEach, describe, expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

// What is told once is nowhere but in the Secret of the object that made it, and a rename makes another object.
interface Secret {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly name: string; readonly kind: string }[];
  };
  readonly data?: Readonly<Record<string, string>>;
}
const minute = 60_000;
const cases = [
  {
    kind: 'CloudOAuthClient',
    short: 'coauth',
    key: 'client-secret',
    spec: { label: 'portal', redirectURI: 'https://portal.example.org/callback' },
  },
  { kind: 'CloudObjectKey', short: 'cokey', key: 'AWS_SECRET_ACCESS_KEY', spec: { label: 'one', bucketAccess: [] } },
] as const;

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account({ access: [{ namespaces: ['team-a', 'team-b'], adopt: 'Any' }] });
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});
const at = '/api/v1/namespaces/team-a/secrets';
const named = (name: string) => (secret: { readonly metadata: { readonly name: string } }) => secret.metadata.name === name;
const secretNow = (name: string): Secret | undefined => world.server.objects('/secrets').find(named(name) as never) as never;
const owners = (name: string): readonly string[] => (secretNow(name)?.metadata.ownerReferences ?? []).map((owner) => owner.name);
const events = (): readonly { readonly reason: string; readonly message: string }[] => world.server.objects('/events') as never;
const eventsTell = (text: string): boolean => JSON.stringify(events()).includes(text);
const plain = (text = ''): string => Buffer.from(text, 'base64').toString();

interface Made {
  readonly id: string | number;
  readonly path: string;
  readonly value: string;
}
async function made(kind: string, spec: object, { secret, key }: { readonly secret: string; readonly key: string }): Promise<Made> {
  await world.apply(kind, 'old', { ...spec });
  const { status } = await world.ready(kind, 'old', 30 * minute);
  const value = secretNow(secret)?.data?.[key] ?? '';
  expect(value).not.toBe('');
  const id = String(status?.['id']);
  return { id: /^\d+$/.test(id) ? Number(id) : id, path: String(status?.['path']), value };
}
const sent = (): number =>
  world.emulator.control.requests().filter(({ method, username }) => method !== 'GET' && username === 'admin').length;

type Order = 'applied first' | 'pruned first';
async function rename(kind: string, order: Order, spec: object): Promise<void> {
  const apply = () => world.apply(kind, 'new', { ...spec });
  if (order === 'applied first') await apply();
  await world.clock.advance(5000);
  await world.delete(kind, 'old');
  await world.clock.advance(20_000);
  if (order === 'pruned first') await apply();
}

const rotate = (value: string) => ({ annotations: { 'cloudhosting.dev/rotate': value } });
const notRotated = (): readonly string[] => events().flatMap(({ reason, message }) => (reason === 'NotRotated' ? [message] : []));

describe.each(cases)('annotation rotate of a $kind that is renamed', ({ kind, key, spec }) => {
  const whole = { ...spec, secretName: 'creds' };
  const secretValue = () => secretNow('creds')?.data?.[key];
  async function renamed(value: string, id: string | number): Promise<void> {
    await world.admin('POST', world.path(kind), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind,
      metadata: { name: 'new', namespace: 'team-a', ...rotate(value) },
      spec: { ...whole, adopt: { id } },
    });
    await world.clock.advance(5000);
    await world.delete(kind, 'old');
    await world.clock.advance(10 * minute);
    await world.ready(kind, 'new');
  }

  it('with the same commit renews nothing, which is told once, with what does', async () => {
    const { id, path } = await made(kind, whole, { secret: 'creds', key });
    const value = secretValue();
    await renamed('leaked', id);
    expect(secretValue()).toBe(value);
    expect(notRotated()).toEqual([
      `annotation cloudhosting.dev/rotate counts as done, and nothing was renewed: it was there when this object took over ${path}, and may have been acted on before. To have it renewed, give the annotation another value: kubectl -n team-a annotate ${kind.toLowerCase()} new --overwrite cloudhosting.dev/rotate=<time>`,
    ]);
    operator.kill();
    operator = await world.start();
    await world.patch(kind, 'new', { metadata: rotate('leaked-2') });
    await world.clock.advance(20 * minute);
    expect(secretValue()).not.toBe(value);
    expect(notRotated()).toHaveLength(1);
  });
  it('that the old one had acted on is told of by nobody', async () => {
    const { value } = await made(kind, whole, { secret: 'creds', key });
    await world.patch(kind, 'old', { metadata: rotate('r1') });
    await world.clock.advance(20 * minute);
    const { status } = await world.ready(kind, 'old');
    const now = secretValue();
    expect(plain(now)).not.toBe(value);
    const id = String(status?.['id']);
    await renamed('r1', /^\d+$/.test(id) ? Number(id) : id);
    expect([secretValue(), notRotated()]).toEqual([now, []]);
  });
  it('of what is made is told of by nobody', async () => {
    await world.apply(kind, 'old', whole);
    await world.patch(kind, 'old', { metadata: rotate('from-git') });
    await world.ready(kind, 'old', 30 * minute);
    expect(notRotated()).toEqual([]);
  });
});

describe.each(cases)('what was told once of a $kind that is renamed', ({ kind, short, key, spec }) => {
  describe.each(['applied first', 'pruned first'] as const)('%s', (order) => {
    it.each([
      ['a running operator', 'a Secret of one name', true, { secretName: 'creds' }],
      ['a running operator', 'Secrets of the usual name', true, {}],
      ['an operator that comes later', 'a Secret of one name', false, { secretName: 'creds' }],
      ['an operator that comes later', 'Secrets of the usual name', false, {}],
    ] as const)('goes with it under %s, to %s', async (_, __, runs, chosen) => {
      const whole = { ...spec, ...chosen, lifecycle: { onDelete: 'Retain' } };
      const [before, after] = 'secretName' in chosen ? ['creds', 'creds'] : [`old-${short}`, `new-${short}`];
      const { id, path, value } = await made(kind, whole, { secret: before, key });
      const calls = sent();
      if (!runs) operator.kill();
      await rename(kind, order, { ...whole, adopt: { id } });
      if (!runs) operator = await world.start();
      await world.gone(kind, 'old');
      expect((await world.ready(kind, 'new', 20 * minute)).status).toMatchObject({ path });
      await world.clock.advance(20 * minute);
      expect(secretNow(after)?.data?.[key]).toBe(value);
      expect(owners(after)).toEqual(['new']);
      expect(await world.condition(kind, 'new', 'Ready')).toMatchObject({ status: 'True' });
      expect(sent()).toBe(calls);
      expect(eventsTell(plain(value))).toBe(false);
      // And it goes with the new one as it did with the old one.
      await world.patch(kind, 'new', { spec: { lifecycle: { onDelete: 'Delete' } } });
      await world.clock.advance(minute);
      await world.delete(kind, 'new');
      await world.gone(kind, 'new');
      await world.clock.advance(minute);
      expect(secretNow(after)).toBeUndefined();
    });
  });

  it('goes with it under the policy Delete, and is in what it gives out from then on', async () => {
    const outputs = [{ secretName: 'app', keys: { value: `{${key}}` } }];
    const whole = { ...spec, lifecycle: { onDelete: 'Delete' }, outputs };
    const { id, value } = await made(kind, whole, { secret: `old-${short}`, key });
    await rename(kind, 'applied first', { ...whole, adopt: { id } });
    await world.ready(kind, 'new', 20 * minute);
    await world.clock.advance(5 * minute);
    expect(secretNow(`new-${short}`)?.data?.[key]).toBe(value);
    expect(secretNow('app')?.data).toEqual({ value });
    expect(owners('app')).toEqual(['new']);
    expect(secretNow(`old-${short}`)).toBeUndefined();
    expect(events().find(({ reason }) => reason === 'Retained')?.message).toMatch(
      new RegExp(
        `for ${kind} new, which asks for it with spec.adopt. What was told of it once goes with it: it is in Secret new-${short}$`,
      ),
    );
  });
  it('goes with it where the cluster takes away what an object owns before the object', async () => {
    const { id, value } = await made(kind, spec, { secret: `old-${short}`, key });
    await world.clock.advance(3 * minute);
    await world.apply(kind, 'new', { ...spec, adopt: { id } });
    await world.reason(kind, 'new', 'AlreadyClaimed');
    await world.admin('DELETE', `${world.path(kind, 'team-a', 'old')}?propagationPolicy=Foreground`);
    await world.gone(kind, 'old');
    await world.ready(kind, 'new', 20 * minute);
    await world.clock.advance(5 * minute);
    expect(secretNow(`new-${short}`)?.data?.[key]).toBe(value);
    expect(owners(`new-${short}`)).toEqual(['new']);
  });
  it.each([{ secretName: 'creds' }, {}])('goes with it through an operator that is killed in between, with %o', async (chosen) => {
    const whole = { ...spec, ...chosen };
    const [before, after] = 'secretName' in chosen ? ['creds', 'creds'] : [`old-${short}`, `new-${short}`];
    const { id, value } = await made(kind, whole, { secret: before, key });
    await world.apply(kind, 'new', { ...whole, adopt: { id } });
    await world.reason(kind, 'new', 'AlreadyClaimed');
    const release = { method: 'PATCH', path: new RegExp(`/${kind.toLowerCase()}s/old`) };
    world.server.faults.add({ match: release, times: 1000, action: { kind: 'lose' } });
    await world.delete(kind, 'old');
    await world.clock.runUntil(() => secretNow(after)?.metadata.labels['cloudhosting.dev/released'] !== undefined, 5 * minute);
    operator.kill();
    world.server.faults.clear();
    expect(await world.find(kind, 'old')).toBeDefined();
    await world.clock.advance(minute);
    operator = await world.start();
    await world.gone(kind, 'old');
    await world.ready(kind, 'new', 20 * minute);
    await world.clock.advance(5 * minute);
    expect(secretNow(after)?.data?.[key]).toBe(value);
    expect(owners(after)).toEqual(['new']);
  });
  it('stays in its own Secret where a person has the new name for something else, which is not touched', async () => {
    const { id, value } = await made(kind, spec, { secret: `old-${short}`, key });
    await world.secret(`new-${short}`, { mine: 'own' });
    await rename(kind, 'applied first', { ...spec, adopt: { id } });
    await world.gone(kind, 'old');
    await world.clock.advance(5 * minute);
    expect(plain(secretNow(`new-${short}`)?.data?.['mine'])).toBe('own');
    expect(Object.keys(secretNow(`new-${short}`)?.data ?? {})).toEqual(['mine']);
    expect(owners(`old-${short}`)).toEqual([]);
    expect(events().find(({ reason }) => reason === 'Retained')?.message).toContain(
      `What was told of it once stays in Secret old-${short}, which no longer goes with this object`,
    );
    await world.reason(kind, 'new', 'AlreadyExists', 20 * minute);
    await world.patch(kind, 'new', { spec: { secretName: `old-${short}` } });
    await world.ready(kind, 'new', 20 * minute);
    await world.clock.advance(minute);
    expect(secretNow(`old-${short}`)?.data?.[key]).toBe(value);
    expect(owners(`old-${short}`)).toEqual(['new']);
  });
  it('is said to be lost by who takes it over, where it was lost before', async () => {
    const { id } = await made(kind, spec, { secret: `old-${short}`, key });
    await world.admin('DELETE', `${at}/old-${short}`);
    await world.clock.runUntil(async () => (await world.condition(kind, 'old', 'Ready'))?.status === 'False', 20 * minute);
    await rename(kind, 'applied first', { ...spec, adopt: { id } });
    await world.gone(kind, 'old');
    await world.clock.advance(5 * minute);
    expect(await world.condition(kind, 'new', 'Ready')).toMatchObject({ status: 'False', reason: 'RemoteFailed' });
    expect((await world.condition(kind, 'new', 'Ready'))?.message).toContain(`Secret new-${short} does not hold what was told of`);
  });
});

describe('what was told once of a key that stays in the account', () => {
  const kind = 'CloudObjectKey';
  const key = 'AWS_SECRET_ACCESS_KEY';
  const whole = { label: 'one', bucketAccess: [], lifecycle: { onDelete: 'Retain' } };
  const leave = async (): Promise<Made> => {
    const told = await made(kind, whole, { secret: 'old-cokey', key });
    await world.delete(kind, 'old');
    await world.gone(kind, 'old');
    await world.clock.advance(minute);
    return told;
  };
  it('stays, too, and is there again for the same object applied anew, or another one that names its Secret after a restart', async () => {
    const { id, value } = await leave();
    expect(secretNow('old-cokey')?.data?.[key]).toBe(value);
    operator.kill();
    await world.clock.advance(minute);
    operator = await world.start();
    await world.apply(kind, 'new', { ...whole, adopt: { id }, secretName: 'old-cokey' });
    await world.ready(kind, 'new', 20 * minute);
    await world.clock.advance(minute);
    expect(owners('old-cokey')).toEqual(['new']);
    await world.delete(kind, 'new');
    await world.gone(kind, 'new');
    await world.apply(kind, 'old', { ...whole, adopt: { id } });
    await world.ready(kind, 'old', 20 * minute);
    await world.clock.advance(minute);
    expect(secretNow('old-cokey')?.data?.[key]).toBe(value);
    expect(owners('old-cokey')).toEqual(['old']);
  });
  it('is not written over by another key of the same name, which says what that Secret is', async () => {
    const { value } = await leave();
    await world.apply(kind, 'old', { ...whole, label: 'two' });
    const { message } = await world.reason(kind, 'old', 'AlreadyExists', 20 * minute);
    expect(message).toContain('Secret old-cokey keeps what was told once of something that stays in the account');
    expect(secretNow('old-cokey')?.data?.[key]).toBe(value);
    expect(world.emulator.control.rows('object keys')).toHaveLength(1);
    await world.admin('DELETE', `${at}/old-cokey`);
    await world.ready(kind, 'old', 20 * minute);
    expect(secretNow('old-cokey')?.data?.[key]).not.toBe(value);
  });
  it('is renewed by who took it over as by who had it', async () => {
    const { id, value } = await leave();
    await world.apply(kind, 'new', { ...whole, adopt: { id }, secretName: 'old-cokey' });
    await world.ready(kind, 'new', 20 * minute);
    await world.patch(kind, 'new', { metadata: { annotations: { 'cloudhosting.dev/rotate': '1' } } });
    await world.clock.runUntil(() => secretNow('old-cokey')?.data?.[key] !== value, 20 * minute);
    await world.ready(kind, 'new', 20 * minute);
    expect(owners('old-cokey')).toEqual(['new']);
  });
  it('goes with its namespace, and keeps that from nothing', async () => {
    await made(kind, whole, { secret: 'old-cokey', key });
    world.server.faults.add({ match: { path: /\/secrets\/old-cokey/ }, times: 1000, action: { kind: 'answer', status: 403 } });
    await world.delete(kind, 'old');
    await world.gone(kind, 'old');
    expect(events().find(({ reason }) => reason === 'Retained')?.message).toContain('the cluster refuses to change Secret old-cokey');
  });
});
