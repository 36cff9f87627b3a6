import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { judgePause } from '../../../src/engine/model/pause.ts';
import { actionsLua, argocdActions, discoveryLua } from '../../../src/generate/chart/argocd-actions.ts';
import { byPeople } from '../../../src/generate/reference/annotations.ts';
import { HealthJudge } from '../../support/status/argo-health.ts';
import { CloudAccess, CloudThing } from './sample-kind.ts';

let lua: HealthJudge;
beforeAll(async () => {
  lua = await HealthJudge.create();
});
afterAll(() => lua.close());

const asking = {
  metadata: { name: 'web' },
  status: { plan: { hash: 'ad73444b3f' }, conditions: [{ type: 'Synced', status: 'False', reason: 'ApprovalRequired' }] },
};
const quiet = { metadata: { name: 'web' }, status: { conditions: [{ type: 'Synced', status: 'True', reason: 'Available' }] } };
const annotated = (object: { metadata: object }, name: string, value: string): object => ({
  ...object,
  metadata: { ...object.metadata, annotations: { [`cloudhosting.dev/${name}`]: value } },
});
const accepted = { ...quiet, status: { ...quiet.status, paused: { until: '2030-01-31T18:00:00Z', at: '2030-01-01T00:00:00Z' } } };
const offered = (object: object): readonly string[] =>
  Object.entries(lua.run(discoveryLua, object) as Record<string, { disabled: boolean }>)
    .filter(([, { disabled }]) => !disabled)
    .map(([name]) => name)
    .toSorted((a, b) => a.localeCompare(b));
const annotations = (action: string, object: object): Record<string, string> =>
  (lua.run(actionsLua[action] ?? '', object) as { metadata: { annotations: Record<string, string> } }).metadata.annotations;

describe('the actions that Argo CD offers', () => {
  it.each([
    ['asks for approval', asking, ['approve', 'pause', 'reconcile']],
    ['is as wanted', quiet, ['pause', 'reconcile']],
    ['has no status', { metadata: { name: 'web' } }, ['pause', 'reconcile']],
    ['is paused', annotated(quiet, 'pause', 'true'), ['resume']],
    ['says that it is not paused', annotated(quiet, 'pause', 'false'), ['pause', 'reconcile']],
    ['is paused until a time that was accepted', accepted, ['resume']],
    ['was approved', { ...asking, status: { ...asking.status, plan: { hash: 'a', approved: { hash: 'a' } } } }, ['pause', 'reconcile']],
  ])('for an object that %s', (_, object, actions) => expect(offered(object)).toEqual(actions));
});

describe('an action', () => {
  it('approves the plan that is shown', () => expect(annotations('approve', asking)).toEqual({ 'cloudhosting.dev/approve': 'ad73444b3f' }));
  it('pauses, and resumes what has no end', () => {
    expect(annotations('pause', quiet)).toEqual({ 'cloudhosting.dev/pause': 'true' });
    expect(annotations('resume', annotated(quiet, 'pause', 'true'))).toEqual({});
  });
  it('resumes what was accepted until a time', () => {
    const resume = annotations('resume', accepted)['cloudhosting.dev/resume'];
    expect(resume).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const { paused } = accepted.status;
    expect(judgePause({ pause: undefined, resume, paused, resumed: undefined, now: 0 }).paused).toBeUndefined();
  });
  it('has it looked at now', () => expect(Object.keys(annotations('reconcile', quiet))).toEqual(['cloudhosting.dev/reconcile-at']));
  it('keeps other annotations', () =>
    expect(annotations('pause', annotated(quiet, 'remote', 'signed'))).toMatchObject({ 'cloudhosting.dev/remote': 'signed' }));
  it('writes only annotations that people may write', () => {
    const written = Object.values(actionsLua).flatMap((script) =>
      [...script.matchAll(/cloudhosting\.dev\/([a-z-]+)/g)].map(([, name = '']) => name),
    );
    expect(written.filter((name) => !(name in byPeople))).toEqual([]);
  });
});

it('there is one script per kind, which defines all that it offers', () => {
  const data = argocdActions([CloudAccess, CloudThing])['data'] as Readonly<Record<string, string>>;
  expect(Object.keys(data)).toEqual(
    ['CloudAccess', 'CloudThing'].map((kind) => `resource.customizations.actions.cloudhosting.dev_${kind}`),
  );
  for (const text of Object.values(data)) {
    const script = parse(text) as { 'discovery.lua': string; definitions: { name: string; 'action.lua': string }[] };
    expect(script['discovery.lua']).toBe(discoveryLua);
    expect(Object.fromEntries(script.definitions.map((one) => [one.name, one['action.lua']]))).toEqual(actionsLua);
  }
});
