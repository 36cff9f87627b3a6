import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../../../src/plugin/commands.ts';
import type { Command, Right } from '../../../../src/plugin/command-line/command.ts';
import { exitsOf } from '../../../../src/plugin/command-line/help.ts';
import { kinds } from '../../../../src/generated/kinds.ts';
import { actionsOf } from '../../../../src/plugin/operations/chosen-action.ts';
import { fieldManager } from '../../../../src/plugin/gestures/annotate.ts';
import { type Backend, type BackendRequest, type BackendResponse, ConnectionLost } from '../../../support/virtual/backend.ts';
import { canaries, lines, scene } from '../../../support/plugin/cli-scene.ts';
import { type CliOptions, cloud, dataOf, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { journalInMemory } from '../../../support/plugin/journal-in-memory.ts';
import { oddly } from '../../../support/plugin/odd-names.ts';
import type { World } from '../../../support/world/world.ts';

const token = canaries.token;
const talking = commands.filter(({ talks }) => talks !== 'nobody');
const writing = commands.filter(({ talks }) => talks === 'writes');
const ordering = commands.filter(({ talks }) => talks === 'orders');
const pruning = commands.filter(({ talks }) => talks === 'prunes');
const moving = commands.filter(({ talks }) => talks === 'moves');
const stripping = commands.filter(({ talks }) => talks === 'strips');
const changing = commands.filter(({ talks }) => talks === 'changes');
const asking = [...writing, ...ordering, ...pruning, ...moving, ...stripping, ...changing].filter(
  ({ name }) => lines[name]?.said !== undefined,
);
const linesOf = ({ name }: Command): readonly string[] => lines[name]?.lines ?? [];
const firstOf = (command: Command): string => linesOf(command)[0] ?? '';
/** The line as a script types it: nothing is left to ask. */
const whole = (command: Command, line = firstOf(command)): string => `${line} ${lines[command.name]?.said ?? ''}`.trim();

let world: World;
beforeEach(async () => {
  world = await scene();
  world.server.ledger.clear();
});
const mine = (): readonly { method: string; path: string }[] => world.server.ledger.requests.filter(({ user }) => user === 'caller');
const writes = (): readonly { changed: readonly string[] }[] => world.server.ledger.writes.filter(({ user }) => user === 'caller');
/** What the account was asked to change by a line. */
const changes = (): readonly { method: string; path: string; userAgent: string }[] =>
  world.emulator.control.requests().filter(({ method, userAgent }) => method !== 'GET' && userAgent.startsWith('kubectl-cloud'));
/** Annotations of all objects, those of the operator apart, without their values: some are times. */
async function gestures(of: World): Promise<readonly string[]> {
  const all = await Promise.all(
    [
      ['CloudAccount', 'default'] as const,
      ['CloudInstance', 'web'] as const,
      ...['gone', 'paused', 'unseen', 'held'].map((name) => ['CloudVolume', name] as const),
    ].map(async ([kind, name]) =>
      Object.keys((await of.get(kind, name)).metadata.annotations ?? {}).map((key) => `${kind}/${name} ${key}`),
    ),
  );
  return all.flat().toSorted();
}

it('every verb has its lines in the scene', () =>
  expect(Object.keys(lines).toSorted()).toEqual(commands.map(({ name }) => name).toSorted()));

/** Their exit code says whether something is wrong, and in the scene something is (its zone is new and not rendered); of each line. */
const verdicts: Readonly<Record<string, readonly number[]>> = { diff: [0, 1], why: [1, 1, 0], zone: [1] };

describe('1: what only reads leaves nothing but reads', () => {
  it.each(talking.filter(({ talks }) => talks === 'reads'))('$name', async (command) => {
    for (const line of linesOf(command)) await cloud(world, line, { token });
    expect(mine().length).toBeGreaterThan(0);
    expect(mine().filter(({ method }) => method !== 'GET')).toEqual([]);
  });
  it.each(talking.filter(({ talks }) => talks === 'asks'))('$name asks the account too, and only reads there', async (command) => {
    const before = world.emulator.control.requests().length;
    const ends = [];
    for (const line of linesOf(command)) ends.push((await cloud(world, line, { token })).exit);
    expect(ends).toEqual(verdicts[command.name] ?? ends.map(() => 0));
    expect(mine().filter(({ method }) => method !== 'GET')).toEqual([]);
    const asked = world.emulator.control.requests().slice(before);
    expect(asked.map(({ userAgent }) => userAgent)).toContain(`kubectl-cloud/test (${command.name})`);
    expect(asked.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
  it.each(talking.filter(({ talks }) => talks === 'looks'))(
    '$name sends dry runs besides, and to the account nothing but reads',
    async (command) => {
      for (const line of linesOf(command)) await cloud(world, line, { token });
      const sent = mine().filter(({ method }) => method !== 'GET');
      expect(sent.length).toBeGreaterThan(0);
      expect(sent.filter(({ path }) => !path.includes('dryRun=All'))).toEqual([]);
      expect(writes()).toEqual([]);
      const asked = world.emulator.control.requests().filter(({ userAgent }) => userAgent.startsWith('kubectl-cloud'));
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter(({ method }) => method !== 'GET')).toEqual([]);
    },
  );
  it.each(writing)('$name writes annotations and nothing else, under its own name, and nothing in a dry run', async (command) => {
    expect((await cloud(world, `${firstOf(command)} --dry-run`, { token })).exit).toBe(0);
    expect(writes()).toEqual([]);
    expect((await cloud(world, whole(command), { token })).exit).toBe(0);
    expect(writes().length).toBeGreaterThan(0);
    for (const { changed } of writes()) for (const path of changed) expect(path).toMatch(/^metadata\.annotations/);
    const sent = mine().filter(({ method }) => method !== 'GET');
    for (const { method, path } of sent) expect(`${method} ${path}`).toMatch(new RegExp(`^PATCH .*fieldManager=${fieldManager}$`));
    expect(fieldManager).not.toMatch(/^kubectl/);
  });
});

describe('1: what orders makes one object under its own name, and touches no other', () => {
  it.each(ordering)('$name', async (command) => {
    expect((await cloud(world, `${firstOf(command)} --dry-run`, { token })).exit).toBe(0);
    expect(mine().filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await cloud(world, whole(command), { token })).exit).toBe(0);
    const sent = mine().filter(({ method }) => method !== 'GET');
    expect(sent).toHaveLength(1);
    for (const { method, path } of sent)
      expect(`${method} ${path}`).toMatch(new RegExp(`^POST .*/cloudoperations\\?fieldManager=${fieldManager}$`));
    expect(changes()).toEqual([]);
  });
  it('stands for every action, but those that another one does too', () => {
    const known = kinds.flatMap(({ actions = {} }) => Object.keys(actions));
    const asked = Object.values(actionsOf).flat();
    expect(asked.filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !asked.includes(name))).toEqual(['ResetServiceToken']);
    expect(Object.keys(actionsOf).toSorted()).toEqual(ordering.map(({ name }) => name).toSorted());
  });
});

describe('1: what prunes deletes operations that are over, and touches nothing else', () => {
  it.each(pruning)('$name', async (command) => {
    expect((await cloud(world, command.name, { token })).exit).toBe(0);
    expect((await cloud(world, `${firstOf(command)} --dry-run`, { token })).exit).toBe(0);
    expect(mine().filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await cloud(world, whole(command), { token })).exit).toBe(0);
    const sent = mine().filter(({ method }) => method !== 'GET');
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([`DELETE ${world.path('CloudOperation', 'team-a', 'over')}`]);
    expect(changes()).toEqual([]);
  });
});

