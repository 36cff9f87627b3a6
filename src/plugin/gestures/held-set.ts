import { heldBy, lostBy, type MassHold, nameOf } from '../../engine/guard/release-code.ts';
import { fateLines, fatesOf } from './held-fates.ts';
import { askingIn, laterIn } from './held/asking.ts';
import { keyOf } from '../../engine/model/object-id.ts';
import { isDeleting } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { asCollection } from '../../resource/index.ts';
import { counted } from '../../lib/counted.ts';
import { shownName, typed } from '../cluster/naming.ts';
import type { Call } from '../command-line/command.ts';
import { registry } from '../command-line/kinds.ts';
import { stateOf } from '../objects/facts.ts';
import { namespacesOf, objectsOf } from '../objects/losing.ts';

export const holdsOf = ({ status }: Resource): readonly MassHold[] => (status?.['held'] ?? []) as readonly MassHold[];
export const ofHold = ({ namespace, kind }: Pick<MassHold, 'namespace' | 'kind'>): string =>
  [...(kind === undefined ? [] : [`kind ${kind}`]), ...(namespace === undefined ? [] : [`namespace ${namespace}`])].join(' in ');

/** The account counts what is on its way; an object tells that it is held a moment later, or to somebody who may read it. */
export const unlisted = ({ count }: MassHold, { held, beside, asking, later }: HeldSet): readonly string[] =>
  count <= asking.length + later.length || count === held.length + beside.length + later.length
    ? []
    : [
        `  the account counts ${count}, and ${counted(held.length, 'object says', 'objects say')} by now that ${held.length === 1 ? 'it is' : 'they are'} held. If that is not what you mean, look again in a minute: kubectl cloud release --list`,
      ];

export interface HeldSet {
  /** Those whose status says so. */
  readonly held: readonly Resource[];
  /** Those that are counted, because they are being deleted with them, and wait for something else besides. */
  readonly beside: readonly Resource[];
  /** Those that are counted, and that a release does not have made anew. */
  readonly asking: readonly Resource[];
  /** Those that a release lets be made, once their account goes on. */
  readonly later: readonly Resource[];
}

/** In the namespaces that may use the account. */
export async function heldObjects(call: Call, account: Resource, hold: MassHold): Promise<HeldSet> {
  const { namespace, kind } = hold;
  const key = keyOf(account);
  const all = await objectsOf(await call.session.reader(), account, {
    namespaces: namespace === undefined ? namespacesOf(account) : [namespace],
    kinds: kind === undefined ? registry.kinds : [registry.kind(kind)],
  });
  const word = kind === undefined ? heldBy({ key }) : lostBy({ key }, namespace);
  const held = all.filter((object) => isWaitingFor(object, word));
  const beside = kind === undefined ? all.filter((object) => isCounted(object) && !held.includes(object)) : [];
  return { held, beside, asking: askingIn(all, hold), later: laterIn(all, hold) };
}

const isWaitingFor = ({ status }: Resource, word: string): boolean =>
  Array.isArray(status?.['waitingFor']) && status['waitingFor'].includes(word);

/** A person must move something else of it, too; what only goes on is gone in a moment. */
function isCounted(object: Resource): boolean {
  const kind = registry.kind(object.kind);
  return isDeleting(object) && stateOf(object).reason === 'DeletionHeld' && kind.brakeExempt !== true && asCollection(kind) !== undefined;
}

/** What was shown is not what is held by now: who came, who went, and the line that asks anew. */
export async function anotherSet(call: Call, { live, hold, held }: Shown): Promise<readonly string[]> {
  const now = holdsOf(live).find((one) => nameOf(one) === nameOf(hold));
  if (now === undefined) return [`${shownName(live)}: nothing of ${ofHold(hold)} is held any more; nothing was written`];
  const after = await heldObjects(call, live, now);
  const [came, went] = [without(after.held, held), without(held, after.held)];
  const fates = await fatesOf(call, after.held, came);
  return [
    `${shownName(live)}: what is held of ${ofHold(hold)} is another set by now than what was shown; nothing was written. ${came.length} came, ${went.length} went, ${counted(now.count, 'is', 'are')} held:`,
    ...fates.map(fateLines).flatMap(([first = '', ...more]) => [`  came: ${first.trimStart()}`, ...more]),
    ...went.map((object) => `  went: ${shownName(object)}`),
    ...unlisted(now, after),
    `To see all of them, and be asked for these: kubectl cloud release ${typed(live)} --of ${nameOf(now)}`,
  ];
}
export interface Shown {
  readonly live: Resource;
  readonly hold: MassHold;
  readonly held: readonly Resource[];
}
const without = (all: readonly Resource[], others: readonly Resource[]): readonly Resource[] =>
  all.filter(({ metadata }) => !others.some((other) => other.metadata.uid === metadata.uid));
