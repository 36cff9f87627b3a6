import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { pngOf, pngText } from '../../support/samples/config-map-content.ts';
import { World } from '../../support/world/world.ts';

interface Client {
  readonly id: string;
  readonly label: string;
  readonly secret: string;
  readonly status: string;
  readonly redirect_uri: string;
}
const kind = 'CloudOAuthClient';
const spec = { label: 'Example Portal', redirectURI: 'https://portal.example.org/callback' };
const path = '/account/oauth-clients';
const hour = 3_600_000;

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});

const clients = (): readonly Client[] => world.emulator.control.rows('oauth clients') as never;
const everMade = (): number => world.emulator.control.objects().filter(({ collection }) => collection === 'oauth clients').length;
const only = (): Client => {
  expect(clients()).toHaveLength(1);
  return clients()[0] as Client;
};
const secretAt = '/api/v1/namespaces/team-a/secrets/portal-coauth';
async function secret(): Promise<Readonly<Record<string, string>>> {
  const { data } = (await world.admin('GET', secretAt)) as unknown as { data: Record<string, string> };
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
}
async function made(more: object = {}): Promise<Client> {
  await world.apply(kind, 'portal', { ...spec, ...more });
  await world.ready(kind, 'portal', 900_000);
  expect(only().label).toBe('Example Portal');
  expect(await secret()).toEqual({ 'client-id': only().id, 'client-secret': only().secret });
  return only();
}
const lose = (what: 'lose-answer' | 'lose-request'): number =>
  world.emulator.control.addFault({ match: { method: 'POST', path, username: 'admin' }, times: 1, effect: { kind: what } });

describe('an OAuth client', () => {
  it('is told once: its secret is in its Secret, for as long as it lives, and nowhere else', async () => {
    const { id, secret: hidden } = await made();
    await world.clock.advance(700_000);
    await world.patch(kind, 'portal', { spec: { redirectURI: 'https://portal.example.org/login' } });
    expect((await world.ready(kind, 'portal')).status).toMatchObject({ clientID: id, state: 'active' });
    expect(only().redirect_uri).toBe('https://portal.example.org/login');
    expect(await secret()).toEqual({ 'client-id': id, 'client-secret': hidden });
    expect(everMade()).toBe(1);
    const places = ['cloudoauthclients', 'cloudaccounts', 'configmaps', 'events', 'leases', 'secrets'];
    const others = places
      .flatMap((plural) => world.server.objects(`/${plural}`))
      .filter(({ metadata }) => metadata.name !== 'portal-coauth');
    const told = JSON.stringify([others, world.log, world.changes, world.outcomes]);
    expect(told).toContain(`${path}/`);
    expect(told).not.toContain(hidden);
    expect(told).not.toContain(Buffer.from(hidden).toString('base64'));
  });
  it('of which the answer was lost goes, as nobody knows its secret, and another is made', async () => {
    lose('lose-answer');
    await made();
    expect(everMade()).toBe(2);
  });
  it('that never reached the service is made once', async () => {
    lose('lose-request');
    await made();
    expect(everMade()).toBe(1);
  });
  it('stays when its object goes, since its deletion would log out everybody, and goes where the spec says so', async () => {
    const { id } = await made();
    await world.delete(kind, 'portal');
    await world.gone(kind, 'portal');
    expect(only().id).toBe(id);
    await world.apply(kind, 'portal', { ...spec, adopt: { id }, lifecycle: { onDelete: 'Delete' } });
    await world.ready(kind, 'portal');
    await world.delete(kind, 'portal');
    await world.gone(kind, 'portal');
    expect(clients()).toEqual([]);
    expect(everMade()).toBe(1);
  });
  it('that somebody deletes waits for a person: another would have another id', async () => {
    const { id } = await made();
    await new CloudUser(world).delete(`${path}/${id}`);
    await world.reason(kind, 'portal', 'RemoteMissing', hour);
    await world.clock.advance(hour);
    expect(everMade()).toBe(1);
    await world.patch(kind, 'portal', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
    await world.clock.runUntil(() => Promise.resolve(clients().length === 1), hour);
    await world.ready(kind, 'portal', hour);
    expect(await secret()).toEqual({ 'client-id': only().id, 'client-secret': only().secret });
  });
  it('that somebody changes is put right as soon as the event tells of it', async () => {
    const { id } = await made();
    await world.clock.advance(60_000);
    await new CloudUser(world).put(`${path}/${id}`, { redirect_uri: 'https://evil.example' });
    await world.clock.runUntil(() => Promise.resolve(only().redirect_uri === spec.redirectURI), 30_000);
  });
  it('that the account has switched off is not Ready, and says what to do', async () => {
    const { id } = await made();
    world.emulator.control.edit({ collection: 'oauth clients', key: id, row: { status: 'suspended' } });
    const condition = (type: string) => world.condition(kind, 'portal', type);
    await world.clock.runUntil(async () => (await condition('Ready'))?.status === 'False', 400_000);
    const said = expect.stringContaining('the provider has suspended this client') as unknown;
    expect(await condition('Stalled')).toMatchObject({ status: 'True', reason: 'RemoteFailed', message: said });
    world.emulator.control.edit({ collection: 'oauth clients', key: id, row: { status: 'active' } });
    await world.ready(kind, 'portal', hour);
  });
  it('of the same label that a colleague made is neither taken nor changed', async () => {
    const { id } = await new CloudUser(world).post(path, { label: spec.label, redirect_uri: 'https://other.example' });
    await world.apply(kind, 'portal', spec);
    const { message } = await world.reason(kind, 'portal', 'AlreadyExists');
    expect(message).toContain(String(id));
    expect(only().redirect_uri).toBe('https://other.example');
  });
  it('is made in the namespace of its account alone: whoever has its secret acts for those who log in', async () => {
    await world.namespace('team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any' }] } });
    const far = { ...spec, accountRef: { name: 'default', namespace: 'team-a' } };
    await world.apply(kind, 'portal', far, 'team-b');
    await world.clock.advance(600_000);
    expect((await world.condition(kind, 'portal', 'Ready', 'team-b'))?.status).not.toBe('True');
    expect(everMade()).toBe(0);
  });
});

