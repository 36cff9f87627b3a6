import { beforeEach, describe, expect, it } from 'vitest';
import type { OnceData } from '../../../../src/plugin/output/account-shapes.ts';
import type { Entry, Journal } from '../../../../src/plugin/once/journal/journal.ts';
import type { Backend } from '../../../support/virtual/backend.ts';
import { begin, cloud, type CliOptions, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { journalInMemory } from '../../../support/plugin/journal-in-memory.ts';
import { World } from '../../../support/world/world.ts';

const at = `--endpoint ${endpoint}`;
const euuid = 'E1AF5EEC-526F-487D-B317EBEB34C87D71';
const sure = (text: string): string => `--confirm ${text} --expect-account ${euuid}`;
const stranger = { username: 'other', euuid: 'B2C04D11-93A7-4E0C-9F21D07A55E1C3B8' };
const card = '4111111111111112';
const minute = 60_000;

let world: World;
let journal: ReturnType<typeof journalInMemory>;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  journal = journalInMemory();
});

const typed = (line: string, options: CliOptions = {}): Promise<Ran> =>
  cloud(world, `${line} ${at}`, { cloudToken: 'token-admin', journal, limit: 10 * minute, ...options });
const as = async (method: string, path: string, body?: object, who = { username: 'admin', euuid }): Promise<Record<string, unknown>> => {
  const answer = await world.emulator.control.actAs({ ...who, method, path: `/v4${path}`, ...(body && { body }) });
  return JSON.parse(String(answer.body)) as Record<string, unknown>;
};
const rowsOf = async (path: string): Promise<readonly Record<string, unknown>[]> =>
  (await as('GET', path))['data'] as Record<string, unknown>[];
const owed = (usd: number): void => {
  world.emulator.control.edit({ collection: 'account', key: euuid, row: { balance: usd } });
};
const sent = (): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ method, userAgent }) => method !== 'GET' && userAgent.startsWith('kubectl-cloud'))
    .map(({ method, path }) => `${method} ${path}`);

const inShell = `--endpoint '${endpoint}'`;
const whole = `kubectl cloud pay --usd 20.00 --cvv-from cvv.txt ${inShell} ${sure('20.00')}`;
const paying = `pay --usd 20.00 --cvv-from cvv.txt ${sure('20.00')}`;

describe('pay', () => {
  it('charges the default method once, and says what came of it', async () => {
    owed(120);
    const { exit, out, err } = await typed(paying);
    expect(exit).toBe(0);
    expect(out).toMatch(/^Paid 20\.00 USD with .* ending \d{4}.*\(default\)\. Payment \d+\. Balance 120\.00 USD -> 100\.00 USD\.\n$/);
    expect(err).toContain('as user admin');
    expect(err).toContain('A payment cannot be taken back from here.');
    expect(journal.entries.map(({ state }) => state)).toEqual(['Intended', 'Answered']);
  });

  it('tells a program the payment, and the balance before and after', async () => {
    owed(120);
    const { result, balance, nonce } = dataOf(await typed(`${paying} -o json`)) as unknown as OnceData;
    expect(result).toMatchObject({ id: expect.any(Number) as number });
    expect([balance, nonce]).toEqual([{ before: 120, after: 100 }, journal.entries[0]?.nonce]);
  });

  it('asks a person for the amount and the code of the card', async () => {
    const { exit } = await typed('pay --usd 20.00', { answers: ['123', '20.00'] });
    expect(exit).toBe(0);
    expect((await typed('pay --usd 21.00', { answers: ['123', '20.00'] })).exit).toBe(3);
    expect((await typed('pay --usd 22.00', { answers: ['123', undefined] })).exit).toBe(130);
    expect(sent()).toEqual(['POST /account/payments']);
  });

  it('asks again before the same is paid within a quarter of an hour', async () => {
    await typed(paying);
    const second = await typed(paying);
    expect(second.exit).toBe(3);
    expect(second.err).toContain('add --again');
    expect((await typed(`${paying} --again`)).exit).toBe(0);
    await world.clock.advance(16 * minute);
    expect((await typed(paying)).exit).toBe(0);
    expect(sent()).toHaveLength(3);
  });

  it.each([
    ['pay', 2, 'say how much, in dollars and cents: kubectl cloud pay --usd 20.00'],
    ['pay --usd 20', 2, 'for example --usd 20.00'],
    ['pay --usd 4.99', 2, 'takes 5.00 to 2000.00 USD'],
    ['pay --usd 2000.01', 2, 'takes 5.00 to 2000.00 USD'],
    ['pay --usd 20.00 --method 4711', 4, '404'],
    ['pay 20.00', 2, 'too many arguments'],
    ['pay --usd 20.00', 3, 'Use --cvv-from FILE'],
    ['pay --usd 20.00 --cvv-from cvv.txt', 3, `\nTo have it done without a terminal: ${whole}\n`],
    [
      'pay --usd 20.00 --cvv-from cvv.txt --confirm 20.00',
      3,
      'not confirmed, nothing was written: --expect-account is missing, which says',
    ],
    ['pay --usd 20.00 --cvv-from cvv.txt --confirm 20.00', 3, `\nTo have it done without a terminal: ${whole}\n`],
    ['pay --usd 20.00 --cvv-from cvv.txt --confirm=2', 3, 'not confirmed, nothing was written: --confirm must be exactly 20.00\n'],
    ['pay --usd 20.00 --cvv-from cvv.txt --confirm=2', 3, `\nTo have it done without a terminal: ${whole}\n`],
    ['pay --usd 20.00 --cvv-from cvv.txt --confirm 20.00 --expect-account OTHER', 4, '--expect-account says OTHER'],
    [`pay --usd 20.00 --cvv-from cvv.txt ${sure('20.01')}`, 3, 'not confirmed'],
    ['pay --usd 20.00 --resolve nothing', 3, 'nothing is nothing that is open in journal.jsonl'],
  ])('%s is refused', async (line, exit, says) => {
    const ran = await typed(line);
    expect(ran.err).toContain(says);
    expect(ran.exit).toBe(exit);
    expect(sent()).toEqual([]);
  });

  it('takes only the token of the person, unless the line says whose', async () => {
    const none = await cloud(world, `${paying} ${at}`, { journal });
    expect(none.exit).toBe(2);
    expect(none.err).toContain('CLOUD_TOKEN');
    expect((await cloud(world, `${paying} --as-account ${at}`, { journal })).exit).toBe(0);
    expect(sent()).toHaveLength(1);
    const other = await typed(`${paying} --again`, { cloudToken: 'token-other' });
    expect(other.exit).toBe(4);
    expect(other.err).toContain('leads to account B2C04D11-93A7-4E0C-9F21D07A55E1C3B8');
    await world.admin('PATCH', `${world.path('CloudAccount', 'team-a', 'default')}/status`, { status: { account: euuid } });
    expect((await typed(`${paying} --again`, { cloudToken: 'token-other' })).exit).toBe(4);
    expect(sent()).toHaveLength(1);
  });

  it('tells what the service refuses, and may be tried again', async () => {
    world.emulator.control.setKnobs({ cardsDeclined: true });
    const { exit, err } = await typed(paying);
    expect(exit).toBe(4);
    expect(err).toContain('Your payment was declined');
    world.emulator.control.setKnobs({ cardsDeclined: false });
    expect((await typed(paying)).exit).toBe(0);
    expect(journal.entries.map(({ state }) => state)).toEqual(['Intended', 'Refused', 'Intended', 'Answered']);
  });
});

