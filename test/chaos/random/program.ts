import { seeded } from '../../support/seeded.ts';
import { type Cast, meddlable, recreatable } from './cast.ts';

/** One thing that happens. It is skipped where it makes no sense any more, so that any part of a program is a program. */
export type Act =
  | { readonly do: 'create' | 'delete' | 'meddle' | 'lose' | 'wipe-status' | 'drop-annotations'; readonly who: string }
  | { readonly do: 'edit'; readonly who: string; readonly edit: number }
  | { readonly do: 'restart' }
  | { readonly do: 'rotate-token' }
  | { readonly do: 'close-watches' }
  | { readonly do: 'compact' }
  | { readonly do: 'cloud-fault'; readonly effect: number; readonly method: string }
  | { readonly do: 'kube-fault'; readonly action: number };
export interface Move {
  /** Seconds after the move before it. */
  readonly after: number;
  readonly act: Act;
}
export type Program = readonly Move[];

export const cloudEffects = [
  { kind: 'lose-request' },
  { kind: 'lose-answer' },
  { kind: 'commit-late', seconds: 20 },
  { kind: 'hang' },
  { kind: 'answer', status: 500 },
  { kind: 'answer', status: 503 },
  { kind: 'answer', status: 408 },
  { kind: 'answer', status: 429, headers: { 'retry-after': '30' } },
  { kind: 'html', status: 502 },
  { kind: 'truncate' },
  { kind: 'delay', seconds: 30 },
] as const;
export const kubeActions = [
  { kind: 'answer', status: 409 },
  { kind: 'answer', status: 500 },
  { kind: 'lose' },
  { kind: 'lose-answer' },
  { kind: 'delay-answer', by: 20_000 },
] as const;
const methods = ['POST', 'PUT', 'DELETE', 'GET'] as const;
const pauses = [0, 0, 1, 5, 30, 120, 600] as const;

/** The program of a seed: always the same one for the same kinds. */
export function programOf(seed: number, cast: Cast): Program {
  const random = seeded(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const who = (): string => pick([...cast.keys()]);
  const of = (fits: (name: string) => boolean): string => pick([...cast.keys()].filter(fits));
  const acts: readonly (() => Act)[] = [
    () => ({ do: 'create', who: who() }),
    () => ({ do: 'create', who: who() }),
    () => ({ do: 'create', who: who() }),
    () => ({ do: 'edit', who: who(), edit: below(100) }),
    () => ({ do: 'edit', who: who(), edit: below(100) }),
    () => ({ do: 'delete', who: who() }),
    () => ({ do: 'meddle', who: of((name) => meddlable(cast, name)) }),
    () => ({ do: 'lose', who: of((name) => recreatable(cast, name)) }),
    () => ({ do: pick(['wipe-status', 'drop-annotations']), who: who() }),
    () => ({ do: 'restart' }),
    () => ({ do: pick(['rotate-token', 'close-watches', 'compact']) }),
    () => ({ do: 'cloud-fault', effect: below(cloudEffects.length), method: pick(methods) }),
    () => ({ do: 'cloud-fault', effect: below(cloudEffects.length), method: pick(methods) }),
    () => ({ do: 'kube-fault', action: below(kubeActions.length) }),
  ];
  const length = 8 + below(20);
  return Array.from({ length }, () => ({ after: pick(pauses), act: pick(acts)() }));
}
