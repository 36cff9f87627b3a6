import type { OpenOptions } from '../../engine/ports/index.ts';

/** Percent where an account names none: the rest is for other users of the token. */
const defaultShare = 80;

interface Share {
  readonly account: string;
  readonly percent: number;
  readonly ofMany: boolean;
}
type Wished = Pick<OpenOptions, 'share' | 'ofMany'>;

/** The part of one user's rate windows that each account may use. The sum of all accounts' use is capped by the largest single share. */
export class Shares {
  readonly #held = new Map<object, Share>();

  /** `holder`: whoever asks for it. Of several for one account the largest counts. */
  set(holder: object, account: string, { share: percent = defaultShare, ofMany = false }: Wished): void {
    this.#held.set(holder, { account, percent, ofMany });
  }

  delete(holder: object): void {
    this.#held.delete(holder);
  }

  /** 0..1. Without an account, or for one that has no share: the cap of all together. */
  part(account: string | undefined): number {
    const all = [...this.#held.values()];
    const own = all.filter((one) => one.account === account);
    const percents = (own.length > 0 ? own : all).map(({ percent }) => percent);
    return (percents.length > 0 ? Math.max(...percents) : 100) / 100;
  }

  /** More namespaces than one may want something of it. */
  areOfMany(): boolean {
    return [...this.#held.values()].some(({ ofMany }) => ofMany);
  }
}