/** What may become of a request, and how many payments there are afterwards. */
const broken = {
  'lost on the way': [{ kind: 'lose-request' }, 0],
  'carried out, and its answer lost': [{ kind: 'lose-answer' }, 1],
  'carried out later': [{ kind: 'commit-late', seconds: 20 }, 1],
  'answered with 408': [{ kind: 'answer', status: 408, body: {} }, 0],
  'answered with 503, and carried out': [{ kind: 'answer', status: 503, body: {}, commit: true }, 1],
  'answered with 500': [{ kind: 'answer', status: 500, body: {} }, 0],
} as const;

describe('whoever changes an account', () => {
  const lines = [
    paying,
    `payment-method make-default 1000 ${sure('1000')}`,
    `transfer create 1000 ${sure('1000')}`,
    `account cancel ${sure(euuid)}`,
  ];
  it.each(lines)('is told of the scope that the token lacks before anything else: %s', async (line) => {
    const { exit, err } = await typed(line, { cloudToken: 'token-readonly' });
    expect([exit, err]).toEqual([4, expect.stringContaining('your own token lacks scope account:read_write, which this takes')]);
    expect(err).not.toContain(' USD');
    expect([sent(), journal.entries]).toEqual([[], []]);
  });
  it('and sees whose account it is, and as whom', async () => {
    await as('POST', '/object-storage/buckets', { label: 'assets', cluster: 'us-east-1' });
    await as('POST', '/longview/clients', { label: 'web' });
    const id = String((await rowsOf('/account/events'))[0]?.['id']);
    for (const line of ['object-storage cancel', `mark-events seen ${id}`, 'api POST /longview/clients --write'])
      expect((await typed(`${line} --dry-run`)).err).toContain(`account ${euuid} (Example LLC) at main, as user admin\n`);
  });
});

