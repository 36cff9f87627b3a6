import { Environment } from '@marcbachmann/cel-js';
import { describe, expect, it } from 'vitest';
import { objectRules, specRules } from '../../../src/generate/schema/cel.ts';
import { schemaOf } from '../../../src/generate/schema/schema.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import { CloudAccess, CloudThing } from './sample-kind.ts';

type Spec = Readonly<Record<string, unknown>>;
const environment = new Environment().registerVariable('self', 'map').registerVariable('oldSelf', 'map');
const rules = specRules(CloudThing, ['region']).filter(({ rule }) => rule.includes('oldSelf'));

/** Messages of the transition rules that refuse this edit. */
const refusals = (before: Spec, after: Spec): readonly string[] =>
  rules.filter(({ rule }) => environment.evaluate(rule, { self: after, oldSelf: before }) !== true).map(({ fieldPath }) => fieldPath ?? '');

const allow = { lifecycle: { replace: 'Allow' } };

describe('an edit of a spec', () => {
  it.each<[string, Spec, Spec, readonly string[]]>([
    ['nothing changed', { region: 'a' }, { region: 'a' }, []],
    ['a required immutable field is changed', { region: 'a' }, { region: 'b' }, ['.region']],
    ['... where replacing is allowed', { region: 'a' }, { region: 'b', ...allow }, []],
    ['... where it was allowed only before', { region: 'a', ...allow }, { region: 'b' }, ['.region']],
    ['... where lifecycle says something else', { region: 'a' }, { region: 'b', lifecycle: { protect: true } }, ['.region']],
    ['an optional immutable field is set later', { region: 'a' }, { region: 'a', flavour: 'plain' }, ['.flavour']],
    ['... is taken away', { region: 'a', flavour: 'plain' }, { region: 'a' }, ['.flavour']],
    ['... is changed', { region: 'a', flavour: 'plain' }, { region: 'a', flavour: 'fancy' }, ['.flavour']],
    [
      'an immutable reference is changed',
      { region: 'a', domainRef: { name: 'x' } },
      { region: 'a', domainRef: { name: 'y' } },
      ['.domainRef'],
    ],
    ['a mutable field is changed', { region: 'a', label: 'x' }, { region: 'a', label: 'y' }, []],
    ['the account is changed', { accountRef: { name: 'x' } }, { accountRef: { name: 'y' } }, ['.accountRef']],
    ['... even where replacing is allowed', { accountRef: { name: 'x' } }, { accountRef: { name: 'y' }, ...allow }, ['.accountRef']],
    ['the default account is written out', {}, { accountRef: { name: 'default' } }, []],
    ['... is taken away again', { accountRef: { name: 'default' } }, {}, []],
    ['another account is written out', {}, { accountRef: { name: 'x' } }, ['.accountRef']],
    ['another account is taken away', { accountRef: { name: 'x' } }, {}, ['.accountRef']],
    ['the default account of another namespace', {}, { accountRef: { name: 'default', namespace: 'n' } }, ['.accountRef']],
  ])('%s', (_, before, after, expected) => expect(refusals({ region: 'a', ...before }, { region: 'a', ...after })).toEqual(expected));
});

describe('a field that only grows', () => {
  type Size = bigint | undefined;
  const object = (spec: Size, has: Size): Spec => ({
    spec: spec === undefined ? {} : { sizeGiB: spec },
    status: has === undefined ? {} : { sizeGiB: has },
  });
  const [rule] = objectRules(CloudThing);
  const takes = (before: Spec, after: Spec): unknown => environment.evaluate(rule?.rule ?? '', { self: after, oldSelf: before });

  it.each<[string, readonly [Size, Size], Size, boolean]>([
    ['grows', [20n, 21n], 20n, true],
    ['shrinks', [20n, 19n], 20n, false],
    ['shrinks before anything was made', [20n, 19n], undefined, true],
    ['goes back after growth that was refused', [50n, 20n], 20n, true],
    ['goes back too far', [50n, 19n], 20n, false],
    ['is not managed any more', [20n, undefined], 20n, true],
    ['is managed again', [undefined, 10n], 20n, true],
    ['stays while somebody made it grow in the account', [20n, 20n], 40n, true],
  ])('%s', (_, [before, after], has, expected) => expect(takes(object(before, has), object(after, has))).toBe(expected));
  it('names the field and where the account has it', () =>
    expect(rule).toMatchObject({ fieldPath: '.spec.sizeGiB', message: expect.stringContaining('status.sizeGiB') as string }));
  it('must be shown in the status', () => {
    const hidden = { ...CloudThing, fields: { notes: { only: 'grows' } as const } };
    expect(() => objectRules(hidden)).toThrow('CloudThing: notes only grows, so the status must show it under the same name');
  });
});

describe('the rules of a kind', () => {
  it('are followed by its own', () => expect(specRules(CloudThing, []).at(-1)?.message).toContain('label default is taken'));
  it('say nothing of an account where the kind is the account', () =>
    expect(specRules(CloudAccess, []).some(({ rule }) => rule.includes('accountRef'))).toBe(false));
  it('never open for a field that nothing can change', () => {
    const never = { ...CloudThing, fields: { region: { immutable: true, effect: 'Never' } as const } };
    expect(specRules(never, ['region']).find(({ fieldPath }) => fieldPath === '.region')?.rule).toBe('self.region == oldSelf.region');
  });
});

/** Every rule that the schemas of the kinds hold, however deep. */
const everyRule: readonly (readonly [kind: string, rule: string])[] = kinds.flatMap((kind) =>
  [...JSON.stringify(schemaOf(kind)).matchAll(/"rule":("(?:[^"\\]|\\.)*")/g)].map(
    ([, text = '""']) => [kind.kind, JSON.parse(text) as string] as const,
  ),
);

/** The conditional between `?` and `:` of another needs parentheses; only some implementations of CEL ask for them. */
function hasBareConditional(rule: string): boolean {
  let rest = rule.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, 'x');
  for (let before = ''; before !== rest;) {
    if ([...rest.matchAll(/\([^()]*\)/g)].some(([inner]) => nested.test(inner))) return true;
    before = rest;
    rest = rest.replaceAll(/\([^()]*\)/g, 'x');
  }
  return nested.test(rest);
}
const nested = /\?[^:?]*\?/;

describe('the rules of all kinds', () => {
  it('nest no conditional as an API server cannot read it', () => {
    expect(everyRule.length).toBeGreaterThan(50);
    expect(everyRule.filter(([, rule]) => hasBareConditional(rule))).toEqual([]);
  });
  it.each([
    ['a ? b ? c : d : e', true],
    ['(a ? b ? c : d : e) || f', true],
    ['a ? (b ? c : d) : e', false],
    ['a ? b : c ? d : e', false],
    ["a.matches('b?c?') ? d : e", false],
  ])('%s', (rule, bare) => expect(hasBareConditional(rule)).toBe(bare));
});
