import { describe, expect, it } from 'vitest';
import {
  derivedLabel,
  formatIdentity,
  InstallationKey,
  installationTag,
  ownerKey,
  parseIdentity,
} from '../../../src/engine/identity/marks.ts';
import { Sensitive } from '../../../src/resource/index.ts';

const key = new InstallationKey(Buffer.alloc(32, 7));
const name = { installation: 'cluster-1', kind: 'CloudVolume', namespace: 'team-a', name: 'data' };
const identity = { account: 'E1AF', path: '/volumes/123', how: 'created' } as const;

describe('identity', () => {
  const text = formatIdentity(key, name, identity);
  it('reads back what was written', () => {
    expect(text).toMatch(/^E1AF\/volumes\/123#created\.[a-z2-7]{16}$/);
    expect(parseIdentity(key, name, text)).toEqual({ ...identity, genuine: true });
  });
  it.each([
    ['another path', text.replace('123', '124')],
    ['adopted in place of created', text.replace('#created', '#adopted')],
    ['another account', text.replace('E1AF', 'B2C0')],
    ['another mac', `${text.slice(0, -1)}${text.endsWith('a') ? 'b' : 'a'}`],
  ])('is not genuine with %s', (_, forged) => {
    expect(parseIdentity(key, name, forged)?.genuine).toBe(false);
  });
  it.each([
    ['another object', { ...name, name: 'other' }],
    ['another namespace', { ...name, namespace: 'team-b' }],
    ['another kind', { ...name, kind: 'CloudDomain' }],
    ['another installation', { ...name, installation: 'cluster-2' }],
  ])('proves nothing for %s', (_, stranger) => {
    expect(parseIdentity(key, stranger, text)?.genuine).toBe(false);
  });
  it.each(['', 'nonsense', 'E1AF#created.aaaaaaaaaaaaaaaa', 'E1AF/volumes/1#made.aaaaaaaaaaaaaaaa', 'E1AF/volumes/1#created.'])(
    'cannot be read from %j',
    (bad) => {
      expect(parseIdentity(key, name, bad)).toBeUndefined();
    },
  );
  it('is not ours under another key', () => {
    expect(parseIdentity(new InstallationKey(Buffer.alloc(32, 8)), name, text)?.genuine).toBe(false);
  });
});

describe('derived labels', () => {
  const rule = { field: 'label', max: 32 };
  it.each([
    ['data', /^data-[a-z2-7]{8}$/],
    ['a.b.c', /^a-b-c-[a-z2-7]{8}$/],
    ['0abc', /^cabc-[a-z2-7]{8}$/],
    ['x'.repeat(80), /^x{23}-[a-z2-7]{8}$/],
  ])('%s', (object, form) => {
    const label = derivedLabel(rule, { ...name, name: object });
    expect(label).toMatch(form);
    expect(label.length).toBeLessThanOrEqual(32);
    expect(label.endsWith(ownerKey({ ...name, name: object }))).toBe(true);
  });
  it('differ between installations', () => {
    expect(derivedLabel(rule, name)).not.toBe(derivedLabel(rule, { ...name, installation: 'cluster-2' }));
  });
});

describe('marks', () => {
  it('one tag per installation', () => {
    expect(installationTag('cluster-1')).toMatch(/^co-[a-z2-7]{8}$/);
    expect(installationTag('cluster-1')).not.toBe(installationTag('cluster-2'));
  });
  it('a remembered secret tells nothing and differs per object and field', () => {
    const secret = new Sensitive('hunter2hunter2');
    const marks = [
      key.remember('uid-1', 'rootPassword', secret),
      key.remember('uid-2', 'rootPassword', secret),
      key.remember('uid-1', 'other', secret),
    ];
    expect(new Set(marks).size).toBe(3);
    expect(marks.join()).not.toContain('hunter');
    expect(key.remember('uid-1', 'rootPassword', new Sensitive('hunter2hunter2'))).toBe(marks[0]);
  });
});
