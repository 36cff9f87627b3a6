import { covers } from '../../src/engine/model/values.ts';
import { type AnyKind, asCollection, FileContent, fileDigest, holdsScope, placesOf, type Row, sitesOf } from '../../src/resource/index.ts';
import { fileIn } from '../support/samples/config-map-content.ts';
import { type Case, caseOf, fixtures } from './case.ts';
import { EmulatedAccount } from './emulated-account.ts';
import type { AnyFixture } from './fixture.ts';

/** What is wrong with a kind, in words; empty where it obeys. */
type Broken = readonly string[];
interface Word {
  readonly says: string;
  readonly broken: (one: Case, all: readonly AnyKind[]) => Broken | Promise<Broken>;
}

const filterOf = ({ sweep }: AnyKind): unknown => (sweep?.by === 'list' ? sweep.filter : undefined);

/** The laws of what a kind may say that needs more than its own words: each is failed by a wrong kind of the laboratory. */
export const words = {
  filter: {
    says: 'lists its collection under the filter under which all kinds of it do',
    broken: ({ kind }, all) => {
      if (filterOf(kind) !== undefined && placesOf(kind).length === 0)
        return ['a filter is for what is listed in one place of the account'];
      const others = all.filter((one) => placesOf(one).some((place) => placesOf(kind).includes(place)));
      return others.filter((one) => JSON.stringify(filterOf(one)) !== JSON.stringify(filterOf(kind))).map(({ kind: name }) => name);
    },
  },
  untagged: {
    says: 'is made without tags only at a path of its own, by fields that are fixed, and tells by which event',
    broken: ({ kind }) => {
      const { withoutTags = {}, createPath } = asCollection(kind) ?? {};
      const ways = Object.entries(withoutTags);
      if (ways.length > 0 && (kind.tags === undefined || createPath === undefined)) return ['its create sends what tags there are'];
      const isRouted = (birth: string): boolean => kind.events.some(({ actions }) => actions.some((action) => birth.startsWith(action)));
      return [
        ...ways.filter(([field]) => kind.fields[field]?.immutable !== true).map(([field]) => `${field} may be taken away after`),
        ...ways.flatMap(([, births]) => (births ?? []).filter((birth) => !isRouted(birth)).map((birth) => `${birth} leads elsewhere`)),
      ];
    },
  },
  bornWith: {
    says: 'begins a job with its create only where it shows when that was, and events lead here',
    broken: ({ kind }) => {
      const { bornWith, createdAt } = asCollection(kind) ?? {};
      if (bornWith === undefined) return [];
      const routed = kind.events.some(({ actions }) => actions.some((action) => bornWith.job.startsWith(action)));
      return [
        ...(createdAt === undefined ? ['nobody knows how long ago it was made'] : []),
        ...(routed ? [] : [`${bornWith.job} leads elsewhere`]),
      ];
    },
  },
  listed: {
    says: 'is in the listing that it is looked for in, and nothing of others is',
    broken: async ({ kind, fixture }) => {
      if (kind.mode !== 'collection') return [];
      const account = new EmulatedAccount();
      const one = await account.prepare({ ...fixture, kind });
      const before = await account.rows(kind, one.want);
      const foreign = before.filter((row) => row['mine'] === false).map((row) => `somebody else's ${String(row['label'])} is listed`);
      const item = await account.create(one, one.want);
      const listed = (await account.rows(kind, one.want)).filter((row) =>
        covers(kind.key.of(one.want), kind.key.row?.(row, one.want) ?? row),
      );
      const seen = await account.read(kind, item);
      return [
        ...foreign,
        ...(listed.length === 1 ? [] : ['its own row is not listed']),
        ...(seen === undefined ? ['it cannot be read'] : []),
      ];
    },
  },
  key: {
    says: 'counts what matches its key where no row tells when it was made',
    broken: ({ kind }) =>
      kind.key === undefined || kind.createdAt !== undefined || kind.key.enforced === 'counted'
        ? []
        : ['only a baseline tells whose a match is'],
  },
  reserved: {
    says: 'keeps from a namespace what is everybody’s, and names the field, and nothing that it may have',
    broken: ({ kind, fixture: { reserved = [] }, wants }) => {
      const rule = asCollection(kind)?.reserved;
      if (rule === undefined) return reserved.length === 0 ? [] : ['no word asks for these'];
      const [[, want] = ['', { name: '' }]] = wants;
      return [
        ...(reserved.length === 0 ? ['nothing shows what it keeps'] : []),
        ...reserved.filter((one) => !/^spec\.[a-z]/.test(rule({ ...want, ...one }) ?? '')).map((one) => `${JSON.stringify(one)} is free`),
        ...wants.filter(([, one]) => rule(one) !== undefined).map(([name]) => `${name} is kept from it`),
      ];
    },
  },
  conflict: {
    says: 'says what stands against it, of what its own scopes let it list, and tells neither what that is nor that it is itself',
    broken: ({ kind, fixture: { conflicts = [] }, want, remote }, all) => {
      const { conflictsWith: rule } = asCollection(kind) ?? {};
      if (rule === undefined) return conflicts.length === 0 ? [] : ['no word asks for these'];
      const other = all.find((one) => one.kind === rule.kind);
      const unread = other?.scopes.read.filter((scope) => !holdsScope(kind.scopes.write, scope)) ?? [];
      return [
        ...(other !== undefined && placesOf(other).length > 0 ? [] : [`${rule.kind} is listed nowhere`]),
        ...unread.map((scope) => `its token may lack ${scope}`),
        ...(conflicts.length === 0 ? ['no row shows what it is about'] : conflicts.flatMap((row) => toldOf(rule.says(want, row), row))),
        ...[remote, {}].flatMap((row) => (rule.says(want, row) === undefined ? [] : ['it stands against itself, or nothing does'])),
      ];
    },
  },
  configMap: {
    says: 'finds the text of every ConfigMap that its sample and its edits name',
    broken: ({ kind, fixture }) => {
      const { configMaps = {}, sample, want, edits } = fixture;
      const sites = sitesOf(kind.spec).filter(({ what }) => what.is === 'configMap');
      const told = [[sample.spec, want], ...edits.map(({ field, spec, to }) => [{ [field]: spec ?? to }, { [field]: to }])] as const;
      const named = sites.flatMap(({ at }) =>
        told.flatMap(([written = {}, meant = {}]) => {
          const texts = valuesAt(meant, at);
          return valuesAt(written, at).flatMap((place, i) => {
            const { name, key } = (place ?? {}) as { name?: string; key?: string };
            return name === undefined || key === undefined ? [] : [{ at, name, key, is: isSame(configMaps[name]?.[key], texts[i]) }];
          });
        }),
      );
      const unmarked = Object.keys(configMaps).filter((name) => !named.some((one) => one.name === name));
      return [
        ...unmarked.map((name) => `${name} is named at no place that is marked`),
        ...named.flatMap(({ at, name, key, is }) =>
          is ? [] : [`configMaps of the fixture has not under ${name}, ${key} what ${at.join('.')} resolves to`],
        ),
      ];
    },
  },
  until: {
    says: 'waits only for what its targets come to say',
    broken: ({ kind }) =>
      sitesOf(kind.spec).flatMap(({ at, what }) => {
        const { until, kind: target } = what.is === 'ref' ? what.target : {};
        if (until === undefined || target === undefined) return [];
        const { kind: to, want, remote } = caseOf(fixtureOf(target));
        return to.observe(remote, want)[until.status] === until.is ? [] : [at.join('.')];
      }),
  },
} satisfies Readonly<Record<string, Word>>;

