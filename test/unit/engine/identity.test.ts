import { describe, expect, it } from 'vitest';
import {
  derivedLabel,
  duplicateMac,
  formatIdentity,
  formatLabel,
  InstallationKey,
  installationTag,
  isDuplicateMac,
  isMarked,
  labelOf,
  looksDerived,
  ownerDigest,
  parseIdentity,
  rememberedLabel,
} from '../../../src/engine/model/identity.ts';
import { Sensitive } from '../../../src/resource/index.ts';

const key = new InstallationKey(Buffer.alloc(32, 7));
const name = { installation: 'cluster-1', kind: 'CloudVolume', namespace: 'team-a', name: 'data' };
const next = new InstallationKey(Buffer.alloc(32, 8), [Buffer.alloc(32, 7)]);
const stranger = new InstallationKey(Buffer.alloc(32, 9));
const identity = { account: 'E1AF', path: '/volumes/123', how: 'created' } as const;

describe('identity', () => {
  const living = { key, name, life: 'uid-1/0' };
  const text = formatIdentity(living, identity);
  it('reads back what was written', () => {
    expect(text).toMatch(/^E1AF\/volumes\/123#created\.[a-z2-7]{16}\.[a-z2-7]{16}$/);
    expect(parseIdentity(living, text)).toEqual({ ...identity, genuine: true, current: true });
  });
  it.each([
    ['another path', text.replace('123', '124')],
    ['adopted in place of created', text.replace('#created', '#adopted')],
    ['another account', text.replace('E1AF', 'B2C0')],
    ['other macs', text.replace(/\.[a-z2-7]{16}/g, `.${'a'.repeat(16)}`)],
  ])('is not genuine with %s', (_, forged) => {
    expect(parseIdentity(living, forged)).toMatchObject({ genuine: false, current: false });
  });
  it.each([
    ['another object of this name', text, 'uid-2/0'],
    ['a later remote of this object', text, 'uid-1/1'],
    ['an operator from before lives were signed', text.slice(0, -17), 'uid-1/0'],
  ])('is genuine, and not current, for %s', (_, told, life) => {
    expect(parseIdentity({ key, name, life }, told)).toMatchObject({ genuine: true, current: false });
  });
  it.each([
    ['another object', { ...name, name: 'other' }],
    ['another namespace', { ...name, namespace: 'team-b' }],
    ['another kind', { ...name, kind: 'CloudDomain' }],
    ['another installation', { ...name, installation: 'cluster-2' }],
  ])('proves nothing for %s', (_, stranger) => {
    expect(parseIdentity({ ...living, name: stranger }, text)).toMatchObject({ genuine: false, current: false });
  });
  it.each(['', 'nonsense', 'E1AF#created.aaaaaaaaaaaaaaaa', 'E1AF/volumes/1#made.aaaaaaaaaaaaaaaa', 'E1AF/volumes/1#created.'])(
    'cannot be read from %j',
    (bad) => {
      expect(parseIdentity(living, bad)).toBeUndefined();
    },
  );
  it('is ours under a later key that knows this one, as all that was signed', () => {
    expect(parseIdentity({ ...living, key: next }, text)).toMatchObject({ genuine: true, current: true });
    expect(isMarked(undefined, { key: next, name }, derivedLabel(undefined, key, name))).toBe(true);
    const as = key.remember('uid', 'password', 'secret');
    expect([key, next, stranger].map((one) => one.remembers('uid', 'password', { value: 'secret', as }))).toEqual([true, true, false]);
    expect(next.remembers('uid', 'password', { value: 'another', as })).toBe(false);
    expect(parseIdentity({ ...living, key: stranger }, text)?.genuine).toBe(false);
  });
  it('proves a second remote only of the object and the time that it was noted for', () => {
    const note = { path: '/volumes/2', at: '2026-01-01T00:00:00Z' };
    const holder = { key, name, object: object({}) };
    const mac = duplicateMac(holder, note);
    expect(isDuplicateMac(holder, { ...note, mac })).toBe(true);
    expect(isDuplicateMac(holder, { ...note, at: '2026-01-02T00:00:00Z', mac })).toBe(false);
    const later = { ...holder.object, metadata: { ...holder.object.metadata, uid: 'another' } };
    expect(isDuplicateMac({ ...holder, object: later }, { ...note, mac })).toBe(false);
  });
  it('is not ours under another key', () => {
    expect(parseIdentity({ ...living, key: new InstallationKey(Buffer.alloc(32, 8)) }, text)?.genuine).toBe(false);
  });
});

const object = (annotations: Record<string, string>, path?: string) => ({
  kind: 'CloudVolume',
  metadata: { ...name, uid: 'u', generation: 1, resourceVersion: '1', creationTimestamp: '', annotations },
  spec: {},
  ...(path !== undefined && { status: { path } }),
});

describe('derived labels', () => {
  const rule = { field: 'label', max: 32 };
  it.each([
    ['data', /^data-[a-z2-7]{8}$/],
    ['a.b.c', /^a-b-c-[a-z2-7]{8}$/],
    ['0abc', /^cabc-[a-z2-7]{8}$/],
    ['x'.repeat(80), /^x{23}-[a-z2-7]{8}$/],
  ])('%s', (object, form) => {
    const label = derivedLabel(rule, key, { ...name, name: object });
    expect(label).toMatch(form);
    expect(label.length).toBeLessThanOrEqual(32);
    expect(isMarked(rule, { key, name: { ...name, name: object } }, label)).toBe(true);
    expect(looksDerived(rule, { ...name, name: object }, label)).toBe(true);
  });
  it.each([
    ['data', /^data[a-z2-7]{8}$/],
    ['before-the.upgrade', /^beforetheupgrade[a-z2-7]{8}$/],
    ['0abc', /^cabc[a-z2-7]{8}$/],
    ['x'.repeat(80), /^x{22}[a-z2-7]{8}$/],
  ])('%s, of letters and digits alone', (object, form) => {
    const plain = { field: 'label', max: 30, plain: true } as const;
    const own = { ...name, name: object };
    const label = derivedLabel(plain, key, own);
    expect(label).toMatch(form);
    expect(isMarked(plain, { key, name: own }, label)).toBe(true);
    expect(isMarked(plain, { key, name: { ...own, namespace: 'team-b' } }, label)).toBe(false);
    expect(looksDerived(plain, own, label.slice(0, -1))).toBe(false);
  });
  it('differ between installations', () => {
    expect(derivedLabel(rule, key, name)).not.toBe(derivedLabel(rule, key, { ...name, installation: 'cluster-2' }));
  });
  it('are marks for their own object, and only where the key made them', () => {
    const label = derivedLabel(rule, key, name);
    expect(isMarked(undefined, { key, name: { ...name, namespace: 'team-b' } }, label)).toBe(false);
    expect(isMarked(undefined, { key, name }, `data-${ownerDigest(name)}`)).toBe(false);
    expect(isMarked(undefined, { key: new InstallationKey(Buffer.alloc(32, 8)), name }, label)).toBe(false);
  });
  it.each(['data-abcdefg', 'data-abcdefgh-', 'data', 'dat-abcdefgh', 'data-more-abcdefgh', 'data-ABCDEFGH'])(
    'do not look like %s',
    (label) => {
      expect(looksDerived(rule, name, label)).toBe(false);
    },
  );
  it('are not what ordinary names look like', () => {
    expect(isMarked(rule, { key, name }, `other-${key.ownerKey(name)}`)).toBe(false);
  });
  it('stay what they were when another key signs, and only the true ones are remembered', () => {
    const label = 'data-made2of4';
    const remembers = (text: string, by = key) => rememberedLabel({ key: by, name, object: object({ 'cloudhosting.dev/label': text }) });
    const text = formatLabel({ key, name }, label);
    expect(remembers(text)).toBe(label);
    expect(remembers(text, next)).toBe(label);
    expect(remembers(text, stranger)).toBeUndefined();
    expect(remembers(`${text.slice(0, -17)}x${text.slice(-17)}`)).toBeUndefined();
    expect(remembers(label)).toBeUndefined();
    expect(labelOf(rule, { key: next, name, object: object({ 'cloudhosting.dev/label': text }) })).toBe(label);
  });
  it('of what was made before they had a key are the old ones', () => {
    expect(labelOf(rule, { key, name, object: object({}) })).toBe(derivedLabel(rule, key, name));
    expect(labelOf(rule, { key, name, object: object({}, '/volumes/1') })).toBe(`data-${ownerDigest(name)}`);
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
