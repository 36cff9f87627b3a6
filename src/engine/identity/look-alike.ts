import type { AnyWant, Row } from '../../resource/index.ts';
import { collectionOf, itemOf } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { naming, objectName } from '../model/account.ts';
import { annotation, remoteAnnotation } from '../model/annotations.ts';
import { isMarked, looksDerived, rememberedLabel } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { baselineGoodFor, type Found, idsOf, listing } from './lookup.ts';
import { claimedBy, hasForeignTag, isOwn } from './ownership.ts';

/**
 * A cluster that was rebuilt from manifests without `installation` is a stranger to all that it had. A first create waits
 * where the account shows what looks like that: our name with another owner key, of nobody here (README: installation).
 */
export async function lookAlike(context: ClusterContext, want: AnyWant): Promise<Outcome | undefined> {
  const { kind, account, object, name } = context;
  const known = rememberedLabel(context) !== undefined || annotation(object, remoteAnnotation) !== undefined;
  const derived = kind.label !== undefined && kind.key?.of(want)[kind.label.field] === want.name;
  if (account.installationNamed || known || !derived) return undefined;
  const collection = collectionOf(kind, want);
  const rows = await listing(context, collection, context.engine.clock.monotonic() - baselineGoodFor);
  const other = rows.find(
    (row) =>
      looksDerived(kind.label, name, labelIn(context, row)) &&
      !isOwn(context, row) &&
      claimedBy(context, itemOf(kind, row, collection)) === undefined &&
      isOfElsewhere(context, row, itemOf(kind, row, collection)),
  );
  return other && elsewhere(context, { row: other, path: itemOf(kind, other, collection) });
}

const labelIn = ({ kind }: ClusterContext, row: Row): string => String(kind.label === undefined ? '' : row[kind.label.field]);

/** By its tag or, where there are none, because no object here has made it, or had it. */
function isOfElsewhere(context: ClusterContext, row: Row, path: string): boolean {
  const { kind, account, engine } = context;
  if (kind.tags !== undefined && !account.connection.identity.restricted) return hasForeignTag(context, row);
  if (engine.claims.wasHeld(account.connection.identity.account, path)) return false;
  const label = labelIn(context, row);
  for (const object of engine.objects.all(kind.kind))
    if (isMarked(kind.label, { key: context.key, name: objectName(naming(engine), object) }, label)) return false;
  return true;
}

function elsewhere(context: ClusterContext, { row, path }: Found): Outcome {
  const { engine, account, kind, name } = context;
  const owner = `CloudAccount ${account.key.namespace}/${account.key.name}`;
  const inUse = engine.objects.get(engine.registry.connection.kind, account.key)?.status?.['installationInUse'] === true;
  const id = JSON.stringify(kind.id?.(row) ?? idsOf([{ row, path }])[0]);
  const same = inUse
    ? `take it over with spec.adopt: {id: ${id}, force: true}`
    : `give ${owner} the spec.installation that its status.installation showed before, and spec.recover: true`;
  const made = hasForeignTag(context, row)
    ? 'was made by another installation of this operator'
    : 'no object here has made it. A label is no proof of who did: look in the account who made it, and what it is, before you take it over';
  return {
    is: 'Stalled',
    reason: 'AlreadyExists',
    message: `${path} is called like this object, and ${made}. Another one is not made beside it. If this cluster is the one that made it, rebuilt: ${same}. If not: give this object another name or spec.label, or say so with spec.installation: ${name.installation} on ${owner}`,
  };
}
