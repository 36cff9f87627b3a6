import { keyOf, nameOf } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Millis } from '../../lib/clock.ts';
import { shownName } from '../cluster/naming.ts';
import { deadLeaseOf, deadText } from '../cluster/serving.ts';
import { registry } from '../command-line/kinds.ts';
import { stateOf } from '../objects/facts.ts';
import { Landscape } from '../objects/landscape.ts';
import { accountOf } from '../objects/links.ts';
import type { Session } from '../session.ts';
import { isAbsent } from '../why/causes/cause.ts';
import { type Culprit, culpritOf } from '../why/person.ts';
import { isAtRest, type Verdict } from './goal.ts';
import type { Spared } from './news.ts';

/** What is not there may be about to be applied, or be made by another tool. */
const grace: Millis = 120_000;
/** Each may take reads. */
const mostLooked = 100;

/** Who of those that wait waits in vain, because what it waits for needs a person, or would but for what was done about it just now. */
export type Vain = (waiting: readonly Resource[]) => Promise<readonly (readonly [Resource, Verdict])[]>;

interface Looking {
  /** What awaits approval is waited for. */
  readonly patient: boolean;
  readonly spared: Spared;
  /** So many are looked at in a turn. */
  readonly most?: number;
  /** It goes no further itself, whatever it waits for. */
  readonly isStuck?: (object: Resource) => boolean;
}
export function vainly(session: Session, { patient, spared, most = mostLooked, isStuck }: Looking): Vain {
  const missing = new Map<string, Millis>();
  let round = 0;
  const isLate = (object: Resource, culprit: Culprit): boolean => {
    if (!('reason' in culprit) || (!isAbsent(culprit) && culprit.reason !== 'NotAdmitted')) return true;
    const id = `${shownName(object)} ${culprit.object}`;
    const since = missing.get(id) ?? session.now;
    missing.set(id, since);
    return session.now - since >= grace;
  };
  return async (waiting) => {
    if (round === 0) await warnOfDead(session, waiting);
    const from = waiting.length <= most ? 0 : (round * most) % waiting.length;
    round += 1;
    const landscape = new Landscape(await session.reader(), waiting);
    const vain: (readonly [Resource, Verdict])[] = [];
    for (const object of waiting.slice(from, from + most)) {
      const culprit = isStuck?.(object) === true ? object : await culpritOf(landscape, object, { patient });
      if (culprit === undefined || !isLate(object, culprit)) continue;
      const verdict = verdictOn(object, culprit);
      vain.push([object, stillWaiting(verdict, await spared(landscape, object, culprit))]);
    }
    return vain;
  };
}

/** Nobody is told to be in vain as long as anything else goes on, or has not rested long enough. */
export const whereNothingElse =
  (vain: Vain): Vain =>
  async (waiting) => {
    if (waiting.some(isAtRest)) return [];
    const all = (await vain(waiting)).filter(([, { state }]) => state === 'failed');
    return all.length === waiting.length ? all : [];
  };

/** An operator that restarts goes on by itself, so it is waited for; who waits is told why nothing comes. */
async function warnOfDead(session: Session, waiting: readonly Resource[]): Promise<void> {
  const reader = await session.reader();
  const landscape = new Landscape(reader, waiting);
  const keys = new Map(waiting.map((object) => accountOf(object) ?? keyOf(object)).map((key) => [nameOf(key), key]));
  for (const key of keys.values()) {
    const account = await landscape.find(registry.connection.kind, key);
    const dead = typeof account === 'string' ? undefined : await deadLeaseOf(reader, account, session.now);
    if (dead !== undefined)
      session.warn(`${registry.connection.kind} ${nameOf(key)}: ${deadText(dead)}. Nothing comes about before one does`);
  }
}

/** `why` it is waited for all the same; undefined: nothing speaks for that. */
export const stillWaiting = (verdict: Verdict, why: string | undefined): Verdict =>
  why === undefined ? verdict : { ...verdict, state: 'waiting', message: `${verdict.message}. But ${why}: waiting goes on` };

function verdictOn(object: Resource, culprit: Culprit): Verdict {
  const { reason = 'NotLookedAt', message } = stateOf(object);
  if (culprit === object) return { state: 'failed', reason, message };
  const of = 'reason' in culprit ? culprit : { object: shownName(culprit), ...stateOf(culprit) };
  const waitsFor = { object: of.object, said: `${of.reason ?? 'NotLookedAt'}: ${of.message}` };
  return { state: 'failed', reason, message: `it waits for ${waitsFor.object}: ${waitsFor.said}`, waitsFor };
}
