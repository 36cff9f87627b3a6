import type { Call } from '../call.ts';
import type { AnyWant } from '../field-rule.ts';

/** In words for the user: what passes by itself, or what a person must do first. */
export type DeleteWait = string | { readonly personMust: string };

/** What is known of an object that goes; of what its spec refers to only what that shows still. */
export type Leaving = Pick<AnyWant, 'name' | 'recalled' | 'marks' | 'taken' | 'borrowed'>;

/** How a remote goes, where that is not DELETE of its item alone. */
export interface Deletion<Remote> {
  /** Why it must wait now; undefined when it may go. */
  readonly waits?: (remote: Remote, object: Leaving) => DeleteWait | undefined;
  /** A part, or several, read anew right before, because what it shows may forbid the call. */
  readonly part?: string | readonly string[];
  /** A call that must precede DELETE, or undefined once none is needed. */
  readonly release?: (remote: Remote) => Call | undefined;
  /** What is called in place of DELETE; `item`: its path. */
  readonly call?: (remote: Remote, item: string) => Call;
  /**
   * What is called where DELETE is answered 404 or 405 although the item is there: the service is told of otherwise than its
   * documents. In words where there is nothing to call: its object goes without it, and an Event says so.
   */
  readonly otherwise?: (item: string) => Call | { readonly keeps: string };
  /** It stays readable, and this tells that it is over: as good as a 404, once its object or a replacement wants it gone. */
  readonly ended?: (remote: Remote) => boolean;
  /** It is refused while what is above runs with the remote ({@link ParentPower}). */
  readonly needs?: 'parentOffline';
  /** Why it stays (nobody but the provider can end it; another's hangs on it): the object goes without it, and an Event says so. */
  readonly keeps?: (remote: Remote, object: Leaving) => string | undefined;
}

/** What must be read right before the item is deleted. */
export const partsBefore = ({
  deletion,
}: {
  readonly deletion?: { readonly part?: string | readonly string[] | undefined } | undefined;
}): readonly string[] => [deletion?.part ?? []].flat();

/** How what is always there is put back to what it was before anybody wanted something of it. */
export type Reset<Remote> = Pick<Deletion<Remote>, 'waits'> &
  Required<Pick<Deletion<Remote>, 'call' | 'ended'>> & {
    readonly release?: undefined;
    readonly part?: undefined;
    readonly keeps?: undefined;
    readonly needs?: undefined;
    readonly otherwise?: undefined;
  };
