import { beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud, type CliOptions, dataOf, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { journalInMemory } from '../../../support/plugin/journal-in-memory.ts';
import { World } from '../../../support/world/world.ts';

const word = 'hut';
const euuid = 'E1AF5EEC-526F-487D-B317EBEB34C87D71';
let world: World;
let id: number;
beforeEach(async () => {
  world = await World.create({ emulator: { providerWord: word } });
  await world.account();
  const user = new CloudUser(world);
  for (const label of ['web', 'back-end']) await user.post('/longview/clients', { label });
  ({ id } = (await user.post(`/${word}/instances`, { region: 'us-east', type: 'g6-nanode-1', label: 'alone' })) as { id: number });
});

const typed = (line: string | readonly string[], options: CliOptions = {}): Promise<Ran> =>
  cloud(world, [...(typeof line === 'string' ? line.split(' ') : line), '--endpoint', `main=https://api.test/v4,word=${word}`], {
    cloudToken: 'token-admin',
    journal: journalInMemory(),
    ...options,
  });
const ours = (): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ userAgent }) => userAgent === 'kubectl-cloud/test (api)')
    .map(({ method, path }) => `${method} ${path}`);
const labels = (ran: Ran): readonly unknown[] => (dataOf(ran) as { rows: readonly { label: unknown }[] }).rows.map(({ label }) => label);

describe('api --raw', () => {
  it("sends and shows what the service's own words say, and without it neutral ones", async () => {
    const raw = await typed(`api GET /${word}/instances/${id} --raw`);
    expect(raw.exit).toBe(0);
    expect(JSON.parse(raw.out)).toMatchObject({ label: 'alone' });
    const events = (await typed('api GET /account/events --raw -o json')).out;
    expect(events).toContain(`"action": "${word}_create"`);
    expect(events).not.toContain('vm_create');
    expect((await typed('api GET /account/events')).out).toContain('"action": "vm_create"');
    expect((await typed(`api GET /vm/instances/${id} --raw`)).err).toContain('404');
  });
  it('of all pages', async () => {
    expect(labels(await typed(`api GET /${word}/instances --raw --paginate -o json`))).toEqual(['alone']);
  });
  it('shows no secret that is hidden without it', async () => {
    const { out } = await typed('api GET /longview/clients --raw --paginate');
    expect(out).toContain('"api_key": "***"');
    expect(out).not.toMatch(/"api_key": "(?!\*\*\*)/);
  });
  it.each(['root_pass', 'password', 'private_key', 'ssl_key', 'card_number', 'cvv', 'token', 'client_secret', 'stackscript_data'])(
    'shows no %s of a body in a dry run, and what else is in it',
    async (field) => {
      const data = JSON.stringify({ label: 'second', inner: [{ [field]: 'Canary-Horse-9' }] });
      const ran = await typed(['api', 'POST', `/${word}/instances`, '--raw', '--write', '--dry-run', '--data', data]);
      expect([ran.exit, ran.out]).toEqual([0, expect.stringContaining(`{"label":"second","inner":[{"${field}":"***"}]}`)]);
      expect(JSON.stringify(ran)).not.toContain('Canary-Horse-9');
    },
  );
  it('sends a body as it is typed', async () => {
    const body = { region: 'us-east', type: 'g6-nanode-1', label: 'second' };
    const made = await typed([
      'api',
      'POST',
      `/${word}/instances`,
      '--raw',
      '--write',
      '--data',
      JSON.stringify(body),
      '--confirm',
      `/${word}/instances`,
    ]);
    expect(made.exit).toBe(0);
    expect(JSON.parse(made.out)).toMatchObject({ label: 'second' });
    expect(ours()).toContain('POST /vm/instances');
  });
  it.each(['', ' --raw'])('changes nothing of what an object manages, in whichever words it is named%s', async (raw) => {
    await world.apply('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1' });
    const status = { account: euuid, path: `/vm/instances/${id}` };
    await world.admin('PATCH', `${world.path('CloudInstance', 'team-a', 'web')}/status`, { status });
    for (const path of [`/${word}/instances/${id}`, `/${word}/instances/${id}/boot`]) {
      const { exit, err } = await typed(`api POST ${path} --write --confirm ${path}${raw}`);
      expect(err).toContain('CloudInstance team-a/web manages');
      expect(exit).toBe(3);
    }
    expect(ours().filter((one) => !one.startsWith('GET'))).toEqual([]);
  });
});

