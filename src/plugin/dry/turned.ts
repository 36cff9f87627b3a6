import { isDeleting } from '../../engine/model/annotations.ts';
import type { Outcome } from '../../engine/model/outcome.ts';
import type { BoundRemote, UpdateStep } from '../../engine/model/step.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { AnyKind } from '../../resource/index.ts';
import type { Asked } from './asked.ts';
import type { WouldSend } from './ports/capture.ts';

/** A step, and what it was decided on. */
export interface Decided {
  readonly step: UpdateStep;
  readonly present: BoundRemote;
  /** On what the remote would be after a call that was captured. */
  readonly supposed: boolean;
}

/** How it ended for one object. */
export interface Turned {
  readonly kind: AnyKind;
  /** As it would be: with the status that the operator would write. */
  readonly object: Resource;
  /** Undefined: a call ended it. */
  readonly outcome: Outcome | undefined;
  /** What would be sent, in order. */
  readonly calls: readonly WouldSend[];
  /** What was decided for its remote, in order. */
  readonly steps: readonly Decided[];
  readonly adopted: boolean;
  /** By part, why it could not be read. */
  readonly unread: ReadonlyMap<string, string>;
  /** What must be approved first; what comes after it is told as if it were. */
  readonly approval: Asked | undefined;
  /** How many of the calls and steps are before that. */
  readonly unasked: Unasked | undefined;
}
interface Unasked {
  readonly calls: number;
  readonly steps: number;
}

export interface Turning {
  readonly calls: WouldSend[];
  readonly steps: Decided[];
  adopted: boolean;
  unread: ReadonlyMap<string, string>;
  approval: Asked | undefined;
  unasked: Unasked | undefined;
  outcome: Outcome | undefined;
}

export const unturned = (): Turning => ({
  calls: [],
  steps: [],
  adopted: false,
  unread: new Map(),
  approval: undefined,
  unasked: undefined,
  outcome: undefined,
});

/** The next step is due at once. */
export const goesOn = (outcome: Outcome): boolean => outcome.is === 'Again' || (outcome.is === 'Working' && outcome.recheckAfter === 0);

/** Also for whoever has the remote to let go of it. */
export const waitsForOthers = (outcome: Outcome | undefined): boolean =>
  outcome?.is === 'Waiting' || (outcome?.is === 'Stalled' && outcome.reason === 'AlreadyClaimed');

const atOnce = 16;
/** In the order of their turns. What goes may be left to what comes, which must have asked for it by then. */
export const batches = (objects: readonly Resource[]): readonly (readonly Resource[])[] =>
  [objects.filter((one) => !isDeleting(one)), objects.filter(isDeleting)].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / atOnce) }, (_, at) => some.slice(at * atOnce, (at + 1) * atOnce)),
  );
