import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../../../src/plugin/commands.ts';
import type { Command } from '../../../../src/plugin/command-line/command.ts';
import { canaries, lines, scene } from '../../../support/plugin/cli-scene.ts';
import { cloud, dataOf, type Ran } from '../../../support/plugin/cloud-cli.ts';
import type { World } from '../../../support/world/world.ts';

const token = canaries.token;
const talking = commands.filter(({ talks }) => talks !== 'nobody');
const formsOf = ({ flags }: Command): readonly string[] => flags.find(({ form }) => form.startsWith('-o,'))?.choices ?? [];
const having = (form: string) => commands.filter((command) => formsOf(command).includes(form));
const all = ['text', 'wide', 'json', 'jsonl', 'yaml', 'name', 'markdown', 'dot', 'mermaid'];
/** Each of its lines, without a person to ask: where it would, what it would do. */
const typed = ({ name, confirms }: Command): readonly string[] =>
  (lines[name]?.lines ?? []).map((line) => `${line}${confirms === 'C0' ? '' : ' --dry-run'}`);
const said = ({ name }: Command): string => `${lines[name]?.lines[0]} ${lines[name]?.said ?? ''}`.trim();

/** Without what each run makes anew. */
const timeless = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?|"[a-z2-7]{8,}"/g, 'TIME');
const headsOf = (out: string): readonly string[] => (/^[A-Z$][A-Z0-9_$/ .]*$/m.exec(out)?.[0] ?? '').split(/ {2,}/);

let world: World;
beforeEach(async () => {
  world = await scene();
});
const run = (line: string, options = {}): Promise<Ran> => cloud(world, line, { token, limit: 5 * 60_000, ...options });

describe('a form that a verb does not have is refused, and those that it has are named', () => {
  it.each(commands)('$name', async (command) => {
    const has = formsOf(command);
    for (const form of all.filter((one) => !has.includes(one))) {
      const { exit, out, err } = await run(`${lines[command.name]?.lines[0]} -o ${form}`);
      expect([exit, out]).toEqual([2, '']);
      expect(err).toContain(has.length === 0 ? "unknown option '-o'" : `Allowed choices are ${has.join(', ')}.`);
    }
  });
  it('and every one of them writes json and yaml', () =>
    expect(
      commands.filter((command) => formsOf(command).length > 0 && !['json', 'yaml'].every((form) => formsOf(command).includes(form))),
    ).toEqual([]));
});

describe('-o yaml is the object of -o json', () => {
  it.each(having('yaml'))('$name', async (command) => {
    const line = typed(command)[0] ?? '';
    const json = await run(`${line} -o json`);
    const yaml = await run(`${line} -o yaml`);
    dataOf(json);
    expect(timeless(JSON.stringify(parse(yaml.out)))).toBe(timeless(JSON.stringify(JSON.parse(json.out))));
    expect(yaml.exit).toBe(json.exit);
  });
  it('also of what failed', async () => {
    const { exit, out } = await run('why cvol/none -o yaml');
    expect([exit, parse(out)]).toEqual([4, expect.objectContaining({ kind: 'Error', exitCode: 4 })]);
  });
});

describe('-o name writes kind and name of each object, one a line', () => {
  it.each(having('name'))('$name', async (command) => {
    let seen = 0;
    for (const line of typed(command)) {
      const { out } = await run(line.replace(/ -o \w+/, '') + ' -o name');
      const names = out.split('\n').filter((one) => one !== '');
      for (const name of names) expect(name).toMatch(/^([a-z0-9]+\.cloudhosting\.dev|secret|configmap)\/[a-z0-9.-]+$/);
      expect(new Set(names).size).toBe(names.length);
      seen += names.length;
      const shown = JSON.stringify(dataOf(await run(line.replace(/ -o \w+/, '') + ' -o json')));
      for (const name of names) expect(shown).toContain(name.split('/')[1]);
    }
    expect(seen).toBeGreaterThan(0);
  });
  it('what it wrote, the next line takes', async () => {
    const { out } = await run('approve --list -o name');
    expect(out).toBe('cloudinstance.cloudhosting.dev/web\n');
    expect((await run(`why ${out.trim()}`)).out).toContain('CloudInstance team-a/web');
  });
});

describe('-o wide has the columns of text, and more', () => {
  /** Their tables are empty here, or have nothing to leave out. */
  const nothing = new Set(['payments', 'invoices', 'transfers', 'vlans', 'logins', 'objects', 'events']);
  it.each(having('wide').filter(({ name }) => !nothing.has(name)))('$name', async (command) => {
    const line = typed(command)[0] ?? '';
    const [text, wide] = [headsOf((await run(line)).out), headsOf((await run(`${line} -o wide`)).out)];
    expect(text).not.toEqual(['']);
    expect(wide).toEqual(expect.arrayContaining([...text]));
    expect(wide.length).toBeGreaterThan(text.length);
  });
});

describe('-q leaves standard error to errors, and changes nothing else', () => {
  it.each(talking)('$name', async (command) => {
    const loud = await run(said(command));
    world = await scene();
    const quiet = await run(`${said(command)} -q`);
    expect(quiet.exit).toBe(loud.exit);
    expect(quiet.err).toMatch(quiet.exit <= 1 ? /^$/ : new RegExp(`^kubectl cloud ${command.name}: `));
  });
  it('but nobody is asked about what was not shown', async () => {
    const { exit, err } = await run('approve cinst/web -q', { answers: [true] });
    expect([exit, err]).toEqual([0, expect.stringContaining('the account has a, wanted b')]);
  });
  it('and is not -v', async () => expect(await run('status -q -v')).toMatchObject({ exit: 2, out: '' }));
});

describe('-v tells each request by method and path, and no secret', () => {
  it.each(talking)('$name', async (command) => {
    world.server.ledger.clear();
    const before = world.emulator.control.requests().length;
    const { out, err } = await run(`${said(command)} -v`);
    const told = err.split('\n').filter((line) => /^(GET|POST|PUT|PATCH|DELETE) \/\S* (\d{3}|<error>)$/.test(line));
    const here = world.server.ledger.requests.filter(({ user }) => user === 'caller');
    for (const { method, path } of here) expect(told.some((line) => line.startsWith(`${method} ${path}`))).toBe(true);
    const there = world.emulator.control
      .requests()
      .slice(before)
      .filter(({ userAgent }) => userAgent.startsWith('kubectl'));
    expect(told.length).toBeGreaterThanOrEqual(here.length + there.length);
    for (const canary of [...Object.values(canaries), 'token-admin']) expect(out + err).not.toContain(canary);
  });
});
