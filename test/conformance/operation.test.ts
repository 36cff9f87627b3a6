import { describe, expect, it } from 'vitest';
import { Registry } from '../../src/engine/model/kind-registry.ts';
import { kinds } from '../../src/generated/kinds.ts';
import {
  type Acted,
  type AnyKind,
  type AnyOperation,
  type AnyWant,
  asOperation,
  erase,
  get,
  post,
  type Row,
} from '../../src/resource/index.ts';
import { refusals } from './admission.ts';
import { named } from './case.ts';
import { type Operating, operationLaws } from './operation.ts';
import { specOf } from './operated.ts';

const operations = named.flatMap(([name, one]) => {
  const kind = asOperation(one.kind);
  return kind === undefined ? [] : [[name, { ...one, kind }] as const];
});
function acted(name: string): Acted<Row, AnyWant> {
  const [, one] = named.find(([kind]) => kind === name) ?? [];
  if (one === undefined) throw new Error(`no fixture of ${name}`);
  return { path: one.item, name: `${name} web`, remote: one.remote, want: one.want };
}
const operating = (kind: AnyOperation): Operating => ({ kind, kinds, acted });

it('something is done once', () => expect(operations.length).toBeGreaterThan(0));

describe.each(operations)('laws of the mode operation, of %s', (_, { kind, fixture }) => {
  it.each(Object.entries(operationLaws))('%s', (_law, law) => expect(law(operating(kind))).toEqual([]));

  const parameters = Object.entries(kind.operates).flatMap(([action, { needs = [], takes = [] }]) =>
    Object.keys(kind.spec.shape)
      .filter((field) => !['action', 'target', 'notAfter', 'ttlSecondsAfterFinished'].includes(field))
      .map((field) => ({ action, field, goes: [...needs, ...takes].includes(field) })),
  );
  it.each(parameters)('admission takes $field with $action: $goes', ({ action, field, goes }) => {
    const value = fixture.edits.find((edit) => edit.field === field);
    const refused = refusals(kind, { ...specOf(fixture), action, [field]: value?.spec ?? value?.to });
    expect(refused.some((text) => text.includes(`${field} goes with action`))).toBe(!goes);
  });
});

describe('a kind of the laboratory that', () => {
  const [, right] = operations[0] ?? [];
  const wrong = (change: object): Operating[] => {
    const kind = right && asOperation(erase({ ...right.kind, ...change }));
    return kind === undefined ? [] : [operating(kind)];
  };
  /** The same with one action of the instance done wrongly. */
  const wronglyDone = (change: object): Operating[] => {
    const others: readonly AnyKind[] = kinds.map((one) =>
      one.kind === 'CloudInstance' && one.actions?.['RebootInstance'] !== undefined
        ? erase({ ...one, actions: { ...one.actions, RebootInstance: { ...one.actions['RebootInstance'], ...change } } })
        : one,
    );
    return wrong({}).map((one) => ({ ...one, kinds: others }));
  };
  const laboratory: Readonly<Record<string, readonly [law: string, wrong: readonly Operating[]]>> = {
    'leaves an action out': ['can be asked for', wrong({ operates: {} })],
    'asks for what nobody knows': ['can be asked for', wrong({ operates: { ...right?.kind.operates, Explode: { on: 'CloudInstance' } } })],
    'can be edited': ['cannot be changed', wrong({ fields: { ...right?.kind.fields, action: {} } })],
    'has a field for nothing': ['every field', wrong({ operates: { RebootInstance: { on: 'CloudInstance' } } })],
    'never is too late': ['too late', wrong({ spec: right?.kind.spec.partial() })],
    'only reads': ['nothing but its target', wronglyDone({ call: ({ path }: { path: string }) => get(`${path}/reboot`) })],
    'does it to another': ['nothing but its target', wronglyDone({ call: () => post('/vm/instances/1/reboot') })],
    'begins what no event tells of': ['events lead it', wronglyDone({ jobs: ['volume_attach'] })],
    'begins what nothing tells of': ['events lead it', wronglyDone({ jobs: [] })],
    'looks at a part that there is not': ['a part of its target', wronglyDone({ parts: ['nothing'] })],
    'renews what is no secret': ['a part of its target', wronglyDone({ renews: () => 'snapshots' })],
    'looks at another': ['below its target', wronglyDone({ inner: () => '/vm/instances/1/disks/2' })],
    'replaces, and never rests': ['below its target', wronglyDone({ replaces: () => ['1'] })],
    'erases without a word': ['says what is lost', wronglyDone({ effect: 'Rebuild' })],
    'is not explained': ['in words', wronglyDone({ says: 'reboot' })],
    'changes another than it locks': [
      'locks and asks about',
      wronglyDone({ call: ({ path, onto }: Acted<Row, AnyWant>) => post(`${path}/reboot`, { vm_id: Number(onto?.remote['id']) }) }),
    ],
    'changes another by what is no object here': [
      'by an object of the same namespace',
      wrong({ operates: { ...right?.kind.operates, RebootInstance: { on: 'CloudInstance', takes: ['configRef'], onto: 'configRef' } } }),
    ],
    'never ends': ['has an end', wronglyDone({ within: Infinity })],
  };
  it.each(Object.entries(laboratory))('%s breaks its law', (_, [name, cases]) => {
    const [law] = Object.entries(operationLaws).flatMap(([text, one]) => (text.includes(name) ? [one] : []));
    expect(cases.length).toBeGreaterThan(0);
    expect(cases.flatMap((one) => law?.(one) ?? [])).not.toEqual([]);
  });
  it('asks for what nobody knows is refused at start', () => {
    const kind = right && erase({ ...right.kind, operates: { Explode: { on: 'CloudInstance' } } });
    expect(() => new Registry(kinds.map((one) => (one.kind === kind?.kind ? kind : one)))).toThrow('knows no action Explode');
  });
});