const reset = (what: 'lose-answer' | 'lose-request' | 'commit-late', times = 1): number =>
  world.emulator.control.addFault({
    match: { method: 'POST', template: '/account/oauth-clients/{clientId}/reset-secret', username: 'admin' },
    times,
    effect: what === 'commit-late' ? { kind: what, seconds: 30 } : { kind: what },
  });
const rotate = (value: string): Promise<unknown> =>
  world.patch(kind, 'portal', { metadata: { annotations: { 'cloudhosting.dev/rotate': value } } });
const published = async (): Promise<boolean> => (await secret())['client-secret'] === only().secret;
const resets = (): number => world.emulator.control.requests().filter(({ path: to }) => to.endsWith('/reset-secret')).length;

describe('the rotation of an OAuth client', () => {
  it('is a reset, once for each value: the same client, and its new secret is in its Secret', async () => {
    const { id, secret: old } = await made();
    await rotate('1');
    await world.clock.advance(60_000);
    expect(only()).toMatchObject({ id });
    expect(only().secret).not.toBe(old);
    expect(await published()).toBe(true);
    await world.clock.advance(600_000);
    expect(resets()).toBe(1);
    const { status } = await world.ready(kind, 'portal');
    expect(status).toMatchObject({ rotated: '1' });
    expect(status).not.toHaveProperty('rotating');
    expect(status).not.toHaveProperty('resetting');
    expect(JSON.stringify([status, world.log, world.changes])).not.toContain(only().secret);
  });
  it('comes when its days are over', async () => {
    const { secret: old } = await made({ rotation: { everyDays: 1 } });
    const now = await world.get(kind, 'portal');
    await world.server.as('admin', 'PATCH', `${world.path(kind, undefined, 'portal')}/status`, {
      status: { renewedAt: '2025-12-30T00:00:00Z' },
    });
    expect(now.status).toHaveProperty('rotatesAt');
    await world.clock.advance(600_000);
    expect(only().secret).not.toBe(old);
    expect(await published()).toBe(true);
    expect(resets()).toBe(1);
  });
  it.each(['lose-answer', 'lose-request', 'commit-late'] as const)(
    'of which the answer was lost (%s) is made once more, and not Ready until then',
    async (what) => {
      await made();
      reset(what);
      await rotate('1');
      await world.reason(kind, 'portal', 'UnknownOutcome');
      expect(await world.condition(kind, 'portal', 'Ready')).toMatchObject({ status: 'False' });
      await world.clock.advance(300_000);
      expect(await published()).toBe(true);
      expect(resets()).toBe(2);
      await world.ready(kind, 'portal');
    },
  );
  it('that is refused is not asked for again because somebody touches the object, and less often the longer it lasts', async () => {
    await made();
    world.emulator.control.addFault({
      match: { method: 'POST', template: '/account/oauth-clients/{clientId}/reset-secret' },
      times: 1000,
      effect: { kind: 'answer', status: 400, body: JSON.stringify({ errors: [{ reason: 'Linode busy.' }] }) },
    });
    await rotate('1');
    for (let touch = 0; touch < 10; touch += 1) {
      await world.patch(kind, 'portal', { metadata: { labels: { touch: `${touch}` } } });
      await world.clock.advance(60_000);
    }
    expect(resets()).toBeLessThanOrEqual(8);
  });
  it('brings a secret back that is lost', async () => {
    await made();
    await world.admin('DELETE', secretAt);
    await world.clock.runUntil(async () => (await world.condition(kind, 'portal', 'Ready'))?.reason === 'RemoteFailed', 900_000);
    await rotate('1');
    await world.ready(kind, 'portal');
    expect(await published()).toBe(true);
    expect(everMade()).toBe(1);
  });
});

