import { type AnyWant, type Call, minutes, newNonce, post } from '../../resource/index.ts';
import { callOptions, type CollectionContext } from '../context.ts';
import { isDeleting } from '../model/annotations.ts';
import { installationTag } from '../model/identity.ts';
import { keyOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { canonical } from '../model/values.ts';
import { createPathOf, planCreate } from '../plan/plan-create.ts';
import { CloudError, type Permit } from '../ports/index.ts';
import { resolve } from '../resolve/resolve.ts';
import { outcomeOf } from '../status/fault-table.ts';

type Use = (permit: Permit) => Promise<Outcome>;

/**
 * The budget's permit comes first (README: create): everything that the create depends on is looked at while it is held, so that
 * nothing grows old between the look and the POST. It may take minutes, so where it takes long the reconcile ends, and another one
 * begins when it has come.
 */
export function withTicket(context: CollectionContext, want: AnyWant, collection: string, use: Use): Promise<Outcome> {
  const { engine, object, kind, account, intake } = context;
  const { connection } = account;
  const window = windowOf(context, want, collection);
  const queued = {
    uid: object.metadata.uid,
    what: window.path,
    from: connection,
    ask: (unwanted: AbortSignal) => context.effects.permit(window, { ...callOptions(context, 'create'), intake: unwanted }),
    ended: () => engine.wake(kind.kind, object.metadata, { urgent: true }),
    stopping: intake,
  };
  return holding(context, want, () => engine.permitQueue.take(queued), saying(context, want, collection, use));
}

/** The same where the reconcile waits, because it has found out what the next one would have to find out again. */
export const withPermit = (context: CollectionContext, want: AnyWant, collection: string, use: Use): Promise<Outcome> =>
  holding(
    context,
    want,
    () => context.effects.permit(windowOf(context, want, collection), callOptions(context, 'create')),
    saying(context, want, collection, use),
  );

async function holding(context: CollectionContext, want: AnyWant, come: () => Promise<Permit | undefined>, use: Use): Promise<Outcome> {
  const begun = context.engine.clock.monotonic();
  let permit: Permit | undefined;
  try {
    permit = await come();
  } catch (error) {
    if (error instanceof CloudError) return outcomeOf(context.kind, error, context.object);
    throw error;
  }
  if (permit === undefined) return { is: 'Quiet', recheckAfter: minutes(10) };
  try {
    const waited = context.engine.clock.monotonic() - begun > 100;
    return waited && (await isStale(context, want)) ? { is: 'Again' } : await use(permit);
  } finally {
    permit.release();
  }
}

/** What is waited for is leave: a body that waits along would be of a spec, and of Secrets, of minutes ago, and thousands of them fill the memory. */
const windowOf = ({ kind }: CollectionContext, want: AnyWant, collection: string): Call => post(createPathOf(kind, want, collection));

/** What is wanted when the leave has come is what is sent. */
const saying =
  (context: CollectionContext, want: AnyWant, collection: string, use: Use): Use =>
  (permit) =>
    use(permit.for(callOf(context, want, collection)));

function callOf({ kind, account, key, name, engine }: CollectionContext, want: AnyWant, collection: string): Call {
  const mayTag = !account.connection.identity.restricted;
  return planCreate(kind, want, {
    collection,
    ...(mayTag && { tags: [...account.tags, installationTag(name.installation)] }),
    ...(kind.label?.nonce === true && { nonce: key.nonce(name, newNonce(engine.random)) }),
  });
}

/** The object, or what it refers to, is not what it was when this reconcile began. */
async function isStale(context: CollectionContext, want: AnyWant): Promise<boolean> {
  const live = context.engine.objects.get(context.kind.kind, keyOf(context.object));
  if (
    live?.metadata.uid !== context.object.metadata.uid ||
    isDeleting(live) ||
    live.metadata.generation !== context.object.metadata.generation
  )
    return true;
  context.object = live;
  return canonical((await resolve(context)).want) !== canonical(want);
}
