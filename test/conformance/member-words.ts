import { planDelete } from '../../src/engine/plan/plan-delete.ts';
import { type AnyKind, type AnyRule, type AnyWant, asCollection, partsBefore, type Row } from '../../src/resource/index.ts';
import type { WordLaw } from './words.ts';

type Members = NonNullable<AnyRule['members']>;

const unless = (holds: boolean, message: string): readonly string[] => (holds ? [] : [message]);
const lists = ({ fields }: AnyKind): readonly (readonly [field: string, members: Members, rule: AnyRule])[] =>
  Object.entries(fields).flatMap(([field, rule]) => (rule.members === undefined ? [] : [[field, rule.members, rule] as const]));

const foreignKey = 'zzzzzzzz';
/** With every mark of the object under the key of somebody else. */
function estranged(value: unknown, keys: readonly string[]): unknown {
  if (typeof value === 'string') return keys.reduce((text, key) => text.replace(new RegExp(`-${key}$`), `-${foreignKey}`), value);
  if (Array.isArray(value)) return value.map((one) => estranged(one, keys));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, estranged(one, keys)]));
}
const keysOf = ({ marks }: AnyWant): readonly string[] => marks?.keys ?? [];
/** One of the tags somewhere in it ends in one of the keys. */
function isMarked(value: unknown, keys: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) =>
    name === 'tags' && Array.isArray(inner)
      ? inner.some((tag) => keys.some((key) => String(tag).endsWith(`-${key}`)))
      : isMarked(inner, keys),
  );
}

/** Whose they are cannot be told, and a person is told that. */
const saysWhy = (kind: AnyKind, remote: Row, want: AnyWant): boolean => asCollection(kind)?.health(remote, want).state === 'Failed';

const others = { path: '/x/1', by: 'another' };

