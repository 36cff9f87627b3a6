import { accountKey } from '../../engine/model/account.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Millis } from '../../lib/clock.ts';
import { shownName } from '../cluster/naming.ts';
import { pauseOf } from '../objects/facts.ts';
import { registry } from '../command-line/kinds.ts';
import type { Landscape } from '../objects/landscape.ts';
import type { DiffData } from '../output/shapes.ts';
import { notWritable } from '../plan/bases/unwritable.ts';

export type Hold = NonNullable<DiffData['held']>[number];

/** What keeps differences from being set back, or from being seen: pauses, and accounts in which nothing is changed. */
export async function holdsOf(landscape: Landscape, objects: readonly Resource[], now: Millis): Promise<readonly Hold[]> {
  const { kind } = registry.connection;
  const ours = objects.filter((object) => object.kind !== kind);
  const found = await Promise.all(ours.map((object) => landscape.find(kind, accountKey(object))));
  const accounts = new Map(
    [...objects.filter((object) => object.kind === kind), ...found.filter((one) => typeof one !== 'string')].map((account) => [
      shownName(account),
      account,
    ]),
  );
  return [
    ...ours.flatMap((object) => {
      const paused = pauseOf(object, now);
      return paused === undefined ? [] : [{ object: shownName(object), because: `is paused ${paused}`, until: 'then' }];
    }),
    ...notWritable([...accounts.values()], now).map(({ account, ...how }) => ({ object: account, ...how })),
  ];
}

const isOfAccount = ({ object }: Hold): boolean => object.startsWith(`${registry.connection.kind} `);

/** `looked`: the account was read just now. */
export function holdLine(hold: Hold, looked: boolean): string {
  const { object, because, until } = hold;
  if (isOfAccount(hold)) return `${object} ${because}: nothing is changed in it until ${until}`;
  return looked
    ? `${object} ${because}: nothing is sent until ${until}`
    : `${object} ${because}: nobody looks at it until ${until}. As it is in the account now: --against account`;
}
