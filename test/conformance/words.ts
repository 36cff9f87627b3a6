import { differences } from '../../src/engine/plan/diff.ts';
import { plan } from '../../src/engine/plan/plan-update.ts';
import {
  actionsOf,
  type AnyCollection,
  type AnyKind,
  type AnyWant,
  asCollection,
  asSingleton,
  type Call,
  collectionOf,
  holdsScope,
  itemOf,
  placesOf,
  type Row,
  sitesOf,
  withNonce,
} from '../../src/resource/index.ts';
import { contextFor } from './case.ts';

const isEdited = (kind: AnyKind, want: AnyWant, remote: Row, ignoreFields: readonly string[] = []): boolean =>
  plan(kind, want, remote, contextFor(kind, {}, { ignoreFields })).do !== 'nothing';

/** What a law is about: a kind, one of its wants, and the row of a remote that is at rest. */
export interface Told {
  readonly kind: AnyKind;
  readonly want: AnyWant;
  readonly remote: Row;
  /** What only the answer to a create says beside it. */
  readonly told?: Row | undefined;
}
/** What is wrong; nothing where it is obeyed. */
export type WordLaw = (told: Told) => readonly string[];

const unless = (holds: boolean, message: string): readonly string[] => (holds ? [] : [message]);

const once = ({ outputs = {} }: AnyKind) => Object.entries(outputs).filter(([, { toldOnce }]) => toldOnce !== undefined);

const besides = ({ label, key, attempts }: Partial<AnyCollection>): readonly string[] => [
  ...unless(label?.nonce === true, 'nothing tells the new one from the old one'),
  ...unless(key?.enforced === 'counted' && attempts === undefined, 'no second one can be made beside it'),
];
const resets = ({ method, path }: Call, item: string): readonly string[] =>
  unless(method === 'POST' && path.startsWith(`${item}/`), `${path} does not reset this one`);

