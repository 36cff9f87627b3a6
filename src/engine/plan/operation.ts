import type { Given } from '../../resource/index.ts';
import type { Millis } from '../../lib/clock.ts';
import { readTime } from '../../lib/utc-time.ts';
import { annotation, operationAnnotation } from '../model/annotations.ts';
import type { InstallationKey, ObjectName } from '../model/identity.ts';
import { canonical } from '../model/values.ts';
import type { Job, Resource } from '../ports/index.ts';

/** An operation may come this long after its object was made. */
export const longestWait: Millis = 7 * 24 * 3_600_000;

const finals = ['Succeeded', 'Failed', 'Unknown', 'Expired'] as const;
export type FinalPhase = (typeof finals)[number];
export type Phase = 'Pending' | 'AwaitingConfirmation' | 'Waiting' | 'Running' | FinalPhase;

/** The one call: written down before it is sent. */
export interface Sent {
  /** The service's clock. */
  readonly at: Millis;
  /** The newest event of the target before it: what tells of it is newer. */
  readonly after: number;
}

/** What the target had before the call, by which is told that it has something else after it. */
export interface Before {
  readonly replaced?: readonly string[];
  /** A keyed hash of a secret. */
  readonly renewed?: string;
}
export const beforeIn = ({ status }: Resource): Before => {
  const { replaced, renewed } = (status?.['sent'] ?? {}) as Before;
  return { ...(replaced && { replaced }), ...(renewed !== undefined && { renewed }) };
};

/** How it ended, when, and the event that told of it. */
export interface Final {
  readonly phase: FinalPhase;
  /** Of the cluster, to the second. */
  readonly at: Millis;
  readonly job: number | undefined;
}

/** How far an operation came, by what was written down of it. */
export type Recorded =
  | { readonly is: 'none' }
  | { readonly is: 'running'; readonly sent: Sent }
  | ({ readonly is: 'final' } & Final)
  /** What is written was not written for this very object: nothing tells whether it was done. */
  | { readonly is: 'another'; readonly why: string };

interface Holder {
  readonly key: InstallationKey;
  readonly name: ObjectName;
  readonly object: Resource;
}

const formatOf = ({ key, name, object }: Holder, rest: string): string => {
  const value = `${object.metadata.uid}.${rest}`;
  return `${value}.${key.mac(name, `operation ${value}`)}`;
};
export const formatRunning = (holder: Holder, { at, after }: Sent): string => formatOf(holder, `Running.${at}.${after}`);
export const formatFinal = (holder: Holder, { phase, at, job = 0 }: Final): string => formatOf(holder, `${phase}.${at}.${job}`);

const form = /^(?<value>(?<uid>[^.]+)\.(?<phase>[A-Z][a-z]+)\.(?<at>\d+)\.(?<after>\d+))\.(?<mac>[a-z2-7]{16})$/;

/** The annotation, and status where somebody took that away or spoilt it. */
export function recordOf(holder: Holder): Recorded {
  const text = annotation(holder.object, operationAnnotation);
  const shown = shownIn(holder.object);
  if (text === undefined || shown.is === 'final') return shown;
  const written = writtenIn(holder, text);
  return written.is === 'another' && shown.is === 'running' ? shown : written;
}

function writtenIn({ key, name, object }: Holder, text: string): Recorded {
  const { value = '', uid, phase, at, after, mac = '' } = form.exec(text)?.groups ?? {};
  if (!key.signed(name, `operation ${value}`, mac))
    return { is: 'another', why: `annotation ${operationAnnotation} is not of this operator, or was signed with a key that is lost` };
  if (uid !== object.metadata.uid) return { is: 'another', why: `it was begun for an earlier object of this name (uid ${uid})` };
  if (phase === 'Running') return { is: 'running', sent: { at: Number(at), after: Number(after) } };
  return finalIn(phase, Number(at), Number(after)) ?? { is: 'another', why: `annotation ${operationAnnotation} cannot be read` };
}

function shownIn({ metadata: { uid }, status = {} }: Resource): Recorded {
  const { objectUid = uid, phase, sent, finishedAt, job } = status as Shown;
  if (objectUid !== uid) return { is: 'another', why: 'its status is that of an earlier object, which a backup put back' };
  const running = phase === 'Running' ? sentIn(sent) : undefined;
  return running ?? finalIn(phase, readTime(String(finishedAt)) ?? 0, Number(job ?? 0)) ?? { is: 'none' };
}
function sentIn(sent: Shown['sent']): Recorded | undefined {
  const at = readTime(String(sent?.at));
  return at === undefined ? undefined : { is: 'running', sent: { at, after: Number(sent?.after ?? 0) } };
}
interface Shown {
  readonly objectUid?: unknown;
  readonly phase?: unknown;
  readonly sent?: { readonly at?: unknown; readonly after?: unknown };
  readonly finishedAt?: unknown;
  readonly job?: unknown;
}

function finalIn(text: unknown, at: Millis, job: number): Recorded | undefined {
  const phase = finals.find((one) => one === text);
  return phase && { is: 'final', phase, at, job: job === 0 ? undefined : job };
}

/** The event that tells of the call: of the actions that it begins, by our user, and newer than it. What was delivered twice runs until both have ended. */
export function jobOf(
  jobs: readonly Job[],
  { sent, actions, user }: { readonly sent: Sent; readonly actions: readonly string[]; readonly user: string },
): Job | undefined {
  const all = jobs
    .filter(
      (job) =>
        job.id > sent.after &&
        actions.includes(job.action) &&
        (job.user === user || job.user === null) &&
        Date.parse(`${job.created}Z`) >= sent.at - sameTime,
    )
    .toSorted((a, b) => a.id - b.id);
  return all.find(isOpen) ?? all[0];
}
export const isOpen = ({ status }: Job): boolean => status === 'scheduled' || status === 'started';
/** Events tell seconds. */
const sameTime: Millis = 2000;

/** What annotation `confirm` must repeat: nobody can tell it before the object is there, nor of other consequences. */
export const challengeOf = (
  { key, object }: Holder,
  about: { readonly path: string; readonly ontoPath: string | undefined; readonly given: Given; readonly consequences: readonly string[] },
): string => {
  const { path, ontoPath, given, consequences } = about;
  const paths = ontoPath === undefined ? [path] : [path, ontoPath];
  return key.remember(object.metadata.uid, 'challenge', canonical([object.spec['action'], ...paths, given, consequences])).slice(0, 10);
};
