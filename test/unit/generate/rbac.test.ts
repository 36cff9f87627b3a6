import { describe, expect, it } from 'vitest';
import {
  clusterRules,
  editRules,
  objectRules,
  ownRules,
  roles,
  secretRules,
  viewRules,
  type Rule,
} from '../../../src/generate/chart/rbac.ts';
import { CloudAccess, CloudThing } from './sample-kind.ts';

const kinds = [CloudAccess, CloudThing];
const everything: readonly Rule[] = roles(kinds).flatMap((role) => (role['rules'] ?? []) as readonly Rule[]);
const verbsOf = (rules: readonly Rule[], resource: string): readonly string[] =>
  rules.filter(({ resources }) => resources.includes(resource)).flatMap(({ verbs }) => verbs);

describe('what the operator may do', () => {
  it('names every group, resource and verb', () =>
    expect(
      everything.flatMap(({ apiGroups, resources, verbs }) => [...apiGroups, ...resources, ...verbs]).filter((word) => word.includes('*')),
    ).toEqual([]));
  it('never lists or watches Secrets', () =>
    expect(verbsOf([...objectRules(kinds), ...secretRules(kinds), ...ownRules('x'), ...clusterRules(kinds)], 'secrets')).not.toEqual(
      expect.arrayContaining(['list']),
    ));
  it('writes Secrets and ConfigMaps where a kind gives something out, and neither lists nor deletes them', () => {
    const [giving, others] = [secretRules([CloudThing]), secretRules([CloudAccess])];
    for (const resource of ['secrets', 'configmaps']) expect(verbsOf(giving, resource)).toEqual(['get', 'create', 'patch']);
    expect(verbsOf(others, 'secrets')).toEqual(['get']);
    expect(verbsOf(others, 'configmaps')).toEqual([]);
  });
  it('does not write specs by update, nor create or delete objects', () => {
    expect(verbsOf(objectRules(kinds), 'cloudthings')).toEqual(['get', 'list', 'watch', 'patch']);
    expect(verbsOf(objectRules(kinds), 'cloudthings/status')).toEqual(['patch']);
  });
  it('takes leases and gives them back in every namespace, and neither lists nor deletes them', () => {
    expect(verbsOf(objectRules(kinds), 'leases')).toEqual(['get', 'create', 'update']);
    expect(verbsOf(ownRules('x'), 'leases')).toEqual(['get', 'update', 'create']);
  });
  it('reads only its own CRDs and one namespace', () =>
    expect(clusterRules(kinds).map(({ resourceNames }) => resourceNames)).toEqual([
      ['cloudaccesses.cloudhosting.dev', 'cloudthings.cloudhosting.dev'],
      ['kube-system'],
    ]));
});

describe('what users get with their roles', () => {
  it.each([
    ['view', viewRules(kinds)],
    ['edit', editRules(kinds)],
  ])('%s has no account in it', (_, rules) => expect(rules.flatMap(({ resources }) => resources)).toEqual(['cloudthings']));
  it('cannot write a status', () => expect(JSON.stringify([viewRules(kinds), editRules(kinds)])).not.toContain('/status'));
});
