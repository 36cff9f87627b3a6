import type { Duration } from '../duration.ts';
import type { Row } from '../field-rule.ts';

/** The answer to a create tells nothing of what it makes: that is listed below its parent once it is done. */
export interface Appearing {
  /** The longest that this takes. */
  readonly within: Duration;
  /** What goes on until then, as its object says it. */
  readonly says: string;
  /** Of the row of the parent: why nothing is made below it now. As long as there is a reason, what was sent may still be under way. */
  readonly waits: (parent: Row) => string | undefined;
  /** Status field of the parent's object that shows the same: when that is another, what waits is looked at. */
  readonly shownBy: string;
}
