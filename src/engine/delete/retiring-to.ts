import { writeRetiringOn } from '../change/metadata.ts';
import type { ReconcileContext } from '../context.ts';
import { naming, objectName } from '../model/account.ts';
import { policyOf } from '../model/policy.ts';
import { endOf, formatRetiring, retire, type Retiring, retiringOf, retiringTexts } from '../model/replacing.ts';
import { annotation, retiringAnnotation } from '../model/annotations.ts';
import { isRefusal, type Resource } from '../ports/index.ts';

/**
 * What another one has taken the place of goes with that to whoever takes it over, and ends when it was to: whoever uses it has until
 * then. It is written there before this object lets go, so that one of the two knows of it whenever this process ends. Answers what
 * became of it, for the Event.
 */
export async function handRetiring(context: ReconcileContext, to: Resource | undefined): Promise<string> {
  const own = retiringOf(context);
  if (to === undefined || own.length === 0) return retiringText(context);
  const name = `${to.kind} ${to.metadata.name}`;
  if (policyOf(context.kind, to.spec, context.account, true).management === 'Observe')
    return retiringText(context, `, as ${name} only observes`);
  const isTaken = await taken(context, to, own);
  if (!isTaken) return retiringText(context, `, as the cluster refuses to note it on ${name}`);
  const ends = own.map(({ path, until }) => `${path} (at ${until})`).join(', ');
  return `. ${name} takes over what works beside it, too, and deletes that when its time is over: ${ends}`;
}

/** Of who lets go, and hands it to nobody. */
export const retiringText = (context: ReconcileContext, because = ''): string =>
  retiringOf(context).length === 0
    ? ''
    : `. What works beside it stays, too, and nobody deletes it any more${because}: ${retiringTexts(context).join(' and ')}. Delete that in the account once nobody uses it`;

async function taken(context: ReconcileContext, to: Resource, own: readonly Retiring[]): Promise<boolean> {
  const { engine } = context;
  const heir = { key: context.key, name: objectName(naming(engine), to), object: to };
  const has = retiringOf(heir);
  const isNew = (one: Retiring): boolean => !has.some(({ account, path }) => account === one.account && path === one.path);
  const all = [...has, ...own.filter(isNew).map((one) => retire(heir, one, endOf(one)))];
  try {
    if (annotation(to, retiringAnnotation) !== formatRetiring(all)) await writeRetiringOn(context, to, all);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
  engine.claims.retire(all, to);
  return true;
}
