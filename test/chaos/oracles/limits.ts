import type { Millis } from '../../../src/lib/clock.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Passage } from '../stage/wire.ts';
import type { Oracle } from './oracle.ts';

/** O9: alone it never meets a limit; told to wait, it sends nothing of that class before its time. */
export const obeysLimits: Oracle = ({ run, excuse }) => [...uninvited(run), ...impatient(run, excuse.hurries ?? 1)];

const cloud = ({ passages }: Evidence): readonly Passage[] => passages.filter(({ server }) => server === 'cloud');

const uninvited = (run: Evidence): readonly string[] =>
  cloud(run)
    .filter((one) => one.answer?.status === 429 && !one.struck && !isCrowded(run, one))
    .map(({ at, shape, rate }) => `${shape} met the limit of ${rate} at ${at}, alone as it is`);

/** The service still works on a call of the process before, of which the new one cannot know. No call takes longer. */
const longestCall: Millis = 60_000;
const isCrowded = (run: Evidence, { at, by, rate }: Passage): boolean =>
  cloud(run).some((one) => one.by !== by && one.rate === rate && one.at <= at && (one.answer?.at ?? one.at + longestCall) > at);

function impatient(run: Evidence, hurries: number): readonly string[] {
  const told = cloud(run).filter(({ answer }) => answer?.status === 429 && answer.retryAfter !== undefined);
  return told.flatMap(({ by, rate, shape, answer = nothing }) => {
    const until = answer.at + ((answer.retryAfter ?? 0) * 1000) / hurries;
    const early = cloud(run).filter((one) => one.by === by && one.rate === rate && one.at > answer.at && one.at < until - 1);
    return early.map(
      (one) => `${one.shape} was sent at ${one.at}, although ${shape} was told at ${answer.at} to send nothing of ${rate} before ${until}`,
    );
  });
}
const nothing: NonNullable<Passage['answer']> = { status: 0, at: 0 };

/** O13: the API server of a run knows the chart's rights, and none that it refuses is needed. */
export const staysInItsRights: Oracle = ({ run }) =>
  run.passages
    .filter(({ server, answer, struck }) => server === 'kube' && answer?.status === 403 && !struck)
    .map(({ shape, request }) => `the chart gives no right to ${shape} (${request.method} ${request.path})`);

/** Where data is sent to is a secret: the log has of which remote it is. */
const asAudited = (path: string): string =>
  path
    .replace(/^\/v4(?:beta)?/, '')
    .replace(/\?.*$/, '')
    .replace(/^\/image-uploads\/(\d+)$/, '/images/private/$1#data');

/** O16: whatever becomes of a process, each call of its that changes the account was written into the audit log when it was sent. */
export const audited: Oracle = ({ run }) => {
  const lines = run.audited.toSorted((a, b) => a.localeCompare(b));
  const sent = cloud(run).filter(({ request }) => request.method !== 'GET');
  return sent
    .map(({ request }) => `${request.method} ${asAudited(request.path)}`)
    .filter((call) => {
      const at = lines.indexOf(call);
      if (at >= 0) lines.splice(at, 1);
      return at < 0;
    })
    .map((call) => `${call} was sent without a line in the audit log`);
};
