import { type AnyKind, type Effect, effects, type Row } from '../../resource/index.ts';

/** What may be done to one object's remote, after the spec, the account and the kind have spoken (design 3.3, 4.5, 4.6). */
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

/** An adopted remote is kept on deletion unless the spec itself says otherwise. */
export function policyOf(kind: AnyKind, spec: Row, account: AccountPolicy, adopted: boolean): Policy {
  const { management, replace, ...lifecycle } = (spec['lifecycle'] ?? {}) as Lifecycle;
  const byAccount = account.readOnly ? 'ReadOnly' : 'Manage';
  return {
    ...defaults,
    ...kind.defaults,
    onDelete: adopted ? 'Retain' : (account.onDelete ?? kind.defaults.onDelete),
    ...lifecycle,
    management: management === 'Observe' ? 'Observe' : byAccount,
    replace: replace === 'Allow',
  };
}

/** `status.policy`: the one word that says what deletion of the object does. */
export const shownPolicy = (policy: Policy): string => {
  if (policy.management === 'Observe') return 'Observe';
  return policy.protect ? 'Protected' : policy.onDelete;
};

export const greatest = (all: readonly Effect[]): Effect =>
  all.reduce<Effect>((a, b) => (effects.indexOf(b) > effects.indexOf(a) ? b : a), 'InPlace');
