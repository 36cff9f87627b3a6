import type { Clock, Millis } from '../../../src/lib/clock.ts';

/** What the clocks of one machine say, whose wall clock may be wrong and whose clocks may run too fast or too slowly. */
export class MachineTime {
  readonly #true: Pick<Clock, 'now' | 'monotonic'>;
  #rate = 1;
  #skew: Millis = 0;
  /** True and shown monotonic time when the rate was last set. */
  #since: { readonly true: Millis; readonly shown: Millis };

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#true = clock;
    this.#since = { true: clock.monotonic(), shown: clock.monotonic() };
  }

  monotonic(): Millis {
    return this.#since.shown + (this.#true.monotonic() - this.#since.true) * this.#rate;
  }
  now(): Millis {
    return this.#true.now() + this.#skew + this.monotonic() - this.#true.monotonic();
  }
  /** How long a span that this machine measures takes in truth. */
  trueSpan(span: Millis): Millis {
    return span / this.#rate;
  }
  jump(by: Millis): void {
    this.#skew += by;
  }
  drift(rate: number): void {
    this.#since = { true: this.#true.monotonic(), shown: this.monotonic() };
    this.#rate = rate;
  }
}
