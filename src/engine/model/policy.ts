import { type AnyKind, type AnyRule, type Effect, effects, type Row } from '../../resource/index.ts';
import type { Resource } from '../ports/index.ts';
import type { Millis } from '../../lib/clock.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { annotation, approveAnnotation, isDeleting } from './annotations.ts';
import type { PendingPlan } from './outcome.ts';

/** What may be done to one object's remote, after the spec, the account and the kind have spoken (README: effects, loss, deletion). */
export interface Policy {
  readonly management: 'Manage' | 'Observe' | 'ReadOnly';
  readonly onDelete: 'Delete' | 'Retain';
  readonly onMissing: 'Recreate' | 'Stall';
  readonly protect: boolean;
  readonly drift: 'Correct' | 'Report' | 'Ignore';
  readonly ignoreFields: readonly string[];
  readonly approve: readonly Effect[];
  readonly replace: boolean;
}

/** What the account says of every object: its mode, its default for deletion. */
export interface AccountPolicy {
  readonly readOnly: boolean;
  /** Whose pause makes it so, and until when; undefined where its mode does, or nothing. */
  readonly paused?: string;
  readonly onDelete?: 'Delete' | 'Retain';
}

interface Lifecycle {
  readonly management?: 'Manage' | 'Observe';
  readonly onDelete?: 'Delete' | 'Retain';
  readonly onMissing?: 'Recreate' | 'Stall';
  readonly protect?: boolean;
  readonly drift?: 'Correct' | 'Report' | 'Ignore';
  readonly ignoreFields?: readonly string[];
  readonly approve?: readonly Effect[];
  readonly replace?: 'Allow' | 'Deny';
}

const defaults = { protect: false, drift: 'Correct', ignoreFields: [], approve: ['InPlace'] } as const;

/** What is always there is neither deleted nor made anew. */
const alwaysThere = { onDelete: 'Retain', onMissing: 'Stall' } as const;

/** An adopted remote is kept on deletion unless the spec itself says otherwise; so is what came in its place, while the spec names one to adopt. */
export function policyOf(kind: AnyKind, spec: Row, account: AccountPolicy, adopted: boolean): Policy {
  const { management, replace, ...lifecycle } = (spec['lifecycle'] ?? {}) as Lifecycle;
  const ofKind = kind.defaults ?? alwaysThere;
  const byAccount = account.readOnly ? 'ReadOnly' : 'Manage';
  return {
    ...defaults,
    ...ofKind,
    onDelete: adopted || spec['adopt'] !== undefined ? 'Retain' : (account.onDelete ?? ofKind.onDelete),
    ...lifecycle,
    management: management === 'Observe' ? 'Observe' : byAccount,
    replace: replace === 'Allow',
  };
}

/** Whatever its spec says of this field, nothing is made of it. */
export function isLeftAlone(spec: Row, field: string): boolean {
  const { management, ignoreFields = [] } = (spec['lifecycle'] ?? {}) as Lifecycle;
  return management === 'Observe' || ignoreFields.includes(field);
}

type Beside = NonNullable<AnyRule['beside']>;
/**
 * Whether its object says of something below a remote that it is to be as it is: what a change of the remote changes along would
 * differ from that, and be asked to be set back. Whose object says another value already is for that change, or for a next one.
 */
export function saysAsItIs(object: Resource, { follows: { field, may } }: Beside): boolean {
  const { spec, status } = object;
  if (isDeleting(object) || status === undefined || isLeftAlone(spec, field)) return false;
  return spec[field] !== undefined && spec[field] === status[field] && may(status);
}

/** What is in it must not be lost with anything else either. */
export const isProtecting = (object: Resource): boolean =>
  (object.spec['lifecycle'] as Lifecycle | undefined)?.protect === true && !isDeleting(object);

/** `status.policy`: the one word that says what deletion of the object does. */
export const shownPolicy = (policy: Policy): string => {
  if (policy.management === 'Observe') return 'Observe';
  return policy.protect ? 'Protected' : policy.onDelete;
};

export const greatest = (all: readonly Effect[]): Effect =>
  all.reduce<Effect>((a, b) => (effects.indexOf(b) > effects.indexOf(a) ? b : a), 'InPlace');

