import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argocdHealth, healthLua } from '../../../src/generate/chart/argocd.ts';
import { HealthJudge } from '../../support/status/argo-health.ts';
import { kstatus, type Judged } from '../../support/status/kstatus.ts';
import { inState, statusRows } from '../../support/status/status-rows.ts';
import { CloudAccess, CloudThing } from './sample-kind.ts';

let judge: HealthJudge;
beforeAll(async () => {
  judge = await HealthJudge.create();
});
afterAll(() => judge.close());

const health = (object: Judged): ReturnType<HealthJudge['judge']> => judge.judge(healthLua, object);

describe.each(statusRows)('an object that is $state', (row) => {
  it(`is ${row.kstatus} for kstatus`, () => expect(kstatus(inState(row))).toBe(row.kstatus));
  it(`is ${row.argo} for Argo CD`, () => expect(health(inState(row)).status).toBe(row.argo));
  it('is on its way for both while an edit was not looked at', () => {
    expect(kstatus(inState(row, 2))).toBe(row.deleting ? 'Terminating' : 'InProgress');
    expect(health(inState(row, 2))).toEqual({ status: 'Progressing', message: 'the operator has not looked at this version yet' });
  });
});

describe('an object that nobody has looked at', () => {
  const unseen = { metadata: { generation: 1 }, status: { observedGeneration: -1 } };
  it('is on its way', () => expect([kstatus(unseen), health(unseen).status]).toEqual(['InProgress', 'Progressing']));
  it('is on its way for Argo CD even without a status', () => expect(health({ metadata: { generation: 1 } }).status).toBe('Progressing'));
});

const message = (state: string): string => {
  const row = statusRows.find((one) => one.state === state);
  return row ? health(inState(row)).message : '';
};

describe('the message that Argo CD shows', () => {
  it.each([
    ['as wanted', 'ready message'],
    ['needs approval, not ready before', 'synced message'],
    ['a person must act: Rejected, not ready before', 'stalled message'],
    ['creating', 'reconciling message'],
    ['deleting, held', 'synced message'],
  ])('of one that is %s is the %s', (state, expected) => expect(message(state)).toBe(expected));
});

it('has one script per kind', () =>
  expect(Object.keys(argocdHealth([CloudAccess, CloudThing])['data'] as object)).toEqual([
    'resource.customizations.health.cloudhosting.dev_CloudAccess',
    'resource.customizations.health.cloudhosting.dev_CloudThing',
  ]));
