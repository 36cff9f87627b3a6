import { createHash } from 'node:crypto';
import type { Effect, Row } from '../../resource/index.ts';
import type { PendingPlan } from '../model/outcome.ts';
import { greatest } from '../model/policy.ts';
import { type Difference, placeOf } from '../model/step.ts';
import { canonical, shown, shownText } from '../model/values.ts';
import { isLeftByCreate } from './diff.ts';
import type { PlanContext } from './input.ts';

/** The very change was accepted before, alone or with others. */
export const isApproved = (change: Difference, { asked }: PlanContext): boolean =>
  asked?.approved !== undefined && asked.changes.includes(changeText(change));

export const isFrozen = ({ rule, want, have }: Difference): boolean =>
  rule.immutable === true || (rule.only === 'grows' && isLess(want, have));
function isLess(want: unknown, have: unknown): boolean {
  if (typeof want === 'number' && typeof have === 'number') return want < have;
  if (isVersion(want) && isVersion(have)) return want.localeCompare(have, 'en', { numeric: true }) < 0;
  return want === false && have === true;
}
/** `1.25` */
const isVersion = (value: unknown): value is string => typeof value === 'string' && /^\d+([.]\d+)+$/.test(value);
export const effectOf = (change: Difference): Effect => {
  const { rule, want, have } = change;
  if (isFrozen(change)) return 'Replace';
  if (rule.members !== undefined) return rule.members.effectOf(want, (have as Row | null) ?? undefined);
  return (want === undefined ? undefined : rule.effectOf?.(want, have)) ?? rule.effect ?? 'InPlace';
};

/** Nobody needs to be asked: by the policy, because somebody said so, because it ends a create, or because what it would shut down is off. */
export const isAllowed = (change: Difference, context: PlanContext): boolean =>
  context.policy.approve.includes(effectOf(change)) ||
  isApproved(change, context) ||
  isLeftByCreate(change) ||
  (context.parentRests === true && endsWithStop(change));

/** All that it does to others is to shut down what is above. */
export const endsWithStop = (change: Difference): boolean => change.rule.needs !== undefined && effectOf(change) === 'Reboot';

/** `spec.size: 10 -> 20`, as plans, Events and conditions show a change. */
export const changeText = (change: Difference): string =>
  `spec.${placeOf(change)}: the account has ${shownText(change.have)}, wanted ${shownText(change.want)}`;

/**
 * The hash is of what was seen too, and of when it was asked: an approval holds neither for the same wish against another
 * state, nor for the same question asked again after it was answered.
 */
export function pendingPlan(changes: readonly Difference[], { asked, now }: Pick<PlanContext, 'asked' | 'now'>): PendingPlan {
  const texts = changes.map(changeText);
  if (asked !== undefined && canonical(asked.changes) === canonical(texts)) return { ...asked, effect: greatest(changes.map(effectOf)) };
  const hash = createHash('sha256')
    .update(canonical([now, ...changes.map((change) => [placeOf(change), shown(change.want), shown(change.have)])]))
    .digest('hex')
    .slice(0, 10);
  return { hash, effect: greatest(changes.map(effectOf)), changes: texts };
}