describe('a payment whose outcome is not known', () => {
  it.each(Object.entries(broken))(
    '%s: never a second one, and the next line says what the account shows',
    async (_, [effect, payments]) => {
      const before = (await rowsOf('/account/payments')).length;
      world.emulator.control.addFault({ match: { method: 'POST', template: '/account/payments' }, times: 1, effect } as never);
      const first = await typed(paying);
      await world.clock.advance(minute);
      expect((await rowsOf('/account/payments')).length - before).toBe(payments);
      expect(first.exit).toBe(5);
      expect(first.err).toMatch(/is not known, and it is not sent again/);
      const nonce = journal.entries[0]?.nonce ?? '';
      for (const line of [paying, `${paying} --again`, `pay --usd 30.00 --cvv-from cvv.txt ${sure('30.00')}`]) {
        const again = await typed(line);
        expect(again.exit).toBe(3);
        expect(again.err).toContain(payments === 1 ? '20' : 'There are none.');
        const resolve = `kubectl cloud pay --resolve ${nonce} --endpoint '${endpoint}' --expect-account ${euuid}\n`;
        expect(again.err).toContain(resolve);
      }
      expect((await rowsOf('/account/payments')).length - before).toBe(payments);
      expect((await typed(`pay --resolve ${nonce}`)).exit).toBe(0);
      expect((await typed(paying)).exit).toBe(0);
      expect((await rowsOf('/account/payments')).length - before).toBe(payments + 1);
    },
  );

  it('is the same when the process was killed between the note and the answer', async () => {
    const killed = {
      ...journal,
      add: (entry: Entry) => (entry.state === 'Intended' ? journal.add(entry) : new Promise<never>(() => undefined)),
    };
    await typed(paying, { journal: killed, limit: minute }).catch(() => undefined);
    const next = await typed(paying);
    expect(next.exit).toBe(3);
    expect(next.err).toContain('--resolve');
    expect(sent()).toEqual(['POST /account/payments']);
  });

  it('hides not why another line is refused for itself', async () => {
    const promo = `promo add WELCOME50 ${sure('WELCOME50')}`;
    await typed(promo);
    const effect = { kind: 'answer', status: 500, body: {} };
    world.emulator.control.addFault({ match: { method: 'POST', template: '/account/payments' }, times: 1, effect } as never);
    expect((await typed(paying)).exit).toBe(5);
    const { exit, err } = await typed(promo);
    expect([exit, err]).toEqual([
      3,
      expect.stringMatching(/--resolve [^]*\nAnd this line would be refused as things are: the account has a promotion already/),
    ]);
  });

  it('is not sent where it cannot be written down first', async () => {
    const full = { ...journal, add: () => Promise.reject(new Error('no space left')) };
    expect((await typed(paying, { journal: full })).exit).not.toBe(0);
    expect(sent()).toEqual([]);
  });

  it('lets one of two lines at the same time through', async () => {
    const written = Promise.withResolvers<void>();
    const slow = {
      ...journal,
      add: async (entry: Entry) => {
        await journal.add(entry);
        if (journal.entries.length === 2) written.resolve();
        if (entry.state === 'Intended') await written.promise;
      },
    };
    const both = await Promise.all([typed(paying, { journal: slow }), typed(`${paying} --again`, { journal: slow, seed: 3 })]);
    expect(both.map(({ exit }) => exit).toSorted((a, b) => a - b)).toEqual([0, 3]);
    expect(sent()).toHaveLength(1);
  });
});

/** A line that was sent, and whose answer comes when the test says so. */
async function underWay(line: string, options: CliOptions = {}) {
  const answered = Promise.withResolvers<void>();
  const betweenAccount = (account: Backend): Backend => ({
    handle: async (request) => {
      const answer = account.handle(request);
      if (request.method !== 'GET') await answered.promise;
      return answer;
    },
  });
  const first = begin(world, `${line} ${at}`, { cloudToken: 'token-admin', journal, ...options, betweenAccount });
  await world.clock.runUntil(() => Promise.resolve(sent().length === 1), minute);
  return {
    ended: () => {
      answered.resolve();
      return first.ended(minute);
    },
  };
}

