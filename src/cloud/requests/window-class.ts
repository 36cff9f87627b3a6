import type { Millis, Timer } from '../../lib/clock.ts';
import type { RateClass } from '../../resource/index.ts';
import { Lanes } from './lanes.ts';
import { RateWindow, sameWindow, type Sharing } from './rate-window.ts';
import { ShareUsage } from './share-usage.ts';

export interface Waiting {
  /** Monotonic. */
  readonly since: Millis;
  readonly account: string | undefined;
  /** Absent for polls of events, from which nothing is kept for other tenants. */
  readonly tenant?: string;
  readonly grant: () => void;
}

/** One rate class: its window, who has used it, and who waits for it. */
export interface WindowClass {
  readonly rate: RateClass;
  readonly window: RateWindow;
  readonly usage: ShareUsage;
  readonly tenants: ShareUsage;
  readonly lanes: Lanes<Waiting>;
  inFlight: number;
  /** Monotonic time of the last grant. */
  grantedAt: Millis;
  timer: Timer | undefined;
}

export function windowClass(rate: RateClass): WindowClass {
  const window = new RateWindow();
  const [usage, tenants] = [new ShareUsage(window), new ShareUsage(window)];
  return { rate, window, usage, tenants, lanes: new Lanes(), inFlight: 0, grantedAt: -Infinity, timer: undefined };
}

/** All classes of the same size whose windows end together, with this one: to the service they are one window. */
export function windowOf(one: WindowClass, all: Iterable<WindowClass>): readonly WindowClass[] {
  const { limit, resetAt = -Infinity } = one.window;
  const shares = ({ window }: WindowClass): boolean =>
    window.limit === limit && Math.abs((window.resetAt ?? Infinity) - resetAt) <= sameWindow;
  return [...all].filter((other) => other === one || shares(other));
}

export function sharingOf(one: WindowClass, all: Iterable<WindowClass>): Sharing {
  const others = windowOf(one, all).filter((other) => other !== one);
  return { used: sum(others.map(({ window }) => window.used)), pending: sum(others.map(({ inFlight }) => inFlight)) };
}

/** What an account, or a tenant, has used of a window. */
export const usedOf = (window: readonly WindowClass[], by: (each: WindowClass) => number): number => sum(window.map(by));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
