import { Environment } from '@marcbachmann/cel-js';
import { describe, expect, it } from 'vitest';
import { specRules } from '../../../src/generate/cel.ts';
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
    ['a growing field grows', { region: 'a', sizeGiB: 20n }, { region: 'a', sizeGiB: 21n }, []],
    ['... shrinks', { region: 'a', sizeGiB: 20n }, { region: 'a', sizeGiB: 19n }, ['.sizeGiB']],
    ['... is not managed any more', { region: 'a', sizeGiB: 20n }, { region: 'a' }, []],
    ['the account is changed', { accountRef: { name: 'x' } }, { accountRef: { name: 'y' } }, ['.accountRef']],
    ['... even where replacing is allowed', { accountRef: { name: 'x' } }, { accountRef: { name: 'y' }, ...allow }, ['.accountRef']],
    ['the default account is written out', {}, { accountRef: { name: 'default' } }, []],
    ['... is taken away again', { accountRef: { name: 'default' } }, {}, []],
    ['another account is written out', {}, { accountRef: { name: 'x' } }, ['.accountRef']],
    ['another account is taken away', { accountRef: { name: 'x' } }, {}, ['.accountRef']],
    ['the default account of another namespace', {}, { accountRef: { name: 'default', namespace: 'n' } }, ['.accountRef']],
  ])('%s', (_, before, after, expected) => expect(refusals({ region: 'a', ...before }, { region: 'a', ...after })).toEqual(expected));
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
