import type { Millis } from '../../lib/clock.ts';
import type { Drift, PendingPlan } from '../model/outcome.ts';
import type { Policy } from '../model/policy.ts';
import type { Job } from '../ports/index.ts';
import type { Catalogue } from './catalogue.ts';
import type { Applied } from './diff.ts';

/** What a plan may know besides the object and the remote. Data only; nothing here is read from anywhere. */
export interface PlanContext {
  readonly policy: Policy;
  /** The spec's generation, or what its references led to since, was not applied yet: differences are wished for, not drift. */
  readonly pending: boolean;
  /** We changed the remote, or a person asked for a look: what was read of its parts before no longer counts. */
  readonly changed?: boolean;
  /** `status.drift` as it stands. */
  readonly drift: readonly Drift[];
  /** `status.plan`: what was asked last, or is being made; its changes are made one after the other under one approval. */
  readonly asked?: PendingPlan;
  readonly applied: Applied;
  readonly jobs: readonly Job[];
  /** Wall clock of the service. */
  readonly now: Millis;
  readonly catalogue: Catalogue;
  /** What is above does not run with the remote, so that nothing needs to be shut down for a call. */
  readonly parentRests?: boolean;
  /** The object that stands for another remote, in words. */
  readonly standsFor?: (path: string) => string | undefined;
  /** Fields that somebody else keeps rewriting (README: drift). */
  readonly contested: readonly string[];
}
