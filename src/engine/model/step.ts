import { lastSegment } from '../../lib/last-segment.ts';
import type { AnyKind, AnyRule, AnyWant, Call, Duration, Row } from '../../resource/index.ts';
import type { Identity } from './identity.ts';
import type { Intent } from './intent.ts';
import type { Outcome, PendingPlan } from './outcome.ts';
import type { Policy } from './policy.ts';
import type { Resource } from '../ports/index.ts';

export interface BoundRemote {
  readonly identity: Identity;
  readonly want: AnyWant;
  readonly remote: Row;
}

/** A union out of a table of its members: a function of one member `Do` is found in a table of all without a cast. */
export type StepOf<Steps, Do extends keyof Steps = keyof Steps> = { [D in Do]: { readonly do: D } & Steps[D] }[Do];

/** What is the single next thing to do for a remote that is there. Plans are data, so every decision is tested by a table. */
export interface UpdateSteps {
  readonly read: { readonly part: string };
  readonly update: { readonly call: Call; readonly changes: readonly Difference[]; readonly pending: boolean };
  readonly replace: { readonly changes: readonly Difference[] };
  readonly wait: { readonly message: string; readonly recheckAfter: Duration; readonly differs: boolean; readonly percent?: number };
  /** `asks`: what the plan is about; `changes`: all that differs. `recheckAfter`: while the remote is not whole yet. */
  readonly approve: {
    readonly plan: PendingPlan;
    readonly asks: readonly Difference[];
    readonly changes: readonly Difference[];
    readonly recheckAfter?: Duration;
  };
  readonly report: { readonly reason: 'DriftReported' | 'Observed' | 'ReadOnly'; readonly changes: readonly Difference[] };
  readonly refuse: {
    readonly reason: 'ImmutableField' | 'RemoteFailed' | 'Contested' | 'Rejected' | 'InvalidSpec';
    readonly message: string;
    readonly changes: readonly Difference[];
  };
  readonly nothing: object;
}
export type UpdateStep = StepOf<UpdateSteps>;
export type Update = StepOf<UpdateSteps, 'update'>;

/** One spec field, or one member of it, whose value in the account is not what the spec asks for. */
export interface Difference {
  readonly field: string;
  /** Its name, where the field is a list of members; `want` or `have` is then absent where there is no such one. */
  readonly member?: string;
  readonly rule: AnyRule;
  readonly want: unknown;
  readonly have: unknown;
  /** What its Secret has is another value than was sent last: nobody has changed the account. */
  readonly renewed?: true;
}

/** What is the next thing to do for an object that has no remote yet. */
export interface CreateSteps {
  /** What `spec.adopt` names. */
  readonly adopt: { readonly wish: Adopt };
  /** Looks once more what an open create has made; sends nothing. */
  readonly lookUp: { readonly intent: Intent; readonly otherwise: Outcome };
  /** Takes what bears its mark; nothing can be made, because what it is made of is not there. */
  readonly takeMarked: { readonly otherwise: Outcome };
  /** Finds what it had, while the account recovers. */
  readonly recover: { readonly policy: Policy };
  readonly create: object;
  readonly hold: { readonly outcome: Outcome };
}
export type CreateStep = StepOf<CreateSteps>;

/** `spec.adopt`: exactly one existing remote. */
export interface Adopt {
  readonly id?: string | number;
  readonly match?: Row;
  readonly force?: boolean;
}
export const adoptOf = (spec: Row): Adopt | undefined => spec['adopt'] as Adopt | undefined;
export const wishText = ({ id, match }: Adopt): string => JSON.stringify(id === undefined ? { match } : { id });

/** What status notes of a wish that is over: what it named is gone, and another one is to be made. Of this very object: a backup brings status to others. */
export function spentAdoption({ metadata, spec }: Resource): string | undefined {
  const wish = adoptOf(spec);
  return wish && `${metadata.uid} ${wishText(wish)}`;
}
/** The wish that is open still. */
export const openWish = (object: Resource): Adopt | undefined =>
  object.status?.['adoptionSpent'] === spentAdoption(object) ? undefined : adoptOf(object.spec);

/** Whether the id that a wish names, in any spelling, is that of what has this path. */
export const namesPath = ({ ids }: Pick<AnyKind, 'ids'>, named: string | number, path: string): boolean =>
  lastSegment(ids?.plain?.(String(named)) ?? String(named)) === lastSegment(decodeURIComponent(path));

/** How a remote goes, and what it waits for. */
export interface DeleteSteps {
  readonly release: { readonly call: Call };
  readonly delete: { readonly call: Call };
  readonly wait: { readonly message: string; readonly recheckAfter: Duration };
  readonly refuse: { readonly reason: 'Rejected'; readonly message: string };
  /** Nothing that could be called would end it. */
  readonly keep: { readonly why: string };
}
export type DeleteStep = StepOf<DeleteSteps>;

/** What becomes of a deleted object whose remote is not to be deleted, now or for good. */
export interface RetentionSteps {
  readonly releaseWithNotice: { readonly why: string };
  /** `to`: who takes it over. `keeper`: whose policy keeps it, not that of its object. */
  readonly retain: { readonly to?: Resource; readonly keeper?: string };
  /** `to`: who has what is always there from then on. */
  readonly leave: { readonly to?: Resource };
  readonly say: { readonly outcome: Outcome };
}
export type Retention = StepOf<RetentionSteps>;

/** `nodePools[base]`: where it is in the spec, as people read it. */
export const placeOf = ({ field, member }: Difference): string => (member === undefined ? field : `${field}[${member}]`);

/** Sent again it would do harm. */
export const isMadeOnce = ({ rule, member, have }: Difference): boolean => rule.once === true || (member !== undefined && have === null);
