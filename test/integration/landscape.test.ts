import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStanding } from '../chaos/evidence/standing.ts';
import { fixtures } from '../conformance/case.ts';
import { onePerKind } from '../demo/samples.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { HealthJudge } from '../support/status/argo-health.ts';
import { unaudited } from '../support/process/audited.ts';
import type { KubeObject } from '../support/world/custom-object.ts';
import { inTime } from '../support/samples/in-time.ts';
import { kstatus } from '../support/status/kstatus.ts';
import { followOutputs } from '../support/process/outputs-on-server.ts';
import { plantedArgs } from '../support/samples/planted.ts';
import { granted, used } from '../support/process/rbac-usage.ts';
import { releaseHeld } from '../support/process/release-held.ts';
import { Stage } from '../support/process/stage.ts';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
interface Sample {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** What nobody takes away: the log, and tags, which are the user's and outlive what carries them. */
const lasting = ['events', 'tags'];

/** Rights that a run like this one has no use for, and when they are used. A right that is in use must not stand here. */
const unneeded: readonly (readonly [right: RegExp, when: string])[] = [
  [/^team-\S+ \S+\.cloudhosting\.dev list$/, 'an API server streams no lists, and watches end with 410'],
  [
    /^team-\S+ cloud(objecturls|operations)\.cloudhosting\.dev get$/,
    'what is issued, or done once, has no remote whose deletion is looked at live',
  ],
];

/**
 * The longest way is that of a database's backup, once the account is connected: the database is made (60 s / 20), its event is polled
 * (2 s), it sets who may reach it in the moment in which the snapshot is asked for, which is refused as busy (10 s until the next try), the
 * snapshot is taken (180 s / 20), and looked for every 15 s: 39 s, and half as much again for a slow machine.
 */
const longestWay = 60_000;

/** Used only when an Event happens to repeat itself. */
const perhaps = /^team-\S+ events\.events\.k8s\.io patch$/;

let stage: Stage;
let samples: readonly Sample[];
let from: number;
const auditLog = (): string => `${stage.folder}/audit.log`;
beforeAll(async () => {
  stage = await Stage.open({ emulator: ['--speed', '20', ...plantedArgs], flags: ['--list-lag=1s'], start: false });
  from = await stage.cluster.auditPosition();
  await stage.start([`--audit-log=${auditLog()}`]);
  const files = (await readdir(`${deploy}samples`)).filter((file) => onePerKind.test(file));
  const read = files.map(async (file) => parse(await readFile(`${deploy}samples/${file}`, 'utf8')) as Sample);
  samples = (await Promise.all(read)).map(emptying);
}, START_TIMEOUT_MS);
afterAll(() => stage.close());

/** The samples leave what is dear in the account; here the account shall be empty in the end. */
const emptying = (sample: Sample): Sample => {
  if (sample.kind === 'CloudAccount')
    return { ...sample, spec: { ...sample.spec, defaults: { ...(sample.spec['defaults'] as object), onDelete: 'Delete' } } };
  if (sample.spec['notAfter'] !== undefined) return { ...sample, spec: inTime(sample.spec) };
  // There is but one instance.
  return sample.kind === 'CloudIPShare' ? { ...sample, spec: { ...sample.spec, instanceRef: { name: 'web' }, addresses: [] } } : sample;
};
const kubectl = async (...args: readonly string[]): Promise<string> =>
  (await stage.cluster.kubectl([...args, '-n', stage.namespace])).stdout;
const live = async (): Promise<readonly KubeObject[]> =>
  (JSON.parse(await kubectl('get', 'cloud', '-o', 'json')) as { items: readonly KubeObject[] }).items;
const pathOf = async (kind: string, name: string): Promise<string> => String((await stage.find(kind, name))?.status?.['path']);

describe('the samples, applied in any order and before their Secrets,', () => {
  it('become Ready one and all, as kubectl wait sees it', async () => {
    await stage.apply(...samples.toReversed().map(({ kind, metadata, spec }) => stage.manifest(kind, metadata.name, spec)));
    for (const { secrets = {} } of fixtures) for (const [name, data] of Object.entries(secrets)) await stage.secret(name, data);
    for (const { configMaps = {} } of fixtures) for (const [name, data] of Object.entries(configMaps)) await stage.configMap(name, data);
    await stage.secret('cloud', { token: stage.emulator.ready.token });
    for (const { kind, metadata } of samples) await stage.ready(kind, metadata.name, longestWay);
    const names = samples.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`);
    const said = await kubectl('wait', '--for=condition=Ready', '--timeout=100s', ...names);
    expect(said.match(/condition met/g)).toHaveLength(samples.length);
    // Before that way the account is connected, and after it the database is looked at once more.
  }, 180_000);

  it('are Current for kstatus and Healthy for Argo CD', async () => {
    const file = parse(await readFile(`${deploy}argocd-health.yaml`, 'utf8')) as { data: Record<string, string> };
    const judge = await HealthJudge.create();
    for (const object of await live()) {
      expect([object.kind, kstatus(object)]).toEqual([object.kind, 'Current']);
      const script = file.data[`resource.customizations.health.cloudhosting.dev_${object.kind}`] ?? '';
      expect([object.kind, judge.judge(script, object).status]).toEqual([object.kind, 'Healthy']);
    }
    judge.close();
  });

  it('have columns that say what they are', async () => {
    for (const { kind, metadata } of samples) {
      const [head = '', row = ''] = (await kubectl('get', kind.toLowerCase(), metadata.name)).split('\n');
      expect(head).toMatch(/^NAME +\S.* READY +SYNCED +AGE$/);
      expect(row).toMatch(new RegExp(`^${metadata.name} +.* True +Available +\\d+m?\\d*s$`));
      expect(row).not.toMatch(/<|undefined|\[object/);
    }
  });

  it('make kubectl wait for an edit, and not only for the state before it', async () => {
    await stage.patch('CloudFirewall', 'web-servers', { spec: { tags: ['prod', 'edge'] } });
    await kubectl('wait', '--for=condition=Ready', '--timeout=30s', 'cloudfirewall/web-servers');
    await stage.until(['CloudFirewall', 'web-servers'], (object) => object?.status?.['observedGeneration'] === object?.metadata.generation);
    const rows = await stage.emulator.control<{ tags: string[] }[]>('GET', '/rows/firewalls');
    expect(rows[0]?.tags).toContain('edge');
  });
});

const correctionOf = (object: KubeObject | undefined): string => JSON.stringify(object?.status?.['lastCorrection'] ?? {});

describe('a change that a colleague made in the account', () => {
  it.each<[string, string, object, string]>([
    ['CloudFirewall', 'web-servers', { tags: ['theirs'] }, 'tags'],
    ['CloudInstance', 'web', { tags: ['theirs'] }, 'tags'],
    ['CloudVolume', 'db-data', { tags: ['theirs'] }, 'tags'],
    ['CloudDomain', 'example-org', { description: 'Theirs' }, 'description'],
    ['CloudDomainRecord', 'www', { target: '198.51.100.9' }, 'target'],
  ])(
    'of a %s is corrected within 15 s, and their name stands there',
    async (kind, name, body, field) => {
      // A second try must not look at the correction of the first.
      const before = correctionOf(await stage.find(kind, name));
      await stage.emulator.actAs('colleague', 'PUT', `/v4${await pathOf(kind, name)}`, body);
      const corrected = await stage.until([kind, name], (object) => correctionOf(object) !== before, 15_000);
      expect(corrected.status?.['lastCorrection']).toMatchObject({ by: 'colleague' });
      expect(JSON.stringify(corrected.status?.['lastCorrection'])).toContain(field);
      await stage.ready(kind, name);
      const said = await kubectl('describe', kind.toLowerCase(), name);
      expect(said).toMatch(/colleague/);
    },
    30_000,
  );
});

it('outputs come into a ConfigMap and a Secret of the namespace, and follow the spec', async () => {
  const path = expect.stringMatching(/^\/dev\/disk\/by-id\//);
  expect(await followOutputs(stage, 'db-data')).toEqual({ FIRST: path, SECOND: path });
}, 120_000);

/** How many were carried out: what was refused as busy did nothing, and is asked for again. */
async function reboots(): Promise<number> {
  const rows = await stage.emulator.requests();
  return rows.filter(({ method, path, status }) => method === 'POST' && path.endsWith('/reboot') && status === 200).length;
}

it('an operation goes by itself some time after its end', async () => {
  const before = await reboots();
  const spec = inTime({ action: 'RebootInstance', target: { name: 'web' }, notAfter: '', ttlSecondsAfterFinished: 1 });
  await stage.apply(stage.manifest('CloudOperation', 'reboot-and-go', spec));
  await stage.gone('CloudOperation', 'reboot-and-go');
  expect((await reboots()) - before).toBe(1);
});

describe('at the end', () => {
  it('kubectl delete leaves an empty account and no Secret of ours', async () => {
    const names = samples.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`);
    // So many at once wait for a person, who does what the account says.
    await kubectl('delete', '--wait=false', ...names);
    await releaseHeld(stage.cluster, stage.namespace, 60_000);
    await kubectl('wait', '--for=delete', '--timeout=100s', ...names);
    const left = async (): Promise<readonly unknown[]> =>
      (await stage.emulator.alive()).filter((life) => life.bornBy === 'admin' && isStanding(life) && !lasting.includes(life.collection));
    // The machines of a cluster's nodes go in the service's own time.
    await expect.poll(left, { timeout: 15_000, interval: 500 }).toEqual([]);
    const secrets = await stage.cluster.kubectl(['get', 'secrets', '-n', stage.installed.release.namespace, '-o', 'name']);
    expect(secrets.stdout.trim().split('\n')).toEqual(['secret/cloud-operator-key']);
  }, 120_000);

  it('every call that changed the account has its line in the audit log', async () =>
    expect(await unaudited(stage.emulator, auditLog())).toEqual([]));

  it('nothing was forbidden to the operator, and what it was given it used', async () => {
    await stage.operator.program.stop();
    const entries = await stage.cluster.auditLog(from);
    const mine = entries.filter(({ user }) => user.username === stage.user);
    expect(mine.length).toBeGreaterThan(100);
    expect(mine.filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([]);
    const [may, did] = [granted(stage.installed.objects, stage.installed.release), used(mine, stage.user)];
    expect([...did].filter((right) => !may.has(right) && !right.includes('selfsubject'))).toEqual([]);
    const unused = [...may].filter((right) => !did.has(right));
    expect(unused.filter((right) => !perhaps.test(right) && !unneeded.some(([known]) => known.test(right)))).toEqual([]);
    expect(unneeded.filter(([known]) => !unused.some((right) => known.test(right)))).toEqual([]);
  });
});
