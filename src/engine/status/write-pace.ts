import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';
import { isDeleting } from '../model/annotations.ts';
import type { Registry } from '../model/kind-registry.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Resource } from '../ports/index.ts';
import { sameVerdicts } from './status-patch.ts';

/** More may come with it, or it may pass. */
const company: Millis = 2000;

/** Mostly what it refers to was applied together with it, and comes to be in a moment. What is not even there by then was forgotten. */
const firstWait: Millis = 10_000;

/** Least time between two writes about one thing that is under way (README: status). */
const interval: Millis = 5000;

const always = ['conditions', 'progress', 'waitingFor', 'lastSyncTime'];

/** After these another reconcile comes to the same without asking anybody. */
const comesAgain = (outcome: Outcome): boolean =>
  ['Synced', 'Working', 'Unsettled'].includes(outcome.is) || (outcome.is === 'Waiting' && outcome.reason === 'ReferenceNotReady');

/** For how long this may wait for what else is to be written: 0 for what a person, a tool or another object acts on. */
export function patienceOf(result: Written, patch: Row, registry: Registry): Millis {
  if (isFirstWait(result)) return isAbsent(result) ? company : firstWait;
  return isDetail(result, patch, registry) ? company : 0;
}

interface Written {
  readonly object: Resource;
  readonly outcome: Outcome;
}
const isFirstWait = ({ object, outcome }: Written): boolean =>
  object.status?.['conditions'] === undefined && !isDeleting(object) && outcome.is === 'Waiting' && outcome.reason === 'ReferenceNotReady';

const isAbsent = ({ outcome }: Written): boolean => outcome.is === 'Waiting' && outcome.absent === true;

/** What the change is about: nothing that a person, a tool or another object acts on. */
export function isDetail({ object, outcome }: Written, patch: Row, registry: Registry): boolean {
  const { status } = object;
  if (status?.['conditions'] === undefined || isDeleting(object) || !comesAgain(outcome)) return false;
  const kind = registry.kind(object.kind);
  const shown = (field: string): boolean => field in kind.status.shape && !registry.taken(kind.kind).has(field);
  return (
    kind !== registry.connection &&
    Object.keys(patch).every((field) => always.includes(field) || shown(field)) &&
    sameVerdicts(status, { ...status, ...patch })
  );
}

interface Pace {
  readonly writtenAt?: Millis;
  readonly wantedAt?: Millis;
}

/** When details are written: with what else is written, or after a while. */
export class WritePace {
  readonly #paces = new Map<string, Pace>();

  /** For how long this one must wait still; 0: it is written now. */
  wait(id: string, now: Millis, patience: Millis = company): Millis {
    const { writtenAt = -Infinity, wantedAt = now } = this.#paces.get(id) ?? {};
    const due = Math.max(wantedAt + patience, writtenAt + interval);
    if (due > now) this.#paces.set(id, { writtenAt, wantedAt });
    return Math.max(0, due - now);
  }
  /** `moving`: more will follow. */
  written(id: string, now: Millis, moving: boolean): void {
    if (moving) this.#paces.set(id, { writtenAt: now });
    else this.#paces.delete(id);
  }
  /** Nothing differs any more. */
  settled(id: string): void {
    const { writtenAt } = this.#paces.get(id) ?? {};
    if (writtenAt === undefined) this.#paces.delete(id);
    else this.#paces.set(id, { writtenAt });
  }
  forget(id: string): void {
    this.#paces.delete(id);
  }
  known(): Iterable<string> {
    return this.#paces.keys();
  }
}
