import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { quotedText } from '../../../lib/quoted.ts';
import { asCollection, asSingleton } from '../../../resource/index.ts';
import { mergePatch, typed, withKubectl } from '../../cluster/naming.ts';
import { registry } from '../../command-line/kinds.ts';
import { stateOf } from '../../objects/facts.ts';
import { adoptsInstead } from '../../objects/stale-adopt.ts';
import type { Advice } from '../advice.ts';

const lines = (object: Resource) => ({
  recreate: `kubectl cloud recreate ${typed(object)}`,
  remove: withKubectl('delete', object),
  history: `kubectl cloud history ${typed(object)}`,
});

/** Nothing of it was ever there, so that nothing is made anew. */
export function nothingToAdopt(object: Resource): Advice | undefined {
  if (object.spec['adopt'] === undefined || object.status?.['path'] !== undefined) return undefined;
  const ids = othersIn(object);
  const without = mergePatch(object, { spec: { adopt: null } });
  if (ids.length === 0)
    return {
      todo: 'What spec.adopt names is not in the account. Correct it in the manifest; or take it out there, and another one is made, as this line does.',
      commands: [without],
    };
  const lines = ids.map((id) => adoptLine(object, id));
  const todo = `What spec.adopt names is not in the account, and the message says what is there in its place. To keep that, name it in the manifest, where it comes from Git: ${ids.length === 1 ? `the first line names ${ids[0]}` : `one of the first ${ids.length} lines names it`} here.`;
  // Its name is taken.
  if (asCollection(registry.kind(object.kind))?.goesWithParent !== true) return { todo, commands: lines };
  return { todo: `${todo} The last line has another one made.`, commands: [...lines, without] };
}
const adoptLine = (object: Resource, id: string | number): string => mergePatch(object, { spec: { adopt: { id } } });

export interface Offered {
  readonly ids: readonly (string | number)[];
  /** The path of what they are in, or of their list. */
  readonly of: string;
}
/** Ids in quotes are read, and nothing else that stands in some. */
const own = `(?:[^"]|${quotedText})*?`;
const offer = new RegExp(
  String.raw`^${own}\. No object has (?<all>(?:[^\s,()"]+, )*[^\s,()"]+) of (?<of>/\S+) \(${own}: (?:what )?spec\.adopt: \{id: (?<best>\.\.\.|${quotedText}|\d+)\} (?:names is taken|takes that)`,
  's',
);
/** What the operator tells that no object has: the one that is most like the spec, or all where several are. */
export function offeredIn(message: string): Offered | undefined {
  const { all = '', of = '', best } = offer.exec(message)?.groups ?? {};
  if (best === undefined) return undefined;
  const ids = best === '...' ? all.split(', ').map((id) => (/^\d+$/.test(id) ? Number(id) : id)) : [JSON.parse(best) as string | number];
  return { ids, of };
}
const othersIn = (object: Resource): Offered['ids'] => offeredIn(stateOf(object).message)?.ids ?? [];

/** It is about what others bring into the account, and the kind knows how. */
export function notYetBrought(object: Resource, message: string): Advice | undefined {
  if (!message.includes(' is not in the account yet, or cannot be seen with this token. ')) return undefined;
  const { bring } = asSingleton(registry.kind(object.kind))?.comesLater ?? {};
  if (bring === undefined) return undefined;
  return {
    todo: `Where it is not there, ${bring}. It is looked for every few minutes; the first line has it looked for at once.`,
    commands: [`kubectl cloud reconcile ${typed(object)}`, `kubectl cloud wait ${typed(object)}`],
  };
}

/** Somebody else deleted what it had, and the kind, or who made it, wants to be asked. */
export function goneFromAccount(object: Resource, message: string): Advice | undefined {
  if (!message.endsWith('; else delete this object')) return undefined;
  return namedInstead(object) ?? othersThere(object) ?? madeAnew(object, message);
}

function madeAnew(object: Resource, message: string): Advice {
  const { recreate, remove, history } = lines(object);
  const anew = message.includes('To have it made anew, empty,') ? 'Have it made anew, empty,' : 'Have what the message names taken for it';
  return {
    todo: `The first line shows who deleted it. ${anew} with the second, which asks before it does; or let its object go with the third.`,
    commands: [history, recreate, remove],
  };
}

function namedInstead(object: Resource): Advice | undefined {
  const id = adoptsInstead(object);
  if (id === undefined) return undefined;
  const { recreate, remove, history } = lines(object);
  return {
    todo: `The first line shows who deleted what it had. What spec.adopt names is not what is gone: have ${id} taken over with the second, which asks before it does; or let this object go with the third.`,
    commands: [history, recreate, remove],
  };
}

/** What it was in has others, of no object, in its place: to make one more, empty, is hardly what is meant. */
function othersThere(object: Resource): Advice | undefined {
  const ids = othersIn(object);
  if (ids.length === 0) return undefined;
  const { recreate, remove, history } = lines(object);
  const [which, then] =
    ids.length > 1
      ? [`one of the next ${ids.length} names it here (which is which says the message)`, 'the one after them']
      : [`the second names ${ids[0]} here, which is most like it`, 'the third'];
  return {
    todo: `What it had is gone, and the message says what is there in its place; the first line shows who did what. To keep that, name it in the manifest, where it comes from Git: ${which}. Then ${then} takes it over, and asks before; without spec.adopt it makes another one, empty. The last lets this object go.`,
    commands: [history, ...ids.map((id) => adoptLine(object, id)), recreate, remove],
  };
}
