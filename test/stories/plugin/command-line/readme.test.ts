import { expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { cloud, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const namespace = 'shop';

/** Each line that is typed there, and all that is shown below it. */
function shownIn(walk: string): readonly (readonly [line: string, output: string])[] {
  const blocks = [...walk.matchAll(/^```console\n(.*?)^```/gms)].map(([, block = '']) => block).join('\n');
  return blocks
    .split(/^\$ kubectl cloud /m)
    .slice(1)
    .map((part) => {
      const [line = '', ...rest] = part.split('\n');
      return [line, rest.join('\n')] as const;
    });
}

/** Times, ages, plans and addresses are others on another day. */
const lasting = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT/g, '')
    .replaceAll(/\d\d:\d\d(:\d\d)?Z/g, '<time>')
    .replaceAll(/\(\d+ (s|min|h|d)\)/g, '(<age>)')
    .replaceAll(/\b[0-9a-f]{10}\b/g, '<plan>')
    .replaceAll(/\b[a-z2-7]{16}\b/g, '<content>')
    .replaceAll(/\b\d+\.\d+\.\d+\.\d+\b/g, '<address>')
    .replaceAll(/[0-9A-F]{8}(-[0-9A-F]{4}){2}-[0-9A-F]{16}/g, '<account>')
    .replaceAll(/ {2,}/g, '  ')
    .trim();

/** What a person types with spaces in quotes. */
const words = (line: string): readonly string[] => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

async function shop(): Promise<World> {
  const world = await World.create();
  await world.namespace(namespace);
  await world.account({}, namespace);
  await world.start();
  await world.secret('web-root', { password: 'Canary-Horse-9-Battery' }, namespace);
  const rooted = { image: 'vm/debian11', rootPasswordSecretRef: { name: 'web-root', key: 'password' } };
  await world.apply('CloudInstance', 'web', { region: 'us-southeast', type: 'g6-standard-1', power: 'On', ...rooted }, namespace);
  await world.apply('CloudVolume', 'db-data', { instanceRef: { name: 'web' }, sizeGiB: 20 }, namespace);
  const policies = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' };
  await world.apply('CloudFirewall', 'edge', { ...policies, instanceRefs: [{ name: 'web' }] }, namespace);
  for (const [kind, name] of [
    ['CloudVolume', 'db-data'],
    ['CloudFirewall', 'edge'],
    ['CloudInstance', 'web'],
  ] as const)
    await world.ready(kind, name, 600_000, namespace);
  await world.apply('CloudInstance', 'db', { region: 'us-southeast', type: 'g6-nanode-9' }, namespace);
  await world.apply('CloudVolume', 'cache', { instanceRef: { name: 'db' }, sizeGiB: 20 }, namespace);
  await world.reason('CloudVolume', 'cache', 'ReferenceNotReady', 600_000, namespace);
  await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-2' } }, namespace);
  await world.reason('CloudInstance', 'web', 'ApprovalRequired', 600_000, namespace);
  await world.clock.advance(120_000);
  return world;
}

it('what the walk shows of the plugin is what it says', async () => {
  const shown = shownIn(await readFile('plugin/walk.md', 'utf8'));
  expect(new Set(shown.map(([line]) => line.split(' ')[0])).size).toBeGreaterThanOrEqual(5);
  const world = await shop();
  for (const [line, output] of shown) {
    const { err, out } = await cloud(world, words(line), { namespace, answers: [true], limit: 1_800_000 });
    expect(`${line}\n${lasting(err + out)}`).toBe(`${line}\n${lasting(output)}`);
    await world.clock.advance(60_000);
  }
});

it('each line that the README has for the night is one that the plugin takes, and answers', async () => {
  const readme = await readFile('README.md', 'utf8');
  const [, table = ''] = /^## At night$(.*?)^## /ms.exec(readme) ?? [];
  const lines = [...table.matchAll(/^\| [^|]+ \| +`kubectl cloud ([^`]+)` +\|/gm)].map(([, line = '']) => line);
  expect(lines.length).toBeGreaterThanOrEqual(8);
  expect(lines.length).toBeLessThanOrEqual(10);
  expect(table.match(/kubectl/g)).toHaveLength(lines.length);
  const world = await shop();
  await world.configMap('cloud-operator-endpoints', { endpoints: endpoint }, 'cloud-operator');
  for (const line of lines) {
    const { exit, err } = await cloud(world, words(line), { answers: [true], limit: 1_800_000 });
    // What it says is right or wrong of this shop; that it says it, is all that is asked here.
    expect([line, [0, 1].includes(exit), err]).toEqual([line, true, expect.not.stringContaining('error:')]);
  }
  expect(readme.indexOf('kubectl cloud status')).toBeLessThan(readme.indexOf('## Why this one'));
});
