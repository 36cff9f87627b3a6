import type { Clock, Millis } from './clock.ts';
import { onAbort } from './on-abort.ts';

/** The time given to some work has passed. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** An abort signal of one piece of work: it follows a parent and may run out. `end` must be called, it frees both. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Starts the time anew. */
  touch(): void;
  abort(reason: Error): void;
  end(): void;
}

/** `limit` is asked again whenever time might be up. Nothing stays registered on `parent` after `end`: parents live as long as the process. */
export function deadline(clock: Clock, limit: () => Millis, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  let touched = clock.monotonic();
  const check = (): void => {
    const left = touched + limit() - clock.monotonic();
    if (left > 0) timer = clock.after(left, check);
    else controller.abort(new DeadlineError(`nothing came within ${Math.round(limit() / 100) / 10} s`));
  };
  const follow = (): void => controller.abort(parent?.reason);
  if (parent?.aborted) follow();
  const leave = parent && onAbort(parent, follow);
  let timer = clock.after(limit(), check);
  return {
    signal: controller.signal,
    touch: () => {
      touched = clock.monotonic();
    },
    abort: (reason) => controller.abort(reason),
    end: () => {
      timer.cancel();
      leave?.();
    },
  };
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it is aborted. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
