import type { AnyKind } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { fateBy, policyOf, shownPolicy } from '../model/policy.ts';
import type { Resource } from '../ports/index.ts';

type Letting = Pick<ReconcileContext, 'kind' | 'object' | 'account' | 'status'>;

/**
 * Of what has something in the account and refers, by these fields, to what is not there: who let that go on purpose does not bring it
 * back, so there is a second way out, and what that does in the account is said before. What it was made of and is not in is no reason
 * to let go of it.
 */
export function letGoText({ kind, object, account, status }: Letting, gone: readonly string[]): string {
  const { path, origin } = { ...object.status, ...status };
  const fields = gone.filter((field) => kind.parent?.ref === field || kind.fields[field]?.immutable !== true);
  if (fields.length === 0 || typeof path !== 'string') return '';
  const policy = policyOf(kind, object.spec, account, origin === 'Adopted');
  const does = shownPolicy({ ...policy, protect: false });
  const out = fields.every((field) => mayBeTakenOut(kind, object, field)) ? `${takeOut(kind, object, fields)}, or ` : '';
  const unprotected = policy.protect ? 'set spec.lifecycle.protect: false and ' : '';
  const kept = does === 'Delete' ? '. To have that stay, set spec.lifecycle.onDelete: Retain before' : '';
  return `. If that was let go on purpose, ${out}${unprotected}delete this object too: ${fateBy(does, path)}${kept}`;
}

/** Admission refuses an edit of what is set once, and one that leaves out what is needed. */
function mayBeTakenOut({ fields, spec }: AnyKind, object: Resource, field: string): boolean {
  const isNeeded = spec.shape[field]?.safeParse(undefined).success !== true;
  return fields[field]?.immutable !== true && (!isNeeded || Array.isArray(object.spec[field]));
}

/** A list is what stands in it; of the rest most is left as it is once nothing is said of it. */
function takeOut({ fields: rules }: AnyKind, { spec }: Resource, fields: readonly string[]): string {
  const isUndone = fields.some((field) => rules[field]?.unset === 'clear' || Array.isArray(spec[field]));
  return `take it out of this spec (${isUndone ? 'which undoes it in the account, too' : 'the account keeps what it has there'})`;
}
