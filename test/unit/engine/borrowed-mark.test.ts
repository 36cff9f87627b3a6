import { describe, expect, it } from 'vitest';
import { mayBeMark, type Places } from '../../../src/engine/guard/borrowed-mark.ts';
import { derivedLabel, InstallationKey } from '../../../src/engine/model/identity.ts';

const kind = 'CloudBucket';
const rule = { field: 'label', max: 63, refused: /[^a-z0-9-]/g };
const among = (namespaces: readonly string[]): Places => ({ installations: ['cluster-1'], namespaces });
const places = among(['team-a', 'team-b', 'team-c']);
const bytes = Buffer.alloc(32, 7);

/** Counts the HMACs that it is asked for. */
class CountingKey extends InstallationKey {
  asked = 0;
  override ownerKeys(...of: Parameters<InstallationKey['ownerKeys']>): readonly string[] {
    this.asked += 1;
    return super.ownerKeys(...of);
  }
}
const key = new CountingKey(bytes);
const judge = (label: string, tried = places, present: readonly { readonly namespace: string; readonly name: string }[] = []) => {
  key.asked = 0;
  return { isMark: mayBeMark(rule, { key, kind, places: () => tried, present }, label), asked: key.asked };
};
const labelFor = (name: string, namespace = 'team-b') => derivedLabel(rule, key, { installation: 'cluster-1', kind, namespace, name });

describe('a label that a tenant chose', () => {
  it.each(['data', 'a.b', 'a--b', '0abc', '1st.assets', '1-password-connect', 'c-d', 'www.my-site.example.co.uk', 'a.b.c.d.e.f.g.h.i.j'])(
    'is a mark where it is what the operator makes for %s',
    (name) => {
      expect(judge(labelFor(name))).toEqual({ isMark: true, asked: expect.any(Number) });
      expect(judge(labelFor(name, 'of-another-cluster')).asked).toBeLessThanOrEqual(200);
    },
  );
  it('is one where its name was cut', () => {
    expect(judge(labelFor('x'.repeat(80)))).toEqual({ isMark: true, asked: 0 });
  });
  // Whatever the key of the one in an odd spelling comes to.
  it('is one by its form where there are too many spellings to try and it ends in no word', () => {
    const odd = 'a.b-c--d.e-f--g.h-i--j';
    const label = Array.from({ length: 50 }, (_, n) => labelFor(`${odd}${n}`)).find((one) => /[2-7]/.test(one.slice(-8))) ?? '';
    expect(judge(label)).toEqual({ isMark: true, asked: expect.any(Number) });
    expect(key.asked).toBeLessThanOrEqual(200);
  });
  it('is one of an object that is there, however its name is spelt and whatever word its key is', () => {
    const names = Array.from({ length: 2000 }, (_, n) => `a.b-c--d.e-f--g.h-i--j${n}`);
    const name = names.find((one) => !judge(labelFor(one)).isMark) ?? '';
    expect(name).not.toBe('');
    const others = Array.from({ length: 1000 }, (_, n) => ({ namespace: 'team-b', name: `other-${n}` }));
    expect(judge(labelFor(name), places, [...others, { namespace: 'team-b', name }]).isMark).toBe(true);
    expect(key.asked).toBeLessThanOrEqual(200);
  });
  it.each([
    'web-server',
    'web-frontend',
    'my-web-frontend',
    'a-b-c-d-e-f-g-h-i-j-frontend',
    'c-d-e-f-g-h-i-j-postgres',
    'eu-west-team-seven-blue-projects',
    'a-b-c-3f2a5b6c',
    'a--b-frontend',
    'release-20240101',
  ])('is none where it only looks like one: %s', (label) => {
    const { isMark, asked } = judge(label);
    expect(isMark).toBe(false);
    expect(asked).toBeLessThanOrEqual(200);
  });
  it('is tried in every place with the likeliest name, and with no more names where there are many places', () => {
    const many = among(Array.from({ length: 500 }, (_, n) => `team-${n}`));
    expect(judge('my-web-frontend', many)).toEqual({ isMark: false, asked: 500 });
    expect(judge(labelFor('my-web', 'team-499'), many)).toEqual({ isMark: true, asked: 500 });
  });
  it('is told by its form, and by the objects that are there, where nobody could try all the places', () => {
    const many = among(Array.from({ length: 50_000 }, (_, n) => `team-${n}`));
    expect(judge('my-web-frontend', many)).toEqual({ isMark: false, asked: 0 });
    const names = Array.from({ length: 50 }, (_, n) => `web-${n}`);
    const name = names.find((one) => /[2-7]/.test(labelFor(one).slice(-8))) ?? '';
    expect(judge(labelFor(name), many)).toEqual({ isMark: true, asked: 0 });
    expect(judge(labelFor('my-web', 'team-7'), many, [{ namespace: 'team-7', name: 'my-web' }]).isMark).toBe(true);
    expect(key.asked).toBeLessThanOrEqual(200);
  });
});

describe('a label of letters and digits alone', () => {
  const plain = { field: 'label', max: 30, plain: true } as const;
  const of = (name: string) => derivedLabel(plain, key, { installation: 'cluster-1', kind, namespace: 'team-b', name });
  const isMark = (label: string, ...names: readonly string[]) =>
    mayBeMark(plain, { key, kind, places: () => places, present: names.map((name) => ({ namespace: 'team-b', name })) }, label);
  it.each(['data', 'before-the-upgrade', 'before-the-upgrade-of-the-whole-shop'])(
    'is a mark where it is that of %s, which is there',
    (name) => {
      expect(isMark(of(name), 'other', name)).toBe(true);
    },
  );
  it('is one of a name without dashes, also where nothing of it is there', () => expect(isMark(of('data'))).toBe(true));
  it.each(['beforeupgrade', 'release20240101', 'a'])('is none where it only looks like one: %s', (label) => {
    expect(isMark(label, 'other', 'before-the-upgrade')).toBe(false);
  });
  it('of full length is none where it ends in a word', () => expect(isMark('aftertheupgradeofthesignatures', 'other')).toBe(false));
});
