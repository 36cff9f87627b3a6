import { silent } from '../../../src/telemetry/log.ts';
import type { Backend, BackendRequest } from '../../support/virtual/backend.ts';
import { ConnectionLost } from '../../support/virtual/backend.ts';
import { InProcessDispatcher } from '../../support/virtual/in-process-dispatcher.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

export interface Scripted {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Breaks the connection instead of answering. */
  readonly lost?: string;
  /** Never answers. */
  readonly hang?: true;
}
export type Script = (request: BackendRequest) => Scripted | Promise<Scripted>;

export const origin = 'https://api.example.test';

/** A dispatcher whose answers a test writes, in virtual time. */
export function scripted(script: Script, travel: number = 0) {
  const clock = new VirtualClock();
  const requests: BackendRequest[] = [];
  const backend: Backend = {
    travel: () => ({ there: travel, back: travel }),
    handle: async (request) => {
      requests.push(request);
      const answer = await script(request);
      if (answer.lost !== undefined) throw new ConnectionLost(answer.lost);
      if (answer.hang === true) return new Promise(() => undefined);
      const type = answer.text === undefined && answer.bytes === undefined ? { 'content-type': 'application/json' } : {};
      return {
        status: answer.status ?? 200,
        headers: { date: new Date(Math.floor(clock.now() / 1000) * 1000).toUTCString(), ...type, ...answer.headers },
        body: answer.bytes === undefined ? (answer.text ?? JSON.stringify(answer.json ?? {})) : Buffer.from(answer.bytes),
      };
    },
  };
  const dispatcher = new InProcessDispatcher({ clock, activity: clock.activity, backends: { [origin]: backend } });
  return { clock, dispatcher, requests, log: silent };
}

/** Lets everything happen until `work` has ended, virtual time included. */
export async function settled<T>(clock: VirtualClock, work: Promise<T>, limit = 3_600_000): Promise<T> {
  let ended = false;
  const done = work.finally(() => {
    ended = true;
    clock.activity.note();
  });
  done.catch(() => undefined);
  await clock.runUntil(() => ended, limit);
  return done;
}
