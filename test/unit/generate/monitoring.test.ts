import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { reasons } from '../../../src/engine/model/outcome.ts';
import { Metrics } from '../../../src/telemetry/metrics.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

const file = (name: string): string => readFileSync(new URL(`../../../charts/cloud-operator/files/${name}`, import.meta.url), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string };
}
const alerts = (parse(file('alerts.yaml')) as { groups: readonly { rules: readonly Alert[] }[] }).groups.flatMap(({ rules }) => rules);
interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}
const { panels } = JSON.parse(file('dashboard.json')) as { panels: readonly Panel[] };
/** Name, expression, and the text that fills in the labels of what the expression answers. */
const expressions = [
  ...alerts.map(({ alert, expr, annotations }) => [alert, expr, Object.values(annotations).join(' ')] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr, legendFormat }) => [title, expr, legendFormat] as const)),
];

/** What Prometheus and the ServiceMonitor say of the place that they read. */
const ofTarget = ['job', 'instance', 'namespace', 'service', 'pod'];
/** Metric -> labels, of an operator to which everything has happened once. */
const shown = new Map<string, Set<string>>([['up', new Set(ofTarget)]]);

async function everything(): Promise<string> {
  const metrics = new Metrics({ version: '1.2.3', commit: 'abc' }, new VirtualClock());
  metrics.begin(['CloudVolume'], 'cloud-operator');
  metrics.mismatched(['CloudVolume']);
  metrics.requested({ code: '200', method: 'GET', host: '10.0.0.1:443' });
  metrics.work.queued('CloudVolume', 'add', 0);
  metrics.work.queued('CloudVolume', 'start', 5);
  metrics.work.reconciled('CloudVolume', 'success', 5);
  metrics.changes.accepted({ kind: 'CloudVolume', uid: 'a', effect: 'InPlace', cause: 'edit' });
  metrics.changes.driftSeen('CloudVolume', 1000);
  const metadata = { namespace: 'shop', name: 'data', uid: 'a', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' };
  const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
  metrics.changes.watched('CloudVolume', undefined, { metadata });
  metrics.changes.jobEnded('CloudVolume', metadata, 500);
  metrics.changes.watched('CloudVolume', { metadata }, { metadata, status: ready });
  metrics.changes.watched('CloudVolume', { metadata }, { metadata: { ...metadata, generation: 2 }, status: ready });
  metrics.changes.changing({ kind: 'CloudVolume', uid: 'a', effect: 'InPlace', cause: 'edit' });
  metrics.account.called({ method: 'GET', template: '/volumes', status: 200, seconds: 0.2 });
  metrics.account.budget('E1', 'read', 90);
  const conditions = ['Ready', 'Synced'].map((type) => ({ type, status: 'False', reason: 'Busy' }));
  const objects = [{ kind: 'CloudVolume', metadata: { namespace: 'shop' }, status: { account: 'E1', conditions } }];
  metrics.follow({
    objects: () => objects,
    connections: () => [{ account: 'E1', eventsLag: 4, snapshotAge: 120, queueAge: { edit: 1 } }],
    accountLeases: () => [{ held: true }],
    owned: () => [{ namespace: 'shop', account: 'E1', readOnly: true, missingScopes: 1, maintenance: 1, held: 1 }],
  });
  return metrics.text();
}
beforeAll(async () => {
  for (const [, name = '', labels = ''] of (await everything()).matchAll(/^([a-z_]+)\{(.*)\} [^ ]+$/gm)) {
    const names = [...labels.matchAll(/([a-z]+)="/g)].map(([, label = '']) => label);
    shown.set(name, new Set([...ofTarget, ...(shown.get(name) ?? []), ...names]));
  }
});

const words = (text = ''): readonly string[] => text.split(',').map((word) => word.trim());
const used = (expression: string): readonly string[] =>
  [...expression.matchAll(/\b(?:cloud_operator|controller_runtime|workqueue|leader_election)_[a-z_]+|\bup\b/g)].map(([name]) => name);

const values = (expression: string, label: string): readonly string[] =>
  [...expression.matchAll(new RegExp(`${label}[!=~]+"([^"]+)"`, 'g'))].flatMap(([, value]) => (value ?? '').split('|'));

describe.each(expressions)('%s', (_, expression, text) => {
  it('uses metrics that the operator has', () => {
    expect(used(expression)).not.toEqual([]);
    expect(used(expression).filter((name) => !shown.has(name))).toEqual([]);
  });
  it('selects by labels that they have', () => {
    const selected = [...expression.matchAll(/([a-z_]+)\{([^}]*)\}/g)].flatMap(([, name = '', matchers]) =>
      [...(matchers ?? '').matchAll(/([a-z]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => [name, label] as const),
    );
    expect(selected.filter(([name, label]) => shown.get(name)?.has(label) !== true)).toEqual([]);
  });
  it('groups by labels that they have, and shows no other', () => {
    const groups = [...expression.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].map(([, labels]) => words(labels));
    const lacking = groups.flatMap((labels) =>
      labels.filter((label) => label !== 'le' && !used(expression).some((name) => shown.get(name)?.has(label))),
    );
    expect(lacking).toEqual([]);
    const filledIn = [...text.matchAll(/\$labels\.([a-z]+)|\{\{([a-z]+)\}\}/g)].map(([, ofAlert, ofLegend]) => ofAlert ?? ofLegend ?? '');
    expect(filledIn.filter((label) => groups[0]?.includes(label) !== true)).toEqual([]);
  });
  it('knows only reasons and conditions that there are', () => {
    expect(values(expression, 'reason').filter((reason) => ![...reasons, 'Unseen'].includes(reason))).toEqual([]);
    expect(values(expression, 'condition').filter((type) => !['Ready', 'Synced', 'Reconciling', 'Stalled'].includes(type))).toEqual([]);
  });
  it('leaves out what other controllers show under the same name', () => {
    const own = expression.replaceAll(/ and on \(instance\) \(.*?\)/g, '');
    const common = [...own.matchAll(/\b(?:(?:controller_runtime|workqueue|leader_election)_[a-z_]+|up\b)(\{[^}]*\})?/g)];
    expect(common.filter(([, selector = '']) => !/Cloud|RELEASE_NAME/.test(selector)).map(([name]) => name)).toEqual([]);
  });
});

it('every alert says what is wrong, what to do, and where that is explained', () =>
  expect(
    alerts.filter(
      ({ alert, annotations, labels }) =>
        !annotations.summary ||
        !annotations.description ||
        !['info', 'warning', 'critical'].includes(labels.severity) ||
        annotations.runbook_url !== `RUNBOOKS#${alert.toLowerCase()}`,
    ),
  ).toEqual([]));

it('every alert is seen to fire by a test of promtool', () => {
  const text = readFileSync(new URL('../../prometheus/alerts.promtool.yaml', import.meta.url), 'utf8');
  const { tests } = parse(text, { merge: true }) as {
    tests: readonly { alert_rule_test: readonly { alertname: string; exp_alerts?: readonly unknown[] }[] }[];
  };
  const fires = new Set(
    tests.flatMap((test) => test.alert_rule_test.filter((one) => (one.exp_alerts ?? []).length > 0).map(({ alertname }) => alertname)),
  );
  expect(alerts.map(({ alert }) => alert).filter((alert) => !fires.has(alert))).toEqual([]);
});

/** Reasons of which nobody needs to be told. */
const quiet: Readonly<Record<string, string>> = {
  Available: 'all is as wanted',
  Observed: 'somebody asked for this and nothing else: `lifecycle.management: Observe`',
};
/** Whether an alert is about objects that wait for this reason. */
const selects = ({ expr }: Alert, reason: string, stalled: boolean): boolean =>
  [...expr.matchAll(/cloud_operator_objects_waiting\{([^}]*)\}/g)].some(([, selector = '']) =>
    [...selector.matchAll(/(reason|stalled)(=~|!~|!=|=)"([^"]*)"/g)].every(([, label, operator, pattern = '']) => {
      const matches = new RegExp(`^(?:${pattern})$`).test(label === 'reason' ? reason : String(stalled));
      return operator?.startsWith('!') === true ? !matches : matches;
    }),
  );
const told = (reason: string, stalled: boolean): readonly string[] =>
  alerts.filter((alert) => selects(alert, reason, stalled)).map(({ alert }) => alert);

describe('an object that is not as wanted', () => {
  it.each(reasons.filter((reason) => !(reason in quiet)))('because of %s is told by an alert', (reason) => {
    expect(told(reason, false)).not.toEqual([]);
    expect(told(reason, true)).toContain('CloudObjectsStalled');
  });
  it('is told by no alert where nobody needs to know', () => {
    expect(Object.keys(quiet).filter((reason) => !reasons.includes(reason as (typeof reasons)[number]))).toEqual([]);
    expect(told('Observed', false)).toEqual([]);
  });
});
