import type { Millis } from '../../lib/clock.ts';
import { type Action, type AnyWant, type Row, seconds } from '../../resource/index.ts';
import { finish, inPhase } from '../change/operate.ts';
import type { OperationContext } from '../context.ts';
import { sentWithin } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { isOpen, jobOf, type Sent } from '../plan/operation.ts';
import type { Job, Resource } from '../ports/index.ts';
import { wakeWaiting } from './operation-runs.ts';
import { askedBy } from './target.ts';

interface Followed {
  readonly action: Action<Row, AnyWant>;
  readonly target: Resource | undefined;
  readonly path: string | undefined;
  readonly sent: Sent;
}

/** It was sent, or was about to be: whatever comes, it is only looked for from now on. */
export async function follow(context: OperationContext, sent: Sent): Promise<Outcome> {
  const followed = followedBy(context, sent);
  if (followed === undefined) return finish(context, 'Unknown', 'it was begun, and this operator knows no such action');
  const { action, path } = followed;
  const { cache, identity } = context.account.connection;
  const job = path === undefined ? undefined : jobOf(cache.followed(path), { sent, actions: action.jobs, user: identity.user });
  // Where status was not written, this is all that it will tell.
  context.status['sent'] = {
    ...(context.object.status?.['sent'] as object | undefined),
    at: new Date(sent.at).toISOString(),
    after: sent.after,
  };
  context.status['targetPath'] = path;
  if (path !== undefined) cache.expect(path, action.within);
  const outcome = job === undefined ? await untold(context, followed) : await told(context, followed, job);
  if (outcome.is !== 'Working' && followed.target !== undefined) wakeWaiting(context, followed.target);
  return outcome;
}

function followedBy(context: OperationContext, sent: Sent): Followed | undefined {
  const asked = askedBy(context);
  const path = context.object.status?.['targetPath'] ?? asked?.target?.status?.['path'];
  return asked && { action: asked.action, target: asked.target, sent, path: typeof path === 'string' ? path : undefined };
}

async function told(context: OperationContext, { action, sent }: Followed, job: Job): Promise<Outcome> {
  context.status['job'] = job.id;
  const event = `event ${job.id} ${job.action}`;
  if (job.status === 'failed') return finish(context, 'Failed', `${event} failed${job.message === '' ? '' : `: ${job.message}`}`);
  if (!isOpen(job)) return finish(context, 'Succeeded', `done: ${event}`);
  if (context.account.connection.apiNow() > sent.at + action.within)
    return finish(context, 'Unknown', `${event} has been ${job.status} for longer than such a job takes`);
  return inPhase(context, 'Running', {
    is: 'Working',
    reason: 'Updating',
    message: `${event} is ${job.status}`,
    recheckAfter: seconds(2),
    ...(job.percent !== null && { percent: job.percent }),
  });
}

/** No event tells of it yet: until it surely cannot come about any more, or an accepted one has had all its time. */
async function untold(context: OperationContext, { action, sent }: Followed): Promise<Outcome> {
  const { engine, account, object } = context;
  const { commitBound, listLag } = engine.settings;
  const { accepted = false } = (object.status?.['sent'] ?? {}) as { readonly accepted?: boolean };
  const decided = sent.at + (accepted ? action.within : sentWithin + commitBound + listLag);
  const now = account.connection.apiNow();
  const isRead = readUntil(context) > decided || now > decided + action.within;
  const what = `it was ${accepted ? 'accepted' : 'about to be sent'} at ${new Date(sent.at).toISOString()}`;
  if (isRead) return finish(context, 'Unknown', `${what}, and no event of the account tells ${accepted ? 'how it ended' : 'of it'}`);
  return inPhase(context, 'Running', {
    is: 'Working',
    reason: accepted ? 'Updating' : 'UnknownOutcome',
    message: `${what}; the events of the account are looked at for it, and it is not sent again`,
    recheckAfter: seconds(2),
  });
}

/** Events of before are known, by the service's clock; all of them where they are refused, because no more is ever known. */
function readUntil({ account: { connection }, engine }: OperationContext): Millis {
  const readAt = connection.cache.eventsReadAt();
  return readAt === undefined ? 0 : connection.apiNow() - engine.clock.monotonic() + Math.min(readAt, engine.clock.monotonic());
}
