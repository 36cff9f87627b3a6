import type { Call } from '../call.ts';
import type { AnyRule } from '../field-rule.ts';

/** A spec field of what has no remote: it is sent, or decides what is sent, and is compared with nothing. */
export type AskedField = Pick<AnyRule, 'immutable' | 'errors' | 'says' | 'inner' | 'refusals'>;

/**
 * What the account answers when it is asked for, and how long that is good. It is asked for again when a third of that time is
 * left, when the spec asks for something else, and when the Secret that holds it is lost. The engine adds to the answer `expires`,
 * RFC 3339: when it is no longer good.
 */
export interface Issuing<Want> {
  /** Changes nothing in the account, so that it may be sent as often as it takes. */
  readonly call: (want: Want) => Call;
  /** From the answer on. Nothing can end it earlier. */
  readonly seconds: (want: Want) => number;
}