describe('1: what moves writes nothing here before the other side agrees, and nothing in the account', () => {
  it.each(moving)('$name', async (command) => {
    expect((await cloud(world, `${firstOf(command)} --dry-run`, { token })).exit).toBe(0);
    expect((await cloud(world, whole(command), { token })).exit).toBe(6);
    expect(mine().filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(changes()).toEqual([]);
  });
});

describe('1: what strips takes finalizers of this operator off what is being deleted, and writes nothing else', () => {
  it.each(stripping)('$name', async (command) => {
    expect((await cloud(world, command.name, { token })).exit).toBe(1);
    expect((await cloud(world, `${firstOf(command)} --dry-run`, { token })).exit).toBe(0);
    expect(mine().filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await cloud(world, whole(command), { token, limit: 5 * 60_000 })).exit).toBe(0);
    const sent = mine().filter(({ method }) => method !== 'GET');
    expect(sent.length).toBeGreaterThan(0);
    for (const { method, path } of sent) expect(`${method} ${path}`).toMatch(new RegExp(`^PATCH .*fieldManager=${fieldManager}$`));
    for (const { changed } of writes()) for (const path of changed) expect(path).toMatch(/^metadata\.(finalizers|deletion)/);
    for (const name of ['unseen', 'held']) await expect(world.get('CloudVolume', name)).rejects.toThrow('is not there');
    for (const name of ['gone', 'paused']) expect((await world.get('CloudVolume', name)).metadata.finalizers).toHaveLength(1);
    expect(changes()).toEqual([]);
  });
});

