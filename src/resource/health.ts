import { type Duration, minutes } from './duration.ts';

/**
 * What the remote says of itself, whether or not it is as wanted.
 * `Progressing`: it is busy or down by itself; nothing is changed until it is quiet again, and it is looked at again
 * after `recheckAfter` unless an event comes first. With `admitsChanges` it may be changed all the same: what it waits for
 * may never come as long as the spec asks for it. `Failed`: only the provider or a person can help.
 */
export type Health =
  /** `off`: it is at rest, and out of action, which nothing asks for; why it is, and what would end it. `unwanted`: what is asked for is the contrary. */
  | { readonly state: 'Ready'; readonly off?: string; readonly unwanted?: true }
  | { readonly state: 'Progressing'; readonly message: string; readonly recheckAfter: Duration; readonly admitsChanges?: true }
  /** `secretive`: what is seen of it may be somebody else's, of whom nothing is told. */
  | { readonly state: 'Failed'; readonly message: string; readonly secretive?: true };

export const ready: Health = { state: 'Ready' };
/** As asked for, and out of action, although the spec does not ask for that. */
export const outOfAction = (off: string): Health => ({ state: 'Ready', off });
/** At rest, which is the contrary of what the spec asks for. */
export const outOfOrder = (off: string): Health => ({ state: 'Ready', off, unwanted: true });
export const progressing = (message: string, recheckAfter: Duration): Health => ({ state: 'Progressing', message, recheckAfter });
/** Not whole yet, and as open to an edit as if it were. */
export const growing = (message: string, recheckAfter: Duration): Health => ({
  state: 'Progressing',
  message,
  recheckAfter,
  admitsChanges: true,
});
export const failed = (message: string): Health => ({ state: 'Failed', message });
/** It is, or may be, somebody else's by now. */
export const goneToOthers = (message: string): Health => ({ state: 'Failed', message, secretive: true });
/** For a member of an open enum that this version has not heard of: it may pass, and nothing is changed meanwhile. */
export const unknownStatus: Health = progressing('the provider reports a status that this version does not know', minutes(1));
