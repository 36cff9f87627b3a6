import { describe, expect, it } from 'vitest';
import { commands } from '../../../../src/plugin/commands.ts';
import type { Command, Talks } from '../../../../src/plugin/command-line/command.ts';
import type { Backend, BackendRequest } from '../../../support/virtual/backend.ts';
import { canaries, lines, scene } from '../../../support/plugin/cli-scene.ts';
import { cloud, type CliOptions, type Ran } from '../../../support/plugin/cloud-cli.ts';
import type { Entry, Journal } from '../../../../src/plugin/once/journal/journal.ts';
import { journalInMemory } from '../../../support/plugin/journal-in-memory.ts';
import type { World } from '../../../support/world/world.ts';

const { token } = canaries;
const minute = 60_000;

/** Where each sort of verb that changes something is killed at every request; what is a sort of its own is tried with its own story. */
const tried: Readonly<Record<Exclude<Talks, 'nobody' | 'reads' | 'asks' | 'looks'>, 'plugin-laws' | 'here' | readonly string[]>> = {
  writes: 'plugin-laws',
  orders: 'plugin-laws',
  changes: 'here',
  prunes: 'here',
  moves: ['move'],
  strips: ['uninstall'],
};
it('every verb that changes something is killed at each of its requests', () => {
  const sorts = tried as Readonly<Record<string, (typeof tried)[keyof typeof tried]>>;
  const quiet = ['nobody', 'reads', 'asks', 'looks'];
  const open = commands.filter(({ name, talks }) => {
    const where = sorts[talks];
    return !quiet.includes(talks) && (where === undefined || (typeof where !== 'string' && !where.includes(name)));
  });
  expect(open.map(({ name }) => name)).toEqual([]);
});

const never = (): Promise<never> => new Promise<never>(() => undefined);

/** A process that ends as by kill -9 at its nth request, which reached its server or did not: nothing of it happens any more. */
function process(nth: number, isReached: boolean, journal: Journal) {
  let seen = 0;
  let method = 'GET';
  const isDead = (): boolean => seen >= nth;
  const dying = (server: Backend): Backend => ({
    handle: async (request: BackendRequest) => {
      if (isDead()) return never();
      seen += 1;
      ({ method } = request);
      if (isDead() && isReached) await server.handle(request);
      return isDead() ? never() : server.handle(request);
    },
  });
  return {
    isDead,
    wasRead: () => method === 'GET',
    dying,
    journal: { ...journal, add: (entry: Entry) => (isDead() ? never() : journal.add(entry)) },
  };
}
const of = (talks: Talks): readonly (readonly [string, string])[] =>
  commands
    .filter((one: Command) => one.talks === talks)
    .flatMap(({ name }) => (lines[name]?.lines ?? []).map((line) => [line, `${line} ${saidOf(name, line)}`.trim()] as const));
/** The words for the second line of a verb are those of what it names. */
const saidOf = (name: string, line: string): string =>
  (lines[name]?.said ?? '').replace('--confirm add', `--confirm ${line.includes('make-default') ? '1000' : 'add'}`);

const changes = (world: World): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ method, userAgent }) => method !== 'GET' && userAgent.startsWith('kubectl-cloud'))
    .map(({ method, path }) => `${method} ${path}`);

interface Killed {
  readonly at: string;
  /** What the journal says last. */
  readonly state: Entry['state'] | undefined;
  /** How many changes were sent by then, and after the same line once more. */
  readonly sent: number;
  readonly after: number;
  readonly again: Ran;
  readonly nonce: string | undefined;
}
/** What comes of the line and of the same line after it, by the request at which the first was killed: a read once, a change before it came there and after. */
async function kills(line: string): Promise<readonly Killed[]> {
  const all: Killed[] = [];
  for (let nth = 1; ; nth += 1)
    for (const isReached of [false, true]) {
      const world = await scene();
      const journal = journalInMemory();
      const killed = process(nth, isReached, journal);
      const way: CliOptions = { token, limit: minute, journal: killed.journal, betweenAccount: killed.dying };
      const first = await cloud(world, line, way).catch(() => undefined);
      if (!killed.isDead()) return first?.exit === 0 ? all : [];
      const [entry, sent] = [journal.entries.at(-1), changes(world)];
      const again = await cloud(world, line, { token, journal, limit: 10 * minute });
      all.push({
        at: `request ${nth}${isReached ? ', which was carried out' : ''}`,
        state: entry?.state,
        sent: sent.length,
        after: changes(world).length,
        again,
        nonce: entry?.nonce,
      });
      if (killed.wasRead()) break;
    }
}
function isRight({ state, sent, after, again: { exit, err }, nonce }: Killed): boolean {
  if (state === undefined) return exit === 0 && sent === 0 && after === 1;
  if (state === 'Answered') return exit === 3 && after === 1 && /nothing was sent now|takes one only/.test(err);
  return exit === 3 && after === sent && sent <= 1 && err.includes(`--resolve ${String(nonce)}`);
}
const oncesOf = of('changes').filter(([line]) => commands.find(({ name }) => line.startsWith(`${name} `))?.confirms !== 'C0');

describe('what changes the account, and may not be done twice', () => {
  it.each(oncesOf)('%s: killed at any request, it is sent once at most, and the same line says what became of it', async (_, line) => {
    const all = await kills(line);
    expect(all.filter((one) => !isRight(one))).toEqual([]);
    const ends = all.map(({ state = 'nothing', sent }) => `${state} ${sent}`);
    expect(ends).toEqual(expect.arrayContaining(['nothing 0', 'Intended 0', 'Intended 1']));
  });
});

describe('what prunes', () => {
  it.each(of('prunes'))('%s: killed at any request, the same line ends where it would have, and nothing else goes', async (_, line) => {
    const ends: unknown[] = [];
    for (let nth = 1, isOver = false; !isOver; nth += 1)
      for (const isReached of [false, true]) {
        const world = await scene();
        world.server.ledger.clear();
        const killed = process(nth, isReached, journalInMemory());
        await cloud(world, line, { token, limit: minute, between: killed.dying }).catch(() => undefined);
        isOver = !killed.isDead();
        const { exit } = await cloud(world, line, { token, limit: 10 * minute });
        const deleted = world.server.ledger.writes.filter(({ user }) => user === 'caller').map(({ verb, name }) => `${verb} ${name}`);
        ends.push([exit, deleted]);
        if (killed.wasRead()) break;
      }
    expect(ends.length).toBeGreaterThan(2);
    expect(ends).toEqual(ends.map(() => [0, ['delete over']]));
  });
});