/** The same journal, as another process of this machine has it. */
const beside = (runs: boolean | undefined): Journal => ({
  ...journal,
  me: { host: 'laptop', pid: 4712 },
  runs: () => runs,
});
describe('a change that another process is at', () => {
  const writing = `api POST /longview/clients --write --confirm /longview/clients --data {"label":"a-b-c"}`;
  const here = { host: 'laptop', pid: 4711 };
  const begun = /POST \/longview\/clients, begun at \S+ by process 4711 on laptop/;

  it.each([writing, paying])('is told as under way, and is neither sent again nor closed meanwhile: %s', async (line) => {
    const first = await underWay(writing, { journal: { ...journal, me: here } });
    await world.clock.advance(9_000);
    const second = await typed(line, { journal: beside(true) });
    expect(second).toMatchObject({ exit: 3, err: expect.stringMatching(begun) });
    expect(second.err).toContain('is still under way, so nothing was sent now. Wait until it has ended, and type the same line again');
    expect(second.err).not.toMatch(/--resolve|outcome is not known/);
    const nonce = journal.entries[0]?.nonce ?? '';
    const closed = await typed(`api --resolve ${nonce}`, { journal: beside(true) });
    expect(closed).toMatchObject({ exit: 3, err: expect.stringContaining('still under way') });
    expect((await first.ended()).exit).toBe(0);
    expect(journal.entries.map(({ state }) => state)).toEqual(['Intended', 'Answered']);
    expect(sent()).toEqual(['POST /longview/clients']);
  });

  it('is of unknown outcome once its process has ended without a word', async () => {
    await underWay(writing, { journal: { ...journal, me: here } });
    const second = await typed(writing, { journal: beside(false) });
    expect(second.err).toContain('the outcome is not known');
    expect(second.err).toContain('--resolve');
    expect(second.err).not.toContain('under way');
  });

  it.each([
    ['on another machine', undefined],
    ['that gives no sign of life, or whose number another has by now', true],
  ])('%s is told both ways', async (_, runs) => {
    await journal.add({
      nonce: 'older',
      at: '2025-12-31T23:50:00.000Z',
      account: euuid,
      verb: 'api',
      what: 'POST /longview/clients',
      state: 'Intended',
      look: { path: '/account/events', since: 'created', columns: ['id'] },
      by: here,
      seen: '2025-12-31T23:58:00.000Z',
    });
    const second = await typed(writing, { journal: beside(runs) });
    expect(second).toMatchObject({ exit: 3, err: expect.stringMatching(begun) });
    expect(second.err).toMatch(/may still be under way[^]*or its outcome is not known/);
    expect(second.err).toContain('--resolve older');
    expect((await typed('api --resolve older', { journal: beside(runs) })).exit).toBe(0);
    expect((await typed(writing, { journal: beside(runs) })).exit).toBe(0);
  });

  it('gives signs of life while it waits, on another machine too, and none once it is over', async () => {
    const first = await underWay(writing, { journal: { ...journal, me: here } });
    await world.clock.advance(20_000);
    const elsewhere = { ...journal, me: { host: 'desk', pid: 1 }, runs: () => undefined };
    expect((await typed(writing, { journal: elsewhere })).err).toMatch(/by process 4711 on laptop, which gave a sign of life \d+ s ago/);
    expect((await first.ended()).exit).toBe(0);
    const entries = [...journal.entries];
    await world.clock.advance(5 * minute);
    expect(journal.entries).toEqual(entries);
    expect(entries.at(-1)?.state).toBe('Answered');
    expect(entries.length).toBeGreaterThan(2);
    expect((await typed(writing.replace('a-b-c', 'd-e-f'), { journal: elsewhere })).exit).toBe(0);
  });

  it.each(['api', 'account', 'object-storage', 'pay', 'payment-method', 'promo', 'transfer'])(
    'is closed by the line that is told, of each verb: %s',
    async (verb) => {
      const look = { path: '/account/events', since: 'created', columns: ['id'] };
      await journal.add({ nonce: 'older', at: '2026-01-01T00:00:00.000Z', account: euuid, verb, what: 'it', state: 'Unknown', look });
      const { err } = await typed(writing);
      const [, line = ''] = /^When you know which: kubectl cloud (.*)$/m.exec(err) ?? [];
      expect(line).toContain(`${verb} --resolve older`);
      const closed = await cloud(world, line.replaceAll("'", ''), { cloudToken: 'token-admin', journal });
      expect(closed).toMatchObject({ exit: 0, out: expect.stringContaining('Closed: ') });
      expect(journal.entries.at(-1)?.state).toBe('Resolved');
      expect(sent()).toEqual([]);
    },
  );

  it('is not opened again by its signs of life once somebody has closed it', async () => {
    const first = await underWay(writing, { journal: { ...journal, me: here } });
    await journal.add({ ...(journal.entries[0] as Entry), state: 'Resolved' });
    await world.clock.advance(20_000);
    expect((await typed(`api PUT /profile --write --confirm /profile --data {}`, { journal: beside(true) })).err).not.toContain(
      'under way',
    );
    await first.ended();
  });
});

