import type { CliError } from '../exit.ts';
import { cacheOf } from '../cluster/watching.ts';
import { sleep } from '../../lib/clock.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { Landscape } from '../objects/landscape.ts';
import type { Session } from '../session.ts';
import { changesBetween } from './changes.ts';
import { type Graph, graphOf } from './graph.ts';

/** What comes at once is told at once. */
const gather = 1000;

export interface Followed {
  /** Those that the caller may read. */
  readonly kinds: readonly string[];
  readonly namespace: string | undefined;
  readonly secrets: boolean;
  /** As it was drawn. */
  readonly drawn: Graph;
  /** What of it is told. */
  readonly part: (graph: Graph) => Graph;
}

/** Tells what becomes another, by one watch for each kind, until it is interrupted or nobody reads it any more. */
export async function followed(session: Session, { kinds, namespace, secrets, drawn, part }: Followed): Promise<void> {
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
  const cache = await cacheOf(session, {
    kinds,
    namespaces: namespace === undefined ? [] : [namespace],
    refuse: (error: CliError) => refuse(error),
  });
  let isOther = true;
  cache.subscribe(() => (isOther = true));
  let known = drawn;
  const tell = async (): Promise<void> => {
    isOther = false;
    const landscape = new Landscape(
      await session.reader(),
      kinds.flatMap((kind) => [...cache.all(kind)]),
    );
    const now = part(await graphOf(landscape, { secrets }));
    for (const line of changesBetween(known, now)) session.print(`${shownTime(session.now).slice(11)}  ${line}`);
    known = now;
  };
  try {
    cache.start();
    await Promise.race([cache.synced(), refused, interrupted(session)]);
    while (session.host.isRead()) {
      if (isOther) await tell();
      await Promise.race([sleep(session.host.clock, gather, session.host.signal), refused]);
    }
  } finally {
    await cache.stop();
  }
}

const interrupted = ({ host: { signal } }: Session): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
