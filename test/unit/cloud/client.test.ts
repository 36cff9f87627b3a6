import { describe, expect, test } from 'vitest';
import { Client, userAgentOf } from '../../../src/cloud/http/client.ts';
import type { CallObserved } from '../../../src/cloud/http/client.ts';
import { createDialect } from '../../../src/cloud/http/dialect.ts';
import { identify } from '../../../src/cloud/connect/token-identity.ts';
import { FileContent, get, post, putFile, Sensitive } from '../../../src/resource/index.ts';
import { origin, scripted, settled } from './scripted.ts';
import type { Script } from './scripted.ts';

function setUp(script: Script, { word = 'vm', bytes = 10_000 } = {}) {
  const world = scripted(script);
  const calls: CallObserved[] = [];
  const dialect = createDialect(word);
  const client = new Client({
    ...world,
    url: `${origin}/v4`,
    dialect,
    userAgent: userAgentOf('test/1'),
    limits: { patience: 60_000, bytes },
    onCall: (call) => calls.push(call),
  });
  const abort = new AbortController();
  const sending = { token: new Sensitive('secret-token'), signal: abort.signal };
  return { ...world, client, calls, abort, sending, dialect };
}
const fault = (value: unknown) => ({ fault: value }) as unknown as Error;

const answers: Script = ({ path }) =>
  path === '/v4/account'
    ? { json: { euuid: 'E1' }, headers: { 'x-oauth-scopes': 'account:read_only acmes:read_write' } }
    : { json: { username: 'ann', restricted: true }, headers: { 'x-oauth-scopes': 'account:read_only acmes:read_write' } };

describe('a request', () => {
  test('carries token, path, filter and body in the words of the service', async () => {
    const { client, clock, requests, sending } = setUp(() => ({ json: { id: 1, acme_id: 2 } }), { word: 'acme' });
    const reply = await settled(
      clock,
      client.send({ ...post('/vm/instances', { image: 'vm/a', root_pass: new Sensitive('hunter22') }), filter: { vm_id: 1 } }, sending),
    );
    expect(reply.body).toEqual({ id: 1, vm_id: 2 });
    expect(reply.apiTime).toBe(Date.UTC(2026, 0, 1));
    const [request] = requests;
    expect(request?.path).toBe('/v4/acme/instances');
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer secret-token',
      'content-type': 'application/json',
      'x-filter': '{"acme_id":1}',
    });
    expect(JSON.parse(String(request?.body))).toEqual({ image: 'acme/a', root_pass: 'hunter22' });
  });

  test('names who asks', async () => {
    const { client, clock, requests, sending } = setUp(() => ({}));
    await settled(clock, client.send(get('/account'), sending));
    await settled(clock, client.send(get('/volumes/1'), { ...sending, caller: 'CloudVolume' }));
    expect(requests.map(({ headers }) => headers['user-agent'])).toEqual(['test/1 (connection)', 'test/1 (CloudVolume)']);
  });

  test('carries a file as it is, and of a file that it asks for tells the digest alone', async () => {
    const png = new FileContent(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff]));
    const answer: Script = ({ method }) => (method === 'GET' ? { bytes: png.bytes(), headers: { 'content-type': 'image/png' } } : {});
    const { client, clock, requests, sending } = setUp(answer);
    await settled(clock, client.send(putFile('/account/oauth-clients/a/thumbnail', 'image/png', png), sending));
    const { body } = await settled(clock, client.send({ ...get('/account/oauth-clients/a/thumbnail'), answers: 'image/png' }, sending));
    expect(body).toEqual({ digest: png.digest });
    expect(requests.map(({ headers }) => [headers['content-type'], headers['accept']])).toEqual([
      ['image/png', 'application/json'],
      [undefined, 'image/png, application/json'],
    ]);
    expect(requests[0]?.body).toEqual(Buffer.from(png.bytes()));
  });

  test.each([
    ['a page of a proxy', { text: '<html>', headers: { 'content-type': 'text/html' } }, 'Malformed'],
    ['nothing', { text: '', headers: { 'content-type': 'image/png' } }, 'Malformed'],
    ['that there is none', { status: 404, json: { errors: [{ reason: 'Not found' }] } }, 'NotFound'],
    ['that there is none, by a proxy', { status: 404, bytes: Buffer.from('x'), headers: { 'content-type': 'image/png' } }, 'Unavailable'],
  ] as const)('for a file that is answered with %s has none', async (_, answer, meant) => {
    const { client, clock, sending } = setUp(() => answer);
    await expect(
      settled(clock, client.send({ ...get('/account/oauth-clients/a/thumbnail'), answers: 'image/png' }, sending)),
    ).rejects.toMatchObject(fault(meant));
  });

  test('goes to the sibling segment where the call says so', async () => {
    const { client, clock, requests, sending } = setUp(() => ({}));
    await settled(clock, client.send({ ...post('/networking/ips/share', {}), segment: 'v4beta' }, sending));
    expect(requests[0]?.path).toBe('/v4beta/networking/ips/share');
  });

  test('is counted by template, status and time', async () => {
    const { client, clock, calls, sending } = setUp(() => ({ status: 404, json: { errors: [{ reason: 'Not found' }] } }));
    await expect(settled(clock, client.send(get('/vm/instances/12/disks/3'), sending))).rejects.toMatchObject(fault('NotFound'));
    expect(calls).toEqual([{ method: 'GET', template: '/vm/instances/{id}/disks/{id}', status: 404, seconds: 0 }]);
  });

  test('whose gate says no leaves nothing on the wire', async () => {
    const { client, clock, requests, sending } = setUp(() => ({}));
    const sent = client.send(post('/volumes', {}), { ...sending, gate: () => 'the lease is lost' });
    await expect(settled(clock, sent)).rejects.toMatchObject({ fault: 'Abandoned', message: expect.stringContaining('the lease is lost') });
    expect(requests).toHaveLength(0);
  });

  test('with a token that cannot stand in a header is not sent, and the token is not shown', async () => {
    const { client, clock, requests, sending } = setUp(() => ({}));
    const sent = client.send(get('/account'), { ...sending, token: new Sensitive('bad\ntoken') });
    await expect(settled(clock, sent)).rejects.toMatchObject({ fault: 'Unauthorized', message: expect.not.stringContaining('bad') });
    expect(requests).toHaveLength(0);
  });
});

