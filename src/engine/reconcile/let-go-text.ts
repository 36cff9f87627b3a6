import type { AnyKind, Row } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { mayAdopt } from '../guard/recovery.ts';
import { isDeleting } from '../model/annotations.ts';
import { nothingLeft } from '../model/conditions.ts';
import type { Identity } from '../model/identity.ts';
import { fateBy, policyOf, shownPolicy } from '../model/policy.ts';
import { adoptOf } from '../model/step.ts';
import { canonical } from '../model/values.ts';
import { parentOf } from '../observe/loss-proof.ts';
import type { Resource } from '../ports/index.ts';
import type { Resolved } from '../resolve/resolve.ts';

type Letting = Pick<ReconcileContext, 'kind' | 'object' | 'account' | 'status'>;

/**
 * Of what has something in the account and refers, by these fields, to what is not there: who let that go on purpose does not bring it
 * back, so there is a second way out, and what that does in the account is said before. What it was made of and is not in is no reason
 * to let go of it. `isGone`: what it has went with that.
 */
export function letGoText({ kind, object, account, status }: Letting, gone: readonly string[], isGone = false): string {
  const { path, origin } = { ...object.status, ...status };
  const fields = gone.filter((field) => kind.parent?.ref === field || kind.fields[field]?.immutable !== true);
  if (fields.length === 0 || typeof path !== 'string') return '';
  if (isGone) return `. If that was let go on purpose, delete this object too: ${nothingLeft}`;
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

/**
 * The one that it names as its parent is gone, and what that had is another object's of this namespace: that was renamed. As this object
 * names its parent for good, it is to be renamed after it; whoever deleted it first would delete what it has.
 */
export function handedOverText(context: ReconcileContext, { gone }: Pick<Resolved, 'gone'>, identity: Identity): string | undefined {
  const { kind, object, engine } = context;
  const ref = kind.parent?.ref;
  if (ref === undefined || kind.fields[ref]?.immutable !== true || !gone.includes(ref) || !mayAdopt(context)) return undefined;
  const { account, path } = parentOf(kind, identity);
  const holder = engine.claims.holder(account, path);
  if (holder?.key.namespace !== object.metadata.namespace) return undefined;
  const id = identity.path.slice(identity.path.lastIndexOf('/') + 1);
  const next = { ref, parent: holder.key.name, id };
  return `${path} is ${holder.kind} ${holder.key.name}'s by now, and what is in it stays. To keep this, too: ${wayThere(context, next)}`;
}

interface Next {
  readonly ref: string;
  readonly parent: string;
  readonly id: string;
}
/** Who applied it under another name already is not told to do so. */
function wayThere(context: ReconcileContext, next: Next): string {
  const { ref, parent, id } = next;
  const adopt = `spec.adopt: {id: ${/^\d+$/.test(id) ? id : JSON.stringify(id)}}`;
  const there = youngOnes(context, next);
  const asker = there.find(({ spec }) => String(adoptOf(spec)?.id) === id);
  if (asker !== undefined)
    return `${asker.kind} ${asker.metadata.name} asks for it with spec.adopt; delete this object as soon as that one waits for nothing else, which hands over what it has`;
  const same = there.find(({ spec }) => adoptOf(spec) === undefined && saysWithout(spec, ref) === saysWithout(context.object.spec, ref));
  const first =
    same === undefined
      ? `apply it under another name with spec.${ref}: {name: ${parent}} and ${adopt}`
      : `write ${adopt} into ${same.kind} ${same.metadata.name}, which is there and says the same`;
  return `${first}, and delete this object only then, which hands over what it has`;
}
/** Those that are to be in the one that has it now, and have nothing yet. */
const youngOnes = ({ engine, object }: ReconcileContext, { ref, parent }: Next): readonly Resource[] =>
  [...engine.objects.all(object.kind)].filter(
    (other) =>
      other.metadata.namespace === object.metadata.namespace &&
      (other.spec[ref] as Row | undefined)?.['name'] === parent &&
      engine.claims.of(other.metadata.uid) === undefined &&
      !isDeleting(other),
  );
const saysWithout = ({ adopt: _adopt, lifecycle: _lifecycle, ...spec }: Row, ref: string): string => canonical({ ...spec, [ref]: null });
