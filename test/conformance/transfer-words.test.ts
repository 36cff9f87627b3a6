import { describe, expect, it } from 'vitest';
import { type AnyKind, erase, ready, type Row } from '../../src/resource/index.ts';
import { type Case, cases, named } from './case.ts';
import { transferLaws } from './transfer-words.ts';

const told = ({ kind, remote, fixture, wants }: Case) => wants.map(([, want]) => ({ kind, want, remote, told: fixture.told }));

describe.each(named)('transfers of %s', (_, one) => {
  it.each(Object.entries(transferLaws))('%s', (_law, law) => expect(told(one).flatMap(law)).toEqual([]));
});

const right = cases.find(({ kind }) => kind.kind === 'CloudImage') as Case;
const { transfer } = right.kind as { readonly transfer?: object };
const wrong = (change: object): AnyKind => erase({ ...right.kind, ...change });
const brings = (change: object): AnyKind => wrong({ transfer: { ...transfer, ...change } });
const gives = (change: object): AnyKind =>
  wrong({ outputs: { ...right.kind.outputs, 'upload-url': { ...right.kind.outputs?.['upload-url'], ...change } } });
const laboratory: Readonly<Record<string, readonly [law: string, kind: AnyKind]>> = {
  'gives out where a field is set that may be taken away': ['only some objects give out', gives({ ifSet: 'description' })],
  'gives out where a field is set that there is not': ['only some objects give out', gives({ ifSet: 'file' })],
  'takes any answer for its row': ['no answer to its create', wrong({ born: () => right.remote })],
  'is brought by a field that changes': ['goes where its create told', brings({ field: 'label' })],
  'is brought to where everybody may send': ['goes where its create told', brings({ to: 'image-id' })],
  'says where to send to a ConfigMap': ['goes where its create told', gives({ secret: undefined })],
  'misses the address where nothing is brought': ['goes where its create told', gives({ ifSet: undefined })],
  'gives out the address of what is whole': ['goes where its create told', gives({ of: (image: Row) => image['upload_to'] })],
  'never awaits what is brought': ['is waited for', brings({ awaits: () => false })],
  'awaits it for ever': ['is waited for', brings({ awaits: () => true })],
  'is ready before it is whole': ['is waited for', wrong({ health: () => ready })],
  'sends whatever there is': ['known by how it begins', brings({ format: { name: 'anything', begins: [] } })],
  'sends as much as there is': ['known by how it begins', brings({ maxBytes: Infinity })],
  'is made anew for ever': ['known by how it begins', brings({ attempts: Infinity })],
  'is brought from nowhere': ['somebody else brings', brings({ from: () => 'https://images.example.com/default.gz' })],
};

describe('a kind of the laboratory that', () => {
  it.each(Object.entries(laboratory))('%s breaks its law', (_, [name, kind]) => {
    const [law] = Object.entries(transferLaws).flatMap(([text, one]) => (text.includes(name) ? [one] : []));
    expect(law).toBeDefined();
    expect(told({ ...right, kind }).flatMap((one) => law?.(one) ?? [])).not.toEqual([]);
  });
});
