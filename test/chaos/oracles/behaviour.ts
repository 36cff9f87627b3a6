import { reasonsForAPerson } from '../../support/world/remedy.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { type Scenario, secretCanary, tokenCanary } from '../scenario/scenario.ts';
import { changesSomething } from '../stage/step.ts';
import { toldBy } from '../evidence/told-once.ts';
import type { Passage } from '../stage/wire.ts';
import { differencesOf, lacking, type Picture } from '../evidence/picture.ts';
import type { Excuse, Oracle } from './oracle.ts';

const minute = 60_000;

/** O4: what was asked for comes about, and stays. */
export const converges: Oracle = ({ scenario, run, excuse }) => {
  const forAPerson = scenario.operation.is === 'create' ? reasonsForAPerson(scenario.kind, scenario.subject.spec) : [];
  const stalled = [...(excuse.stalls ?? []), ...forAPerson].some((reason) => run.status.includes(`"${reason}"`));
  if (!run.done) {
    return stalled ? [] : [`${scenario.operation.id} did not end; status ${run.status.slice(0, 1500)}`];
  }
  return scenario.operation.is !== 'delete' && !run.stillReady && !stalled
    ? [`not Ready any more after 30 minutes; status ${run.status.slice(0, 1500)}`]
    : [];
};

/** O7: trying again gets rarer, and what is at rest costs nothing of its own. */
export const noHotLoop: Oracle = ({ run, reference }) => [...tooOften(run), ...restless(run, reference)];

/**
 * Of equal calls at most 6 in any minute and 10 in any ten minutes where they change something, and 18 in any minute where they
 * read; those that a 429 told when to come again do not count, nor does the feed of events, by which others are waited for.
 */
function tooOften(run: Evidence): readonly string[] {
  const times = new Map<string, { readonly changes: boolean; readonly at: number[] }>();
  for (const { nth, server, request, outcome, shape, at } of run.passages) {
    if (nth === 0 || server !== 'cloud' || outcome === '429' || shape.includes('/events')) continue;
    const call = `${request.method} ${request.path} ${request.body.toString()}`;
    const known = times.get(call) ?? { changes: changesSomething(request), at: [] };
    times.set(call, known);
    known.at.push(at);
  }
  return [...times].flatMap(([call, { changes, at }]) => {
    const isTooOften = changes ? crowded(at, minute, 6) || crowded(at, 10 * minute, 10) : crowded(at, minute, 18);
    return isTooOften ? [`${call.slice(0, 120)} was sent ${at.length} times: ${at.slice(0, 12).join(', ')}`] : [];
  });
}
const crowded = (times: readonly number[], span: number, most: number): boolean =>
  times.some((time, i) => (times[i + most] ?? Infinity) - time < span);

/** In the last ten minutes of the quiet half hour. */
function restless(run: Evidence, reference: Evidence): readonly string[] {
  if (!run.done) return [];
  const [was, is] = [quietCounts(reference), quietCounts(run)];
  const more = [...is].flatMap(([shape, count]) => {
    const usual = was.get(shape) ?? 0;
    return count > usual * 1.5 + 2 ? [`at rest ${shape} was called ${count} times in ten minutes, ${usual} without the fault`] : [];
  });
  const writes = lastTenMinutes(run).filter((one) => one.server === 'kube' && changesSomething(one.request) && one.nth > 0);
  return [...more, ...writes.map((one) => `at rest Kubernetes was written: ${one.shape} ${one.request.body.toString().slice(0, 300)}`)];
}
const lastTenMinutes = (run: Evidence): readonly Passage[] =>
  run.passages.filter(({ at }) => at < run.quietEndedAt && at > run.quietEndedAt - 10 * minute);
function quietCounts(run: Evidence): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { server, shape } of lastTenMinutes(run)) if (server === 'cloud') counts.set(shape, (counts.get(shape) ?? 0) + 1);
  return counts;
}

/** O8: what the sampler saw of status that was not true or not orderly; and Ready was said only of what the account had. */
export const truthful: Oracle = ({ scenario, run, excuse }) => [...run.sampled, ...(isExplained(excuse) ? [] : early(run, scenario))];

/** Where the fault itself, or a person, changes the account, a claim was true when it was made. */
const isExplained = ({ corrected, otherEnd, edited, rebirths, stalls }: Excuse): boolean =>
  corrected === true || otherEnd === true || edited === true || rebirths !== undefined || stalls !== undefined;

/** Nodes are made before their cluster is Ready; how they are replaced or taken away after a change is the service's own, and begins when that was answered. */
function early({ claims, generation, atRest }: Evidence, { operation }: Scenario): readonly string[] {
  // It was Ready before it was asked, for the same generation.
  if (operation.is === 'update' && operation.rotates === true) return [];
  const judged = ({ account, parts }: Pick<Picture, 'account' | 'parts'>): readonly string[] =>
    operation.is === 'update' ? lacking(account, parts) : account;
  return claims
    .filter((claim) => claim.generation === generation)
    .flatMap(({ at, account }) =>
      differencesOf(judged(account), judged(atRest)).map(
        (line) => `Ready was said at ${at}, before the account was as it came to rest: ${line}`,
      ),
    );
}

/** O10: no secret, whole or in part, where people read. */
export const keepsSecrets: Oracle = ({ run }) =>
  [
    ...[tokenCanary, secretCanary].flatMap((canary) => [
      canary,
      canary.slice(0, 5),
      base64(canary).slice(0, 8),
      encodeURIComponent(canary),
    ]),
    ...run.lives.filter(({ origin }) => origin !== 'seed').flatMap((life) => toldBy(life).flatMap((told) => [told, base64(told)])),
  ]
    .filter((piece) => run.published.includes(piece))
    .map((piece) => `"${piece}" of a secret is shown: ${around(run.published, piece)}`);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const around = (text: string, piece: string): string => {
  const at = text.indexOf(piece);
  return text.slice(Math.max(0, at - 80), at + 40);
};

/** O17: what only the answer to a create tells is in a Secret for as long as its remote is some object's. */
export const keepsTold: Oracle = ({ run }) => run.untold;

/** O18: while an object stays, its Secrets hold nothing that the operator has voided. */
export const keepsPublished: Oracle = ({ run }) => run.voided;

/** O11: no defect was swallowed. */
export const noPanic: Oracle = ({ run }) => run.panics;

/** O15: of an object that is gone nothing is remembered. */
export const forgets: Oracle = ({ run }) => run.remembered;

/** O14: who stood still until another could lead changes nothing afterwards. */
export const leadsAlone: Oracle = ({ run }) =>
  run.resumed.flatMap(({ by, at }) =>
    run.passages
      .filter((one) => one.by === by && one.at >= at && changesSomething(one.request) && !isAnybodys(one))
      .map(({ server, shape }) => `${by} stood still for longer than its lease, and afterwards sent to the ${server} API: ${shape}`),
  );

/** To ask for the lease; and patches of metadata, which have preconditions: whoever has the answer of a create may write it. */
const isAnybodys = ({ request: { method, path, body } }: Passage): boolean =>
  path.includes('/leases') ||
  (method === 'PATCH' && /^\/apis\/cloudhosting\.dev\/(?!.*\/status(\?|$))/.test(path) && /"(\/metadata\/)?uid"/.test(body.toString()));
