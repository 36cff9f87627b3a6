/** Percent where an account names none: the rest is for other users of the token. */
const defaultShare = 80;

interface Share {
  readonly account: string;
  readonly percent: number;
}

/** Which part of one user's rate windows each account may use. All together may use as much as the largest of them. */
export class Shares {
  readonly #held = new Map<object, Share>();

  set(holder: object, account: string, percent: number = defaultShare): void {
    this.#held.set(holder, { account, percent });
  }

  delete(holder: object): void {
    this.#held.delete(holder);
  }

  /** 0..1; of all together where no account is named, or one that has none. */
  part(account: string | undefined): number {
    const all = [...this.#held.values()];
    const own = all.filter((one) => one.account === account);
    const percents = (own.length > 0 ? own : all).map(({ percent }) => percent);
    return (percents.length > 0 ? Math.max(...percents) : 100) / 100;
  }
}
