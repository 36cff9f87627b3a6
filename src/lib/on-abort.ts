interface Followers {
  readonly all: Set<() => void>;
  readonly tell: () => void;
}
const followed = new WeakMap<AbortSignal, Followers>();

/**
 * Calls `then` when the signal is aborted; what is returned takes it back. A signal compares each new listener with all
 * that it has, so a thousand that wait on one signal would cost a tenth of the processor: here they are one listener.
 */
export function onAbort(signal: AbortSignal, then: () => void): () => void {
  const { all, tell } = followed.get(signal) ?? follow(signal);
  all.add(then);
  return () => {
    if (!all.delete(then) || all.size > 0) return;
    signal.removeEventListener('abort', tell);
    followed.delete(signal);
  };
}

function follow(signal: AbortSignal): Followers {
  const all = new Set<() => void>();
  const tell = (): void => {
    followed.delete(signal);
    for (const one of all) one();
  };
  signal.addEventListener('abort', tell, { once: true });
  const made = { all, tell };
  followed.set(signal, made);
  return made;
}
