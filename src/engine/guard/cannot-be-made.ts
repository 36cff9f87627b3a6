import type { AnyKind, AnyWant } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';
import { fixedIn, applyAnewText } from '../model/policy.ts';
import { accountName, mayAdopt } from './recovery.ts';

/** What its create needs and neither the spec nor the account says, or a value that is never sent. Nothing is given up for what cannot be made. */
export function cannotBeMade(context: ClusterContext, want: AnyWant): Outcome | undefined {
  const { kind, account } = context;
  const region = want['region'] ?? account.region;
  const why = kind.lacks?.(region === undefined ? want : { ...want, region }) ?? wrongIn(kind, want) ?? reservedFor(context, want);
  if (why === undefined) return undefined;
  const fixed = fixedIn(context, [/^spec\.(\w+)/.exec(why)?.[1] ?? '']);
  return { is: 'Stalled', reason: 'InvalidSpec', message: `${why}. ${fixed.length === 0 ? 'Nothing was sent' : applyAnewText(fixed)}` };
}

function wrongIn({ fields }: AnyKind, want: AnyWant): string | undefined {
  for (const [field, { wrong }] of Object.entries(fields)) {
    const why = want[field] === undefined ? undefined : wrong?.(want[field], want);
    if (why !== undefined) return `spec.${field}: ${why}`;
  }
  return undefined;
}

/** One namespace would have by its name what is everybody's. */
function reservedFor(context: ClusterContext, want: AnyWant): string | undefined {
  const why = mayAdopt(context) ? undefined : context.kind.reserved?.(want);
  const { namespace } = context.object.metadata;
  return (
    why &&
    `${why}. Choose another name, or have it made in a namespace to which ${accountName(context)} says spec.access[].adopt: Any; namespace ${namespace} is none`
  );
}
