import { Environment } from '@marcbachmann/cel-js';
import { describe, expect, it } from 'vitest';
import { healthCheckExprs } from '../../../src/generate/chart/flux.ts';
import type { Judged } from '../../support/status/kstatus.ts';
import { inState, statusRows } from '../../support/status/status-rows.ts';
import { CloudThing } from './sample-kind.ts';

const [expressions] = healthCheckExprs([CloudThing]);
const environment = new Environment().registerVariable('status', 'map').registerVariable('metadata', 'map');

/** As Flux does it: what is on its way first, then what failed, then what is as it should be; else on its way. */
function judged(object: Judged): string {
  const facts = { status: object.status ?? {}, metadata: object.metadata };
  const holds = (text = 'false'): boolean => environment.evaluate(text, facts) === true;
  if (holds(expressions?.inProgress)) return 'InProgress';
  if (holds(expressions?.failed)) return 'Failed';
  return holds(expressions?.current) ? 'Current' : 'InProgress';
}

/** What Argo CD says is what Flux says, but that it has a word for what waits for a person. */
const twin: Readonly<Record<string, string>> = { Healthy: 'Current', Degraded: 'Failed', Suspended: 'Failed', Progressing: 'InProgress' };

describe('for Flux', () => {
  it.each(statusRows.filter(({ deleting }) => !deleting))('an object that is $state is what it is for Argo CD', (row) =>
    expect(judged(inState(row))).toBe(twin[row.argo]),
  );
  it('an object is on its way while an edit, or all of it, was not looked at', () => {
    expect(statusRows.map((row) => judged(inState(row, 2))).filter((word) => word !== 'InProgress')).toEqual([]);
    expect(judged({ metadata: { generation: 1 }, status: { observedGeneration: -1 } })).toBe('InProgress');
    expect(judged({ metadata: { generation: 1 } })).toBe('InProgress');
  });
});
