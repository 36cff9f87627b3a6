import { finalizer, isDeleting } from '../../../engine/model/annotations.ts';
import { accountKey } from '../../../engine/model/account.ts';
import { lostBy, nameOf } from '../../../engine/guard/release-code.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { asCollection, isObjectName } from '../../../resource/index.ts';
import { mergePatch, typed, withKubectl } from '../../cluster/naming.ts';
import { registry } from '../../command-line/kinds.ts';
import { brakeOf } from '../../status/held.ts';
import type { Advice } from '../advice.ts';

/** Of what holds this object: there may be more that are held, and a release is of one. */
const releaseLines = (object: Resource): Readonly<Record<'look' | 'keep' | 'letGo', string>> => {
  const account = typed({ kind: registry.connection.kind, metadata: accountKey(object) });
  const brake = brakeOf(object);
  const of = brake === undefined ? '' : ` --of ${nameOf(brake)}`;
  return {
    look: `kubectl cloud release --list ${account}`,
    keep: `kubectl cloud release --keep ${account}${of}`,
    letGo: `kubectl cloud release ${account}${of}`,
  };
};

/** Once it was asked for, a deletion cannot be taken back: what can be chosen is what becomes of the cloud resource. */
const isProtected = (object: Resource, message: string): Advice | undefined => {
  // What goes with its parent, or is put back, has no policy to choose.
  const isChosen = asCollection(registry.kind(object.kind)) !== undefined;
  if (!isChosen || !message.startsWith('spec.lifecycle.protect is true')) return undefined;
  const line = (onDelete: string): string => mergePatch(object, { spec: { lifecycle: { protect: false, onDelete } } });
  return {
    todo: 'Its deletion cannot be taken back. The first line lets the object go and leaves its cloud resource in the account, where spec.adopt takes it over again; the second deletes both at once, for good, without a question.',
    commands: [line('Retain'), line('Delete')],
  };
};

const isKnown = ({ kind, name }: { readonly kind: string; readonly name: string }): boolean =>
  registry.kinds.some((one) => one.kind === kind) && isObjectName(name);

/** What is in it is protected, and so holds up what would take it along. */
const holdsProtected = (object: Resource, message: string): Advice | undefined => {
  const [, who = ''] = protectedIn.exec(message) ?? [];
  const all = [...who.matchAll(/([A-Z]\w+) ([a-z0-9][a-z0-9.-]*)/g)].map(([, kind = '', name = '']) => ({ kind, name }));
  if (all.length === 0 || !all.every(isKnown)) return undefined;
  const free = all.map(({ kind, name }) =>
    mergePatch({ kind, metadata: { ...object.metadata, name } }, { spec: { lifecycle: { protect: false } } }),
  );
  const last = all.length === 1 ? 'The second takes the protection off' : `The other ${all.length} take the protections off`;
  return isDeleting(object)
    ? {
        todo: `Its deletion cannot be taken back. The first line lets the object go and leaves its cloud resource, and all that is in it, in the account. ${last}: then it and ${who} are deleted at once, for good, without a question.`,
        commands: [mergePatch(object, { spec: { lifecycle: { onDelete: 'Retain' } } }), ...free],
      }
    : {
        todo: `To keep all of it, set the spec back to what the account has: the first line edits it. ${last}: then it and ${who} are deleted at once, for good, and it is made anew without what they stand for.`,
        commands: [withKubectl('edit', object), ...free],
      };
};
const protectedIn =
  /^((?:[A-Z]\w+ [a-z0-9.-]+|\d+ more)(?:(?:, | and )(?:[A-Z]\w+ [a-z0-9.-]+|\d+ more))*) (?:is|are) in \S+, which would take (?:it|them) along, and (?:has|have) spec\.lifecycle\.protect: true\b/;

/** Another object names it with `spec.adopt`, and has one of its own: a person says which of both wishes counts. */
const askedInVain = (object: Resource, message: string): Advice | undefined => {
  const [, kind = '', name = ''] = /^(\w+) (\S+) asks for \S+ with spec\.adopt, and has \S+: it cannot have both\. /.exec(message) ?? [];
  if (!isKnown({ kind, name })) return undefined;
  const other = { kind, metadata: { namespace: object.metadata.namespace, name } };
  return {
    todo: 'Its deletion cannot be taken back. The first line lets the object go and leaves its cloud resource in the account, where another object may take it over with spec.adopt. The second takes that wish out of the other object: then this one and its cloud resource are deleted at once, for good, without a question.',
    commands: [mergePatch(object, { spec: { lifecycle: { onDelete: 'Retain' } } }), mergePatch(other, { spec: { adopt: null } })],
  };
};

/** The brake: many are being deleted at once. */
const oneOfMany = (object: Resource, message: string): Advice | undefined => {
  if (!message.startsWith('it is one of many objects ')) return undefined;
  const lines = releaseLines(object);
  return {
    todo: 'The first line lists them, with what becomes of each and what went before they were held. If it was a mistake: the second prints the lines by which they go and leave what they have in the account, and writes nothing. If so many are to be deleted, the third lets them go: it asks, and then deletes what they have at once, for good.',
    commands: [lines.look, lines.keep, lines.letGo],
  };
};

/** The stop for losses: nobody deletes these objects, so what is said of a deletion would be wrong of them. */
const lostWithMany = (object: Resource): Advice | undefined => {
  const on = (object.status?.['waitingFor'] ?? []) as readonly string[];
  if (!on.some((one) => one.startsWith(lostBy({ key: accountKey(object) })))) return undefined;
  const { look, letGo } = releaseLines(object);
  return {
    todo: 'Nothing is deleted here, so leave lifecycle.onDelete as it is. Find out what removed them from the account: the first line shows it of this one, and the second lists all that wait. The third has them made anew, empty, and asks before it does. An object that is not wanted any more can be deleted.',
    commands: [`kubectl cloud history ${typed(object)}`, look, letGo],
  };
};

/** Something still uses it. Nothing takes a deletion back, but a new one under its name is the same account to all that uses it. */
const accountInUse = (object: Resource): Advice | undefined => {
  if (object.kind !== registry.connection.kind || !isDeleting(object)) return undefined;
  const file = `${object.kind.toLowerCase()}-${object.metadata.name}.yaml`;
  const others = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer);
  return {
    todo: 'If its deletion was a mistake, type the first three lines one right after the other: they keep its manifest, let it go, and apply it again. Nothing of its objects is deleted, and they wait for the new one. If it is meant, delete the objects that use the account (the last line lists them), with `lifecycle.onDelete: Retain` where the cloud resource is to stay; the account goes after them.',
    commands: [
      `${withKubectl('get', object)} -o yaml > ${file}`,
      mergePatch(object, { metadata: { finalizers: others.length === 0 ? null : others } }),
      `kubectl apply -f ${file}`,
      `kubectl cloud tree ${typed(object)}`,
    ],
  };
};

/** Of what is held: each case has lines of its own. */
export const heldUp = (object: Resource, message: string): Advice | undefined =>
  accountInUse(object) ??
  isProtected(object, message) ??
  askedInVain(object, message) ??
  holdsProtected(object, message) ??
  lostWithMany(object) ??
  oneOfMany(object, message);