const thumbnailFrom = { configMapKeyRef: { name: 'pictures', key: 'logo.png' } };
const pictures = '/api/v1/namespaces/team-a/configmaps/pictures';
const minute = 60_000;
const shown = (): Buffer | null => (only() as unknown as { thumbnail: Buffer | null }).thumbnail;
const asked = (method: string) =>
  world.emulator.control.requests().filter((request) => request.method === method && request.path.endsWith('/thumbnail'));

describe('the picture of an OAuth client', () => {
  it('is sent as it is, once, and looked at every five minutes from then on', async () => {
    await world.configMap('pictures', { 'logo.png': pngText('logo') });
    await made({ thumbnailFrom });
    expect(shown()).toEqual(pngOf('logo'));
    expect((await world.get(kind, 'portal')).status).toMatchObject({ thumbnailURL: expect.stringMatching(/\/thumbnail$/) });
    expect(asked('PUT')).toMatchObject([{ status: 200 }]);
    const before = asked('GET').length;
    await world.clock.advance(hour);
    expect(asked('PUT')).toHaveLength(1);
    expect(asked('GET').length - before).toBeLessThanOrEqual(13);
  });

  it('is never asked for where the spec names none, although there is one', async () => {
    const { id } = await made();
    await new CloudUser(world, 'token-admin').picture(id, pngOf('theirs'));
    await world.clock.advance(hour);
    expect(asked('GET')).toEqual([]);
    expect(shown()).toEqual(pngOf('theirs'));
  });

  it('follows its ConfigMap, is put right where somebody changes it, and stays when the spec drops it', async () => {
    await world.configMap('pictures', { 'logo.png': pngText('logo') });
    const { id } = await made({ thumbnailFrom });
    await world.admin('PATCH', pictures, { binaryData: { 'logo.png': pngOf('new logo').toString('base64') } });
    await world.clock.advance(6 * minute);
    expect(shown()).toEqual(pngOf('new logo'));
    await new CloudUser(world, 'token-admin').picture(id, pngOf('theirs'));
    await world.clock.advance(11 * minute);
    expect(shown()).toEqual(pngOf('new logo'));
    await world.apply(kind, 'portal', spec);
    await world.ready(kind, 'portal');
    const before = asked('GET').length;
    await world.clock.advance(hour);
    expect([shown(), asked('GET').length]).toEqual([pngOf('new logo'), before]);
  });

  it('is waited for, and no client is made before it is there', async () => {
    await world.apply(kind, 'portal', { ...spec, thumbnailFrom });
    const { message } = await world.reason(kind, 'portal', 'ReferenceNotReady');
    expect(message).toContain('spec.thumbnailFrom.configMapKeyRef: ConfigMap pictures is not found in namespace team-a');
    expect(everMade()).toBe(0);
    await world.configMap('pictures', { 'logo.png': pngText('logo') });
    await world.ready(kind, 'portal', 6 * minute);
    expect(shown()).toEqual(pngOf('logo'));
  });

  it.each([
    ['a text', 'GIF89a', 'spec.thumbnailFrom: what it names is no PNG'],
    ['too large', pngText('x'.repeat(256 * 1024)), 'spec.thumbnailFrom: the PNG has 257 KiB'],
  ])('that is %s is never sent, nor a client made for it, until it is another', async (_, text, says) => {
    await world.configMap('pictures', { 'logo.png': text });
    await world.apply(kind, 'portal', { ...spec, thumbnailFrom });
    const { message } = await world.reason(kind, 'portal', 'InvalidSpec');
    expect(message).toContain(says);
    expect(everMade()).toBe(0);
    const file = { 'logo.png': pngOf('logo').toString('base64') };
    await world.admin('PATCH', pictures, { data: null, binaryData: file });
    await world.ready(kind, 'portal', 6 * minute);
    expect(shown()).toEqual(pngOf('logo'));
    await world.admin('PATCH', pictures, { binaryData: null, data: { 'logo.png': 'GIF89a' } });
    await world.reason(kind, 'portal', 'InvalidSpec', 6 * minute);
    expect((await world.condition(kind, 'portal', 'Ready'))?.status).toBe('True');
    expect(asked('PUT')).toHaveLength(1);
  });

  it.each(['lose-answer', 'lose-request', 'commit-late'] as const)(
    'of which the answer is lost (%s) is there in the end',
    async (effect) => {
      await world.configMap('pictures', { 'logo.png': pngText('logo') });
      await made();
      const match = { method: 'PUT', username: 'admin' };
      world.emulator.control.addFault({
        match,
        times: 1,
        effect: effect === 'commit-late' ? { kind: effect, seconds: 50 } : { kind: effect },
      });
      await world.apply(kind, 'portal', { ...spec, thumbnailFrom });
      await world.ready(kind, 'portal');
      await world.clock.advance(5 * minute);
      expect(shown()).toEqual(pngOf('logo'));
      expect((await world.condition(kind, 'portal', 'Synced'))?.status).toBe('True');
    },
  );
});
