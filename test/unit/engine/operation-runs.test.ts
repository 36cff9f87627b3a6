import { describe, expect, it } from 'vitest';
import { ReferenceIndex } from '../../../src/engine/memory/reference-index.ts';
import { Registry } from '../../../src/engine/model/kind-registry.ts';
import { noteOperation, operationRuns } from '../../../src/engine/operate/operation-runs.ts';
import { attemptsOn, isNotedOn, mostNotes, notesWith, roomFrom } from '../../../src/engine/plan/operation-notes.ts';
import { canonical } from '../../../src/engine/model/values.ts';
import type { Key, Resource } from '../../../src/engine/ports/index.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import { digest } from '../../../src/resource/index.ts';

type Context = Parameters<typeof operationRuns>[0];

const resource = (kind: string, name: string, more: Pick<Resource, 'spec'> & { readonly status?: Resource['status'] }): Resource => ({
  kind,
  metadata: {
    name,
    namespace: 'team-a',
    uid: `uid-${name}`,
    generation: 1,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: more.spec,
  ...(more.status && { status: more.status }),
});
const reboot = (name: string, target: string, status?: Resource['status']): Resource =>
  resource('CloudOperation', name, { spec: { action: 'RebootInstance', target: { name: target } }, ...(status && { status }) });
const running = { phase: 'Running', sent: { at: '2026-01-01T00:00:00Z', after: 1 } };

const restore = (name: string, action: string): Resource =>
  resource('CloudOperation', name, { spec: { action, target: { name: 'db' }, toInstanceRef: { name: 'web' } }, status: running });

/** How many objects are looked at for one target among so many operations on others. */
function looked(others: number, running_: readonly Resource[]): { readonly reads: number; readonly outcome: unknown } {
  const registry = new Registry(kinds);
  const operationIndex = new ReferenceIndex();
  const all = [...Array.from({ length: others }, (_, n) => reboot(`other-${n}`, `web-${n}`, running)), ...running_];
  const objects = new Map(all.map((one) => [one.metadata.name, one]));
  for (const one of all) noteOperation({ registry, operationIndex }, one);
  let reads = 0;
  const engine = {
    registry,
    operationIndex,
    objects: {
      get: (kind: string, { name }: Key) => {
        if (kind === 'CloudOperation') reads += 1;
        return objects.get(name);
      },
      all: () => {
        throw new Error('it looks at all objects');
      },
    },
  };
  const context = { engine, object: resource('CloudInstance', 'web', { spec: {} }) } as unknown as Context;
  const outcome = operationRuns(context);
  return { reads, outcome };
}

describe('what is done to the remote of an object', () => {
  it('is found without a look at what is done to others, however many there are', () => {
    expect(looked(10, [])).toEqual({ reads: 0, outcome: undefined });
    expect(looked(2000, [])).toEqual({ reads: 0, outcome: undefined });
    expect(looked(2000, [reboot('mine', 'web', running)])).toEqual({ reads: 1, outcome: expect.objectContaining({ reason: 'Busy' }) });
  });
  it('is found as well where another field names it, and not by a field of another action', () => {
    expect(looked(2, [restore('over', 'RestoreInstanceBackup')])).toEqual({
      reads: 1,
      outcome: expect.objectContaining({ reason: 'Busy' }),
    });
    expect(looked(2, [restore('reboot', 'RebootInstance')]).reads).toBe(0);
  });
  it('of another kind, or in another namespace, is none of its own', () => {
    const database = resource('CloudOperation', 'patch', { spec: { action: 'PatchDatabase', target: { name: 'web' } } });
    const theirs = reboot('theirs', 'web', running);
    const elsewhere = { ...theirs, metadata: { ...theirs.metadata, namespace: 'team-b' } };
    expect(looked(0, [database, elsewhere]).reads).toBe(0);
  });
});

describe('what a target notes', () => {
  const day = 24 * 3_600_000;
  const start = Date.parse('2026-01-01T00:00:00Z');
  const asked = (n: number): Resource => {
    const one = reboot(`op-${n}`, 'web');
    return { ...one, spec: { ...one.spec, notAfter: new Date(start + 6 * day + n * 1000).toISOString().replace('.000', '') } };
  };
  /** An instance after so many operations. */
  const after = (count: number): Resource => {
    let target = resource('CloudInstance', 'web', { spec: {} });
    for (let n = 0; n < count; n += 1)
      target = { ...target, status: { operations: notesWith(target, asked(n), { now: start, at: '2026-01-01T00:00:00.000Z' }) } };
    return target;
  };
  it('has room for so many, and takes no more before one of them is over', () => {
    const full = after(mostNotes);
    expect(JSON.stringify(full.status).length).toBeLessThan(20_000);
    expect(roomFrom(after(mostNotes - 1), asked(999), start)).toBeUndefined();
    expect(roomFrom(full, asked(999), start)).toBe(start + 6 * day);
    // One of its own, which is sent again, needs no room of its own.
    expect(roomFrom(full, asked(5), start)).toBeUndefined();
    expect(roomFrom(full, asked(999), start + 6 * day + 1)).toBeUndefined();
    expect(notesWith(full, asked(999), { now: start + 6 * day + 1, at: '2026-01-01T00:00:00.000Z' })).toHaveLength(mostNotes);
  });
  it('keeps nothing that no operation can have noted: what somebody wrote there would stand in the way for ever', () => {
    const ours = after(1);
    const [text = ''] = (ours.status?.['operations'] ?? []) as readonly string[];
    const [wish = '', uid = ''] = text.split('/');
    const forged = [
      `${wish}/${uid}x/9999-01-01T00:00:00Z`,
      `${'a'.repeat(5000)}/x/2026-01-03T00:00:00Z`,
      `${wish}/${'u'.repeat(500)}/2026-01-03T00:00:00Z`,
    ];
    const annotations = { 'cloudhosting.dev/operations': [...Array.from({ length: 300 }, () => forged).flat(), text].join(' ') };
    const target = { ...ours, metadata: { ...ours.metadata, annotations } };
    expect(roomFrom(target, asked(1), start)).toBeUndefined();
    expect(notesWith(target, asked(1), { now: start, at: '2026-01-01T00:00:00.000Z' })).toEqual([
      text,
      expect.stringContaining('uid-op-1/'),
    ]);
  });
  it('is one wish, however its time and what it does not ask for are written, and counts as earlier releases noted it', () => {
    const spec = { action: 'RestoreInstanceBackup', target: { name: 'web' }, backupId: 7, notAfter: '2026-01-02T03:04:00Z' };
    const as = (name: string, more: object = {}): Resource => resource('CloudOperation', name, { spec: { ...spec, ...more } });
    const bare = resource('CloudInstance', 'web', { spec: {} });
    const target = { ...bare, status: { operations: notesWith(bare, as('first'), { now: start, at: '2026-01-01T00:00:00.000Z' }) } };
    for (const more of [{}, { notAfter: '2026-01-02T03:04:00.000Z' }, { overwrite: false }, { ttlSecondsAfterFinished: 60 }])
      expect([more, isNotedOn(target, as('again', more))]).toEqual([more, true]);
    for (const more of [{ notAfter: '2026-01-02T03:04:01Z' }, { overwrite: true }, { backupId: 8 }])
      expect([more, isNotedOn(target, as('other', more))]).toEqual([more, false]);
    const { target: _, ...before } = spec;
    const noted = { ...bare, status: { operations: [`${digest(canonical(before))}/uid-first/${spec.notAfter}`] } };
    expect([isNotedOn(noted, as('again')), isNotedOn(noted, as('first'))]).toEqual([true, false]);
    // By what its references lead to it is the same under other names, and another thing only where they lead elsewhere.
    const named = (name: string, ref: string): Resource => as(name, { backupId: undefined, backupRef: { name: ref } });
    const led = { given: { backupId: undefined, backupRef: 7 }, onto: undefined };
    const when = { now: start, at: '2026-01-01T00:00:00.000Z' };
    const noting = { ...bare, status: { operations: notesWith(bare, named('first', 'old'), { ...when, led }) } };
    expect([
      isNotedOn(noting, named('again', 'new'), led),
      isNotedOn(noting, named('again', 'old')),
      isNotedOn(noting, named('first', 'new'), led),
      isNotedOn(noting, named('again', 'new'), { ...led, given: { backupRef: 8 } }),
      isNotedOn(noting, named('again', 'new'), { ...led, onto: '/vm/instances/2' }),
      isNotedOn(target, named('again', 'new'), led),
    ]).toEqual([true, true, false, false, false, false]);
    expect(attemptsOn(noting, named('first', 'old'))).toEqual(['2026-01-01T00:00:00.000Z']);
    expect(notesWith(noting, as('other'), when)).toContain(notesWith(bare, named('first', 'old'), { ...when, led })[0]);
    expect([attemptsOn(target, as('first')), attemptsOn(noted, as('first')), attemptsOn(target, as('again'))]).toEqual([
      ['2026-01-01T00:00:00.000Z'],
      [''],
      [],
    ]);
  });
});
