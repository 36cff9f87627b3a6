import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster } from '../controlplane/cluster.ts';
import type { ControlPlane } from '../controlplane/control-plane.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { startControlPlane } from '../controlplane/start.ts';
import { plantedArgs } from '../support/samples/planted.ts';
import { Stage } from '../support/process/stage.ts';
import { Typed } from '../support/process/typed.ts';

/** Two clusters on one account; in the second there is no operator but its own, so that its end can be told. */
let here: Stage;
let there: Stage;
let second: ControlPlane;
beforeAll(async () => {
  [here, second] = await Promise.all([Stage.open({ emulator: ['--speed', '50', ...plantedArgs] }), startControlPlane()]);
  const url = here.emulator.ready.url;
  there = await Stage.open({ cluster: new Cluster(second.coordinates), between: () => Promise.resolve(url) });
  await here.account('default', { installation: 'old' });
  await there.account('default', { installation: 'new' });
  for (const stage of [here, there]) await stage.ready('CloudAccount', 'default');
  await here.apply(
    here.manifest('CloudDomain', 'zone', {
      domain: 'move.example',
      type: 'master',
      soaEmail: 'a@move.example',
      lifecycle: { protect: true },
    }),
    here.manifest('CloudDomainRecord', 'www', { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '203.0.113.7' }),
    here.manifest('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20, tags: ['mine'], lifecycle: { onDelete: 'Delete' } }),
  );
  for (const [kind, name] of objects) await here.ready(kind, name, 60_000);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await there.close();
  await second.stop();
  await here.close();
});

const objects = [
  ['CloudDomain', 'zone'],
  ['CloudDomainRecord', 'www'],
  ['CloudVolume', 'data'],
] as const;
const pathsIn = (stage: Stage): Promise<readonly unknown[]> =>
  Promise.all(objects.map(async ([kind, name]) => (await stage.find(kind, name))?.status?.['path']));
const requestsBefore = async (): Promise<number> => (await here.emulator.requests()).at(-1)?.seq ?? 0;
const changesSince = async (since: number): Promise<readonly string[]> =>
  (await here.emulator.requests(since)).filter(({ method }) => method !== 'GET').map(({ method, body }) => `${method} ${body}`);
/** The mark of an installation is the only thing that another one writes. */
const isMark = (change: string): boolean => /^PUT \{"tags":\[[^\]]*"co-/.test(change);

describe('a move between two API servers', () => {
  it('goes on where it was cut off, leaves each thing as it is, and one side manages it', { timeout: 400_000 }, async () => {
    const plugin = await Typed.on(here);
    const line = `move cdom/zone crec/www cvol/data --to-kubeconfig ${there.cluster.kubeconfig} --to-namespace ${there.namespace}`;
    const [since, paths] = [await requestsBefore(), await pathsIn(here)];
    expect(await plugin.line(`${line} --dry-run`)).toMatchObject({ code: 0 });
    expect((await plugin.line(line)).code).toBe(3);
    expect(await pathsIn(there)).toEqual([undefined, undefined, undefined]);
    const cut = await plugin.line(`${line} --confirm 3 --timeout 1s`);
    expect([0, 6]).toContain(cut.code);
    const whole = await plugin.line(`${line} --confirm 3 --timeout 2m`);
    expect({ code: whole.code, stderr: whole.stderr }).toMatchObject({ code: 0 });
    for (const [kind, name] of objects) await here.gone(kind, name);
    for (const [kind, name] of objects) await there.ready(kind, name, 60_000);
    expect(await pathsIn(there)).toEqual(paths);
    expect((await changesSince(since)).filter((change) => !isMark(change))).toEqual([]);
    expect((await plugin.line(`${line} --confirm 3`)).stdout).toContain('Nothing is left to move');
  });
});

describe('uninstall --strip', () => {
  it('waits until no operator lives, writes what it leaves behind, and asks the account for nothing', { timeout: 300_000 }, async () => {
    const plugin = await Typed.on(there);
    await there.operator.program.stop();
    const [since, paths] = [await requestsBefore(), await pathsIn(there)];
    const alive = (await here.emulator.alive()).length;
    // The chart's policy lets nobody delete what is protected, whether an operator lives or not.
    await there.patch('CloudDomain', 'zone', { spec: { lifecycle: { protect: false } } });
    for (const [kind, name] of objects)
      await there.cluster.kubectl(['delete', kind.toLowerCase(), name, '-n', there.namespace, '--wait=false']);
    expect((await plugin.line('uninstall --strip')).code).toBe(3);
    const stripped = await plugin.line('uninstall --strip --confirm 3');
    expect({ code: stripped.code, stderr: stripped.stderr }).toMatchObject({ code: 0 });
    for (const [kind, name] of objects) await there.gone(kind, name);
    const left = JSON.parse(await readFile(join(there.folder, 'left-behind.json'), 'utf8')) as readonly { readonly path: string }[];
    expect(left.map(({ path }) => path).toSorted()).toEqual(paths.map(String).toSorted());
    expect(await changesSince(since)).toEqual([]);
    expect((await here.emulator.alive()).length).toBe(alive);
  });
});
