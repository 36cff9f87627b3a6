import { beforeEach, describe, expect, it } from 'vitest';
import type { Row } from '../../../../src/resource/index.ts';
import { cloud, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import { changesSince, lastRequest } from '../../../support/world/gitops.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
type Manifest = readonly [kind: string, name: string, spec: Row];
/** A machine, and what names it for good. */
const manifests = (machine: string, more: Row = {}): readonly Manifest[] => [
  ['CloudInstance', machine, { region: 'us-southeast', type: 'g6-standard-1', bootConfigRef: { name: 'boot' }, ...more }],
  ['CloudDisk', 'root', { instanceRef: { name: machine }, sizeMB: 1024 }],
  ['CloudInstanceConfig', 'boot', { instanceRef: { name: machine }, devices: { sda: { diskRef: { name: 'root' } } } }],
];
const written = (all: readonly Manifest[]): string =>
  all
    .map(([kind, name, spec]) => JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name }, spec }))
    .join('\n---\n');
/** As kubectl apply: what the API server refuses stays as it is. */
async function applied(all: readonly Manifest[]): Promise<void> {
  for (const [kind, name, spec] of all)
    await world
      .patch(kind, name, { spec })
      .catch((error: unknown) => (String(error).includes('404') ? world.apply(kind, name, spec) : undefined));
}

let world: World;
let seq: number;
beforeEach(async () => {
  ({ world } = await connectedWorld());
});
async function begun(machine: Row): Promise<readonly unknown[]> {
  const all = manifests('old', machine);
  await applied(all);
  await world.clock.advance(5 * minute);
  seq = lastRequest(world);
  return Promise.all(all.map(async ([kind, name]) => (await world.get(kind, name)).status?.['path']));
}
async function planned(all: readonly Manifest[], before?: Row): Promise<string> {
  const base = before === undefined ? '' : '--base base ';
  const files = { 'new/all.yaml': written(all), 'base/all.yaml': written(manifests('old', before)) };
  const { out, err } = await cloud(world, `plan -f new ${base}--endpoint ${endpoint}`, { files, limit: 10 * minute });
  return out + err;
}
/** Each line `- in KIND NAME write spec.adopt: {id: N}`, and each `- KIND NAME ...: give it another metadata.name`. */
function followed(told: string, all: readonly Manifest[]): readonly Manifest[] {
  const ids = new Map(
    [...told.matchAll(/^- (?:in )?(\w+ \S+) .*spec\.adopt: \{id: (\d+)\}$/gm)].map(([, who = '', id]) => [who, Number(id)] as const),
  );
  const parts = [...told.matchAll(/^- \w+ (\S+) .*another metadata\.name/gm)].map(([, name = '']) => name);
  const names = (text: string): string => parts.reduce((now, name) => now.replaceAll(`{"name":"${name}"}`, `{"name":"${name}-2"}`), text);
  return all.map(([kind, name, spec]) => {
    const id = ids.get(`${kind} ${name}`);
    const now = JSON.parse(names(JSON.stringify(spec))) as Row;
    return [kind, parts.includes(name) ? `${name}-2` : name, { ...now, ...(id !== undefined && { adopt: { id } }) }];
  });
}
async function deletedAsTold(told: string): Promise<void> {
  const [, all = ''] = / delete the old ones only then: kubectl -n team-a delete (.*)$/m.exec(told) ?? [];
  expect(all).toBe('cloudinstance/old clouddisk/root cloudinstanceconfig/boot');
  for (const [kind, name] of manifests('old')) await world.delete(kind, name);
}
async function handedOver(all: readonly Manifest[], paths: readonly unknown[]): Promise<void> {
  await world.clock.advance(10 * minute);
  for (const [kind, name] of manifests('old')) await world.gone(kind, name);
  expect(await Promise.all(all.map(async ([kind, name]) => (await world.get(kind, name)).status?.['path']))).toEqual(paths);
  for (const [kind, name] of all.slice(1)) await world.ready(kind, name);
  // Where the service refuses a second of a name, asking is the look.
  expect(changesSince(world, seq).filter((call) => !/^POST \S+ 400 /.test(call))).toEqual([]);
}

describe('a machine that is called otherwise, with what names it for good', () => {
  it.each([
    ['whose label is its own', { label: 'web' }, undefined],
    ['whose label is derived of its name', {}, undefined],
    ['of which the manifests of before are named, too', { label: 'web' }, { label: 'web' }],
    ['the same with a derived label', {}, {}],
  ])('is handed over with all of it as plan says, %s', async (_, machine, before) => {
    const paths = await begun(machine);
    const renamed = manifests('new', machine);
    const told = await planned(renamed, before);
    expect(told).toContain(
      'CloudInstance team-a/old, which no manifest here names, has what is refused. If that is a rename, and what is there is to stay,',
    );
    const all = followed(told, renamed);
    expect(await planned(all, machine)).toMatch(/6 objects: 3 adopt, 3 retain\./);
    await applied(all);
    await world.clock.advance(minute);
    await deletedAsTold(told);
    await handedOver(all, paths);
  });
  it('is told no more of it once the manifests ask for all of it, and name those of before', async () => {
    await begun({ label: 'web' });
    const renamed = manifests('new', { label: 'web' });
    const told = await planned(renamed);
    expect(told).toContain('\nTo see that planned: --base FOLDER or --base git:COMMIT names the manifests of before');
    expect(await planned(followed(told, renamed), { label: 'web' })).not.toContain('rename');
  });
});

