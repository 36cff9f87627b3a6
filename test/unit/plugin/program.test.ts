import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/plugin/commands.ts';
import { groups } from '../../../src/plugin/command-line/groups.ts';
import { exits } from '../../../src/plugin/exit.ts';
import { type Host } from '../../../src/plugin/host.ts';
import { run } from '../../../src/plugin/run.ts';
import { systemClock } from '../../../src/lib/clock.ts';

async function typed(line: string) {
  const said = { out: '', err: '' };
  let plain = false;
  const host: Host = {
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    withoutColour: () => void (plain = true),
    connect: () => Promise.reject(new Error('no cluster is needed for this')),
    openCloud: () => Promise.reject(new Error('no account is needed for this')),
    wire: {
      proxyFor: () => Promise.reject(new Error('nothing is looked up for this')),
      addresses: () => Promise.reject(new Error('nothing is looked up for this')),
      certificateEnd: () => Promise.reject(new Error('nothing is looked up for this')),
      get: () => Promise.reject(new Error('nothing is looked up for this')),
    },
    readFiles: () => Promise.reject(new Error('no file is needed for this')),
    kustomized: () => Promise.reject(new Error('no file is needed for this')),
    filesAt: () => Promise.reject(new Error('no file is needed for this')),
    fileText: () => Promise.reject(new Error('no file is needed for this')),
    writeFile: () => Promise.reject(new Error('no file is written for this')),
    writeArchive: () => Promise.reject(new Error('no file is written for this')),
    journal: {
      where: 'none',
      me: { host: 'none', pid: 1 },
      runs: () => undefined,
      read: () => Promise.reject(new Error('nothing is read for this')),
      add: () => Promise.reject(new Error('nothing is sent')),
    },
    clock: systemClock,
    random: () => 0,
    signal: new AbortController().signal,
    isRead: () => true,
  };
  const exit = await run(line === '' ? [] : line.split(' '), host);
  return { exit, plain, ...said };
}
const names = commands.map(({ name }) => name);

describe('the table of verbs', () => {
  it('has no verb twice, and says of each what a reader needs', () => {
    expect(new Set(names).size).toBe(names.length);
    for (const { does, details, examples } of commands) {
      expect(does).toMatch(/^[A-Z].*\.$/);
      expect(details).toMatch(/\.$/);
      expect(examples.length).toBeGreaterThan(0);
    }
  });
  it('has each verb in one group, by which help and the reference page list them', async () => {
    expect(Object.values(groups).flat().toSorted()).toEqual(names.toSorted());
    const { out } = await typed('help');
    const listed = [...out.matchAll(/^  ([a-z-]+) +[A-Z]/gm)].map(([, verb]) => verb).filter((verb) => verb !== 'help');
    expect(listed).toEqual(Object.values(groups).flat());
    for (const heading of Object.keys(groups)) expect(out).toContain(`\n${heading}:\n`);
  });
  it.each(commands)('$name: its examples are lines of it', async ({ name, examples, flags }) => {
    for (const line of examples) {
      expect(line).toContain(`kubectl cloud ${name}`);
      const used = [...(line.split('>')[0]?.matchAll(/ (--[a-z-]+)/g) ?? [])].map(([, flag = '']) => flag);
      for (const flag of used) expect(flags.map(({ form }) => form).join(' ')).toContain(flag);
    }
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });
  it.each(names)('help %s names whom it talks to and what its codes mean', async (name) => {
    const { exit, out } = await typed(`help ${name}`);
    expect(exit).toBe(0);
    expect(out).toMatch(/It (talks to nobody|reads the Kubernetes API)/);
    expect(out).toContain(`0    `);
    expect((await typed(`${name} --help`)).out).toBe(out);
  });
  it.each(commands)('help $name says of no option that it needs which it does not take', async ({ name, flags }) => {
    const { out } = await typed(`help ${name}`);
    const [, talk = ''] = out.split('\nIt ');
    const named = [...(talk.split('Examples:')[0] ?? '').matchAll(/--[a-z-]+/g)].map(([flag]) => flag);
    expect(named.filter((flag) => !flags.some(({ form }) => form.split(/[ ,]/).includes(flag)))).toEqual([]);
  });
  it('writes only where it asks for a right to', () => {
    for (const { talks, rights, confirms } of commands) {
      const writes = rights.some(({ verbs }) => verbs.some((verb) => !['get', 'list', 'watch'].includes(verb)));
      expect(writes).toBe(['writes', 'orders', 'prunes', 'moves', 'strips', 'looks'].includes(talks));
      expect(['writes', 'orders', 'prunes', 'moves', 'strips', 'changes'].includes(talks) || confirms === 'C0').toBe(true);
    }
  });
});

describe('a line', () => {
  it('without a verb lists all of them, and does nothing', async () => {
    const { exit, out } = await typed('');
    expect(exit).toBe(0);
    for (const name of names) expect(out).toContain(`  ${name} `);
  });
  it.each([
    ['versoin', 'Did you mean version?'],
    ['version --clinet', 'Did you mean --client?'],
    ['version --output=xml', 'Allowed choices are text, json'],
    ['completion tcsh', 'completion of what: write bash, zsh, fish, powershell, kubectl'],
    ['version shop', 'too many arguments'],
    ['version --instance', "kubectl cloud version: unknown option '--instance'\n"],
    ['pause --yes', "kubectl cloud pause: unknown option '--yes'\n"],
    ['aproove', "kubectl cloud: unknown command 'aproove'\n"],
    ['cinst/web', 'write the verb first, for example: kubectl cloud why cinst/web'],
    ['cinst web', 'write the verb first, for example: kubectl cloud why cinst'],
    ['volumes', 'write the verb first, for example: kubectl cloud get volumes'],
    ['cloudvolumes', 'write the verb first, for example: kubectl cloud why cloudvolumes'],
    ['help aproove', "unknown command 'aproove'\n(Did you mean approve?)"],
    ['help cinst/web', 'write the verb first, for example: kubectl cloud why cinst/web'],
    ['delete cvol/data', "unknown command 'delete'\ndelete is no verb here: kubectl delete "],
    ['aprove cvol/data', "unknown command 'aprove'\n(Did you mean approve?)"],
    ['api GET volumes', 'volumes: a path begins with a slash: kubectl cloud api GET /volumes'],
    ['api /volumes', 'write: kubectl cloud api METHOD PATH'],
    ['api GET /volumes -H Accept:all', '-H takes X-Filter and no other header'],
  ])('that is wrong is refused with what is right: %s', async (line, text) => {
    const { exit, out, err } = await typed(line);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(err).toContain(text);
    expect(err).toMatch(/^kubectl cloud/);
    expect(err).not.toContain('Did you mean ?');
  });
  it('version --client needs no cluster', async () => {
    expect(await typed('version --client')).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/^kubectl-cloud \d+\.\d+\.\d+, Node\.js v/),
    });
  });
  it.each(['version --client --no-color', '--no-color version --client', 'schema cvol --no-color', 'completion bash --no-color'])(
    'without colours, wherever the flag stands: %s',
    async (line) => {
      expect(await typed(line)).toMatchObject({ exit: 0, plain: true });
      expect(await typed(line.replace(/ ?--no-color ?/, ''))).toMatchObject({ exit: 0, plain: false });
    },
  );
  it('that fails says so in JSON too', async () => {
    const { exit, out } = await typed('version -o json');
    expect(JSON.parse(out)).toMatchObject({ kind: 'Error', exitCode: exit, data: { verb: 'version' } });
    expect(Object.keys(exits)).toContain(String(exit));
  });
});
