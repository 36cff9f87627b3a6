import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../controlplane/command.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import type { KubeObject } from '../support/world/custom-object.ts';
import { conditionOf, Stage } from '../support/process/stage.ts';
import { Typed } from '../support/process/typed.ts';

let stage: Stage;
let plugin: Typed;
const typed = (line: string, token?: string) => plugin.line(line, token);
beforeAll(async () => {
  stage = await Stage.open({ emulator: ['--speed', '20'] });
  await stage.account();
  await stage.ready('CloudAccount', 'default');
  plugin = await Typed.on(stage);
}, START_TIMEOUT_MS);
afterAll(() => stage.close());

const volume = (name: string, sizeGiB = 20) => stage.apply(stage.manifest('CloudVolume', name, { region: 'eu-central', sizeGiB }));

/** Token of somebody who may do this in the team's namespace, and nothing else. */
async function user(name: string, rules: readonly object[]): Promise<string> {
  const token = stage.cluster.user(name);
  const metadata = { name, namespace: stage.namespace };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }];
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  await stage.apply({ apiVersion, kind: 'Role', metadata, rules }, { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects });
  return token;
}

interface Managed {
  readonly manager: string;
  readonly fieldsV1: { readonly 'f:metadata'?: { readonly 'f:annotations'?: Readonly<Record<string, unknown>> } };
}
const managersOf = (object: KubeObject | undefined, annotation: string): readonly string[] =>
  ((Reflect.get(object?.metadata ?? {}, 'managedFields') ?? []) as readonly Managed[])
    .filter(({ fieldsV1 }) => fieldsV1['f:metadata']?.['f:annotations']?.[`f:cloudhosting.dev/${annotation}`] !== undefined)
    .map(({ manager }) => manager);

describe('through kubectl', () => {
  it('is found, says what it is, and that the CRDs are of this release', async () => {
    const { code, stdout } = await typed('version');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^kubectl-cloud \d+\.\d+\.\d+, Node\.js v/);
    expect(stdout).toMatch(/cloudvolumes\.cloudhosting\.dev +of this release/);
  });
  it('completes verbs, flags and kinds as kubectl asks for them', async () => {
    const shim = await typed('completion kubectl');
    const file = join(plugin.bin, 'kubectl_complete-cloud');
    await writeFile(file, shim.stdout, { mode: 0o755 });
    const env = { PATH: plugin.path, HOME: stage.folder };
    const verbs = await runCommand(stage.cluster.coordinates.kubectl, ['__complete', 'cloud', 'wa'], { env });
    expect(verbs.stdout).toContain('wait\t');
    const flags = await runCommand(stage.cluster.coordinates.kubectl, ['__complete', 'cloud', 'wait', '--on'], { env });
    expect(flags.stdout).toContain('--on-approval\t');
    const kinds = await runCommand(stage.cluster.coordinates.kubectl, ['__complete', 'cloud', 'why', 'cvo'], { env });
    expect(kinds.stdout).toContain('cvol\t');
  });
  it.each(['bash', 'zsh', 'fish', 'powershell'])('writes a script for %s', async (shell) => {
    expect(await typed(`completion ${shell}`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('kubectl-cloud') as string,
      stderr: '',
    });
  });
  it('starts with 300 ms of work', async () => {
    const env = { PATH: plugin.path, HOME: stage.folder };
    const took: number[] = [];
    // Of the processor, as the machine has other things to do, and the best, as its caches have.
    for (let count = 0; count < 10; count += 1) {
      const { code, stderr } = await runCommand('bash', ['-c', 'TIMEFORMAT="%U %S"; time kubectl-cloud version --client'], { env });
      expect(code).toBe(0);
      took.push(stderr.split(' ').reduce((sum, seconds) => sum + Number(seconds) * 1000, 0));
    }
    expect(Math.min(...took)).toBeGreaterThan(0);
    expect(Math.min(...took)).toBeLessThan(300);
  });
  it('refuses what is wrong with exit code 2, and a cluster that is not there with 4', async () => {
    expect(await typed('aprove')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean approve?') as string });
    expect(await typed('status --kubeconfig /none')).toMatchObject({ code: 4, stdout: '' });
  });
});