/** Laws of single words, each of which a wrong kind of the laboratory breaks. */
export const wordLaws: Readonly<Record<string, WordLaw>> = {
  'what goes by another call than DELETE tells when it is over, and is not over at rest': ({ kind, remote }) => {
    const { call, ended } = kind.deletion ?? {};
    const sent = call?.(remote, '/x/1');
    const id = encodeURIComponent(String(kind.id?.(remote) ?? remote['id']));
    // By another path of its own it goes as it does by its item's.
    const goes = sent?.method === 'DELETE' && sent.path.endsWith(`/${id}`);
    return [
      ...unless(call === undefined || goes || ended !== undefined, 'nothing tells when it has gone'),
      ...unless(ended?.(remote) !== true, 'it is over while it is wanted'),
    ];
  },
  'what ends it is a call that names it': ({ kind, want, remote }) => {
    const below = (parent: number): string => collectionOf(kind, kind.parent === undefined ? want : { ...want, [kind.parent.ref]: parent });
    const call = (parent: number): Call | undefined => kind.deletion?.call?.(remote, below(parent));
    const one = call(1);
    const id = encodeURIComponent(String(kind.id?.(remote) ?? remote['id']));
    const isNamed = kind.mode === 'collection' ? one?.path.split('/').includes(id) : JSON.stringify(one) !== JSON.stringify(call(2));
    return unless(one === undefined || (one.method !== 'GET' && isNamed === true), `${one?.path} does not name it`);
  },
  'what is always there is left as it is, unless it can be put back': ({ kind }) =>
    unless(kind.mode !== 'singleton' || kind.deletion !== undefined || kind.defaults.onDelete === 'Retain', 'nothing puts it back'),
  'what takes over what exists is of the account itself, and keeps it': ({ kind }) => {
    const { takesOver, defaults } = asCollection(kind) ?? {};
    return unless(
      takesOver === undefined || (kind.accountLevel === true && defaults?.onDelete === 'Retain'),
      'somebody could take what is another’s',
    );
  },
  'what comes later is told in words': ({ kind, want }) => {
    const later = asSingleton(kind)?.comesLater;
    const texts = later === undefined ? [] : [later.what(want), later.bring];
    return texts.flatMap((text) => unless(/[a-z]/.test(text), 'nobody knows what it waits for, and how that comes'));
  },
  'what is sent once can be looked up by its user and time, and is not made anew by itself': ({ kind }) => {
    const { attempts, createdAt, createdBy, defaults } = asCollection(kind) ?? {};
    if (attempts === undefined) return [];
    return [
      ...unless(createdAt !== undefined, 'no field tells when it was made'),
      ...unless(createdBy !== undefined, 'no field tells who made it'),
      ...unless(defaults?.onMissing === 'Stall', 'a loss makes another one'),
    ];
  },
  'what its create does not tell is listed below a parent, dated, and refused a second time': ({ kind }) => {
    const { appears, parent, createdAt, key, parts, attempts } = asCollection(kind) ?? {};
    if (appears === undefined) return [];
    return [
      ...unless(parent !== undefined, 'nothing above it tells whether it is under way'),
      ...unless(createdAt !== undefined, 'no field tells when it was made'),
      ...unless(key?.enforced === 'unique' && attempts === undefined, 'a second one could come of an answer that was lost'),
      ...unless(once(kind).length === 0 && parts === undefined, 'nothing but the list tells of it'),
      ...unless(appears.waits({}) !== undefined, 'it is made below what cannot be read'),
    ];
  },
  'what a field notes is status that its kind recalls': ({ kind, want, remote }) =>
    Object.entries(kind.fields).flatMap(([field, { notes }]) => {
      const noted = want[field] === undefined ? {} : (notes?.(want[field], remote, want) ?? {});
      const recalls: readonly string[] = kind.recalls ?? [];
      const wrong =
        kind.status
          .partial()
          .safeParse(noted)
          .error?.issues.map(({ message }) => `${field}: ${message}`) ?? [];
      return [
        ...Object.keys(noted).flatMap((name) => unless(recalls.includes(name), `${field} notes ${name}, which is not recalled`)),
        ...wrong,
      ];
    }),
  'what is in one of several places is where its wish says, and only there': ({ kind, want }) =>
    unless(
      kind.parent !== undefined || asCollection(kind) === undefined || placesOf(kind).includes(collectionOf(kind, want)),
      `${collectionOf(kind, want)} is none of its places`,
    ),
  'what makes one list of several fields takes nothing away while an element of one is awaited': ({ kind, want, remote }) => {
    const lists = sitesOf(kind.spec).flatMap(({ at: [field = '', ...rest] }) => (rest.join('.') === '*' ? [field] : []));
    return lists.flatMap((field) => {
      const elements = want[field];
      if (!Array.isArray(elements) || elements.length === 0 || isEdited(kind, want, remote)) return [];
      const fewer = { ...want, [field]: elements.slice(0, -1), awaited: [field] };
      return unless(!isEdited(kind, fewer, remote, [field]), `an element of ${field} that is awaited is taken away`);
    });
  },
  'a list that goes without what is gone takes that away': ({ kind, want, remote }) =>
    Object.entries(kind.fields).flatMap(([field, { withoutGone }]) => {
      const elements = want[field];
      if (withoutGone === undefined || !Array.isArray(elements) || elements.length === 0 || isEdited(kind, want, remote)) return [];
      return unless(isEdited(kind, { ...want, [field]: elements.slice(0, -1) }, remote), `${field} keeps what is gone`);
    }),
  'what is changed seldom is changed by one call': ({ kind }) =>
    Object.entries(kind.fields).flatMap(([field, { immutable, put, local }]) =>
      unless(
        asCollection(kind)?.changesApart === undefined || immutable === true || local === true || put !== undefined,
        `${field} takes a call of its own, which the others would have to wait for`,
      ),
    ),
  'what must not be sent twice notes that it was': ({ kind }) =>
    Object.entries(kind.fields).flatMap(([field, { once, notes }]) =>
      unless(once === undefined || notes !== undefined, `${field} would be sent again while the account does not show it yet`),
    ),
  'what needs the thing above at rest says how that is seen, and counts as a Reboot of it': ({ kind }) => {
    const needing = Object.entries(kind.fields).filter(([, { needs }]) => needs !== undefined);
    const isSeen = kind.parentPower !== undefined && kind.parent !== undefined;
    return [
      ...unless(isSeen || (needing.length === 0 && kind.deletion?.needs === undefined), 'nothing tells what is above it'),
      ...needing.flatMap(([field, { effect = 'InPlace' }]) =>
        unless(['Reboot', 'Rebuild', 'Replace'].includes(effect), `${field} would be ${effect}`),
      ),
    ];
  },
  'a file that it has is told by its digest, and read where something is compared with it': ({ kind }) => {
    const parts = Object.entries(kind.parts ?? {});
    const isCompared = (name: string): boolean => Object.values(kind.fields).some(({ part }) => part === name);
    const files = parts.filter(([, { file }]) => file !== undefined);
    return [
      ...files.flatMap(([name, { schema, paged }]) =>
        unless(!paged && schema.safeParse({ digest: 'sha256:00' }).success && !schema.safeParse({}).success, `${name} is no digest`),
      ),
      ...parts.flatMap(([name, { ifWanted }]) => unless(ifWanted !== true || isCompared(name), `nobody ever wants ${name}`)),
    ];
  },
  'what its jobs tell is recalled, and the end of each leads to it': ({ kind }) =>
    [
      ...Object.entries(kind.lastJobs ?? {}).map(([field, job]) => [field, job && actionsOf(job)] as const),
      ...Object.entries(kind.lastNamed ?? {}),
    ].flatMap(([field, actions = []]) => {
      const recalls: readonly string[] = kind.recalls ?? [];
      const routed = kind.events.flatMap((routing) => (routing.ofParent === true ? [] : routing.actions));
      return [
        ...unless(recalls.includes(field), `${field} would be forgotten with the events`),
        ...actions.flatMap((action) =>
          unless(
            routed.some((one) => action.startsWith(one)),
            `${field} would not be looked at when ${action} ends`,
          ),
        ),
      ];
    }),
  'what is told once is secret, and by the answer to a create alone': ({ kind, want, remote, told = {} }) =>
    once(kind).flatMap(([name, { secret, toldOnce = '', of }]) => [
      ...unless(secret === true, `${name} may go into a ConfigMap`),
      ...unless(typeof of(remote, want) !== 'string', `${name} would be taken from a row that only has a mask in its place`),
      ...unless(typeof of({ ...remote, ...told }, want) === 'string', `${name} is not in the answer`),
      ...unless(toldOnce in told, `${name} is not taken out of ${toldOnce}, where the answer tells it`),
    ]),
  'what is told once is in no status, path, key or id': ({ kind, want, remote, told = {} }) => {
    const row = { ...remote, ...told };
    const shown = [kind.observe(row, want), kind.health(row, want), kind.id?.(row), kind.item?.(row, '/x'), kind.key?.row?.(row, want)];
    const rest = Object.entries(kind.outputs ?? {}).filter(([, { toldOnce }]) => toldOnce === undefined);
    const text = JSON.stringify([shown, rest.map(([, { of }]) => of(row, want))]);
    return once(kind).flatMap(([name, { of }]) => unless(!text.includes(String(of(row, want))), `${name} is shown elsewhere`));
  },
  'what is told once is made under a label that only one attempt sends': ({ kind, want }) => {
    const made = asCollection(kind);
    if (made === undefined || once(kind).length === 0) return [];
    const { label } = made;
    const isSent = label !== undefined && typeof made.create(want)[label.field] === 'string';
    return [
      ...unless(label?.nonce === true, 'nothing tells what an attempt made from what others made'),
      ...unless(isSent && made.key.of(want)[label.field] === made.create(want)[label.field], 'its label is not what it is looked for by'),
    ];
  },
  'what is renewed is told once, and whose it is shows in its label or is not asked': ({ kind, want, remote }) => {
    const { rotation, ...made } = asCollection(kind) ?? {};
    if (rotation === undefined) return [];
    const isTold = unless(once(kind).length > 0, 'there is nothing that only an answer tells');
    const item = `${collectionOf(kind, want)}/${encodeURIComponent(String(kind.id?.(remote) ?? remote['id']))}`;
    return [...isTold, ...(rotation.reset === undefined ? besides(made) : resets(rotation.reset(item), item))];
  },
  'a label that was sent with a nonce is put right, whether or not anybody chose it': ({ kind, want, remote }) => {
    const { label } = kind;
    if (label?.nonce !== true) return [];
    const wants = [want, { ...want, [label.field]: undefined }];
    return wants.flatMap((one) => {
      const wanted = one[label.field] ?? one.name;
      const sent = { ...remote, [label.field]: withNonce(label, String(wanted), 'abcdefg2') };
      const difference = (row: Row) => differences(kind, one, row, () => true).find(({ field }) => field === label.field);
      const seen = difference(sent);
      const isPutRight = seen?.rule.put?.(seen.want, one, sent)[label.field] === wanted;
      return unless(
        isPutRight && difference({ ...remote, [label.field]: wanted }) === undefined,
        `${JSON.stringify(sent[label.field])} stays, or is set again and again`,
      );
    });
  },
  'what is recalled is status of its own, and is shown each time': ({ kind, want, remote }) => {
    const shown = kind.observe(remote, want);
    return (kind.recalls ?? []).flatMap((name) => [
      ...unless(name in kind.status.shape, `${name} is no field of its status`),
      ...unless(name in shown, `${name} would be that of the remote before`),
    ]);
  },
  'what is always there and listed with all others is found in that list': ({ kind, want, remote }) => {
    const { in: list } = asSingleton(kind)?.sweep ?? {};
    if (list === undefined) return [];
    const own = collectionOf(kind, want);
    return unless(own.startsWith(`${list}/`) && itemOf(kind, remote, list) === own, `${itemOf(kind, remote, list)} is not ${own}`);
  },
  'what is applied and taken away again shows whether it is there, and by which call it goes': ({ kind: { fields }, want, remote }) =>
    Object.entries(fields).flatMap(([field, { applied, unset, read, call }]) => {
      if (applied !== true || unset !== 'clear') return [];
      const isGone = call?.(undefined, remote, want)?.method === 'DELETE';
      return [...unless(read !== undefined, `${field} cannot be seen`), ...unless(isGone, `no call takes ${field} away`)];
    }),
  'a part that may not be there yet reads as null': ({ kind: { parts = {} } }) =>
    Object.entries(parts).flatMap(([name, { notYet, secret, schema }]) =>
      unless(notYet === undefined || secret !== undefined || schema.safeParse(null).success, `${name} cannot be null`),
    ),
  'what a secret part holds is seen by secret outputs alone': ({ kind: { parts = {}, outputs = {}, fields } }) => {
    const secret = (name = ''): boolean => parts[name]?.secret !== undefined;
    const given = Object.values(outputs);
    return [
      ...Object.entries(outputs).flatMap(([name, one]) => [
        ...unless(one.part === undefined || secret(one.part), `${name} is made of a part that is not secret, or not there`),
        ...unless(one.part === undefined || one.secret === true, `${name} is no secret`),
      ]),
      ...Object.keys(parts).flatMap((name) =>
        unless(!secret(name) || given.some(({ part }) => part === name), `${name} is read for nobody`),
      ),
      ...Object.entries(fields).flatMap(([field, { part }]) =>
        unless(!secret(part), `${field} cannot be compared with what is kept nowhere`),
      ),
    ];
  },
  'a part names only scopes that its item does not take': ({ kind: { parts = {}, scopes } }) =>
    Object.entries(parts).flatMap(([name, part]) =>
      unless(part.scopes?.some((scope) => holdsScope(scopes.read, scope)) !== true, `${name} takes what ${scopes.read.join(', ')} gives`),
    ),
};
