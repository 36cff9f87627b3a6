import { describe, expect, it } from 'vitest';
import { type AnyKind, del, erase, get, post } from '../../src/resource/index.ts';
import { type Case, cases, named } from './case.ts';
import { wordLaws } from './words.ts';

const told = ({ kind, remote, wants }: Case) => wants.map(([, want]) => ({ kind, want, remote }));

describe.each(named)('words of %s', (_, one) => {
  it.each(Object.entries(wordLaws))('%s', (_law, law) => expect(told(one).flatMap(law)).toEqual([]));
});

const caseOf = (name: string): Case => cases.find(({ kind }) => kind.kind === name) as Case;
const right = caseOf('CloudSupportTicket');
const wrong = (change: object, from = right): AnyKind => erase({ ...from.kind, ...change });
const setting = caseOf('CloudIPShare');
const laboratory: Readonly<Record<string, readonly [law: string, kind: AnyKind]>> = {
  'goes by a call and never tells that it is over': ['goes by another call', wrong({ deletion: { call: () => del('/x') } })],
  'is over from the beginning': ['goes by another call', wrong({ deletion: { ended: () => true } })],
  'closes another one': ['a call that names it', wrong({ deletion: { ...right.kind.deletion, call: () => del('/support/tickets/1') } })],
  'is ended by a read': [
    'a call that names it',
    wrong({ deletion: { ...right.kind.deletion, call: () => get('/support/tickets/11223344') } }),
  ],
  'is put back by a call that names no other': [
    'a call that names it',
    wrong({ deletion: { ...setting.kind.deletion, call: () => post('/networking/ips/share', { vm_id: 1, ips: [] }) } }, setting),
  ],
  'is always there, and goes with nothing to put it back': ['is always there', wrong({ deletion: undefined }, setting)],
  'is sent once, and nobody knows by whom': ['sent once', wrong({ createdBy: undefined })],
  'is sent once, and nobody knows when': ['sent once', wrong({ createdAt: undefined })],
  'is sent once, and again when it is lost': ['sent once', wrong({ defaults: { onDelete: 'Delete', onMissing: 'Recreate' } })],
  'notes what it does not recall': ['a field notes', wrong({ recalls: ['replies'] })],
  'notes what no status can hold': [
    'a field notes',
    wrong({ fields: { ...right.kind.fields, closed: { ...right.kind.fields['closed'], notes: () => ({ closed: 'yes' }) } } }),
  ],
  'sends once and does not note it': [
    'must not be sent twice',
    wrong({ fields: { ...right.kind.fields, replies: { ...right.kind.fields['replies'], notes: undefined } } }),
  ],
  'recalls what it does not show': ['recalled is status', wrong({ recalls: ['lastReply', 'opened'] })],
  'recalls what another remote had': ['recalled is status', wrong({ observe: () => ({}) })],
};

describe('a kind of the laboratory that', () => {
  it.each(Object.entries(laboratory))('%s breaks its law', (_, [name, kind]) => {
    const [law] = Object.entries(wordLaws).flatMap(([text, one]) => (text.includes(name) ? [one] : []));
    expect(law).toBeDefined();
    expect(told({ ...right, kind }).flatMap((one) => law?.(one) ?? [])).not.toEqual([]);
  });
});