describe('payment-method', () => {
  it('adds a card from standard input or a file, shows it by its end, and holds its number nowhere', async () => {
    const { exit, out, err } = await typed(`payment-method add --card-from card.json ${sure('add')}`);
    expect(exit).toBe(0);
    expect(out).toMatch(/^Added Visa ending 1112, valid until 12\/2029\. Its id is \d+\.\n$/);
    const everything = out + err + JSON.stringify(journal.entries);
    expect(everything).not.toContain(card);
    const shown = await typed(`payment-method add --card-from card.json --dry-run`);
    expect(shown.exit).toBe(0);
    expect(shown.out + shown.err).not.toContain(card);
    expect(shown.out).toContain('"card_number":"***"');
  });

  it('has the card typed where there is a terminal', async () => {
    const answers = ['4111 1111 1111 1112', '12', '2029', '123', 'add'];
    expect((await typed('payment-method add --default', { answers })).exit).toBe(0);
    expect((await rowsOf('/account/payment-methods')).at(-1)).toMatchObject({ is_default: true });
  });

  it('deletes one and makes one the default, never deleting the default', async () => {
    await typed(`payment-method add --card-from card.json ${sure('add')}`);
    const [first, second] = (await rowsOf('/account/payment-methods')).map(({ id }) => Number(id));
    expect((await typed(`payment-method delete ${first} ${sure(String(first))}`)).err).toContain('the default one cannot be deleted');
    expect((await typed(`payment-method make-default ${second} ${sure(String(second))}`)).exit).toBe(0);
    expect((await typed(`payment-method delete ${first} ${sure(String(first))}`)).exit).toBe(0);
    expect(await rowsOf('/account/payment-methods')).toMatchObject([{ id: second, is_default: true }]);
  });

  it('uses the older interface where that is asked for', async () => {
    expect((await typed(`payment-method add --deprecated-api --card-from card.json ${sure('add')}`)).exit).toBe(0);
    expect(sent()).toEqual(['POST /account/credit-card']);
  });

  it.each([
    ['{"card_number": "4111111111111112"}', 'this is no card'],
    ['{"card_number": "4111111111111112", "cvv": "123", "expiry_month": 12, "expiry_year": 2020}', 'this is no card'],
    ['no JSON', 'this is no card'],
  ])('refuses %s without repeating it', async (text, says) => {
    const ran = await typed(`payment-method add --card-from odd.json ${sure('add')}`, { files: { 'odd.json': text } });
    expect(ran.exit).toBe(2);
    expect(ran.err).toContain(says);
    expect(ran.err).not.toContain(card);
    expect(sent()).toEqual([]);
  });
});

it('a promo code is added once', async () => {
  const line = `promo add WELCOME50 ${sure('WELCOME50')}`;
  expect((await typed(line)).out).toContain('Credit left: 50.00 USD');
  expect((await typed(line)).err).toContain('takes one only');
  expect((await typed('promo add')).exit).toBe(2);
  expect((await typed(line, { cloudToken: 'token-limited' })).exit).toBe(4);
});

it('a change that the account refuses is named once in what is said of it', async () => {
  const { exit, err } = await typed('api POST /networking/firewalls --write --confirm /networking/firewalls -d {}');
  expect(exit).toBe(4);
  expect(err).toMatch(/^kubectl cloud api: POST \/networking\/firewalls: 400 [^]*\. Nothing was done$/m);
  expect(
    err
      .split('\n')
      .filter((one) => one.startsWith('kubectl cloud api:'))
      .join()
      .match(/POST \/networking\/firewalls/g),
  ).toHaveLength(1);
});

