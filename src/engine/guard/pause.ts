import { type Duration, minutes } from '../../resource/index.ts';
import type { ClusterEngine } from '../context.ts';
import { isDeleting, pauseAnnotation } from '../model/annotations.ts';
import { keyOf } from '../model/object-id.ts';
import type { StatusDraft, Outcome } from '../model/outcome.ts';
import { factsOf, judgePause, type Paused } from '../model/pause.ts';
import type { Resource } from '../ports/index.ts';
import { fateOf } from '../model/policy.ts';

/** Timers of weeks are of no use: it is looked at now and then. */
const longest = minutes(60);

/** Why a person wants nothing to be done now. A pause with an end, and its end before its time, are noted in status. */
export async function pauseOf(
  engine: ClusterEngine,
  object: Resource,
  status: StatusDraft,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const now = engine.clock.now();
  const facts = factsOf(object, now);
  const isNever = [facts.pause, facts.resume, facts.paused, facts.resumed].every((one) => one === undefined);
  if (isNever) return undefined;
  const verdict = judgePause(facts);
  const by = verdict.isNew ? await writerOf(engine, object, signal) : {};
  status['paused'] = verdict.paused && { ...verdict.paused, ...by };
  status['resumed'] = verdict.resumed;
  if (verdict.message === undefined) return undefined;
  const recheckAfter = Math.min(longest, (verdict.ends ?? Infinity) - now) as Duration;
  return { is: 'Paused', message: `${verdict.message}${afterThat(object)}`, recheckAfter };
}

/** Who ends the pause of what is being deleted ends more than a pause. */
const afterThat = (object: Resource): string =>
  isDeleting(object) ? `. It is being deleted, which goes on with the end of the pause: ${fateOf(object)}` : '';

async function writerOf(engine: ClusterEngine, object: Resource, signal: AbortSignal): Promise<Pick<Paused, 'by'>> {
  const live = await engine.objects.annotated(object.kind, keyOf(object), pauseAnnotation, signal);
  return live?.manager === undefined ? {} : { by: live.manager };
}
