import { request } from 'undici';
import { sum } from './figure.ts';

/** What only the operator itself can know: one scrape of its metrics. */
export interface OwnFigures {
  /** MB of 2^20 bytes. */
  readonly heap: number;
  /** Milliseconds by which timers came late, since the last scrape: 99 of 100 were not later. */
  readonly loopDelay: number;
  /** Turns of the engine since its start. */
  readonly turns: number;
}

/** The operator looks at its event loop this often, and what it tells contains that. Milliseconds. */
const loopLooks = 100;

export async function ownFigures(url: string): Promise<OwnFigures> {
  const text = await (await request(url)).body.text();
  const values = (name: string): readonly number[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .map((line) => Number(line.slice(line.lastIndexOf(' '))));
  const one = (name: string): number => values(name)[0] ?? Number.NaN;
  return {
    heap: one('nodejs_heap_size_used_bytes') / 2 ** 20,
    loopDelay: one('nodejs_eventloop_lag_p99_seconds') * 1000 - loopLooks,
    turns: sum(values('controller_runtime_reconcile_total')),
  };
}
