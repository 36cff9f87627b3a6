import { quoted } from '../../lib/quoted.ts';
import type { Millis } from '../../lib/clock.ts';
import { seconds } from '../../resource/index.ts';
import { finish, inPhase, shownSent, takeBack } from '../change/operate.ts';
import type { OperationContext } from '../context.ts';
import { sentWithin } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { beforeIn, isOpen, jobOf, type Sent } from '../plan/operation.ts';
import type { Job, Resource } from '../ports/index.ts';
import { type Evidence, type Evident, evidenceOf } from './evidence.ts';
import { wakeWaiting } from './operation-runs.ts';
import { askedBy, notePaths, pathsOf, writtenFor } from './target.ts';

interface Followed extends Evident {
  readonly sent: Sent;
  /** The target's, and of what changes in its place: as they were when it was sent, else as their objects say. */
  readonly paths: readonly string[];
  /** Those of their objects that are there. */
  readonly objects: readonly Resource[];
}

/** It was sent, or was about to be: whatever comes, it is only looked for from now on. */
export async function follow(context: OperationContext, sent: Sent): Promise<Outcome> {
  const followed = followedBy(context, sent);
  if (followed === undefined) return finish(context, 'Unknown', 'it was begun, and this operator knows no such action');
  const { action, path, paths, objects } = followed;
  const { engine } = context;
  const { cache } = context.account.connection;
  // Nothing tells which of the two an event names.
  const job = jobAt(context, followed, paths);
  // Where status was not written, this is all that it will tell.
  context.status['sent'] = {
    ...(context.object.status?.['sent'] as object | undefined),
    ...shownSent(sent),
  };
  notePaths(context);
  for (const one of paths) cache.expect(one, action.within);
  const outcome = await outcomeOf(context, followed, job);
  if (outcome.is === 'Working') return outcome;
  if (action.effect === 'Rebuild') lookBelow(context, followed);
  if (path !== undefined && action.renews !== undefined && objects.length > 0) cache.renewed(path);
  for (const object of objects) {
    engine.ledger.tryRefused(object.metadata.uid);
    wakeWaiting(context, object);
  }
  return outcome;
}

function jobAt({ account }: OperationContext, { sent, action }: Followed, paths: readonly string[]): Job | undefined {
  const { cache, identity } = account.connection;
  const jobs = paths.flatMap((one) => cache.followed(one));
  return jobOf(jobs, { sent, actions: action.jobs, user: identity.user });
}

/** What is in it may be others by now; where an event names it, that has it looked at. */
function lookBelow(context: OperationContext, followed: Followed): void {
  const { cache } = context.account.connection;
  const changed = followed.paths.slice(-1);
  if (jobAt(context, followed, changed) !== undefined) return;
  const isIn = (collection: string): boolean => changed.some((path) => collection.startsWith(`${path}/`));
  for (const owner of cache.owners()) if (isIn(owner.collection)) cache.requestSweep(owner);
}

function outcomeOf(context: OperationContext, followed: Followed, job: Job | undefined): Promise<Outcome> {
  const { action } = followed;
  const isShown = action.rests !== undefined || action.renews !== undefined;
  if (isShown && (job !== undefined || isAccepted(context))) return shown(context, followed, job);
  return job === undefined ? untold(context, followed) : told(context, followed, job);
}

const isAccepted = ({ object }: OperationContext): boolean => answerIn(object) === 'accepted';

/** So long the remote may still look as before the call. */
const settling: Millis = 60_000;
/** No event tells of its end: the remote itself is looked at. */
async function shown(context: OperationContext, followed: Followed, job: Job | undefined): Promise<Outcome> {
  const { action, path, sent } = followed;
  if (job !== undefined) context.status['job'] = job.id;
  const age = context.account.connection.apiNow() - sent.at;
  const evidence = age < settling && isAnybodys(context) ? open : await evidenceOf(context, followed);
  if (evidence.is === 'done') return finish(context, 'Succeeded', `done: ${path} is at rest again`);
  if (evidence.is === 'failed') return finish(context, 'Failed', `${path} has failed, as the account shows it`);
  const what = evidence.text ?? `${path} is being worked on`;
  if (age > action.within) return finish(context, 'Unknown', `for longer than it takes ${what}`);
  return inPhase(context, 'Running', { is: 'Working', reason: 'Updating', message: what, recheckAfter: seconds(15) });
}

