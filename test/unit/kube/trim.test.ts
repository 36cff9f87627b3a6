import { expect, it } from 'vitest';
import { ourAnnotations } from '../../../src/engine/ports/annotations.ts';
import { byOperator, byPeople } from '../../../src/generate/reference/annotations.ts';
import { trim } from '../../../src/kube/watch/trim.ts';

/** Of what one tenant may write on its objects, as the operator keeps it of each. */
const keptOf = (metadata: object) =>
  trim('CloudVolume', { metadata: { uid: 'u', resourceVersion: '1', name: 'v', namespace: 'evil', ...metadata }, spec: {} })?.metadata;

it('keeps of annotations only those that it knows, and not what somebody calls ours', () => {
  const annotations = { 'cloudhosting.dev/pause': 'true', 'cloudhosting.dev/junk': 'x'.repeat(240_000), 'example.org/note': 'theirs' };
  expect(keptOf({ annotations })?.annotations).toEqual({ 'cloudhosting.dev/pause': 'true' });
});
it('keeps all that the reference tells of', () => {
  const told = Object.keys({ ...byPeople, ...byOperator }).map((name) => `cloudhosting.dev/${name}`);
  expect([...ourAnnotations].toSorted()).toEqual(told.toSorted());
});
it('cuts those that together are longer than the operator ever writes, so that they cannot be read, and are not taken for gone', () => {
  const annotations = { 'cloudhosting.dev/remote': 'x'.repeat(240_000), 'cloudhosting.dev/intent': '{' };
  expect(keptOf({ annotations })?.annotations).toEqual({ ...annotations, 'cloudhosting.dev/remote': 'x'.repeat(1024) });
});
it('keeps of labels no more than selectors ask for', () => {
  const labels = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`x.example/l${n}`, 'v']));
  expect(Object.keys(keptOf({ labels })?.labels ?? {})).toHaveLength(100);
  expect(keptOf({ labels: { tier: 'web' } })?.labels).toEqual({ tier: 'web' });
});
const conditions = (): readonly object[] => [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
it('holds one list of conditions for all that are in the same state since the same second', () => {
  const statusOf = (uid: string): unknown =>
    trim('CloudVolume', { metadata: { uid, resourceVersion: '1', name: uid }, spec: {}, status: { conditions: conditions() } })?.status?.[
      'conditions'
    ];
  expect(statusOf('a')).toEqual(conditions());
  expect(statusOf('b')).toBe(statusOf('a'));
});