/** Laws of members and of marks, each of which a wrong kind of the laboratory breaks. */
export const memberLaws: Readonly<Record<string, WordLaw>> = {
  'its members are seen, compared with a part that is read, and at rest as they are wanted': ({ kind, want, remote }) =>
    lists(kind).flatMap(([field, { read }, { part }]) => {
      const names = (want[field] as readonly Row[] | undefined)?.map(({ name }) => String(name)) ?? [];
      const unread = part === undefined ? {} : { ...remote, [part]: undefined };
      return [
        ...unless(part !== undefined && kind.parts?.[part]?.for === 'drift', `${field} is compared with no part that is read for it`),
        ...unless(read(unread, want) === undefined, `${field} are taken for gone while they are not read`),
        ...unless(names.length === 0 || read(remote, want) !== undefined || saysWhy(kind, remote, want), `${field} are never seen`),
      ];
    }),
  'what bears the marks of others is no member, and nothing is sent to it': ({ kind, want, remote }) =>
    lists(kind).flatMap(([field, { read, call }]) => {
      const foreign = estranged(remote, keysOf(want)) as Row;
      const names = Object.keys(read(remote, want) ?? {});
      const sent = names.flatMap((name) => call(name, undefined, foreign, want) ?? []);
      return [
        ...unless(Object.keys(read(foreign, want) ?? {}).length === 0, `${field} takes what bears the mark of another`),
        ...unless(sent.length === 0, `${field} would send ${sent.map(({ method, path }) => `${method} ${path}`).join(', ')}`),
      ];
    }),
  'what another object took is neither removed nor made a second time': ({ kind, want, remote }) =>
    lists(kind).flatMap(([field, { read, call, effectOf }]) => {
      const names = Object.keys(read(remote, want) ?? {});
      const wanted = (want[field] as readonly Row[] | undefined)?.filter(({ name }) => names.includes(String(name))) ?? [];
      const taken = wanted
        .flatMap((one) => call(String(one['name']), one, remote, want) ?? [])
        .map(({ path }) => ({ path, by: 'another' }));
      const without = { ...want, [field]: [], taken };
      const left = Object.entries(read(remote, without) ?? {});
      const sent = names.flatMap((name) => call(name, undefined, remote, without) ?? []);
      return [
        ...unless(!sent.some(({ method }) => method === 'DELETE'), `${field} of another object are removed`),
        ...unless(
          left.every(([, one]) => effectOf(undefined, one) === 'InPlace'),
          `${field} of another object are asked for as if they went`,
        ),
        ...unless(
          taken.length === 0 || read(remote, { ...want, taken }) === undefined,
          `${field} of another object are its own, or missing`,
        ),
      ];
    }),
  'what a change of it changes is held back in words while that is another’s, and only then': ({ kind, want }) =>
    Object.entries(kind.fields).flatMap(([field, { withheld }]) =>
      withheld === undefined
        ? []
        : [
            ...unless(withheld({ ...want, taken: [] }) === undefined, `${field} is held back from its own object`),
            ...unless(withheld({ ...want, taken: [others] })?.includes(others.by) === true, `nobody is told whose ${field} is for now`),
            ...unless(asCollection(kind)?.changesAlso !== undefined, `${field} is held back, and nothing tells for whom`),
          ],
    ),
  'what another has in use is neither released nor deleted': ({ kind, want, remote }) => {
    const { usedBy, changesAlso } = asCollection(kind) ?? {};
    if (usedBy === undefined) return [];
    const { do: step } = planDelete(kind, '/x/2', remote, { ...want, taken: [others] });
    return [
      ...unless(step !== 'delete' && step !== 'release', `it would be sent a ${step}`),
      ...unless(
        usedBy(remote).every((path) => changesAlso?.(remote)?.includes(path) === true),
        'a change of it asks nobody who uses it',
      ),
    ];
  },
  'what strays tells where it is now, and is not deleted at another’s': ({ kind, want, remote }) => {
    const { strays, leadsTo } = asCollection(kind) ?? {};
    if (strays === undefined) return [];
    const { do: step } = planDelete(kind, '/x/2', remote, { name: 'x', recalled: {}, taken: [others] });
    return [
      ...unless((leadsTo?.(remote) ?? []).length > 0, 'nothing tells to whom it was given'),
      ...unless(strays(remote, {}), 'it is nowhere that anybody saw it, and does not stray'),
      ...unless(want.recalled?.['routedTo'] === undefined || !strays(remote, want), 'it strays where its object saw it'),
      ...unless(step === 'keep', `what was given away would be sent a ${step}`),
    ];
  },
  'a member that is missing is made below the item, and one too many asks before it goes': ({ kind, want, remote }) =>
    lists(kind).flatMap(([field, { read, call, effectOf }]) => {
      const [first] = (want[field] as readonly Row[] | undefined) ?? [];
      const made = first && call('another', { ...first, name: 'another' }, remote, want);
      const gone = Object.entries(read(remote, want) ?? {}).filter(([, one]) => effectOf(undefined, one) === 'InPlace');
      return [
        ...unless(made === undefined || made.method === 'POST', `a new one of ${field} is sent as ${made?.method}`),
        ...unless(gone.length === 0, `${gone.map(([name]) => name).join(', ')} of ${field} goes without a question`),
      ];
    }),
  'what may be marked bears a mark from its create on, and none where its user may not tag': ({ kind, want }) => {
    const create = asCollection(kind)?.create;
    if (kind.marked === undefined || create === undefined) return [];
    const keys = keysOf(want);
    const restricted = { ...want, marks: { keys, mayTag: false } };
    return [
      ...unless(keys.length > 0, 'its fixture has no keys for marks'),
      ...unless(isMarked(create(want), keys.slice(0, 1)), 'what is made bears no mark'),
      ...unless(!isMarked(create(restricted), keys), 'who may not tag marks it'),
    ];
  },
  'tells every mark that is on it or below, whoever made that, and the name in it': ({ kind, want, remote }) => {
    const keys = keysOf(want);
    if (kind.marked === undefined || !isMarked(remote, keys)) return [];
    const told = kind.marked(estranged(remote, keys) as Row);
    return [
      ...unless(
        told.some(({ tag }) => tag.endsWith(`-${foreignKey}`)),
        'a mark is not told',
      ),
      ...unless(
        told.every(({ tag, name }) => name !== '' && tag.includes(name) && !name.includes(foreignKey)),
        'a mark is told without its name',
      ),
    ];
  },
  'what bears the marks of who had it before is its own': ({ kind, want, remote }) => {
    const keys = keysOf(want);
    const after = { ...want, recalled: {}, marks: { keys, mayTag: true, former: [foreignKey] } };
    const before = { ...want, recalled: {}, marks: { keys, mayTag: true } };
    return lists(kind).flatMap(([field, { read }]) =>
      unless(
        Object.keys(read(estranged(remote, keys) as Row, after) ?? {}).length === Object.keys(read(remote, before) ?? {}).length,
        `${field} are lost with the name`,
      ),
    );
  },
  'what is made under an earlier key is its own': ({ kind, want, remote }) => {
    const keys = keysOf(want);
    const later = { ...want, marks: { keys: ['newestkk', ...keys], mayTag: true } };
    return lists(kind).flatMap(([field, { read }]) =>
      unless(
        JSON.stringify(Object.keys(read(remote, later) ?? {})) === JSON.stringify(Object.keys(read(remote, want) ?? {})),
        `${field} are lost with the next key`,
      ),
    );
  },
  'a part for its deletion, an action or what may not fit is named there, and a part that is named there is one': ({ kind }) => {
    const { parts = {}, actions = {} } = kind;
    const fitting = Object.values(kind.fields).flatMap(({ catalogue, room }) => [
      ...(room?.parts ?? []),
      ...(catalogue?.fits ? [catalogue.fits.part] : []),
    ]);
    const named = [...partsBefore(kind), ...Object.values(actions).flatMap((action) => action.parts ?? []), ...fitting];
    return [
      ...named.flatMap((name) => unless(Object.hasOwn(parts, name), `${name} is no part`)),
      ...Object.entries(parts).flatMap(([name, part]) =>
        unless(part.for !== 'before' || named.includes(name), `${name} is read for nobody`),
      ),
    ];
  },
};
