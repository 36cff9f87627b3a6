import * as z from 'zod';
import {
  type Acted,
  type Action,
  type AnyKind,
  type AnyOperation,
  type AnyWant,
  type Given,
  type Row,
  sitesOf,
  type Wrong,
} from '../../src/resource/index.ts';

/** What a law is about: a kind of mode operation, and all the kinds to which its actions are done. */
export interface Operating {
  readonly kind: AnyOperation;
  readonly kinds: readonly AnyKind[];
  /** A remote of this kind as its fixture shows it. */
  readonly acted: (kind: string) => Acted<Row, AnyWant>;
}
type Law = (operating: Operating) => readonly string[];

const unless = (holds: boolean, message: string): readonly string[] => (holds ? [] : [message]);
const own = ['action', 'target', 'notAfter', 'ttlSecondsAfterFinished'];
const isTold = (wrong: string | Wrong | undefined): boolean => / /.test(typeof wrong === 'object' ? wrong.says : (wrong ?? 'it can'));
const given: Given = new Proxy({}, { get: () => 12 });
const yes: Given = new Proxy({}, { get: () => true });

/** By name alone: nothing could be known of what has no object. */
const isObjectHere = (schema: unknown, on: string): boolean => {
  const field = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const [site] = sitesOf(field);
  const isByName = field instanceof z.ZodObject && Object.keys(field.shape).join() === 'name';
  return isByName && site?.what.is === 'ref' && site.what.target.kind === on && !site.what.target.shared;
};

function actionsOf({ kind, kinds, acted }: Operating) {
  return Object.entries(kind.operates).flatMap(([name, { on, needs = [], takes = [] }]) => {
    const target = kinds.find((one) => one.kind === on);
    const action = target?.actions?.[name];
    return target === undefined || action === undefined ? [] : [{ name, target, action, acted: acted(on), fields: [...needs, ...takes] }];
  });
}
const eachAction =
  (law: (one: ReturnType<typeof actionsOf>[number] & { readonly action: Action<Row, AnyWant> }) => boolean, message: string): Law =>
  (operating) =>
    actionsOf(operating).flatMap((one) => unless(law(one), `${one.name} ${message}`));

/** Laws of what is done once, each of which a wrong kind of the laboratory breaks. */
export const operationLaws: Readonly<Record<string, Law>> = {
  'every action of a kind can be asked for, and every one that is asked for is known': ({ kind, kinds }) => {
    const known = kinds.flatMap((one) => Object.keys(one.actions ?? {}).map((name) => `${name} of ${one.kind}`));
    const asked = Object.entries(kind.operates).map(([name, { on }]) => `${name} of ${on}`);
    return [
      ...known.filter((one) => !asked.includes(one)).map((one) => `${one} cannot be asked for`),
      ...asked.filter((one) => !known.includes(one)).map((one) => `${one} is not known`),
    ];
  },
  'what is asked for cannot be changed: another one is another object': ({ kind }) =>
    Object.entries(kind.fields).flatMap(([field, rule]) => unless(rule.immutable === true, `${field} may be edited`)),
  'every field is for all actions, or goes with some': (operating) => {
    const taken = new Set([...own, ...actionsOf(operating).flatMap(({ fields }) => fields)]);
    return Object.keys(operating.kind.spec.shape).flatMap((field) => unless(taken.has(field), `${field} goes with no action`));
  },
  'an operation ends by itself when it comes too late': ({ kind }) =>
    unless(
      !kind.spec.safeParse({ action: Object.keys(kind.operates)[0], target: { name: 'web' } }).success,
      'without a time limit it is done whenever it comes back',
    ),
  'a call changes something, and nothing but its target': eachAction(
    ({ action, acted }) =>
      action.call(acted, given).method !== 'GET' &&
      (action.call(acted, given).path.startsWith(`${acted.path}/`) || (action.beyond === true && action.loses !== undefined)),
    'is not done below its target',
  ),
  'how it ends can be told: events lead it to its target, or the target shows it': eachAction(
    ({ action: { jobs, rests, renews }, target: { events } }) =>
      (jobs.length > 0 || rests !== undefined || renews !== undefined) &&
      jobs.every((job) =>
        events.some(
          ({ actions, secondary, ofParent }) =>
            secondary === undefined && ofParent === undefined && actions.some((one) => job.startsWith(one)),
        ),
      ),
    'begins what nothing tells of',
  ),
  'what it looks at is a part of its target, and what it renews a secret one that is given out': eachAction(
    ({ action: { parts = [], renews }, target }) =>
      parts.every((part) => target.parts?.[part] !== undefined && target.parts[part].secret === undefined) &&
      [renews?.(yes)].every(
        (part) =>
          part === undefined ||
          (target.parts?.[part]?.secret !== undefined && Object.values(target.outputs ?? {}).some((output) => output.part === part)),
      ),
    'looks at what its target has not',
  ),
  'what it looks at below its target is there, and what it replaces is what it is asked for': eachAction(
    ({ action: { inner, replaces, rests }, acted }) =>
      (inner?.(acted.path, given).startsWith(`${acted.path}/`) ?? true) && (replaces === undefined || rests !== undefined),
    'looks elsewhere, or tells of no rest',
  ),
  'what makes it anew in its place says what is lost': eachAction(
    ({ action, acted }) => action.effect !== 'Rebuild' || (action.loses?.(acted, given).length ?? 0) > 0,
    'loses something, and asks nobody',
  ),
  'what changes in place of the target is named by an object of the same namespace and kind': ({ kind }) =>
    Object.entries(kind.operates).flatMap(([name, { on, onto, needs = [], takes = [] }]) =>
      unless(
        onto === undefined || ([...needs, ...takes].includes(onto) && isObjectHere(kind.spec.shape[onto], on)),
        `${name} changes what no object here stands for`,
      ),
    ),
  'what changes another locks and asks about that one': (operating) =>
    actionsOf(operating).flatMap(({ name, action, acted }) => {
      const { onto } = operating.kind.operates[name] ?? {};
      const other = { ...acted, path: `${acted.path}0`, name: 'another', remote: { ...acted.remote, id: 4711 } };
      const isAbout = (text: unknown): boolean => JSON.stringify(text).includes('4711') || JSON.stringify(text).includes(other.path);
      const both = { ...acted, onto: other };
      const changes = isAbout(action.call(both, given).body ?? null);
      const asks = JSON.stringify(action.loses?.(both, given) ?? []).includes('another');
      return unless(changes === (onto !== undefined) && asks === changes, `${name} changes another than it locks, or than it asks about`);
    }),
  'it is told in words what it does, and why not': eachAction(
    ({ action, acted }) => /^[A-Z].* .*\.$/.test(action.says) && isTold(action.against?.(acted, given)),
    'is not explained',
  ),
  'its job has an end': eachAction(({ action: { within } }) => within >= 60_000 && within <= 24 * 3_600_000, 'may run for ever'),
};
