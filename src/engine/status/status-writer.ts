import type { Clock, Millis } from '../../lib/clock.ts';
import { hasRemote, type Row, seconds } from '../../resource/index.ts';
import type { Condition } from '../model/conditions.ts';
import type { Registry } from '../model/kind-registry.ts';
import { keyOf, objectId } from '../model/object-id.ts';
import { type Crds, type Key, type Objects, type Recorder, type Resource } from '../ports/index.ts';
import { eventTypeOf } from './event-table.ts';
import { before, type Result, statusOf } from './next-status.ts';
import { statusOps, statusPatch } from './status-patch.ts';
import { patienceOf, WritePace } from './write-pace.ts';

const idOf = (object: Resource): string => objectId(object.kind, keyOf(object));

/** As much of the engine as a write of status needs. */
interface StatusWriting {
  readonly objects: Objects;
  readonly crds: Crds;
  readonly recorder: Recorder;
  readonly registry: Registry;
  readonly clock: Clock;
  wake(kind: string, key: Key, options?: { after?: Millis }): void;
}

/** Writes status when it differs, tells of a new reason in an Event. Details wait for company. */
export class StatusWriter {
  readonly #engine: StatusWriting;
  readonly #details = new WritePace();
  constructor(engine: StatusWriting) {
    this.#engine = engine;
  }
  async write(result: Result, signal: AbortSignal): Promise<void> {
    const { object, outcome } = result;
    if (outcome.is === 'Deleted' || this.#engine.crds.mismatched.has(object.kind)) return;
    const old = object.status ?? {};
    const next = statusOf(result, this.#engine.clock.now(), hasRemote(this.#engine.registry.kind(object.kind)));
    const patch = statusPatch(old, next);
    if (patch === undefined) return this.#details.settled(idOf(object));
    if (this.#isHeld(result, patch)) return;
    const ops = statusOps(object, patch);
    const written = await this.#engine.objects.patch(object.kind, keyOf(object), { type: 'json', ops, subresource: 'status' }, signal);
    this.#details.written(idOf(object), this.#engine.clock.monotonic(), outcome.is === 'Working' || outcome.is === 'Unsettled');
    if (lacksOld(written, next, patch)) this.#engine.wake(object.kind, keyOf(object), { after: seconds(1) });
    this.#tell(result, next);
  }
  /** `id`: as in the queue. */
  forget(id: string): void {
    this.#details.forget(id);
  }
  known(): Iterable<string> {
    return this.#details.known();
  }
  /** The reconcile that is due then writes it, unless another one has by then. */
  #isHeld(result: Result, patch: Row): boolean {
    const { object } = result;
    const patience = patienceOf(result, patch, this.#engine.registry);
    if (patience === 0) return false;
    const wait = this.#details.wait(idOf(object), this.#engine.clock.monotonic(), patience);
    if (wait > 0) this.#engine.wake(object.kind, keyOf(object), { after: wait });
    return wait > 0;
  }
  #tell({ object, outcome }: Result, next: Row): void {
    const now = (next['conditions'] as readonly Condition[] | undefined) ?? [];
    const synced = now.find(({ type }) => type === 'Synced');
    const known = before(object).find(({ type }) => type === 'Synced');
    const type = eventTypeOf(outcome);
    if (type === undefined || synced === undefined || (known?.reason === synced.reason && known.status === synced.status)) return;
    this.#engine.recorder.event(object, { type, reason: synced.reason, message: synced.message === '' ? 'as wanted' : synced.message });
  }
}

/** Somebody took away what stood there before, between the look and the write: the next reconcile puts it back. */
const lacksOld = ({ status }: Resource, next: Row, patch: Row): boolean =>
  Object.keys(next).some((field) => !(field in patch) && status?.[field] === undefined);
