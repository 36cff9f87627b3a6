import { describe, expect, it } from 'vitest';
import { AppliedBeforeMemory } from '../../../src/engine/memory/applied-before.ts';
import type { Resource } from '../../../src/engine/ports/index.ts';

const object = (uid: string, { kind = 'CloudBucket', namespace = 'team-a', status = {} } = {}): Resource => ({
  kind,
  metadata: { namespace, name: 'one', uid, generation: 1, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {},
  status,
});
const at = (path: string, account = 'E1') => ({ account, path });
const born = '2026-01-01T00:00:00Z';

describe('what was applied to a remote whose object went', () => {
  const memory = new AppliedBeforeMemory();
  memory.note(at('/a/1'), object('first', { status: { applied: { tls: 'x' }, bornAt: born } }));

  it('is told to the next of its kind and namespace', () => {
    expect(memory.of(at('/a/1'), object('next'), born)).toMatchObject({ uid: 'first', applied: { tls: 'x' } });
  });
  it.each([
    ['another namespace', at('/a/1'), object('next', { namespace: 'team-b' }), born],
    ['another kind', at('/a/1'), object('next', { kind: 'CloudDisk' }), born],
    ['what was made anew', at('/a/1'), object('next'), '2026-02-01T00:00:00Z'],
    ['another account', at('/a/1', 'E2'), object('next'), born],
    ['another path', at('/a/2'), object('next'), born],
  ])('is not told of %s', (_, remote, next, made) => {
    expect(memory.of(remote, next, made)).toBeUndefined();
  });
  it('is that of the last one', () => {
    const more = new AppliedBeforeMemory();
    for (const uid of ['first', 'second']) more.note(at('/a/1'), object(uid));
    expect(more.of(at('/a/1'), object('next'), undefined)?.uid).toBe('second');
  });
  it('is not forgotten for what another namespace has, however much that is', () => {
    const shared = new AppliedBeforeMemory();
    shared.note(at('/a/own'), object('own'));
    for (let id = 0; id <= 3000; id += 1) shared.note(at(`/a/${id}`), object(String(id), { namespace: 'team-b' }));
    expect(shared.of(at('/a/own'), object('next'), undefined)?.uid).toBe('own');
  });
  it('is forgotten of the oldest of more than a thousand', () => {
    const many = new AppliedBeforeMemory();
    for (let id = 0; id <= 1000; id += 1) many.note(at(`/a/${id}`), object(String(id)));
    expect([0, 1, 1000].map((id) => many.of(at(`/a/${id}`), object('next'), undefined)?.uid)).toEqual([undefined, '1', '1000']);
  });
});