describe('api -H', () => {
  it.each([
    ['X-Filter: {"label":"web"}', ['web']],
    ['x-filter={"label":"web"}', ['web']],
    ['X-Filter: {"label":"größe"}', []],
    ['X-Filter: {"+order_by":"label","+order":"desc"}', ['web', 'back-end']],
  ])('%s asks for these rows alone', async (header, found) => {
    const one = dataOf(await typed(['api', 'GET', '/longview/clients', '-H', header, '-o', 'json'])) as {
      rows: readonly [{ data: readonly { label: string }[] }];
    };
    expect(one.rows[0].data.map(({ label }) => label)).toEqual(found);
    expect(labels(await typed(['api', 'GET', '/longview/clients', '-H', header, '--paginate', '-o', 'json']))).toEqual(found);
  });
  it('is in neutral words, or with --raw as it is typed', async () => {
    const asked = async (field: string, ...more: readonly string[]): Promise<Ran> =>
      typed(['api', 'GET', '/networking/ips', '-H', `X-Filter: {"${field}":${id}}`, '--paginate', ...more]);
    expect((await asked('vm_id')).out).toContain(`"vm_id": ${id}`);
    expect((await asked(`${word}_id`, '--raw')).out).toContain(`"${word}_id": ${id}`);
  });
  it.each([
    'Authorization: Bearer token-other',
    'User-Agent: me',
    'Host: elsewhere',
    'X-Filter: {}\r\nAuthorization: Bearer token-other',
    'X-Filter: {}\nAuthorization: Bearer token-other',
    'X-Filter: no JSON',
    'X-Filter: []',
    'X-Filter',
    '',
  ])('%j is refused, and nothing is sent', async (header) => {
    const { exit, err, out } = await typed(['api', 'GET', '/volumes', '-H', header]);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain('-H takes X-Filter and no other header');
    expect(err).toContain(`-H 'X-Filter: {"label": "web"}'`);
    expect(err).not.toContain('token-other');
    expect(ours()).toEqual([]);
  });
  it('is for reading, once', async () => {
    const filter = ['-H', 'X-Filter: {"label":"web"}'];
    expect((await typed(['api', 'POST', '/longview/clients', '--write', ...filter])).exit).toBe(2);
    expect((await typed(['api', 'GET', '/longview/clients', ...filter, ...filter])).exit).toBe(2);
    expect(ours()).toEqual([]);
  });
});

describe('api --write shows no credential that the service makes', () => {
  it('masks the signed address of an upload', async () => {
    const line = [
      'api',
      'POST',
      '/images/upload',
      '--write',
      '--data',
      '{"label":"golden","region":"us-east"}',
      '--confirm',
      '/images/upload',
    ];
    const { exit, out } = await typed(line);
    expect(exit).toBe(0);
    expect(out).toContain('"label": "golden"');
    expect(out).toContain('"upload_to": "***"');
    expect(out).not.toContain('Signature=');
  });
  it('makes no token, which would never be seen again', async () => {
    const { exit, err } = await typed([
      'api',
      'POST',
      '/profile/tokens',
      '--write',
      '--data',
      '{"label":"ci"}',
      '--confirm',
      '/profile/tokens',
    ]);
    expect(exit).toBe(3);
    expect(err).toContain('make the token in the web console');
    expect(ours()).toEqual([]);
  });
});

/** The account, whose clients of Longview are these, and become others before each page is given out. */
const changing =
  (ids: readonly number[], change: (ids: readonly number[], request: number) => readonly number[]) =>
  (account: Backend): Backend => {
    let [now, request] = [ids, 0];
    return {
      handle: (asked) => {
        const { pathname, searchParams } = new URL(asked.path, 'https://api.test');
        if (pathname !== '/v4/longview/clients') return account.handle(asked);
        const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('page_size'))];
        now = change(now, request);
        request += 1;
        const data = now.slice((page - 1) * size, page * size).map((one) => ({ id: one, label: `client-${one}` }));
        const body = JSON.stringify({ data, page, pages: Math.ceil(now.length / size), results: now.length });
        return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body });
      },
    };
  };
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

const idsOf = (ran: Ran): readonly number[] =>
  (dataOf(ran) as { rows: readonly { id: number }[] }).rows.map((row) => row.id).toSorted((a, b) => a - b);

describe('api --paginate of a list that becomes another while it is read', () => {
  const line = 'api GET /longview/clients --paginate -o json';
  const read = (betweenAccount: CliOptions['betweenAccount'] & {}): Promise<Ran> => typed(line, { betweenAccount, limit: 600_000 });

  it('begins again by itself, says so, and shows one reading alone', async () => {
    const grown = await read(changing(upTo(600), (ids, request) => (request === 1 ? [...ids, 601] : ids)));
    expect([grown.exit, idsOf(grown)]).toEqual([0, upTo(601)]);
    expect(grown.err).toContain('/longview/clients became another list while it was read: it is read again');
  });
  it('notices a row that moved to the next page while another went', async () => {
    const moved = await read(changing(upTo(600), (ids, request) => (request === 1 ? [601, ...ids.slice(0, -1)] : ids)));
    expect([moved.exit, idsOf(moved)]).toEqual([0, [...upTo(599), 601]]);
  });
  it('ends after three readings with what to do, and shows none of them', async () => {
    const restless = await read(changing(upTo(600), (ids) => [...ids, ids.length + 1]));
    expect(restless.exit).toBe(4);
    expect(restless.err).toContain(
      'GET /longview/clients: the list changed each of three times that it was read, so rows may be missing. Try again',
    );
    expect(JSON.parse(restless.out)).toMatchObject({ kind: 'Error' });
  });
});