describe('1: what changes the account sends it one request, as the person, and the cluster none', () => {
  it.each(changing)('$name', async (command) => {
    expect((await cloud(world, `${firstOf(command)} --dry-run`, { token })).exit).toBe(0);
    expect(changes()).toEqual([]);
    const ran = await cloud(world, whole(command), { token });
    expect(ran).toMatchObject({ exit: 0 });
    expect(changes().map(({ userAgent }) => userAgent)).toEqual([`kubectl-cloud/test (${command.name})`]);
    expect(mine().filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

/** What goes wrong with the nth request of a line. */
const failures: Readonly<Record<string, (server: Backend, request: BackendRequest) => Promise<BackendResponse>>> = {
  ...Object.fromEntries(
    [400, 401, 403, 404, 409, 422, 429, 500, 503].map((status) => [String(status), () => answer(status, statusBody(status))]),
  ),
  HTML: () => answer(200, '<html>sign in</html>'),
  'cut off': () => Promise.reject(new ConnectionLost()),
  'answer lost': async (server, request) => {
    await server.handle(request);
    throw new ConnectionLost();
  },
};
const answer = (status: number, body: string): Promise<BackendResponse> =>
  Promise.resolve({ status, headers: { 'content-type': 'application/json' }, body });
const statusBody = (code: number): string =>
  JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code,
    message: 'refused by the test',
    reason: code === 404 ? 'NotFound' : 'Odd',
  });

/** Fails the nth request, of those that change something where `only` says so, and from there on where it is `for ever`. */
const failing =
  (nth: number, failure: string, only: (request: BackendRequest) => boolean = () => true) =>
  (server: Backend): Backend => {
    let seen = 0;
    return {
      handle: (request) => {
        if (!only(request)) return server.handle(request);
        seen += 1;
        return seen === nth ? (failures[failure]?.(server, request) ?? server.handle(request)) : server.handle(request);
      },
    };
  };

const failingFrom =
  (nth: number, failure: string) =>
  (server: Backend): Backend => {
    let seen = 0;
    return {
      handle: (request) => {
        seen += 1;
        return seen < nth ? server.handle(request) : (failures[failure]?.(server, request) ?? server.handle(request));
      },
    };
  };

/** What a line said and left behind: files, and its journal. */
interface Left extends Ran {
  readonly kept: readonly string[];
}
async function leaving(line: string, options: CliOptions): Promise<Left> {
  const [files, journal]: [Record<string, string>, ReturnType<typeof journalInMemory>] = [{}, journalInMemory()];
  const ran = await cloud(world, line, { token, limit: 20 * 60_000, ...options, files, journal });
  return { ...ran, kept: [...Object.values(files), JSON.stringify(journal.entries)] };
}
const clean = ({ out, err, kept }: Left): void => {
  for (const canary of Object.values(canaries))
    for (const text of [out, err, ...kept]) {
      expect(text).not.toContain(canary);
      expect(text).not.toContain(Buffer.from(canary).toString('base64'));
    }
};
const isWrite = ({ method }: BackendRequest): boolean => method !== 'GET';
const known = (command: Command): readonly number[] => exitsOf(command).map(([code]) => code);

describe('2 and 3: whatever fails, no secret is shown, the code is one of the table, and JSON says the same', () => {
  it.each(talking)('$name', async (command) => {
    const line = whole(command);
    const undisturbed = await leaving(`${line} -o json`, {});
    dataOf(undisturbed);
    clean(undisturbed);
    expect(known(command)).toContain(undisturbed.exit);
    const requests = mine().length;
    for (const failure of Object.keys(failures))
      for (let nth = 1; nth <= Math.min(requests, 4); nth += 1) {
        const ran = await leaving(`${line} -o json`, { between: failing(nth, failure) });
        dataOf(ran);
        clean(ran);
        expect([...known(command), 6]).toContain(ran.exit);
      }
  });
  const toAccounts = talking.filter(({ flags }) => flags.some(({ form }) => form.startsWith('--endpoint')));
  it.each(toAccounts)('$name, where the account fails', async (command) => {
    const line = whole(command);
    for (const failure of Object.keys(failures))
      for (let nth = 1; nth <= 4; nth += 1) {
        const ran = await leaving(`${line} -o json`, { betweenAccount: failing(nth, failure) });
        dataOf(ran);
        clean(ran);
        expect(known(command)).toContain(ran.exit);
      }
  });
  it.each(toAccounts)('$name, where the account fails for ever', async (command) => {
    for (const failure of Object.keys(failures)) {
      const ran = await leaving(`${whole(command)} -o json`, { betweenAccount: failingFrom(2, failure) });
      dataOf(ran);
      clean(ran);
      expect(known(command)).toContain(ran.exit);
    }
  });
});

describe('2: whatever people call things, every line is one of the program, and no character is for the terminal', () => {
  const character = /(?!\n)\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/u;
  const telling = 'bundle cost events export get history import orphans pay plan status transfer why'.split(' ');
  it.each(talking)('$name', async (command) => {
    const texts: string[] = [];
    for (const line of linesOf(command)) {
      const files: Record<string, string> = {};
      const way = { between: oddly, betweenAccount: oddly, limit: 20 * 60_000 };
      const { out, err } = await cloud(world, whole(command, line), { token, files, ...way });
      texts.push(out, err, ...Object.values(files));
    }
    for (const text of texts) {
      expect(text).not.toMatch(character);
      expect(text).not.toMatch(/^\W*Forged/m);
    }
    expect(texts.some((text) => text.includes('Forged')) || !telling.includes(command.name)).toBe(true);
  });
});

describe('4: without a terminal nothing is done that asks', () => {
  it.each(asking)('$name', async (command) => {
    for (const line of linesOf(command)) {
      const { exit, err } = await cloud(world, line, { token });
      expect(exit).toBe(3);
      expect(err).toMatch(/\nTo have it done without a terminal: (kubectl cloud .*|the same line with )--(yes|confirm \S+)/);
    }
    expect(writes()).toEqual([]);
    expect(changes()).toEqual([]);
  });
  it.each(asking)('$name: a no is a no', async (command) => {
    expect(
      (await cloud(world, firstOf(command), { token, answers: [['approve', 'resume', 'ops'].includes(command.name) ? false : 'no'] })).exit,
    ).toBe(3);
    expect(writes()).toEqual([]);
    expect(changes()).toEqual([]);
  });
});

/** RBAC rules of these rights, as a Role would have them. */
const rulesOf = (rights: readonly Right[]) =>
  rights.map(({ verbs, resource }) => {
    const [name = '', ...group] = resource.split('.');
    return resource === 'kinds'
      ? { apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs }
      : { apiGroups: [resource === 'customresourcedefinitions' ? 'apiextensions.k8s.io' : group.join('.')], resources: [name], verbs };
  });
const needed = ({ rights }: Command): readonly Right[] => rights.filter(({ optional }) => optional !== true);

/** Of the other cluster, or after it has agreed, which takes two operators (plugin-move.test.ts). */
const isLater = ({ talks }: Command, verb: string): boolean => talks === 'moves' && ['watch', 'create', 'patch', 'delete'].includes(verb);
describe('5: the rights that help names are enough, and each is needed and named', () => {
  it.each(talking)('$name', async (command) => {
    world.server.setGrants([{ to: 'caller', rules: rulesOf(needed(command)) }]);
    for (const line of linesOf(command)) expect([0, 1, 3, 6]).toContain((await cloud(world, line, { token })).exit);
  });
  const single = talking.flatMap((command) =>
    needed(command).flatMap(({ verbs }) =>
      verbs.filter((verb) => !isLater(command, verb)).map((verb) => ({ name: command.name, verb, command })),
    ),
  );
  it.each(single)('$name without $verb', async ({ command, verb }) => {
    const less = needed(command).map((right) => ({ ...right, verbs: right.verbs.filter((one) => one !== verb) }));
    world.server.setGrants([{ to: 'caller', rules: rulesOf(less) }]);
    const ran = await Promise.all(linesOf(command).map((line) => cloud(world, whole(command, line), { token })));
    const refused = ran.filter(({ exit }) => exit === 4);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.map(({ err }) => err).join()).toMatch(new RegExp(`The right that is missing: .*\\b${verb}\\b`));
  });
});

describe('6: killed at any request, an order is made once or not at all, and its name makes no second one', () => {
  it.each(ordering)('$name', async (command) => {
    const line = `${whole(command)} --name once`;
    await cloud(world, line, { token });
    const requests = mine().length;
    for (const failure of ['cut off', 'answer lost'])
      for (let nth = 1; nth <= requests; nth += 1) {
        const another = await scene();
        await cloud(another, line, { token, between: failing(nth, failure) });
        await cloud(another, line, { token });
        const made = another.server.ledger.writes.filter(({ user }) => user === 'caller');
        expect(made).toHaveLength(1);
      }
    const { exit, err } = await cloud(world, `${whole(command)} --name another`, { token, between: failing(1, 'answer lost', isWrite) });
    expect([exit, err]).toEqual([5, expect.stringContaining('makes no second one')]);
  });
});

describe('6: killed at any request, the same line once more ends in the same state', () => {
  it.each(writing)('$name', async (command) => {
    const line = whole(command);
    await cloud(world, line, { token });
    const wanted = await gestures(world);
    const requests = mine().length;
    for (const failure of ['cut off', 'answer lost'])
      for (let nth = 1; nth <= requests; nth += 1) {
        const another = await scene();
        await cloud(another, line, { token, between: failing(nth, failure) });
        await cloud(another, line, { token });
        expect(await gestures(another)).toEqual(wanted);
      }
  });
  it.each(writing)('$name says that the outcome is unknown, and how to look', async (command) => {
    const { exit, err } = await cloud(world, whole(command), { token, between: failing(1, 'answer lost', isWrite) });
    expect(exit).toBe(5);
    expect(err).toContain('look: kubectl cloud why');
  });
});