const open: Evidence = { is: 'open' };

/** What it looks like at rest does not tell whether it was before or after. */
const isAnybodys = ({ object }: OperationContext): boolean => Object.keys(beforeIn(object)).length === 0;

function followedBy(context: OperationContext, sent: Sent): Followed | undefined {
  const asked = askedBy(context);
  if (asked === undefined) return undefined;
  const { kind, action, named } = asked;
  const objects = named.flatMap(({ object }) => object ?? []);
  const [path, ontoPath] = pathsOf(context);
  const paths = [path ?? [], ontoPath ?? []].flat();
  return { kind, action, target: named[0]?.object, objects, sent, path, paths, given: writtenFor(context, asked) };
}

async function told(context: OperationContext, { action, sent }: Followed, job: Job): Promise<Outcome> {
  context.status['job'] = job.id;
  const event = `event ${job.id} ${job.action}`;
  if (job.status === 'failed')
    return finish(context, 'Failed', `${event} failed${job.message === '' ? '' : `: the API said ${quoted(job.message)}`}`);
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

/** What is known of the call without an event, in words, and as a reason. */
const answers = {
  accepted: { was: 'accepted', reason: 'Updating', unknown: 'how it ended' },
  busy: { was: 'refused as busy', reason: 'Busy', unknown: 'of it' },
  none: { was: 'about to be sent', reason: 'UnknownOutcome', unknown: 'of it' },
} as const;
function answerIn(object: Resource): keyof typeof answers {
  const { accepted, busy } = (object.status?.['sent'] ?? {}) as { readonly accepted?: boolean; readonly busy?: boolean };
  return accepted === true ? 'accepted' : busy === true ? 'busy' : 'none';
}

/** No event tells of it yet: until it surely cannot come about any more, or an accepted one has had all its time. */
async function untold(context: OperationContext, followed: Followed): Promise<Outcome> {
  const { action, sent } = followed;
  const answer = answerIn(context.object);
  const { was, reason, unknown } = answers[answer];
  const { commitBound, listLag } = context.engine.settings;
  // What was answered, with a refusal too, was carried out by then or never.
  const within = { accepted: action.within, busy: sentWithin + listLag, none: sentWithin + commitBound + listLag }[answer];
  const decided = sent.at + within;
  const isOver = readUntil(context) > decided || context.account.connection.apiNow() > decided + action.within;
  const what = `it was ${was} at ${new Date(sent.at).toISOString()}`;
  if (isOver && answer === 'busy') return takeBack(context, followed.objects, { is: 'Again' });
  if (isOver && !isAnybodys(context) && (await evidenceOf(context, followed)).is === 'done')
    return finish(context, 'Succeeded', `${what}, and ${followed.path ?? ''} shows that it came about`);
  if (isOver) return finish(context, 'Unknown', `${what}, and no event of the account tells ${unknown}`);
  const message = `${what}; the events of the account are looked at for it, and it is not sent again meanwhile`;
  return inPhase(context, 'Running', { is: 'Working', reason, message, recheckAfter: seconds(2) });
}

/** Events of before are known, by the service's clock; all of them where they are refused, because no more is ever known. */
function readUntil({ account: { connection }, engine }: OperationContext): Millis {
  const readAt = connection.cache.eventsReadAt();
  return readAt === undefined ? 0 : connection.apiNow() - engine.clock.monotonic() + Math.min(readAt, engine.clock.monotonic());
}
