import { accountKey, accountRules, admission } from '../../engine/model/account.ts';
import { recreateAnnotation } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { type AnyCollection, type AnyKind, asCollection } from '../../resource/index.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { mergePatch, namesOf, shownName, typed } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { stateOf } from '../objects/facts.ts';
import { text } from '../command-line/flag.ts';
import { kindCalled, registry } from '../command-line/kinds.ts';
import type { Session } from '../session.ts';
import { Landscape } from '../objects/landscape.ts';
import { adoptsInstead, sameIdAgain } from '../objects/stale-adopt.ts';
import { commandsFor, todoOf } from '../why/actions.ts';
import { insideOf } from '../why/causes/inside.ts';
import { chosen } from './chosen.ts';
import { type Gesture, perform } from './gesture.ts';
import { isAsking } from './held/asking.ts';
import { bySelf, goneWith } from './gone-with.ts';

/** Has cloud resources made anew that somebody else deleted. */
export const recreate: Verb = async (call) => {
  const all = await chosen(call, 'recreate');
  const isNamed = !isSelection(call);
  const objects = isNamed ? all : all.filter((object) => isAsking(object) && !isOnlyObserved(object));
  const gestures: Gesture[] = [];
  for (const object of objects) gestures.push(await gestureOf(call, object));
  const count = gestures.length;
  const together = { expected: String(count), about: `${count} objects: another one is made for each, empty (${namesOf(objects)})` };
  return perform(call, gestures, [`Nothing to make anew${isNamed ? '' : whyNothing(all)}.`], isNamed ? undefined : together);
};

const whyNothing = (all: readonly Resource[]): string =>
  all.some((object) => stateOf(object).reason === 'RemoteMissing')
    ? ': none of them that is RemoteMissing asks for it'
    : ': none of them is RemoteMissing';

/** By a kind or by labels: of these, what is there is left as it is. */
const isSelection = ({ args, flags }: Call): boolean =>
  text(flags, 'filename') === undefined && args.every((word) => kindCalled(word) !== undefined);

/** The account gives it some: it shows what no spec asks for. */
const hasAddresses = ({ status, fields }: AnyKind): boolean =>
  ['publicIPv4', 'address'].some((field) => field in status.shape && !(field in fields));

async function gestureOf({ session }: Call, object: Resource): Promise<Gesture> {
  const { reason } = stateOf(object);
  const kind = asCollection(registry.kind(object.kind));
  if (reason !== 'RemoteMissing' || kind === undefined || object.status?.['path'] === undefined) throw new CliError(3, refusal(object));
  if (isOnlyObserved(object)) throw new CliError(3, observes(object));
  const wish = { object, annotations: { [recreateAnnotation]: new Date(session.now).toISOString() }, shown: ['/status/path'] };
  const id = adoptsInstead(object);
  if (id !== undefined) await refuseForbidden(session, object, id);
  return id === undefined
    ? { ...wish, ...(await madeAnew(session, object, kind)) }
    : { ...wish, level: 'C1', expected: object.metadata.name, ...takenOver(object, id) };
}

/** A namespace that may not adopt is answered that by the operator, and has nothing then. */
async function refuseForbidden(session: Session, object: Resource, id: string): Promise<void> {
  const key = accountKey(object);
  const account = await new Landscape(await session.reader()).find(registry.connection.kind, key);
  if (typeof account === 'string') return;
  const { namespace } = object.metadata;
  if (admission({ key, access: accountRules(account.spec).access }, registry.kind(object.kind), namespace)?.adopt === 'Any') return;
  throw new CliError(3, [
    `${shownName(object)}: ${id}, which spec.adopt names, cannot be taken over: ${shownName(account)} does not let namespace ${namespace} adopt anything (spec.access[].adopt: Any). Nothing was written`,
    'To have another one made: take spec.adopt out, in its manifest, too, where it comes from Git, and type the line again:',
    `  ${mergePatch(object, { spec: { adopt: null } })}`,
  ]);
}

function takenOver(object: Resource, id: string) {
  return {
    facts: [`${shownName(object)}: ${id}, which spec.adopt names, is taken over, and nothing is made`, `  ${stateOf(object).message}`],
    afterwards: `will have ${id} taken over. To follow it: kubectl cloud wait ${typed(object)}`,
  };
}

function withWhichId(object: Resource, kind: AnyKind): string {
  const again = sameIdAgain(object);
  const addresses = hasAddresses(kind) ? ' and other addresses' : '';
  return again === undefined ? `with another id${addresses}` : `with the same id, ${again}`;
}

async function madeAnew(session: Session, object: Resource, kind: AnyCollection) {
  const inside = await insideOf(await session.reader(), object);
  return {
    level: kind.defaults.onMissing === 'Stall' ? ('C2' as const) : ('C1' as const),
    expected: object.metadata.name,
    facts: [
      `${shownName(object)}: another one is made, empty, ${withWhichId(object, kind)}`,
      `  ${stateOf(object).message}`,
      ...goneWith(object, inside),
    ],
    ...afterwards(object, inside),
  };
}

/** A machine is not well before its disks are. */
function afterwards(object: Resource, inside: readonly Resource[]) {
  const asked = inside.filter((one) => !bySelf(one));
  // In the operator's words: it may change nothing in the account now.
  const when = stateOf(object).words.includes(': nothing is made before it ') ? ' as soon as changes may be made in the account' : '';
  if (asked.length === 0)
    return { afterwards: `will be made anew${when}. To follow it until it is there: kubectl cloud wait ${typed(object)}` };
  return {
    afterwards: `will be made anew${when}. What was in it comes after it, and wants to be asked for. Once it is there, see what is to be done for each:`,
    next: [
      ...asked.map((one) => `  kubectl cloud why ${typed(one)}`),
      `It is as wanted only then. To see that: kubectl cloud wait ${typed(object)}`,
    ],
  };
}

const isOnlyObserved = ({ spec }: Resource): boolean =>
  (spec['lifecycle'] as { readonly management?: string } | undefined)?.management === 'Observe';
/** The annotation would lie there until it is managed, and be a yes to what is gone by then. */
const observes = (object: Resource): readonly string[] => [
  `${shownName(object)} only observes, so nothing is made for it: ${stateOf(object).message}`,
  'Have it managed, in its manifest where it comes from Git, or by this line; then ask again.',
  `  ${mergePatch(object, { spec: { lifecycle: { management: 'Manage' } } })}`,
];

/** What never was there is not made anew: it is made, once nothing that is gone is named any more. */
function refusal(object: Resource): readonly string[] {
  const { reason = 'not looked at yet', message } = stateOf(object);
  if (reason === 'RemoteMissing')
    return [
      `${shownName(object)} never had anything of the account that could be made anew: ${message}`,
      todoOf(reason, object),
      ...commandsFor(reason, object).map((line) => `  ${line}`),
    ];
  return [
    `${shownName(object)} is ${reason}: only what was there and is gone (RemoteMissing) is made anew.${message === '' ? '' : ` ${message}`}`,
    `Why it is so: kubectl cloud why ${typed(object)}`,
  ];
}