describe('an answer', () => {
  test.each<[string, Awaited<ReturnType<Script>>, string, string]>([
    ['cut', { lost: 'ECONNRESET' }, 'Unavailable', 'Unknown'],
    ['that never comes', { hang: true }, 'Unavailable', 'Unknown'],
    ['refused before anything was sent', { lost: 'ECONNREFUSED' }, 'Unavailable', 'Unavailable'],
    ['of HTML', { text: '<html>', headers: { 'content-type': 'text/html' } }, 'Malformed', 'Unknown'],
    ['of truncated JSON', { text: '{"id":', headers: { 'content-type': 'application/json' } }, 'Malformed', 'Unknown'],
    ['of JSON that is no object', { text: '"x"', headers: { 'content-type': 'application/json' } }, 'Malformed', 'Unknown'],
    ['without a body', { text: '' }, 'Malformed', 'Unknown'],
    ['too large', { json: { a: 'x'.repeat(20_000) } }, 'Malformed', 'Unknown'],
    ['that redirects', { status: 302, text: '', headers: { location: 'https://elsewhere.test' } }, 'Unavailable', 'Unavailable'],
  ])('%s', async (_, answer, ofRead, ofChange) => {
    const { client, clock, sending } = setUp(() => answer);
    await expect(settled(clock, client.send(get('/volumes'), sending))).rejects.toMatchObject(fault(ofRead));
    await expect(settled(clock, client.send(post('/volumes', {}), sending))).rejects.toMatchObject(fault(ofChange));
  });

  test('204 without a body is a success', async () => {
    const { client, clock, sending } = setUp(() => ({ status: 204, text: '' }));
    expect((await settled(clock, client.send(get('/profile/grants'), sending))).body).toEqual({});
  });

  test('that repeats a secret is masked', async () => {
    const { client, clock, sending } = setUp(() => ({
      status: 400,
      json: { errors: [{ reason: "'hunter22' is not\nvalid for secret-token" }] },
    }));
    const sent = client.send(post('/volumes', { root_pass: new Sensitive('hunter22') }), sending);
    await expect(settled(clock, sent)).rejects.toMatchObject({
      message: 'POST /volumes: 400 "\'[redacted]\' is not valid for [redacted]"',
    });
  });

  test('is not waited for once the caller is gone: a read is abandoned, a change unknown', async () => {
    const { client, clock, sending, abort } = setUp(() => ({ hang: true }));
    const [read, change] = [client.send(get('/volumes'), sending), client.send(post('/volumes', {}), sending)];
    change.catch(() => undefined);
    clock.after(10, () => abort.abort());
    await expect(settled(clock, read)).rejects.toMatchObject(fault('Abandoned'));
    await expect(settled(clock, change)).rejects.toMatchObject(fault('Unknown'));
    await expect(settled(clock, client.send(get('/volumes'), sending))).rejects.toMatchObject(fault('Abandoned'));
  });
});

describe('identify', () => {
  test('reads account, user, restriction and scopes', async () => {
    const { client, clock, sending, dialect } = setUp(answers, { word: 'acme' });
    const { identity } = await settled(clock, identify(client, dialect, sending));
    expect(identity).toEqual({ account: 'E1', user: 'ann', restricted: true, scopes: ['account:read_only', 'vms:read_write'] });
  });

  test('a token that may not read the account is refused with the scope that it needs', async () => {
    const { client, clock, sending, dialect } = setUp(() => ({
      status: 401,
      json: { errors: [{ reason: 'Your OAuth token is not authorized to use this endpoint.' }] },
      headers: { 'x-oauth-scopes': 'volumes:read_only' },
    }));
    await expect(settled(clock, identify(client, dialect, sending))).rejects.toMatchObject({
      fault: 'Forbidden',
      message: expect.stringContaining('account:read_only'),
    });
  });
});