describe('what people do with it', () => {
  it('waits for an object, and tells why one waits', async () => {
    await volume('data');
    expect(await typed('wait cvol/data --timeout=60s')).toMatchObject({ code: 0, stdout: expect.stringContaining('Available') as string });
    await stage.apply(stage.manifest('CloudVolume', 'lonely', { instanceRef: { name: 'none' }, sizeGiB: 20 }));
    await stage.until(['CloudVolume', 'lonely'], (object) => conditionOf(object, 'Synced')?.reason === 'ReferenceNotReady');
    const { code, stdout } = await typed('why cvol/lonely');
    expect(code).toBe(1);
    expect(stdout).toContain(`CloudInstance ${stage.namespace}/none: NotFound`);
    expect((await typed('tree')).stdout).toMatch(/CloudInstance .*\/none +\(not found\) ●/);
  });
  it('approves exactly the plan that it shows, under a name that Flux leaves alone', async () => {
    await stage.apply(stage.manifest('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', power: 'Off' }));
    await stage.ready('CloudInstance', 'web');
    await stage.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await stage.until(['CloudInstance', 'web'], (object) => conditionOf(object, 'Synced')?.reason === 'ApprovalRequired');
    expect((await typed('approve cinst/web')).code).toBe(3);
    expect((await typed('approve cinst/web --hash 0000000000 --yes')).code).toBe(3);
    const { code, stderr } = await typed('approve cinst/web --reason more-memory --yes --wait --timeout=90s');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Reboot: it is shut down and started again') as string });
    const approved = await stage.find('CloudInstance', 'web');
    for (const name of ['approve', 'approve-reason']) expect(managersOf(approved, name)).toEqual(['cloud-operator-cli']);
    const { stdout: events } = await stage.cluster.kubectl(['events', '-n', stage.namespace, '--for', 'cloudinstance/web']);
    expect(events).toContain('approved by cloud-operator-cli (more-memory): spec.type');
  });
  it('has an object looked at, and waits until the operator has', async () => {
    await volume('looked');
    await stage.ready('CloudVolume', 'looked');
    const before = (await stage.emulator.requests()).length;
    expect(await typed('reconcile cvol/looked --wait --timeout=60s')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Available') as string,
    });
    const looked = await stage.find('CloudVolume', 'looked');
    expect(looked?.status?.['lastHandledReconcileAt']).toBe(looked?.metadata.annotations?.['cloudhosting.dev/reconcile-at']);
    const path = String(looked?.status?.['path']);
    expect((await stage.emulator.requests()).slice(before).some((one) => one.method === 'GET' && one.path.endsWith(path))).toBe(true);
    expect(await typed('reconcile --account default --wait --timeout=60s')).toMatchObject({ code: 0 });
  });
  it('pauses with a time and resumes, as the operator notes it', async () => {
    await volume('archive');
    await stage.ready('CloudVolume', 'archive');
    expect((await typed('pause cvol/archive --for 2h --reason audit')).code).toBe(0);
    const paused = await stage.until(['CloudVolume', 'archive'], (object) => object?.status?.['paused'] !== undefined);
    expect(paused.status?.['paused']).toMatchObject({ reason: 'audit', by: 'cloud-operator-cli' });
    expect((await typed('resume cvol/archive --yes')).code).toBe(0);
    await stage.until(
      ['CloudVolume', 'archive'],
      (object) => object?.status?.['paused'] === undefined && conditionOf(object, 'Synced')?.reason === 'Available',
    );
  });
});

