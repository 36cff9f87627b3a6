import { beforeEach, expect, it } from 'vitest';
import { noteDeparted } from '../../../src/engine/controller/departed.ts';
import { ObjectMemory } from '../../../src/engine/memory/object-memory.ts';
import { InstallationKey } from '../../../src/engine/model/identity.ts';
import { Registry } from '../../../src/engine/model/kind-registry.ts';
import type { Resource } from '../../../src/engine/ports/index.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import type { Row } from '../../../src/resource/index.ts';

const registry = new Registry(kinds);
const kib = 1024;
const kind = 'CloudStackScript';
const deletionTimestamp = '2026-01-01T00:00:00Z';
let lefts: Resource[] = [];
let objectMemory = new ObjectMemory();
beforeEach(() => {
  lefts = [];
  objectMemory = new ObjectMemory();
});
const engine = () => ({
  objects: { all: () => lefts, get: () => undefined },
  objectMemory,
  registry,
  key: new InstallationKey(new Uint8Array(32)),
  clusterUid: 'cluster',
});

let count = 0;
function object(spec: Row, more: { readonly name?: string; readonly namespace?: string; readonly status?: Row } = {}): Resource {
  const { name = 'b', namespace = 'team-b', status } = more;
  const uid = `uid-${(count += 1)}`;
  const metadata = { uid, name, namespace, creationTimestamp: deletionTimestamp, generation: 1, resourceVersion: '1' };
  return { kind, metadata, spec, ...(status && { status }) };
}
/** One that is being deleted, and is not looked at. */
function leave(id: number, more: { readonly namespace?: string; readonly status?: Row } = {}): string {
  const { metadata, ...left } = object(
    {},
    { ...more, name: `left-${id}`, status: { path: `/linode/stackscripts/${id}`, id: String(id), ...more.status } },
  );
  lefts.push({ ...left, metadata: { ...metadata, deletionTimestamp, finalizers: ['cloudhosting.dev/remote'] } });
  return metadata.uid;
}
const goes = (spec: Row, namespace = 'team-b', name = 'b'): Resource => {
  const gone = object({ script: 'x'.repeat(60 * kib), ...spec }, { namespace, name });
  noteDeparted(engine() as never, gone);
  return gone;
};
const wishesOf = (left: string): readonly unknown[] => objectMemory.departed.of(left).map(({ spec }) => spec['adopt']);

it('of those that ask in a loop and go, a few are kept, and of those what they asked for alone', () => {
  const left = leave(1);
  for (let n = 0; n < 1000; n++) {
    goes({ adopt: { match: { label: `label-${n}` } }, lifecycle: { onDelete: 'Retain', ignoreFields: ['x'.repeat(kib)] } });
    goes({ adopt: { id: 1 } }, 'team-b', `b-${n}`);
  }
  expect(objectMemory.departed.size).toBe(16);
  expect(JSON.stringify(objectMemory.departed.of(left)).length).toBeLessThan(16 * 400);
  objectMemory.forget(left);
  expect(objectMemory.departed.size).toBe(0);
  expect([...objectMemory.known()]).toEqual([]);
});

it('nothing is kept of who asks for something else, or for what is too long to name anything', () => {
  const left = leave(1);
  goes({ adopt: { id: 2 } });
  goes({ adopt: { match: { ['x'.repeat(5 * kib)]: 'a' } } });
  goes({});
  expect(wishesOf(left)).toEqual([]);
  goes({ adopt: { id: '1' } });
  expect(wishesOf(left)).toEqual([{ id: '1' }]);
});

it('who asked for it is not pushed out by those that say the same again and again, and has its policy', () => {
  const left = leave(1);
  goes({ adopt: { id: 1 }, lifecycle: { onDelete: 'Retain' } });
  for (let n = 0; n < 40; n++) goes({ adopt: { id: 1 }, lifecycle: { onDelete: 'Delete' } }, 'team-b', `b-${n}`);
  expect(objectMemory.departed.of(left).map(({ spec }) => spec['lifecycle'])).toEqual([{ onDelete: 'Retain' }, { onDelete: 'Delete' }]);
});

it('whom the deletion has noted is kept though it took its wish back', () => {
  const gone = object({});
  const left = leave(1, { status: { keptFor: `uid ${gone.metadata.uid} b` } });
  noteDeparted(engine() as never, gone);
  expect(objectMemory.departed.of(left).map(({ metadata }) => metadata.uid)).toEqual([gone.metadata.uid]);
});

it('one namespace with many deletions takes nothing from another', () => {
  const other = leave(1, { namespace: 'team-a' });
  goes({ adopt: { id: 1 } }, 'team-a');
  for (let n = 0; n < 200; n++) leave(n);
  for (let n = 0; n < 20; n++) goes({ adopt: { match: { label: `label-${n}` } } });
  expect(objectMemory.departed.size).toBe(1000);
  expect(wishesOf(other)).toEqual([{ id: 1 }]);
}, 60_000);
