import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { reasons } from '../../../src/engine/outcome.ts';

const at = (path: string): URL => new URL(`../../../${path}`, import.meta.url);
const file = (name: string): string => readFileSync(at(`charts/cloud-operator/files/${name}`), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
const alerts = (parse(file('alerts.yaml')) as { groups: readonly { rules: readonly Alert[] }[] }).groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(file('dashboard.json')) as { panels: readonly { title: string; targets: readonly { expr: string }[] }[] };
const expressions = [
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

const sources = readdirSync(at('src/telemetry/')).map((name) => readFileSync(at(`src/telemetry/${name}`), 'utf8'));
const known = new Set(sources.flatMap((text) => [...text.matchAll(/name: '([a-z_]+)'/g)].map(([, name]) => name ?? '')));

describe.each(expressions)('%s', (_, expression) => {
  it('uses metrics that the operator has', () => {
    const used = [...expression.matchAll(/\b(?:cloud_operator|controller_runtime|workqueue)_[a-z_]+/g)].map(([name]) =>
      name.replace(/_bucket$/, ''),
    );
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });
  it('knows only reasons that there are', () => {
    const used = [...expression.matchAll(/reason!?[=~]+"([^"]+)"/g)].flatMap(([, text]) => (text ?? '').split('|'));
    expect(used.filter((reason) => ![...reasons, 'Unseen'].includes(reason))).toEqual([]);
  });
});

it('every alert says what is wrong and what to do', () =>
  expect(alerts.filter(({ annotations, labels }) => !annotations.summary || !annotations.description || !labels.severity)).toEqual([]));
