import { Lua } from 'wasmoon-lua5.1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argocdHealth, healthLua } from '../../../src/generate/argocd.ts';
import { kstatus, type Judged } from '../../support/kstatus.ts';
import { inState, statusRows, type ArgoHealth } from '../../support/status-rows.ts';
import { CloudAccess, CloudThing } from './sample-kind.ts';

/** A proxy of a JavaScript array looks empty to `ipairs`, so the object goes in as Lua source. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `{ ${value.map(literal).join(', ')} }`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `[${JSON.stringify(key)}] = ${literal(item)}`)
    .join(', ')} }`;
}

let lua: Awaited<ReturnType<typeof Lua.create>>;
beforeAll(async () => {
  lua = await Lua.create();
});
afterAll(() => lua.global.close());

function health(object: Judged): { status: ArgoHealth; message: string } {
  const script = `local function judge(obj)\n${healthLua}\nend\nlocal h = judge(${literal(object)})\nreturn h.status .. "|" .. h.message`;
  const [status = '', message = ''] = String(lua.doStringSync(script)).split('|');
  return { status: status as ArgoHealth, message };
}

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