/** Its reader may not know what others have. */
function toldOf(text: string | undefined, row: Row): readonly string[] {
  if (text === undefined || !/^an? [a-z]/.test(text)) return [`${JSON.stringify(row)} stands against nothing, or without a word`];
  const values = Object.values(row).filter((value) => typeof value === 'string' || typeof value === 'number');
  return values.filter((value) => text.includes(String(value))).map((value) => `${JSON.stringify(value)} is told to strangers`);
}

const isSame = (text: string | undefined, meant: unknown): boolean =>
  meant instanceof FileContent ? fileDigest(fileIn(text ?? '') ?? Buffer.of()) === meant.digest : text === meant;

/** `*` stands for every element of a list. */
const valuesAt = (value: unknown, at: readonly string[]): readonly unknown[] =>
  at.reduce<readonly unknown[]>(
    (values, step) =>
      step === '*' ? values.flatMap((list) => (list ?? []) as unknown[]) : values.map((inner) => (inner as Row | undefined)?.[step]),
    [value],
  );

/** The fixture of this kind, for a kind of the laboratory to be made of. */
export function fixtureOf(name: string): AnyFixture {
  const fixture = fixtures.find(({ kind }) => (kind as AnyKind).kind === name);
  if (fixture === undefined) throw new Error(`there is no fixture of ${name}`);
  return fixture;
}