/** Of who plans in the team's namespace. */
const rights = [
  { apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get', 'list', 'create', 'patch'] },
  { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
];

describe('plan', () => {
  it('tells what the operator then does, and writes nothing: the audit log has dry runs alone, the account reads', async () => {
    const token = await user('planner', rights);
    await stage.apply(stage.manifest('CloudVolume', 'planned', { region: 'eu-central', sizeGiB: 20 }));
    await stage.ready('CloudVolume', 'planned');
    const manifests = [
      stage.manifest('CloudVolume', 'planned', { region: 'eu-central', sizeGiB: 40 }),
      stage.manifest('CloudDomain', 'planned', { domain: 'planned.example.org', type: 'master', soaEmail: 'dns@example.org' }),
    ];
    const file = join(stage.folder, 'planned.yaml');
    await writeFile(file, manifests.map((one) => JSON.stringify(one)).join('\n---\n'));
    const from = await stage.cluster.auditPosition();
    const before = (await stage.emulator.requests()).length;
    const { code, stdout, stderr } = await typed(
      `plan -f ${file} --operator-namespace ${stage.installed.release.namespace} -o json`,
      token,
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('reading as user') as string });
    const mine = (await stage.cluster.auditLog(from)).filter((entry) => entry.user.username === 'planner');
    const sent = mine.filter(({ verb }) => !['get', 'list'].includes(verb));
    expect(sent.map(({ verb }) => verb).toSorted()).toEqual(['create', 'patch']);
    expect(sent.filter(({ requestURI }) => !requestURI.includes('dryRun=All'))).toEqual([]);
    const changing = async () => (await stage.emulator.requests()).slice(before).filter(({ method }) => method !== 'GET');
    expect(await changing()).toEqual([]);
    const { data } = JSON.parse(stdout) as { data: { objects: { action: string; calls: { method: string; path: string }[] }[] } };
    expect(data.objects.map(({ action }) => action)).toEqual(['change', 'create']);
    await stage.apply(...manifests);
    await stage.ready('CloudDomain', 'planned');
    await stage.until(['CloudVolume', 'planned'], (object) => object?.status?.['sizeGiB'] === 40);
    const done = (await changing()).map(({ method, path }) => `${method} ${path.replace(/^\/v4/, '')}`);
    expect(done.toSorted()).toEqual(data.objects.flatMap(({ calls }) => calls.map(({ method, path }) => `${method} ${path}`)).toSorted());
  });
});

describe('plan against the cluster', () => {
  it('asks the API server in dry runs and nobody else: no Secret is read, and no request goes to the account', async () => {
    const token = await user('reviewer', [rights[0] ?? {}]);
    await stage.apply(stage.manifest('CloudInstance', 'reviewed', { region: 'eu-central', type: 'g6-nanode-1' }));
    await stage.ready('CloudInstance', 'reviewed');
    const file = join(stage.folder, 'reviewed.yaml');
    const manifest = stage.manifest('CloudInstance', 'reviewed', { region: 'eu-central', type: 'g6-standard-1' });
    await writeFile(file, JSON.stringify(manifest));
    const from = await stage.cluster.auditPosition();
    const { code, stdout } = await typed(`plan -f ${file} --against cluster -o json`, token);
    const mine = (await stage.cluster.auditLog(from)).filter((entry) => entry.user.username === 'reviewer');
    expect(mine.filter(({ verb, requestURI }) => !['get', 'list'].includes(verb) && !requestURI.includes('dryRun=All'))).toEqual([]);
    expect(mine.filter(({ requestURI, verb }) => verb === 'get' && requestURI.includes('/secrets/'))).toEqual([]);
    const { data } = JSON.parse(stdout) as { data: { objects: object[] } };
    expect({ code, objects: data.objects }).toMatchObject({
      code: 1,
      objects: [{ action: 'change', effect: 'Reboot', needsApproval: true }],
    });
    const offline = await typed(`plan -f ${file} --base ${stage.folder}/none --against none --kubeconfig /none`);
    expect(offline.code).toBe(2);
    await writeFile(
      join(stage.folder, 'before.yaml'),
      JSON.stringify(stage.manifest('CloudInstance', 'reviewed', { region: 'eu-central', type: 'g6-nanode-1' })),
    );
    const compared = await typed(`plan -f ${file} --base ${stage.folder}/before.yaml --against none --kubeconfig /none -o json`);
    expect(compared.code).toBe(1);
    expect(JSON.parse(compared.stdout)).toMatchObject({ data: { objects: [{ action: 'change', effect: 'Reboot' }] } });
  });
});

describe('plan of what kustomize builds', () => {
  it('writes what approves it beside it: built with that, the same plan asks nobody, and one apply is carried out', async () => {
    await stage.apply(stage.manifest('CloudInstance', 'merged', { region: 'eu-central', type: 'g6-nanode-1', power: 'Off' }));
    await stage.ready('CloudInstance', 'merged');
    const folder = join(stage.folder, 'merged');
    await mkdir(join(folder, 'approvals'), { recursive: true });
    const whole = stage.manifest('CloudInstance', 'merged', { region: 'eu-central', type: 'g6-standard-1', power: 'Off' });
    await writeFile(join(folder, 'web.yaml'), JSON.stringify({ ...whole, metadata: { name: 'merged' } }));
    const kustomization = (more: string) =>
      writeFile(join(folder, 'kustomization.yaml'), `namespace: ${stage.namespace}\nresources: [web.yaml]\n${more}`);
    await kustomization('');
    const line = `plan -k ${folder} --operator-namespace ${stage.installed.release.namespace} -o json`;
    const planned = async (more: string) =>
      (JSON.parse((await typed(`${line}${more}`)).stdout) as { data: { objects: { needsApproval: boolean }[] } }).data.objects;
    expect(await planned(` --approvals ${join(folder, 'approvals/kustomization.yaml')}`)).toMatchObject([{ needsApproval: true }]);
    await kustomization('components: [approvals]\n');
    expect(await planned('')).toMatchObject([{ action: 'change', needsApproval: false }]);
    const before = (await stage.emulator.requests()).length;
    await stage.cluster.kubectl(['apply', '-k', folder]);
    await stage.until(['CloudInstance', 'merged'], (object) => object?.status?.['type'] === 'g6-standard-1');
    await stage.ready('CloudInstance', 'merged');
    const path = String((await stage.find('CloudInstance', 'merged'))?.status?.['path']);
    const sent = (await stage.emulator.requests()).slice(before).filter((one) => one.method !== 'GET' && one.path.includes(path));
    expect(sent.filter((one) => one.path.endsWith('/resize'))).toHaveLength(1);
    const odd = await typed(`plan -k ${join(folder, 'none')} --operator-namespace ${stage.installed.release.namespace}`);
    expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be built') as string });
  });
});

describe('what reads the account', () => {
  // Listings are kept for 30 s, their rows for 60 s: neither is waited for.
  it.each(['get volumes', 'events', 'plan cvol/seen'])('%s ends with its answer', async (line) => {
    // Of this namespace alone: other stages have accounts of the same id, and objects of the same paths.
    const token = await user('looker', rights);
    await volume('seen');
    await stage.ready('CloudVolume', 'seen');
    const begun = systemClock.monotonic();
    const { code, stdout } = await typed(`${line} --operator-namespace ${stage.installed.release.namespace}`, token);
    expect(systemClock.monotonic() - begun).toBeLessThan(15_000);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/./) as string });
  });
});