export const shownPlan = ({ status }: Resource): PendingPlan | undefined => status?.['plan'] as PendingPlan | undefined;

const day: Millis = 24 * 3_600_000;
/**
 * When an approval that travels with a change ends, where nobody says otherwise: at the midnight that is at least three days ahead. The
 * operator's question names it, and a text that changed with every look would be written with every look.
 */
export const approvalEnd = (now: Millis): Millis => (Math.ceil(now / day) + 3) * day;

/** One that was used does not count again, so the next that would end later is offered. */
export function offeredContent(content: string, end: Millis, spent: readonly string[]): string {
  const value = `${content}.${shownTime(end)}`;
  return spent.includes(value) ? offeredContent(content, end + day, spent) : value;
}

type Replacing = Pick<Policy, 'approve' | 'replace'>;

/** A replacement was shown in status, and nobody needs to be asked or somebody has said yes, which is noted. */
export function isReplaceApproved(object: Resource, policy: Replacing): boolean {
  const plan = shownPlan(object);
  return plan?.effect === 'Replace' && policy.replace && (policy.approve.includes('Replace') || plan.approved !== undefined);
}

/** The remote went because of an approved replacement, so the new one needs no further question. */
export function isReplaced(object: Resource, policy: Replacing): boolean {
  const plan = shownPlan(object);
  // An operator that did not note approvals yet may have deleted it.
  const before = plan?.effect === 'Replace' && policy.replace && annotation(object, approveAnnotation) === plan.hash;
  return isReplaceApproved(object, policy) || before;
}

const fates: Readonly<Record<string, string>> = {
  Delete: 'its cloud resource will be deleted',
  Retain: 'its cloud resource stays in the account, and goes on costing what it costs',
  Protected: 'stays: it is protected',
  Observe: 'its cloud resource is left alone',
};

/** What the end of an object means for its cloud resource, in words. The spec may have been edited since status told the policy. */
export function fateOf({ spec, status }: Pick<Resource, 'spec' | 'status'>): string {
  const { path, policy } = status ?? {};
  if (path === undefined) return 'it has no cloud resource yet';
  return fateBy(policyNow(spec, policy), String(path));
}
/** By the one word that says what deletion of the object does. */
export const fateBy = (policy: string, path: string): string => `${fates[policy] ?? 'is deleted'} (${path})`;

function policyNow(spec: Resource['spec'], shown: unknown): string {
  const { management, protect, onDelete } = (spec['lifecycle'] ?? {}) as { management?: string; protect?: boolean; onDelete?: string };
  if (management === 'Observe') return 'Observe';
  if (protect === true) return 'Protected';
  return onDelete ?? (shown === 'Protected' || shown === 'Observe' ? 'Delete' : String(shown));
}

/** Its cloud resource, and what is in it, is lost once nothing holds the deletion up. */
export const isLosing = (object: Resource): boolean =>
  isDeleting(object) && object.status?.['path'] !== undefined && policyNow(object.spec, object.status['policy']) === 'Delete';

/** What it stands for stays when it goes, or there is nothing. */
export const keepsRemote = ({ spec, status }: Pick<Resource, 'spec' | 'status'>): boolean =>
  status?.['path'] === undefined || policyNow(spec, status['policy']) !== 'Delete';

/** Of an object without a remote: what admission lets nobody correct in it, although nothing was made. */
export function fixedIn({ kind, object: { spec, status } }: FixedIn, fields: readonly string[]): readonly string[] {
  const { replace } = (spec['lifecycle'] ?? {}) as { readonly replace?: string };
  return status?.['path'] !== undefined || replace === 'Allow' ? [] : fields.filter((field) => kind.fields[field]?.immutable === true);
}
export interface FixedIn {
  readonly kind: AnyKind;
  readonly object: Pick<Resource, 'spec' | 'status'>;
}
/** What to do about these then. */
export const correctAnew = (fields: readonly string[]): string =>
  `the account has nothing of this object: delete it and apply the corrected one, as ${fields.map((field) => `spec.${field}`).join(' and ')} cannot be changed in it`;
export const applyAnewText = (fields: readonly string[]): string => `Nothing was sent, and ${correctAnew(fields)}`;
