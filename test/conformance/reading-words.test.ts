import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { kinds } from '../../src/generated/kinds.ts';
import { type AnyKind, asCollection, erase, privateImage, type Row, sharedRefOnce } from '../../src/resource/index.ts';
import { caseOf, named } from './case.ts';
import { fixtureOf, words } from './reading-words.ts';

type WordName = keyof typeof words;
const laws = Object.entries(words);

describe.each(named)('%s', (_, one) => {
  it.each(laws.map(([, { says, broken }]) => [says, broken] as const))('%s', async (__, broken) =>
    expect(await broken(one, kinds)).toEqual([]),
  );
});

/** A kind that stands, made wrong in one respect. */
function wrong(name: string, change: (kind: AnyKind) => object) {
  const fixture = fixtureOf(name);
  const kind = erase({ ...(fixture.kind as object), ...change(erase(fixture.kind)) });
  return { one: caseOf({ ...fixture, kind }), all: [...kinds.filter((other) => other.kind !== name), kind] };
}

const never = sharedRefOnce('CloudImage', privateImage, { status: 'state', is: 'ready' });
const unmarked = z.object({ configMapKeyRef: z.object({ name: z.string(), key: z.string() }) });

const laboratory: readonly (readonly [WordName, string, ReturnType<typeof wrong>])[] = [
  ['filter', 'two kinds of one collection, one with a filter', twins()],
  ['filter', 'a filter below parents', wrong('CloudDomainRecord', () => ({ sweep: { by: 'list', filter: { type: 'A' } } }))],
  ['untagged', 'a create that sends its tags all the same', wrong('CloudInstance', () => ({ createPath: undefined }))],
  ['untagged', 'a field that may be taken away after', wrong('CloudInstance', () => ({ withoutTags: { group: ['vm_clone'] } }))],
  ['untagged', 'a birth that leads elsewhere', wrong('CloudInstance', () => ({ withoutTags: { cloneFrom: ['volume_clone'] } }))],
  ['bornWith', 'a create of which nobody knows when it was', wrong('CloudInstance', () => ({ createdAt: undefined }))],
  ['bornWith', 'a job that leads elsewhere', wrong('CloudInstance', () => ({ bornWith: { field: 'cloneFrom', job: 'volume_clone' } }))],
  ['listed', 'a filter that hides its own', wrong('CloudStackScript', () => ({ sweep: { by: 'list', filter: { mine: false } } }))],
  ['listed', 'the list of the whole platform', wrong('CloudStackScript', () => ({ sweep: { by: 'list' } }))],
  ['key', 'a key that is enforced, and no time of birth', wrong('CloudSSHKey', unenforced)],
  ['reserved', 'nothing at all', wrong('CloudDomain', () => ({ reserved: () => undefined }))],
  ['reserved', 'every name', wrong('CloudDomain', () => ({ reserved: () => 'spec.domain is everybody’s' }))],
  ['reserved', 'a name, without the field', wrong('CloudDomain', () => ({ reserved: () => 'it is everybody’s' }))],
  ['conflict', 'what no list shows', conflicting({ kind: 'CloudDomainRecord' })],
  ['conflict', 'what its token may not list', conflicting({ kind: 'CloudVolume' })],
  ['conflict', 'what nothing is', conflicting({ says: () => undefined })],
  ['conflict', 'what it is itself', conflicting({ says: () => 'a zone' })],
  [
    'conflict',
    'a name of somebody else',
    conflicting({ says: (_: unknown, { domain }: Row) => domain && `a zone called ${String(domain)}` }),
  ],
  [
    'configMap',
    'a key of a ConfigMap without its mark',
    wrong('CloudStackScript', ({ spec }) => ({ spec: spec.extend({ scriptFrom: unmarked.optional() }) })),
  ],
  ['until', 'a state that its target never has', wrong('CloudInstance', ({ spec }) => ({ spec: spec.extend({ imageRef: never }) }))],
];

function twins(): ReturnType<typeof wrong> {
  const { one, all } = wrong('CloudStackScript', () => ({}));
  return { one, all: [...all, erase({ ...one.kind, kind: 'CloudTwin', sweep: { by: 'list' } })] };
}
function conflicting(change: object): ReturnType<typeof wrong> {
  return wrong('CloudDomain', (kind) => ({ conflictsWith: { ...asCollection(kind)?.conflictsWith, ...change } }));
}
function unenforced(kind: AnyKind): object {
  return { createdAt: undefined, key: { ...asCollection(kind)?.key, enforced: 'unique' } };
}

describe('a wrong kind of the laboratory', () => {
  it.each(laboratory)('fails the law "%s": %s', async (law, _, { one, all }) => expect(await words[law].broken(one, all)).not.toEqual([]));
  it('is there for every law', () =>
    expect([...new Set(laboratory.map(([law]) => law))].toSorted()).toEqual(Object.keys(words).toSorted()));
});
