// Imported when they are needed, which is real work that virtual time does not wait for.
import '../../../../src/plugin/command-line/completion.ts';
import '../../../../src/plugin/command-line/completion-words.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { registry } from '../../../../src/plugin/command-line/kinds.ts';
import { actionFor } from '../../../../src/plugin/operations/chosen-action.ts';
import { keptOf } from '../../../../src/plugin/operations/keep.ts';
import { operations } from '../../../../src/plugin/operations/table.ts';
import { cloud, type CliOptions } from '../../../support/plugin/cloud-cli.ts';
import type { Backend } from '../../../support/virtual/backend.ts';
import { World } from '../../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  for (const name of ['data', 'cache']) await world.apply('CloudVolume', name, { region: 'eu-central', sizeGiB: 20 });
  await world.namespace('team-b');
  await world.apply('CloudVolume', 'other', { region: 'eu-central', sizeGiB: 20 }, 'team-b');
});
afterEach(() => vi.restoreAllMocks());

/** What is offered after these words; the last is being typed. */
async function offered(words: readonly string[], options: CliOptions = {}): Promise<readonly string[]> {
  const said: string[] = [];
  // The library writes to the console itself.
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
  const { exit, err } = await cloud(world, ['complete', '--', ...words], { limit: 1000, ...options });
  log.mockRestore();
  expect([exit, err, said.at(-1)]).toEqual([0, '', ':4']);
  return said.slice(0, -1).map((line) => line.split('\t')[0] ?? '');
}
/** Whether the verb gets as far as what its flags say. */
function isTaken(verb: string, kind: string): boolean {
  try {
    actionFor(verb, {}, { kind });
  } catch (error) {
    return !String(error).includes(`not of ${kind}`);
  }
  return true;
}
const shortNames = registry.kinds.map(({ shortName }) => shortName);

describe('completion', () => {
  it('offers kinds by their short names, and another of their names once that is begun', async () => {
    expect(await offered(['why', ''])).toEqual(shortNames);
    expect(await offered(['schema', ''])).toEqual(shortNames);
    expect(await offered(['why', 'cvo'])).toEqual(['cvol']);
    expect(await offered(['why', 'cloudvol'])).toEqual(['cloudvolume', 'cloudvolumes', 'cloudvolumes.cloudhosting.dev']);
    expect(await offered(['get', 'dom'])).toEqual(expect.arrayContaining(['domains']));
  });
  it('offers names of objects in the namespace of the line, after the kind or behind it', async () => {
    expect(await offered(['why', 'cvol/'])).toEqual(['cvol/cache', 'cvol/data']);
    expect(await offered(['wait', '--for', 'Synced', 'cvol/d'])).toEqual(['cvol/data']);
    expect(await offered(['why', 'cloudvolumes', ''])).toEqual(['cache', 'data']);
    expect(await offered(['why', 'cvol', 'data', ''])).toEqual(['cache']);
    expect(await offered(['why', 'cvol/data', 'cvol/'])).toEqual(['cvol/cache']);
    expect(await offered(['why', '-n', 'team-b', 'cvol/'])).toEqual(['cvol/other']);
    expect(await offered(['-n', 'team-b', 'why', 'cvol/'])).toEqual(['cvol/other']);
    expect(await offered(['why', '-A', 'cvol/'])).toEqual([]);
  });
  it('offers accounts where a verb is about these, and what else a verb takes', async () => {
    expect(await offered(['status', ''])).toEqual(['default']);
    expect(await offered(['release', ''])).toEqual(['default']);
    expect(await offered(['completion', ''])).toEqual(['bash', 'zsh', 'fish', 'powershell', 'kubectl']);
    expect(await offered(['payment-method', ''])).toEqual(['add', 'delete', 'make-default']);
  });
  it('offers of a verb that is about one kind its objects alone', async () => {
    await world.apply('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' });
    expect(await offered(['zone', ''])).toEqual(['cdom/zone', 'example.org']);
    expect(await offered(['zone', 'cdom/'])).toEqual(['cdom/zone']);
    expect(await offered(['zone', 'ex'])).toEqual(['example.org']);
    expect(await offered(['zone', 'example.org', ''])).toEqual([]);
  });
  it('offers of a verb that is about some kinds these, and their objects', async () => {
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-standard-1' });
    expect(await offered(['reboot', ''])).toEqual(['cinst', 'cinst/web']);
    expect(await offered(['reboot', 'ci'])).toEqual(['cinst', 'cinst/web']);
    expect(await offered(['reboot', 'cinst/w'])).toEqual(['cinst/web']);
    expect(await offered(['reboot', 'cinst', ''])).toEqual(['web']);
    expect(await offered(['reboot', 'cinst/web', ''])).toEqual([]);
    expect(await offered(['reboot', 'cvol/'])).toEqual([]);
    expect(await offered(['reboot', 'cvol', ''])).toEqual([]);
    expect(await offered(['reboot', 'cloudv'])).toEqual([]);
    // One of these is kept as an object, and is no operation.
    expect(await offered(['snapshot', ''])).toEqual(['cdb', 'cinst', 'cinst/web']);
    expect(await offered(['recycle', ''])).toEqual(['ck8s', 'cpool']);
    expect(await offered(['confirm', ''])).toEqual(['cop']);
    expect(await offered(['rotate', 'cv'])).toEqual([]);
    expect(await offered(['rotate', 'cok'])).toEqual(['cokey']);
  });
  it('takes of each operation all kinds that are offered, and no others', async () => {
    for (const { name, kinds } of operations) {
      const taken = registry.kinds.filter(({ kind }) => keptOf(name, { kind }) !== undefined || isTaken(name, kind));
      expect([name, [...((await kinds?.()) ?? [])].toSorted()]).toEqual([name, taken.map(({ kind }) => kind).toSorted()]);
    }
  });
  it('offers verbs and flags as before, and no object for the value of a flag', async () => {
    expect(await offered(['wa'])).toEqual(['wait']);
    expect(await offered(['wait', '--on'])).toEqual(['--on-approval']);
    expect(await offered(['wait', '--for', 'R'])).toEqual(['Ready']);
    expect(await offered(['wait', '--timeout', 'cvol/'])).toEqual([]);
  });
});

const silent = (): Backend => ({ handle: () => new Promise(() => undefined) });
describe('completion without an answer', () => {
  it('takes no second, and prints nothing', async () => {
    const before = world.clock.now();
    expect(await offered(['why', 'cvol/'], { between: silent })).toEqual([]);
    expect(world.clock.now() - before).toBeLessThan(1000);
  });
  it('is the same for who may not list', async () => {
    world.server.addUser('nobody', { name: 'nobody' });
    expect(await offered(['why', 'cvol/'], { token: 'nobody' })).toEqual([]);
    expect(await offered(['why', 'cvo'], { token: 'nobody' })).toEqual(['cvol']);
  });
});
