import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../controlplane/free-port.ts';
import { thisMachine } from '../controlplane/programs/machine.ts';
import { findPrometheus } from '../controlplane/programs/prometheus.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { Program } from '../support/process/program.ts';
import { only, renderChart, type RenderedObject } from '../support/process/rendered-chart.ts';
import { conditionOf, Stage } from '../support/process/stage.ts';

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}
interface Rule {
  readonly name: string;
  readonly state: string;
  readonly health: string;
  readonly lastError?: string;
}

let stage: Stage;
let chart: readonly RenderedObject[];
let prometheus: Program | undefined;
let url: string;
beforeAll(async () => {
  const { prometheus: file } = await findPrometheus(thisMachine((line) => process.stderr.write(`${line}\n`)));
  stage = await Stage.open({ emulator: ['--speed', '20'], flags: ['--commit-bound=1s', '--list-lag=1s'] });
  await stage.account();
  await stage.apply(stage.manifest('CloudDomain', 'example-org', { domain: 'example.org', type: 'master', soaEmail: 'admin@example.org' }));
  await stage.ready('CloudDomain', 'example-org');
  // One that finds objects reads their collections whole at once; for one that made them that is minutes away.
  await stage.operator.program.stop();
  await stage.start();
  const create = { create: true };
  const metrics = { serviceMonitor: create, rules: create, dashboard: create };
  chart = await renderChart({ endpoints: [{ name: 'main', url: 'https://api.example.com/v4' }], metrics }, stage.installed.release);
  prometheus = await scrape(file);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await prometheus?.stop();
  await stage.close();
});

/** Prometheus, as the chart's ServiceMonitor and PrometheusRule tell it, with the labels that it takes from Service and pod. */
async function scrape(file: string): Promise<Program> {
  const { name, namespace } = stage.installed.release;
  const monitor = only(chart, 'ServiceMonitor', name)['spec'] as { endpoints: readonly { honorLabels: boolean }[] };
  const rules = join(stage.folder, 'rules.yaml');
  await writeFile(rules, JSON.stringify(only(chart, 'PrometheusRule', name)['spec']));
  const target = {
    targets: [new URL(stage.operator.metricsUrl).host],
    labels: { namespace, service: `${name}-metrics`, pod: `${name}-0` },
  };
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: [{ job_name: 'operator', honor_labels: monitor.endpoints[0]?.honorLabels, static_configs: [target] }],
  };
  await writeFile(join(stage.folder, 'prometheus.yaml'), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  url = `http://${address}`;
  const storage = join(stage.folder, 'prometheus');
  const script = [`--config.file=${stage.folder}/prometheus.yaml`, `--storage.tsdb.path=${storage}`, `--web.listen-address=${address}`];
  const program = new Program({ name: 'prometheus', file, script, folder: stage.folder });
  await program.line((line) => line.includes('Server is ready to receive web requests'));
  return program;
}

async function asked<T>(path: string): Promise<T> {
  const answer = await request(`${url}/api/v1/${path}`);
  const { status, data, error } = (await answer.body.json()) as { status: string; data: T; error?: string };
  if (status !== 'success') throw new Error(`${path}: ${error}`);
  return data;
}
const answers = async (expr: string): Promise<readonly object[]> =>
  (await asked<{ result: readonly object[] }>(`query?query=${encodeURIComponent(expr)}`)).result;

/** A machine that is made, an edit, a change by hand, and an object that only a person can help. */
async function live(): Promise<void> {
  await stage.secret('root', { password: 'Canary-Horse-9-Battery' });
  const machine = {
    region: 'us-southeast',
    type: 'g6-nanode-1',
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'root', key: 'password' },
  };
  await stage.apply(
    stage.manifest('CloudInstance', 'web', machine),
    stage.manifest('CloudInstance', 'odd', { ...machine, type: 'g6-nanode-9' }),
  );
  await stage.ready('CloudInstance', 'web', 60_000);
  const { status } = await stage.ready('CloudDomain', 'example-org');
  await stage.until(['CloudInstance', 'odd'], (object) => conditionOf(object, 'Stalled')?.status === 'True');
  await stage.patch('CloudDomain', 'example-org', { spec: { description: 'Our site' } });
  await stage.until(['CloudDomain', 'example-org'], (object) => conditionOf(object, 'Synced')?.observedGeneration === 2);
  const body = { soa_email: 'other@example.org' };
  await stage.emulator.control('POST', '/as', { username: 'colleague', method: 'PUT', path: `/v4${String(status?.['path'])}`, body });
  await stage.until(['CloudDomain', 'example-org'], (object) => object?.status?.['lastCorrection'] !== undefined, 60_000);
}

describe('a Prometheus that scrapes the operator at work', { timeout: 240_000 }, () => {
  it('has an answer to every query of the dashboard', async () => {
    await live();
    const dashboard = JSON.parse(
      (only(chart, 'ConfigMap', `${stage.installed.release.name}-dashboard`)['data'] as Record<string, string>)['cloud-operator.json'] ??
        '',
    ) as { panels: readonly Panel[] };
    const queries = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));
    expect(queries.length).toBeGreaterThan(10);
    const unanswered = async (): Promise<readonly unknown[]> => {
      const results = await Promise.all(queries.map(async ([title, expr]) => ({ title, expr, found: await answers(expr) })));
      return results.filter(({ found }) => found.length === 0);
    };
    await expect.poll(unanswered, { timeout: 30_000, interval: 1000 }).toEqual([]);
  });
  it('can evaluate every alert, and alerts because of what is wrong and nothing else', async () => {
    const rules = async (): Promise<readonly Rule[]> =>
      (await asked<{ groups: readonly { rules: readonly Rule[] }[] }>('rules')).groups.flatMap((group) => group.rules);
    const raised = async (): Promise<readonly string[]> =>
      (await rules()).filter(({ state }) => state !== 'inactive').map(({ name, state }) => `${name} ${state}`);
    await expect.poll(raised, { timeout: 30_000, interval: 1000 }).toEqual(['CloudObjectsStalled pending']);
    expect((await rules()).filter(({ health }) => health !== 'ok')).toEqual([]);
    const [alert] = (await asked<{ alerts: readonly { labels: object }[] }>('alerts')).alerts;
    expect(alert?.labels).toMatchObject({ kind: 'CloudInstance', reason: 'InvalidSpec', namespace: stage.namespace });
  });
});