it('a machine whose new name is applied, and its parts refused, is handed over as why says, and so is what is in it', async () => {
  const paths = await begun({ label: 'web' });
  await applied(manifests('new', { label: 'web' }));
  await world.clock.advance(minute);
  const why = async (line: string): Promise<string> => (await cloud(world, `why ${line}`, { limit: 10 * minute })).out;
  const told = await why('cinst/new');
  expect(told).toContain('If this is that object under another name, write spec.adopt: {id: 1000} here and delete that one then');
  expect(told).toContain(
    'Before the second line, apply each CloudDisk and CloudInstanceConfig that names the other one under another name, too,',
  );
  expect(told).toMatch(/\n {2}kubectl -n team-a delete cloudinstance old\n {2}kubectl -n team-a delete cloudinstance new\n/);
  const [, patch = ''] = / patch cloudinstance new --type=merge -p '(.*)'/.exec(told) ?? [];
  await world.patch('CloudInstance', 'new', JSON.parse(patch) as Row);
  // Whoever does not see to the parts first is told so by them.
  await world.delete('CloudInstance', 'old');
  await world.clock.advance(10 * minute);
  await world.patch('CloudInstance', 'new', { spec: { bootConfigRef: { name: 'boot-2' } } });
  for (const [kind, name, spec] of manifests('new').slice(1)) {
    const part = await why(`${kind.toLowerCase()}/${name}`);
    expect(part).toContain(
      "/vm/instances/1000 is CloudInstance new's by now, and what is in it stays. To keep this, too: apply it under another name with spec.instanceRef: {name: new} and spec.adopt: {id: 1000}, and delete this object only then",
    );
    expect(part).not.toMatch(/\bit waits for ever|let go on purpose/);
    await world.apply(kind, `${name}-2`, {
      ...(JSON.parse(JSON.stringify(spec).replace('"root"', '"root-2"')) as Row),
      adopt: { id: 1000 },
    });
    await world.clock.advance(minute);
    await world.delete(kind, name);
  }
  await handedOver(
    followed('- CloudDisk root another metadata.name\n- CloudInstanceConfig boot another metadata.name', manifests('new')),
    paths,
  );
});

async function protectionTaken(told: string, name: string): Promise<void> {
  const [, patch = ''] = new RegExp(`kubectl -n team-a patch clouddisk ${name} --type=merge -p '(.*)'`).exec(told) ?? [];
  expect(JSON.parse(patch)).toEqual({ spec: { lifecycle: { protect: false, onDelete: 'Retain' } } });
  await world.patch('CloudDisk', name, JSON.parse(patch) as Row);
}
describe('a machine that is called otherwise, of which a part is protected', () => {
  const lifecycle = { protect: true };
  const parts = (machine: string): readonly Manifest[] =>
    manifests(machine, { label: 'web' }).map(([kind, name, spec]) => [kind, name, kind === 'CloudDisk' ? { ...spec, lifecycle } : spec]);
  it('is handed over with all of it as plan says, which has the protection taken off before', async () => {
    await applied(parts('old'));
    await world.clock.advance(5 * minute);
    seq = lastRequest(world);
    const paths = await Promise.all(parts('old').map(async ([kind, name]) => (await world.get(kind, name)).status?.['path']));
    const renamed = parts('new');
    const told = await planned(renamed);
    expect(told).toMatch(
      /\n- CloudDisk root has spec\.lifecycle\.protect: true, and cannot be deleted\. Take that off before you delete the old ones; nothing is deleted in the account, since it is handed over: kubectl .*\n- apply all of that, and delete/,
    );
    expect(told.match(/ patch cloud/g)).toHaveLength(1);
    const all = followed(told, renamed);
    await applied(all);
    await world.clock.advance(minute);
    await protectionTaken(told, 'root');
    await deletedAsTold(told);
    await handedOver(all, paths);
  });
  it('is handed over as why says of the part that asks for it', async () => {
    await applied(parts('old'));
    await world.clock.advance(5 * minute);
    const id = Number((await world.get('CloudDisk', 'root')).status?.['id']);
    await world.apply('CloudDisk', 'root-2', { instanceRef: { name: 'old' }, sizeMB: 1024, lifecycle, adopt: { id } });
    await world.clock.advance(5 * minute);
    const { out } = await cloud(world, 'why cdisk/root-2', { limit: 10 * minute });
    expect(out).toContain(
      'CloudDisk team-a/root has spec.lifecycle.protect: true, and cannot be deleted before the first line takes that off; nothing is deleted in the account, since it is handed over.',
    );
    expect(out).toContain('delete the other one by the second line: it is handed over');
    expect(out).toContain('delete this one by the third line.');
    expect(out).toMatch(/ patch clouddisk root .*\n {2}kubectl -n team-a delete clouddisk root\n/);
    const path = (await world.get('CloudDisk', 'root')).status?.['path'];
    await protectionTaken(out, 'root');
    await world.delete('CloudDisk', 'root');
    await world.gone('CloudDisk', 'root');
    expect((await world.ready('CloudDisk', 'root-2', 10 * minute)).status?.['path']).toBe(path);
  });
});
