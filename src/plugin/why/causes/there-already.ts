import { accountKey } from '../../../engine/model/account.ts';
import { isDeleting } from '../../../engine/model/annotations.ts';
import { nameOf } from '../../../engine/model/object-id.ts';
import { fateOf } from '../../../engine/model/policy.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { ownWords, quotedText } from '../../../lib/quoted.ts';
import { editOfField } from '../../../generate/reference/reference.ts';
import { mergePatch, shownName, withKubectl } from '../../cluster/naming.ts';
import { registry } from '../../command-line/kinds.ts';
import { stateOf } from '../../objects/facts.ts';
import type { Landscape } from '../../objects/landscape.ts';
import { ownerTold } from '../../objects/owner-told.ts';
import { isProtected, withoutProtection } from '../../objects/protected.ts';
import type { Advice } from '../advice.ts';
import type { Cause } from './cause.ts';
import { unread } from './inside.ts';
import { amongRivals } from '../rivals.ts';
import { toldIn, toldSecret } from '../../objects/told-once.ts';
import { withParts } from './renamed.ts';

interface There {
  readonly path: string;
  readonly id: string | number;
  /** What else may be done, in the operator's words. */
  readonly rest: string;
}
const wish = String.raw`spec\.adopt: \{id: (?<id>${quotedText}|\d+)\}; else (?<rest>.*)$`;
const own = `(?:[^"]|${quotedText})*?`;
const forms = [`${own}\\. To take it over write `, ` and bears this object's mark, ${own}, or `].map(
  (form) => new RegExp(String.raw`^(?<path>\/\S+) exists in the account${form}${wish}`, 's'),
);
/** What is called like this object, is of nobody, and may be taken over. Of what is another installation's other words are told. */
function thereIn(message: string): There | undefined {
  const { path, id, rest } = forms.map((form) => form.exec(message)?.groups).find((groups) => groups !== undefined) ?? {};
  return path === undefined || id === undefined || rest === undefined ? undefined : { path, id: JSON.parse(id) as string | number, rest };
}

/** Whose it is a person has to say: it is taken over, or this object is called something else. */
export function thereAlready(object: Resource): Advice | undefined {
  const there = thereIn(stateOf(object).message);
  if (there === undefined) return undefined;
  const { todo, command } = apart(object, there.rest);
  return {
    todo: `If it is what this object is for, the first line takes it over: it is then changed to what this spec says, and ${fate(object)}. Write the same into the manifest, where that comes from Git. If it is something else, ${todo}, by the second line.`,
    commands: [mergePatch(object, { spec: { adopt: { id: there.id } } }), command],
  };
}

const alike =
  / is called like this object, and .* with spec\.installation: (?<installation>[\w-]+) on CloudAccount (?<namespace>[a-z0-9-]+)\/(?<name>[a-z0-9.-]+)$/s;
/** The account alone does not tell whose it is. Its owner may say that nothing there is of a cluster that was rebuilt; nobody in this namespace need be able to. */
export function calledAlike(object: Resource): Advice | undefined {
  const { installation, namespace, name } = alike.exec(stateOf(object).message)?.groups ?? {};
  if (installation === undefined || namespace === undefined || name === undefined) return undefined;
  const account = { kind: registry.connection.kind, metadata: { namespace, name } };
  return {
    todo: `If this cluster was rebuilt, do what the message says for that. If not, the owner of ${shownName(account)} ends it by the first line (in its manifest, too, where it comes from Git), for all objects of the account: what is called like one of them and was not made for it stays as it is, and each gets its own. Until then another name helps: delete this object, for which nothing was made, by the second line, and apply it under that one.`,
    commands: [mergePatch(account, { spec: { installation } }), withKubectl('delete', object)],
  };
}

function apart(object: Resource, rest: string): { readonly todo: string; readonly command: string } {
  const kind = registry.kind(object.kind);
  const fields = [...ownWords(rest).matchAll(/\bspec\.(\w+)/g)].flatMap(([, field = '']) =>
    Object.hasOwn(kind.spec.shape, field) ? [field] : [],
  );
  const named = fields.map((field) => `spec.${field}`).join(' or ');
  if (fields.length > 0 && fields.every((field) => editOfField(kind, field) !== 'free'))
    return {
      todo: `delete this object, for which nothing was made, and apply it with another ${named}`,
      command: withKubectl('delete', object),
    };
  return {
    todo: named === '' ? 'do with it what the message says, or correct this object' : `give this object another ${named}`,
    command: withKubectl('edit', object),
  };
}

/** What is adopted is left alone unless the spec says otherwise. */
function fate({ spec }: Resource): string {
  const { onDelete } = (spec['lifecycle'] ?? {}) as { readonly onDelete?: string };
  return onDelete === 'Delete'
    ? 'is deleted with this object (lifecycle.onDelete: Delete)'
    : 'stays in the account when this object is deleted';
}

/** It has become another object's since: no operator looks at this one for that. `known`: of what was read already. */
export async function takenSince(landscape: Landscape, object: Resource, known: boolean): Promise<readonly Cause[]> {
  const there = thereIn(stateOf(object).message);
  if (there === undefined) return [];
  const { namespace, uid } = object.metadata;
  const kind = registry.kind(object.kind);
  const all = known ? landscape.all.filter((one) => one.kind === kind.kind) : await landscape.list(kind, namespace).catch(unread);
  const account = nameOf(accountKey(object));
  const holder = all.find((one) => one.metadata.uid !== uid && one.status?.['path'] === there.path && nameOf(accountKey(one)) === account);
  if (holder === undefined) return [];
  const { todo, command } = apart(object, there.rest);
  return [
    {
      object: shownName(holder),
      reason: 'AlreadyClaimed',
      message: `it has ${there.path} by now`,
      todo: `One object is enough for it: ${todo}.`,
      commands: [command],
    },
  ];
}