const machine = async (label = 'alone'): Promise<number> =>
  Number((await as('POST', '/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label }))['id']);

/** An object that has this in the account. */
async function standing(
  kind: string,
  name: string,
  path: string,
  { account = euuid, ...spec }: { account?: string; lifecycle?: object } = {},
): Promise<void> {
  const specs: Readonly<Record<string, Record<string, unknown>>> = {
    CloudInstance: { region: 'us-east', type: 'g6-nanode-1' },
    CloudVolume: { region: 'us-east', sizeGiB: 20 },
    CloudDisk: { instanceRef: { name: 'web' }, sizeMB: 1000, filesystem: 'raw' },
  };
  await world.apply(kind, name, { ...specs[kind], ...spec });
  await world.admin('PATCH', `${world.path(kind, 'team-a', name)}/status`, { status: { path, account, policy: 'Delete' } });
}

describe('transfer', () => {
  it('offers an instance, shows how it is accepted, and takes it back', async () => {
    const id = await machine();
    const { exit, out } = await typed(`transfer create ${id} ${sure(String(id))}`);
    expect(exit).toBe(0);
    const token = /accept (\S+)/.exec(out)?.[1] ?? '';
    expect((await typed(`transfer accept ${token} ${sure(token)}`)).err).toContain('made the offer itself');
    expect((await typed(`transfer cancel ${token} --deprecated-api ${sure(token)}`)).exit).toBe(0);
    expect(await rowsOf('/account/service-transfers')).toMatchObject([{ token, status: 'cancelled' }]);
  });

  it('offers by the older interface where that is asked for, and nothing by the other', async () => {
    const id = await machine();
    const { exit, out } = await typed(`transfer create ${id} --deprecated-api ${sure(String(id))}`);
    expect(exit).toBe(0);
    const [, accept = '', token] = /kubectl cloud (transfer accept (\S+) --deprecated-api)$/m.exec(out) ?? [];
    expect(await rowsOf('/account/entity-transfers')).toMatchObject([{ token, status: 'pending' }]);
    expect((await typed(`${accept} ${sure(String(token))}`)).err).toContain('made the offer itself');
    expect(sent()).toEqual(['POST /account/entity-transfers']);
  });

  it('takes an offer of another account', async () => {
    const id = Number((await as('POST', '/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'theirs' }, stranger))['id']);
    const offer = await as('POST', '/account/entity-transfers', { entities: { vms: [id] } }, stranger);
    const token = String(offer['token']);
    expect((await typed(`transfer cancel ${token} --deprecated-api ${sure(token)}`)).err).toContain('did not make the offer');
    expect((await typed(`transfer accept ${token} --deprecated-api ${sure(token)}`)).exit).toBe(0);
    await world.clock.advance(60 * minute);
    expect((await rowsOf('/vm/instances')).map(({ label }) => label)).toContain('theirs');
  });

  it('says with --confirm alone what else is needed, as a line to copy, which then does it', async () => {
    const id = await machine();
    const { exit, err } = await typed(`transfer create ${id} --confirm ${id}`);
    expect(exit).toBe(3);
    expect(err).toContain(
      `offer instances ${id} to another account: not confirmed, nothing was written: --expect-account is missing, which says which account is meant\n`,
    );
    const line = /To have it done without a terminal: kubectl cloud (.*)\n/.exec(err)?.[1] ?? '';
    expect(line).toBe(`transfer create ${id} ${inShell} ${sure(String(id))}`);
    expect(sent()).toEqual([]);
    expect((await cloud(world, line.replaceAll("'", ''), { cloudToken: 'token-admin', journal, limit: 10 * minute })).exit).toBe(0);
    expect(sent()).toEqual(['POST /account/service-transfers']);
  });

  it('tells all that stands in the way at once, objects of the cluster included, and sends nothing', async () => {
    owed(3);
    const id = await machine();
    const volume = await as('POST', '/volumes', { label: 'data', region: 'us-east' });
    world.emulator.control.edit({ collection: 'volumes', key: Number(volume['id']), row: { vm_id: id } });
    await as('POST', '/networking/firewalls', {
      label: 'edge',
      rules: { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' },
      devices: { vms: [id] },
    });
    await as('POST', '/networking/ipv6/ranges', { vm_id: id, prefix_length: 64 });
    const { ipv4 } = (await as('GET', `/vm/instances/${id}`)) as { ipv4: readonly string[] };
    await as('POST', '/account/settings/managed-enable');
    await as('POST', '/managed/services', { label: 'page', service_type: 'url', address: `http://${ipv4[0]}/`, timeout: 5 });
    await world.apply('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1' });
    const path = `/vm/instances/${id}`;
    await world.admin('PATCH', `${world.path('CloudInstance', 'team-a', 'web')}/status`, { status: { path, account: euuid } });
    await world.clock.advance(minute);
    const { exit, err } = await typed(`transfer create ${id} ${sure(String(id))}`);
    expect({ exit, err }).toMatchObject({ exit: 3 });
    for (const says of [
      'owes 3.00 USD: kubectl cloud pay --usd 3.00 --endpoint',
      'firewall edge',
      'volume data',
      'has IPv6 range ',
      'is watched by managed service page',
      'CloudInstance team-a/web manages',
      'spec.lifecycle.onDelete: Retain',
    ])
      expect(err).toContain(says);
    expect(sent()).toEqual([]);
  });

  it.each([
    ['transfer', 2, 'write: kubectl cloud transfer create'],
    ['transfer create', 2, 'write: kubectl cloud transfer create'],
    ['transfer give 1', 2, 'write: kubectl cloud transfer create'],
    ['transfer accept a b', 2, 'write: kubectl cloud transfer create'],
    ['transfer accept a --instance 1', 2, '--instance and --and-abandon go with create'],
    ['transfer cancel a --and-abandon', 2, '--instance and --and-abandon go with create'],
    ['transfer create web', 4, 'nothing in namespace team-a is called web'],
    ['transfer create cinst', 2, 'cinst names no instance: write its id, or the object that has it, cinst/NAME'],
    ['transfer create cinst,cvol', 2, 'cinst,cvol names no instance'],
    ['transfer create cinst/web', 4, 'CloudInstance team-a/web is not found'],
    ['transfer create cvol/data', 2, 'CloudVolume team-a/data is /volumes/7, and only instances can be offered'],
    ['transfer create cinst/new', 4, 'CloudInstance team-a/new has nothing in the account yet: kubectl cloud why -n team-a cinst/new'],
    ['transfer create cinst/theirs', 3, 'CloudInstance team-a/theirs is in account B2C04D11'],
  ])('%s is refused', async (line, exit, says) => {
    await standing('CloudVolume', 'data', '/volumes/7');
    await world.apply('CloudInstance', 'new', { region: 'us-east', type: 'g6-nanode-1' });
    await standing('CloudInstance', 'theirs', '/vm/instances/9', { account: stranger.euuid });
    const ran = await typed(line);
    expect(ran.err).toContain(says);
    expect(ran.exit).toBe(exit);
    expect(sent()).toEqual([]);
  });

  it.each(['create cinst/web', 'create web', 'create --instance cinst/web', 'create --instance web --instance ID', 'create ID'])(
    '%s means the instance of that object, and shows how the object is let go of first',
    async (words) => {
      const id = await machine();
      await standing('CloudInstance', 'web', `/vm/instances/${id}`);
      await standing('CloudDisk', 'root', `/vm/instances/${id}/disks/5`);
      const line = `transfer ${words.replace('ID', String(id))}`;
      const refused = await typed(`${line} ${sure(String(id))}`);
      expect(refused.exit).toBe(3);
      for (const says of ['CloudInstance team-a/web manages', 'CloudDisk team-a/root manages', 'the same line with --and-abandon'])
        expect(refused.err).toContain(says);
      const flags = '--context=prod --as=admin';
      const told = await typed(`${line} --and-abandon ${flags.replaceAll('=', ' ')} ${sure(String(id))}`);
      expect([told.exit, told.err]).toEqual([3, expect.not.stringContaining('Rejected')]);
      const keep = `--type=merge -p '{"spec":{"lifecycle":{"onDelete":"Retain"}}}'`;
      expect(told.out.split('\n').filter((one) => one.startsWith('   kubectl'))).toEqual(
        [
          `   kubectl ${flags} -n team-a patch clouddisk root ${keep}`,
          `   kubectl ${flags} -n team-a patch cloudinstance web ${keep}`,
          `   kubectl ${flags} -n team-a delete clouddisk root`,
          `   kubectl ${flags} -n team-a delete cloudinstance web`,
          `   kubectl cloud transfer ${flags} create ${id} --endpoint ${endpoint} --expect-account ${euuid}`,
        ].map((one) => one.replace(endpoint, `'${endpoint}'`)),
      );
      expect(sent()).toEqual([]);
      const steps = (dataOf(await typed(`${line} --and-abandon -o json`)) as { steps: readonly { commands: readonly string[] }[] }).steps;
      expect(steps.map(({ commands }) => commands.length)).toEqual([2, 2, 1]);
    },
  );

  it('leaves out the steps that are done, and offers once no object is left', async () => {
    const id = await machine();
    const lifecycle = { onDelete: 'Retain' };
    await standing('CloudInstance', 'web', `/vm/instances/${id}`, { lifecycle });
    expect((await typed(`transfer create cinst --and-abandon`)).err).toContain('cinst names no instance');
    const { out } = await typed(`transfer create web --and-abandon`);
    expect(out).not.toContain('patch');
    expect(out).toContain('kubectl -n team-a delete cloudinstance web');
    await world.patch('CloudInstance', 'web', { spec: { lifecycle: { ...lifecycle, protect: true } } });
    expect((await typed(`transfer create web --and-abandon`)).out).toContain(
      `'{"spec":{"lifecycle":{"onDelete":"Retain","protect":false}}}'`,
    );
    await world.admin('DELETE', world.path('CloudInstance', 'team-a', 'web'));
    expect((await typed(`transfer create ${id} --and-abandon ${sure(String(id))}`)).exit).toBe(0);
    expect(sent()).toEqual(['POST /account/service-transfers']);
  });

  it('accepted, it tells how what comes is brought in, by the same way to cluster and account', async () => {
    const id = Number((await as('POST', '/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'theirs' }, stranger))['id']);
    const offer = await as('POST', '/account/service-transfers', { entities: { vms: [id] } }, stranger);
    const token = String(offer['token']);
    const { out } = await typed(`transfer accept ${token} -n team-a --context prod ${sure(token)}`);
    expect(out).toContain(
      `kubectl cloud orphans --context=prod --kinds cinst -n team-a --endpoint '${endpoint}' --expect-account ${euuid}`,
    );
  });

  it('whose answer is lost is offered once', async () => {
    const id = await machine();
    world.emulator.control.addFault({
      match: { method: 'POST', template: '/account/service-transfers' },
      times: 1,
      effect: { kind: 'lose-answer' },
    } as never);
    expect((await typed(`transfer create ${id} ${sure(String(id))}`)).exit).toBe(5);
    const again = await typed(`transfer create ${id} ${sure(String(id))}`);
    expect(again.exit).toBe(3);
    expect(again.err).toContain('pending');
    expect(sent()).toHaveLength(1);
  });
});

describe('the end', () => {
  it('of the account is refused while objects are for it, and told with what goes', async () => {
    await as('POST', '/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' });
    await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20 });
    await world.admin('PATCH', `${world.path('CloudVolume', 'team-a', 'data')}/status`, { status: { account: euuid } });
    const line = `account cancel --comments moving ${sure(euuid)}`;
    const refused = await typed(line);
    expect(refused.exit).toBe(3);
    expect(refused.err).toContain('CloudVolume team-a/data');
    const { exit, out, err } = await typed(`${line} --leave-objects`);
    expect(exit).toBe(0);
    expect(err).toContain('0 volumes, 1 domain, 0 buckets');
    expect(err).toMatch(/0\.00 USD are charged first, with \w+ ending \d{4}, valid until \S+ \(default\)\n/);
    expect(err).toContain('1 object of the cluster loses what it stands for: CloudVolume team-a/data');
    expect(out).toContain('https://survey.example.org');
  });

  it('of the account is not told as done where the charge fails', async () => {
    owed(10);
    world.emulator.control.setKnobs({ cardsDeclined: true });
    const { exit, err } = await typed(`account cancel ${sure(euuid)}`);
    expect(exit).toBe(4);
    expect(err).toContain('We were unable to charge your credit card');
  });

  it('of object storage names the buckets', async () => {
    await as('POST', '/object-storage/buckets', { label: 'assets', cluster: 'us-east-1' });
    const { exit, err } = await typed(`object-storage cancel ${sure('1')}`);
    expect(exit).toBe(0);
    expect(err).toContain('us-east-1/assets: 0 objects');
    expect(await rowsOf('/object-storage/buckets')).toEqual([]);
  });

  it('is not shown as such: the account as it is', async () => {
    expect((await typed('account show -o json')).exit).toBe(0);
    expect((await typed('account')).out).toBe((await typed('account show')).out);
    expect((await typed('account close')).exit).toBe(2);
  });
});

it('events are marked for the user of the token alone', async () => {
  await as('POST', '/longview/clients', { label: 'web' });
  const id = Number((await rowsOf('/account/events'))[0]?.['id']);
  expect((await typed(`mark-events seen ${id}`)).exit).toBe(0);
  expect((await typed(`mark-events read ${id}`)).exit).toBe(0);
  expect(await as('GET', `/account/events/${id}`)).toMatchObject({ seen: true, read: true });
  expect((await typed('mark-events all')).exit).toBe(2);
  expect(journal.entries).toEqual([]);
});

describe('api', () => {
  it('shows an answer as it is, and all rows of all pages', async () => {
    for (const label of ['a-b-c', 'd-e-f']) await as('POST', '/longview/clients', { label });
    expect((await typed('api GET /regions/us-east')).out).toContain('"id": "us-east"');
    expect((dataOf(await typed('api GET /longview/clients --paginate -o json')) as { rows: object[] }).rows).toHaveLength(2);
    expect((await typed('api GET /v4beta/networking/vlans')).exit).toBe(0);
  });

  it('changes where it is told to, as the person, and never what has a verb or an object', async () => {
    await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20 });
    await world.admin('PATCH', `${world.path('CloudVolume', 'team-a', 'data')}/status`, { status: { account: euuid, path: '/volumes/7' } });
    await world.apply('CloudImage', 'golden', { capture: { diskRef: { name: 'root' } } });
    const golden = { account: euuid, path: '/images/private/8' };
    await world.admin('PATCH', `${world.path('CloudImage', 'team-a', 'golden')}/status`, { status: golden });
    const refusals: readonly (readonly [string, number, string])[] = [
      ['api PUT /profile', 3, 'add --write'],
      ['api POST /account/payments --write', 3, 'kubectl cloud pay'],
      ['api POST /account/cancel --write', 3, 'kubectl cloud account cancel'],
      ['api POST /account/service-transfers --write', 3, 'kubectl cloud transfer'],
      ['api DELETE /volumes/7 --write --confirm /volumes/7', 3, 'CloudVolume team-a/data manages /volumes/7'],
      ['api POST /volumes/7/resize --write --confirm /volumes/7/resize', 3, 'manages /volumes/7'],
      ['api DELETE /images/private/8 --write --confirm /images/private/8', 3, 'CloudImage team-a/golden manages'],
      ['api DELETE /images/private%2F8 --write --confirm /images/private%2F8', 3, 'CloudImage team-a/golden manages'],
      ['api PATCH /volumes', 2, 'METHOD PATH'],
      ['api POST /account/payments/ --write --confirm /account/payments/', 2, 'write it plainly'],
      ['api POST /account//payments --write --confirm /account//payments', 2, 'write it plainly'],
      ['api POST /account/payments?a=b --write --confirm /account/payments?a=b', 2, 'write it plainly'],
      ['api POST /account/%70ayments --write --confirm /account/%70ayments', 2, 'write it plainly'],
      ['api DELETE /volumes/7/ --write --confirm /volumes/7/', 2, 'write it plainly'],
      ['api GET /volumes/../account', 2, 'lead elsewhere'],
      ['api POST /domains --write --data nonsense', 2, 'no JSON object'],
    ];
    for (const [line, exit, says] of refusals) {
      const ran = await typed(line);
      expect(ran.err).toContain(says);
      expect(ran.exit).toBe(exit);
    }
    expect(sent()).toEqual([]);
    const words = [
      'api',
      'POST',
      '/longview/clients',
      '--write',
      '--data',
      '{"label":"web"}',
      '--confirm',
      '/longview/clients',
      '--endpoint',
      endpoint,
    ];
    const made = await cloud(world, words, { cloudToken: 'token-admin', journal });
    expect(made.exit).toBe(0);
    expect(made.out).toContain('"label": "web"');
    expect(made.out).not.toMatch(/"api_key": "(?!\*\*\*)/);
  });

  it('shows what the service says of what it has ended', async () => {
    for (const path of ['/account/payments/paypal', '/account/payments/paypal/execute']) {
      const { exit, err } = await typed(`api POST ${path} --write --confirm ${path}`);
      expect(exit).toBe(4);
      expect(err).toContain('404');
    }
  });
});
