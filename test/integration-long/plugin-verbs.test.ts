import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import type { KubeObject } from '../support/world/custom-object.ts';
import { plantedArgs } from '../support/samples/planted.ts';
import { conditionOf, isReady, Stage } from '../support/process/stage.ts';
import { stateText } from '../support/terraform/state.ts';
import { Typed } from '../support/process/typed.ts';

/** Of an account that no other stage of the control plane has: what is compared with all objects is compared with these. */
const token = 'token-other';
const password = 'Canary-Horse-9-Battery';
let stage: Stage;
let plugin: Typed;
beforeAll(async () => {
  stage = await Stage.open({ emulator: ['--speed', '50', ...plantedArgs] });
  await stage.account('default', {}, token);
  await stage.ready('CloudAccount', 'default');
  plugin = await Typed.on(stage);
}, START_TIMEOUT_MS);
afterAll(() => stage.close());

async function inAccount(path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await request(`${stage.emulator.ready.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`POST ${path}: ${text}`);
}
/** What the account was asked to change, from some request on. */
const changesSince = async (since: number): Promise<readonly string[]> =>
  (await stage.emulator.requests(since)).filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
const requestsBefore = async (): Promise<number> => (await stage.emulator.requests()).at(-1)?.seq ?? 0;
const dataOf = async <T>(line: string): Promise<T> => (JSON.parse((await plugin.asking(`${line} -o json`)).stdout) as { data: T }).data;
/** Of the plans that a line shows. */
const idsOf = async (line: string): Promise<readonly string[]> =>
  (await dataOf<{ rows: { id: string }[] }>(`types${line}`)).rows.map(({ id }) => id);
const kubectl = (...words: readonly string[]) => stage.cluster.kubectl([...words, '-n', stage.namespace]);
const web = {
  region: 'us-east',
  type: 'g6-standard-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'web-root', key: 'password' },
};

/** Sixty things that somebody made over the years. */
async function sixty(): Promise<void> {
  for (let count = 0; count < 6; count += 1)
    await inAccount('/vm/instances', {
      label: `web-${count}`,
      region: 'us-east',
      type: 'g6-nanode-1',
      image: 'vm/debian11',
      root_pass: password,
    });
  for (let count = 0; count < 12; count += 1) await inAccount('/volumes', { label: `data-${count}`, region: 'us-east', size: 20 + count });
  const inbound = [{ action: 'ACCEPT', protocol: 'TCP', ports: '22, 8000-8100', addresses: { ipv4: ['203.0.113.1/32'] } }];
  for (let count = 0; count < 4; count += 1)
    await inAccount('/networking/firewalls', {
      label: `edge-${count}`,
      rules: { inbound_policy: 'DROP', outbound_policy: 'ACCEPT', inbound, outbound: [] },
    });
  await inAccount('/domains', { domain: 'sixty.example', type: 'master', soa_email: 'a@example.org', description: 'yes' });
  const zone = (await stage.emulator.alive()).find(({ collection }) => collection === 'domains')?.key;
  for (let count = 0; count < 30; count += 1)
    await inAccount(
      `/domains/${String(zone)}/records`,
      count % 2 === 0
        ? { type: 'A', name: `on-${count}`, target: '203.0.113.9' }
        : { type: 'TXT', name: `no-${count}`, target: `0${count}` },
    );
  for (let count = 0; count < 4; count += 1) await inAccount('/object-storage/buckets', { label: `assets-${count}`, cluster: 'us-east-1' });
  for (let count = 0; count < 3; count += 1)
    await inAccount('/vm/stackscripts', { label: `script-${count}`, images: ['vm/debian11'], script: '#!/bin/sh\necho hi\n' });
}

describe('an account with sixty things and no object', () => {
  it('is brought in, managed and let go by what is typed, and nothing of it changes', { timeout: 300_000 }, async () => {
    await sixty();
    const since = await requestsBefore();
    const fleet = join(stage.folder, 'fleet');
    expect((await plugin.asking('orphans --fail')).code).toBe(1);
    const { orphans } = await dataOf<{ orphans: { class: string }[] }>('orphans');
    expect(orphans.filter((one) => one.class === 'unmanaged').length).toBeGreaterThanOrEqual(30);
    const exported = await plugin.asking(`export --to ${fleet}`);
    expect([exported.code, exported.stderr]).toEqual([0, expect.stringContaining('reading as user other')]);
    expect(await plugin.asking(`export --check ${fleet}`)).toMatchObject({ code: 0 });
    // What stands beside the manifests is none to kubectl.
    const { stdout: applied } = await kubectl('apply', '-R', '-f', fleet);
    const count = applied.trim().split('\n').length;
    expect(count).toBeGreaterThanOrEqual(60);
    expect(await plugin.line(`wait -R -f ${fleet} --for=Observed --timeout 2m`)).toMatchObject({ code: 0 });
    expect((await plugin.asking('orphans --fail')).code).toBe(0);
    expect((await plugin.line(`diff -R -f ${fleet}`)).stdout).toBe(`Nothing differs (${count} objects compared).\n`);
    expect((await plugin.line(`export --promote ${fleet}`)).code).toBe(0);
    expect((await plugin.asking(`plan -R -f ${fleet}`)).code).toBe(0);
    await kubectl('apply', '-R', '-f', fleet);
    expect(await plugin.line(`wait -R -f ${fleet} --timeout 2m`)).toMatchObject({ code: 0 });
    expect((await plugin.asking(`diff -R -f ${fleet} --against account`)).code).toBe(0);
    expect(await plugin.asking(`export --check ${fleet}`)).toMatchObject({ code: 0 });
    const again = await plugin.asking(`export --all --to ${fleet}-again --management Manage --layout kind --kustomization`);
    expect(again.code).toBe(0);
    const { stdout: same } = await kubectl('apply', '-k', `${fleet}-again`);
    expect(
      same
        .trim()
        .split('\n')
        .filter((line) => line.endsWith(' created')),
    ).toEqual([]);
    const before = (await stage.emulator.alive()).length;
    await kubectl('delete', '-R', '-f', fleet, '--timeout=120s');
    expect((await stage.emulator.alive()).length).toBe(before);
    expect(await changesSince(since)).toEqual([]);
  });

  it('is brought in from a state too', { timeout: 120_000 }, async () => {
    const volumes = (await stage.emulator.alive()).filter(({ collection }) => collection === 'volumes').slice(0, 3);
    const resource = {
      type: 'linode_volume',
      name: 'data',
      instances: volumes.map(({ key, row: { label, region, size, tags } }, index) => ({
        index_key: index,
        attributes: { id: String(key), label, region, size, tags },
      })),
    };
    await writeFile(join(stage.folder, 'state.json'), stateText('3.13', [resource]));
    const since = await requestsBefore();
    const imported = await plugin.asking('import terraform state.json --to tf --forget tf');
    expect(imported).toMatchObject({ code: 0 });
    expect(await readFile(join(stage.folder, 'tf/forget.sh'), 'utf8')).toContain('data');
    const folder = join(stage.folder, 'tf', stage.namespace);
    await kubectl('apply', '-f', folder);
    expect(await plugin.line(`wait -f ${folder} --for=Observed --timeout 1m`)).toMatchObject({ code: 0 });
    expect((await plugin.line(`diff -f ${folder}`)).code).toBe(0);
    await kubectl('delete', '-f', folder, '--timeout=60s');
    expect(await changesSince(since)).toEqual([]);
  });
});

describe('what is there', () => {
  beforeAll(async () => {
    await stage.secret('web-root', { password });
    await stage.apply(
      stage.manifest('CloudInstance', 'web', web),
      stage.manifest('CloudObjectKey', 'uploads', { bucketAccess: [], secretName: 'uploads' }),
      stage.manifest('CloudDatabase', 'shop', { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-standard-1' }),
    );
    for (const [kind, name] of [
      ['CloudInstance', 'web'],
      ['CloudObjectKey', 'uploads'],
      ['CloudDatabase', 'shop'],
    ] as const)
      await stage.until([kind, name], isReady, 150_000);
  }, 240_000);

  it('is watched as a tree, a line for what becomes another, until Ctrl-C', { timeout: 90_000 }, async () => {
    const watch = await plugin.begun('tree --watch');
    await vi.waitFor(() => expect(watch.out()).toMatch(/^ *\S* *CloudInstance \S+\/web +Ready/m), 20_000);
    expect(watch.out()).not.toContain('fresh');
    await stage.apply(stage.manifest('CloudVolume', 'fresh', { region: 'us-east', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } }));
    await stage.ready('CloudVolume', 'fresh');
    await vi.waitFor(() => expect(watch.out()).toMatch(/^\d\d:\d\d:\d\dZ {2}CloudVolume \S+\/fresh .*(new: |-> )Ready/m), 20_000);
    await kubectl('delete', 'cloudvolume', 'fresh', '--timeout=60s');
    await vi.waitFor(() => expect(watch.out()).toMatch(/^\S+ {2}CloudVolume \S+\/fresh {2}gone/m), 20_000);
    expect(await watch.interrupted()).toBe(130);
  });
  it('has a way to be well, step by step, and what is typed of it ends there', { timeout: 90_000 }, async () => {
    await stage.apply(stage.manifest('CloudVolume', 'stuck', { instanceRef: { name: 'none' }, sizeGiB: 20 }));
    await stage.until(['CloudVolume', 'stuck'], (object) => conditionOf(object, 'Synced')?.reason === 'ReferenceNotReady');
    const { code, stdout } = await plugin.line('why cvol/stuck --steps');
    const steps = stdout.split('\n').filter((line) => /^ {2}\d+\. /.test(line));
    expect([code, steps.map((line) => line.replace(/:.*/, ''))]).toEqual([
      1,
      ['  1. you', '  2. operator', '  3. you'].slice(0, steps.length),
    ]);
    const seen = stdout.split('\n').find((line) => line.includes('kubectl cloud wait')) ?? '';
    await stage.patch('CloudVolume', 'stuck', { spec: { instanceRef: { name: 'web' } } });
    const words = seen.trim().replace('kubectl cloud ', '').replace(` -n ${stage.namespace}`, '');
    expect((await plugin.line(`${words} --timeout 60s`)).code).toBe(0);
    expect((await plugin.line('why cvol/stuck --steps')).stdout).not.toContain('Step by step');
    await kubectl('delete', 'cloudvolume', 'stuck', '--wait=false');
  });
  it('could have been of another plan, by what its region can do', { timeout: 60_000 }, async () => {
    const [all, there] = [await idsOf(''), await idsOf(' --region us-east')];
    expect(there).toContain('g6-standard-1');
    expect(all).toEqual(expect.arrayContaining([...there]));
    const cheap = await idsOf(' --region us-east --max-usd 10');
    expect(cheap.length).toBeGreaterThan(0);
    expect(cheap.length).toBeLessThan(there.length);
    const { code, stderr } = await plugin.asking('types --region us-eats');
    expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean us-east')]);
  });
  it('is priced, with what nobody has an object for', { timeout: 60_000 }, async () => {
    const mine = await dataOf<{ lines: { object?: string; monthly?: number }[] }>('cost');
    expect(mine.lines.find(({ object }) => object?.endsWith('/web'))?.monthly).toBe(10);
    expect((await plugin.asking('cost --unmanaged --by kind')).code).toBe(0);
  });
  it('has a history that names who did what, and images that can be looked up', { timeout: 60_000 }, async () => {
    const { code, stdout } = await plugin.asking('history cinst/web');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/vm_(create|boot)/)]);
    expect(stdout).toMatch(/kubernetes +\S+ +written: spec/);
    expect(stdout).toMatch(/kubernetes +\S+ +Created/);
    const events = await plugin.asking('events --kind cinst/web');
    expect([events.code, events.stdout]).toEqual([
      0,
      expect.stringMatching(/other \(operator's user\) +vm_create .*CloudInstance \S+\/web/),
    ]);
    expect(await plugin.asking('get images')).toMatchObject({ code: 0, stdout: expect.stringContaining('vm/debian11') as string });
  });
  it('gives out another key after rotate, and the old one goes on', { timeout: 60_000 }, async () => {
    const key = async (): Promise<unknown> => {
      const path = `/api/v1/namespaces/${stage.namespace}/secrets/uploads`;
      return (await stage.cluster.request<{ data: unknown }>('GET', path)).body.data;
    };
    const old = await key();
    expect(await plugin.line('rotate cokey/uploads')).toMatchObject({ code: 3 });
    const since = await requestsBefore();
    expect(await plugin.line('rotate cokey/uploads --confirm uploads')).toMatchObject({ code: 0 });
    const renewed = await stage.until(
      ['CloudObjectKey', 'uploads'],
      (object) => object?.status?.['retiring'] !== undefined && isReady(object),
    );
    expect(renewed.status?.['retiring']).toHaveLength(1);
    expect(await key()).not.toEqual(old);
    // Its label is put right sooner or later.
    expect((await changesSince(since)).filter((call) => !call.startsWith('PUT '))).toEqual(['POST /object-storage/keys']);
  });
  it('goes into a bundle without a secret', { timeout: 60_000 }, async () => {
    expect(await plugin.line('bundle --to bundle.tar.gz')).toMatchObject({ code: 0 });
    const text = gunzipSync(await readFile(join(stage.folder, 'bundle.tar.gz'))).toString('latin1');
    expect(text).toContain('uploads');
    for (const secret of [password, token]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('base64'));
    }
  });
});

const phaseOf = (object: KubeObject | undefined): unknown => object?.status?.['phase'];
/** The last word of the path of each call. */
const sent = async (since: number): Promise<readonly string[]> => (await changesSince(since)).map((call) => call.replace(/^.*\//, ''));
describe('what is done once', () => {
  it.each([
    ['shutdown cinst/web --yes', 'shutdown'],
    ['boot cinst/web --yes', 'boot'],
    ['reboot cinst/web --yes', 'reboot'],
    ['snapshot cinst/web --label before --yes --confirm web', 'backups'],
    ['rebuild cinst/web --yes --confirm web', 'rebuild'],
    ['patch cdb/shop --yes --confirm shop', 'patch'],
    ['reset-credentials cdb/shop --yes --confirm shop', 'reset'],
  ])('%s is one call', { timeout: 150_000 }, async (line, call) => {
    const verb = line.split(' ')[0] ?? '';
    if (verb === 'snapshot') {
      await stage.patch('CloudInstance', 'web', { spec: { backupsEnabled: true } });
      await stage.ready('CloudInstance', 'web');
    }
    const since = await requestsBefore();
    const { code, stdout, stderr } = await plugin.line(`${line} --name once-${verb} --timeout 120s`);
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    expect(phaseOf(await stage.find('CloudOperation', `once-${verb}`))).toBe('Succeeded');
    expect(await sent(since)).toEqual([call]);
    expect((await plugin.line(`${line} --name once-${verb}`)).code).toBe(4);
    expect(await sent(since)).toEqual([call]);
  });
  it('is listed, and goes once it is over', { timeout: 60_000 }, async () => {
    expect((await plugin.line('ops')).stdout.match(/ Succeeded /g)?.length).toBeGreaterThan(3);
    const since = await requestsBefore();
    expect(await plugin.line('ops --prune --older-than 1s --yes')).toMatchObject({ code: 0 });
    const { stdout } = await plugin.line('ops');
    expect(stdout).toBe('No operations.\n');
    expect(await changesSince(since)).toEqual([]);
  });
});

describe('uninstall', () => {
  it('shows the steps, and strips nothing while an operator lives', { timeout: 120_000 }, async () => {
    const since = await requestsBefore();
    const { code, stdout } = await plugin.line('uninstall');
    expect([code, stdout]).toEqual([1, expect.stringContaining('Type this again after each step')]);
    expect((await plugin.line('pause cokey/uploads')).code).toBe(0);
    await stage.until(['CloudObjectKey', 'uploads'], (object) => conditionOf(object, 'Synced')?.reason === 'Paused');
    await kubectl('delete', 'cloudobjectkey', 'uploads', '--wait=false');
    const strip = await plugin.line('uninstall --strip --confirm 1');
    expect([strip.code, strip.stderr]).toEqual([3, expect.stringContaining('an operator lives')]);
    expect((await stage.find('CloudObjectKey', 'uploads'))?.metadata.finalizers).toHaveLength(1);
    expect(await changesSince(since)).toEqual([]);
  });
});