/** What is said of the other one where it is not to be read. */
export const goesUnless =
  'What the other one stands for goes with it only where its status.policy is Delete: what it adopted (unless its lifecycle.onDelete is Delete), only observes or retains stays.';

/** Of two objects for one remote: what the end of the other one does, where it can be read; else nothing better is known than `cause`. */
export async function withOther(landscape: Landscape, object: Resource, cause: Cause, isGlance: boolean): Promise<Cause> {
  if (cause.reason === 'Ambiguous') return amongSeveral(landscape, object, cause);
  if (cause.reason === 'RemoteMissing') return amongRivals(landscape, object, cause);
  if (cause.reason !== 'AlreadyClaimed') return cause;
  const other = await otherOf(landscape, object);
  if (other === undefined) return cause;
  const told = withTold(ofOther(cause, other), object, other);
  return isGlance || other.metadata.namespace !== object.metadata.namespace
    ? told
    : withParts(landscape, { from: other, to: object }, told);
}
/** What is nowhere else, and whoever deletes the other one may fear for. */
function withTold(cause: Cause, object: Resource, other: Resource): Cause {
  const [from, to] = [toldIn(other), toldSecret(object)];
  const isHandedOver = cause.commands.includes(withKubectl('delete', other)) && other.metadata.namespace === object.metadata.namespace;
  if (from === undefined || to === undefined || !isHandedOver) return cause;
  const where = from === to ? `stays in Secret ${from}` : `goes from Secret ${from} into Secret ${to}`;
  return { ...cause, todo: `${cause.todo} What was told of it once ${where} where it is handed over.` };
}
function ofOther(cause: Cause, other: Resource): Cause {
  const at = cause.commands.indexOf(withKubectl('delete', other));
  if (at !== -1 && isProtected(other)) return unprotected(cause, other, at);
  if (other.status?.['path'] === undefined) return cause;
  return { ...cause, todo: cause.todo.replace(goesUnless, `Of the other one, ${shownName(other)}, once it is deleted: ${fateOf(other)}.`) };
}
/** `spec.adopt` fits several: whose they are, as far as can be read, and what of them is held up by that. */
async function amongSeveral(landscape: Landscape, object: Resource, cause: Cause): Promise<Cause> {
  const [, list] = /^spec\.adopt .* matches (\/\S+(?:, \/\S+)+)\. Name exactly one /s.exec(stateOf(object).words) ?? [];
  if (list === undefined || object.status?.['path'] !== undefined) return cause;
  const account = nameOf(accountKey(object));
  const all = await landscape.list(registry.kind(object.kind), object.metadata.namespace).catch(unread);
  const held = (one: Resource): boolean => isDeleting(one) && waitsFor(one, `${object.kind} ${object.metadata.name}`);
  const holders = list.split(', ').flatMap((path) => {
    const one = all.find(({ status, ...other }) => status?.['path'] === path && nameOf(accountKey(other)) === account);
    return one === undefined
      ? []
      : [{ one, says: `${path} is ${shownName(one)}${held(one) ? ', whose deletion waits until this is decided' : ''}` }];
  });
  const more = holders.length > mostTold ? ` and ${holders.length - mostTold} more` : '';
  const told = holders.slice(0, mostTold).map(({ says }) => says);
  const whose = told.length === 0 ? '' : ` ${told.join('; ')}${more}.`;
  const [then, besides] = holders.some(({ one }) => held(one))
    ? [
        ' What is named and being deleted is handed over to this object; the deletion of what is not named goes on at once, for good.',
        'nothing was made for it, but those deletions go on then, at once and for good',
      ]
    : ['', 'nothing was made for it, and nothing in the account is touched'];
  return {
    ...cause,
    todo: `Nothing is taken over while it fits several.${whose} Say which one is meant by the first line, with spec.adopt: {id: ...} (in the manifest, too).${then} If none is, delete this object by the second line: ${besides}.`,
    commands: [withKubectl('edit', object), withKubectl('delete', object)],
  };
}
const mostTold = 5;
const waitsFor = ({ status }: Resource, name: string): boolean => ((status?.['waitingFor'] ?? []) as readonly string[]).includes(name);

/** Undefined: it is not to be read. */
async function otherOf(landscape: Landscape, object: Resource): Promise<Resource | undefined> {
  const told = ownerTold(stateOf(object).message);
  const other = told === undefined ? 'not told' : await landscape.find(told.kind, told.metadata);
  return typeof other === 'string' ? undefined : other;
}

const ordinals = ['first', 'second', 'third', 'fourth'] as const;
const ordinal = (index: number): string => ordinals[index] ?? 'last';
/** Admission refuses to delete the other one: a line before the one that does, so that those from there on are each one further down. */
function unprotected(cause: Cause, other: Resource, at: number): Cause {
  const moved = cause.todo.replaceAll(/\b(?<=the |The )(?:first|second|third)\b/g, (word) => {
    const index = ordinals.findIndex((one) => one === word);
    return ordinal(index < at ? index : index + 1);
  });
  const first = `${shownName(other)} has spec.lifecycle.protect: true, and cannot be deleted before the ${ordinal(at)} line takes that off; nothing is deleted in the account, since it is handed over.`;
  return { ...cause, todo: `${moved} ${first}`, commands: cause.commands.toSpliced(at, 0, withoutProtection(other)) };
}
