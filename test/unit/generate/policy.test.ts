import { Environment } from '@marcbachmann/cel-js';
import { describe, expect, it } from 'vitest';
import { keyPolicySpec, protectPolicySpec } from '../../../src/generate/chart/policy.ts';
import { CloudAccess, CloudThing } from './sample-kind.ts';

const policy = protectPolicySpec([CloudAccess, CloudThing]);
const [validation] = policy.validations;
const environment = new Environment().registerVariable('oldObject', 'map');
const evaluate = (expression: string | undefined, spec: object | undefined): unknown =>
  environment.evaluate(expression ?? '', { oldObject: { kind: 'CloudThing', metadata: { name: 'a' }, ...(spec && { spec }) } });

describe('deletion', () => {
  it.each([
    [{ lifecycle: { protect: true } }, false],
    [{ lifecycle: { protect: false } }, true],
    [{ lifecycle: {} }, true],
    [{}, true],
    [undefined, true],
  ])('of an object with spec %j is let through: %s', (spec, expected) => expect(evaluate(validation?.expression, spec)).toBe(expected));
  it('is refused with the name and what to do', () =>
    expect(evaluate(validation?.messageExpression, {})).toMatch(/^CloudThing a has .*set it to false first/));
  it('is looked at for every kind', () =>
    expect(policy.matchConstraints.resourceRules).toEqual([
      { apiGroups: ['cloudhosting.dev'], apiVersions: ['v1alpha1'], operations: ['DELETE'], resources: ['cloudaccesses', 'cloudthings'] },
    ]));
});

const judge = (expression: string | undefined, metadata: object): unknown =>
  environment.evaluate(expression ?? '', { oldObject: { metadata: { name: 'cloud-operator-key', namespace: 'ops', ...metadata } } });

describe('deletion of the key Secret', () => {
  const [rule] = keyPolicySpec.validations;
  it.each([
    [{ labels: { 'cloudhosting.dev/in-use': 'true' } }, false],
    [{ labels: { 'app.kubernetes.io/managed-by': 'cloud-operator' } }, true],
    [{ labels: {} }, true],
    [{}, true],
    [{ name: 'other', labels: { 'cloudhosting.dev/in-use': 'true' } }, true],
  ])('with %j is let through: %s', (metadata, expected) => expect(judge(rule?.expression, metadata)).toBe(expected));
  it('is refused with what would be lost and what to do', () =>
    expect(judge(rule?.messageExpression, {})).toMatch(/^Secret ops\/cloud-operator-key .*cloud-operator key export/));
  it('is looked at without a name in the rule: a namespace that is deleted names none', () =>
    expect(keyPolicySpec.matchConstraints.resourceRules).toEqual([
      { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['secrets'] },
    ]));
});
