import { nameOf } from '../../../engine/model/object-id.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import type { Millis } from '../../../lib/clock.ts';
import { shownName } from '../../cluster/naming.ts';
import { pauseOf } from '../../objects/facts.ts';
import { registry } from '../../command-line/kinds.ts';
import type { PlanData } from '../../output/plan-shape.ts';
import { accountOf } from './surroundings.ts';

type Unwritable = NonNullable<PlanData['notWritable']>;

/** Accounts of `wanted`, among `objects`. */
export function accountsOf(objects: readonly Resource[], wanted: readonly Resource[]): readonly Resource[] {
  const names = new Set(wanted.map((object) => nameOf(accountOf(object))));
  return objects.filter((one) => one.kind === registry.connection.kind && names.has(nameOf(one.metadata)));
}

/** To which of these accounts nothing is sent now, and what that lasts for: a plan tells what would happen once it is over. */
export function notWritable(accounts: readonly Resource[], now: Millis): Unwritable {
  return accounts.flatMap((account) => {
    const isReadOnly = account.spec['mode'] === 'ReadOnly';
    const paused = pauseOf(account, now);
    if (!isReadOnly && paused === undefined) return [];
    const because = [...(isReadOnly ? ['has mode: ReadOnly'] : []), ...(paused === undefined ? [] : [`is paused ${paused}`])].join(' and ');
    const until = [...(isReadOnly ? ['its mode is Manage'] : []), ...(paused === undefined ? [] : ['its pause is over'])].join(' and ');
    return [{ account: shownName(account), because, until }];
  });
}