describe('doctor', () => {
  it('looks at all that there is, by reads alone, and finds the way to the account and its token in order', async () => {
    const from = await stage.cluster.auditPosition();
    const token = await user('doctor', rights);
    const line = `doctor --account --gitops --recovery --operator-namespace ${stage.installed.release.namespace} -o json`;
    const { stdout, stderr } = await typed(line, token);
    const { findings } = (JSON.parse(stdout) as { data: { findings: { id: string; severity: string; seen: string }[] } }).data;
    expect({ stderr, ids: new Set(findings.map(({ id }) => id)).size }).toEqual({ stderr: '', ids: 29 });
    const way = findings.filter(({ id }) => ['D06', 'D07', 'D08', 'D09', 'D10', 'D12'].includes(id));
    expect(way.filter(({ severity }) => severity !== 'ok')).toEqual([]);
    // What this user may not read is said.
    expect(findings.filter(({ id }) => id === 'D01').map(({ seen }) => seen)).toContain(
      'you may not list pods, so what that would show is not looked at',
    );
    const mine = (await stage.cluster.auditLog(from)).filter((entry) => entry.user.username === 'doctor');
    expect(mine.filter(({ verb }) => !['get', 'list'].includes(verb))).toEqual([]);
  });
});

describe('doctor --as-ci', () => {
  it('tries by dry runs what a job may do, and names what it may not', async () => {
    const line = `doctor --as-ci --operator-namespace ${stage.installed.release.namespace} -o json`;
    const asked = async (token: string): Promise<readonly { severity: string; seen: string }[]> =>
      (
        JSON.parse((await typed(line, token)).stdout) as { data: { findings: { id: string; severity: string; seen: string }[] } }
      ).data.findings.filter(({ id }) => id === 'D30');
    const from = await stage.cluster.auditPosition();
    expect(await asked(await user('job', rights))).toMatchObject([{ severity: 'ok' }]);
    const without = await asked(
      await user('job-that-reads', [{ apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get', 'list'] }]),
    );
    expect(without.map(({ seen }) => seen)).toContain(
      `a job with these rights may not patch cloudvolumes.cloudhosting.dev in namespace ${stage.namespace}, so it cannot have a manifest looked at by the API server`,
    );
    const mine = (await stage.cluster.auditLog(from)).filter((entry) => entry.user.username.startsWith('job'));
    const sent = mine.filter(({ verb }) => !['get', 'list'].includes(verb));
    expect(new Set(sent.map(({ verb }) => verb))).toEqual(new Set(['create', 'patch']));
    expect(sent.filter(({ requestURI }) => !requestURI.includes('dryRun=All'))).toEqual([]);
  });
});

describe("with somebody else's rights", () => {
  it('reads with get, list and watch alone, and names the right that a gesture lacks', async () => {
    const token = await user('reader', [{ apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get', 'list', 'watch'] }]);
    await volume('read');
    await stage.ready('CloudVolume', 'read');
    const from = await stage.cluster.auditPosition();
    for (const line of ['status', 'why cvol/read', 'tree --secrets', 'wait cvol/read', 'version', 'approve --list', 'pause --list'])
      expect([0, 1]).toContain((await typed(line, token)).code);
    const mine = (await stage.cluster.auditLog(from)).filter(({ user }) => user.username === 'reader');
    expect(mine.length).toBeGreaterThan(10);
    expect(mine.filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))).toEqual([]);
    const { code, stderr } = await typed('pause cvol/read', token);
    expect(code).toBe(4);
    expect(stderr).toContain(`The right that is missing: patch cloudvolumes.cloudhosting.dev in namespace ${stage.namespace}`);
  });
});
