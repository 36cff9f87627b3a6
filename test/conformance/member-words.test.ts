import { describe, expect, it } from 'vitest';
import { type AnyKind, type AnyWant, erase, put, type Row } from '../../src/resource/index.ts';
import { type Case, cases, named } from './case.ts';
import { memberLaws } from './member-words.ts';

const told = ({ kind, remote, wants }: Case) => wants.map(([, want]) => ({ kind, want, remote }));

describe.each(named)('members of %s', (_, one) => {
  it.each(Object.entries(memberLaws))('%s', (_law, law) => expect(told(one).flatMap(law)).toEqual([]));
});

const caseOf = (name: string): Case => cases.find(({ kind }) => kind.kind === name) as Case;
const owner = caseOf('CloudKubernetesCluster');
const marked = caseOf('CloudNodePool');
const wrong = (change: object, from = owner): readonly [Case, AnyKind] => [from, erase({ ...from.kind, ...change })];
const rule = owner.kind.fields['nodePools'];
const inMembers = (change: object) =>
  wrong({ fields: { ...owner.kind.fields, nodePools: { ...rule, members: { ...rule?.members, ...change } } } });
const used = caseOf('CloudVolume');
const freed = caseOf('CloudIPAddress');
const heldBack = (change: object) => wrong({ fields: { ...used.kind.fields, label: { ...used.kind.fields['label'], ...change } } }, used);
const all = ({ pools = [] }: { pools?: readonly Row[] }): Row => Object.fromEntries(pools.map((pool) => [String(pool['id']), pool]));

const laboratory: Readonly<Record<string, readonly [law: string, wrong: readonly [Case, AnyKind]]>> = {
  'takes for gone what it has not read': ['compared with a part', inMembers({ read: all })],
  'compares members with a part that is only shown': [
    'compared with a part',
    wrong({ parts: { ...owner.kind.parts, pools: { ...owner.kind.parts?.['pools'], for: 'status' } } }),
  ],
  'takes whatever is there for its own': ['marks of others', inMembers({ read: all })],
  'removes whatever is there': [
    'marks of others',
    inMembers({
      call: (_name: string, _want: unknown, { pools = [] }: { pools?: readonly Row[] }) => put(`/x/${String(pools[0]?.['id'])}`, {}),
    }),
  ],
  'asks nobody whether another object took it': [
    'took is neither',
    inMembers({ read: (remote: Row, want: AnyWant) => rule?.members?.read(remote, { ...want, taken: [] }) }),
  ],
  'makes a member by a call that changes another': ['made below the item', inMembers({ call: () => put('/lke/clusters/1/pools/456', {}) })],
  'takes a member away without a question': ['made below the item', inMembers({ effectOf: () => 'InPlace' })],
  'makes what bears no mark': ['from its create on', wrong({ create: ({ type, count }: Row) => ({ type, count }) }, marked)],
  'marks although its user may not tag': [
    'from its create on',
    wrong(
      { create: ({ type, marks }: { type: string; marks: { keys: string[] } }) => ({ type, tags: [`pool=x-${marks.keys[0]}`] }) },
      marked,
    ),
  ],
  'knows the newest key alone': [
    'under an earlier key',
    inMembers({
      read: ({ pools = [] }: { pools?: readonly Row[] }, { marks }: { marks: { keys: string[] } }) =>
        all({ pools: pools.filter(({ tags }) => JSON.stringify(tags).includes(String(marks.keys[0]))) }),
    }),
  ],
  'tells of no mark': ['every mark that is on it', wrong({ marked: () => [] }, marked)],
  'takes the key for the name': [
    'every mark that is on it',
    wrong({ marked: ({ tags = [] }: { tags?: readonly string[] }) => tags.map((tag) => ({ tag, name: tag })) }, marked),
  ],
  'asks nobody who had it before': [
    'who had it before',
    inMembers({
      read: (remote: Row, want: AnyWant) =>
        rule?.members?.read(remote, { ...want, ...(want.marks && { marks: { ...want.marks, former: [] } }) }),
    }),
  ],
  'holds back what is its own': ['is held back in words', heldBack({ withheld: () => 'no' })],
  'holds back without a word': ['is held back in words', heldBack({ withheld: () => '' })],
  'holds back for it knows not whom': ['is held back in words', wrong({ changesAlso: undefined }, used)],
  'strays wherever it is': ['what strays', wrong({ strays: () => true }, freed)],
  'strays nowhere': ['what strays', wrong({ strays: () => false }, freed)],
  'tells nobody where it is': ['what strays', wrong({ leadsTo: undefined }, freed)],
  'is released at another’s': ['what strays', wrong({ deletion: {} }, freed)],
  'is deleted while another uses it': ['neither released nor deleted', wrong({ deletion: {} }, used)],
  'is changed while another uses it': ['neither released nor deleted', wrong({ changesAlso: () => [] }, used)],
  'reads before its deletion what it does not ask for': ['for its deletion', wrong({ deletion: {} }, marked)],
  'asks before its deletion for a part that it has not': ['for its deletion', wrong({ deletion: { part: 'nothing' } }, marked)],
};

describe('a kind of the laboratory that', () => {
  it.each(Object.entries(laboratory))('%s breaks its law', (_, [name, [from, kind]]) => {
    const [law] = Object.entries(memberLaws).flatMap(([text, one]) => (text.includes(name) ? [one] : []));
    expect(law).toBeDefined();
    expect(told({ ...from, kind }).flatMap((one) => law?.(one) ?? [])).not.toEqual([]);
  });
});
