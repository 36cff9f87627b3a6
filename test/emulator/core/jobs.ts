import type { Timer } from '../clock.ts';
import type { EventHidden, EventRow } from '../contract/event.ts';
import type { Job, JobPlan, World } from '../contract/world.ts';
import { events } from '../records/events.ts';
import type { EventFeed } from './events.ts';
import type { Faults } from './faults.ts';
import type { Platform } from './platform.ts';

type Phase = 'queued' | 'scheduled' | 'started' | 'ended';
type Outcome = 'finished' | 'failed' | 'dropped';

/** Seconds between a job's turn and its start. */
const startDelay = 0.5;

class RunningJob implements Job {
  readonly id: number;
  readonly plan: JobPlan;
  readonly world: World;
  readonly createdAt: number;
  phase: Phase = 'queued';
  timer: Timer | undefined;
  readonly #drop: (job: RunningJob) => void;

  constructor(world: World, plan: JobPlan, id: number, drop: (job: RunningJob) => void) {
    this.world = world;
    this.plan = plan;
    this.id = id;
    this.#drop = drop;
    this.createdAt = world.clock.monotonic();
  }

  get action(): string {
    return this.plan.action;
  }

  cancel(): void {
    if (this.phase !== 'ended') this.#drop(this);
  }

  mark(change: Partial<EventRow>, job?: EventHidden['job']): void {
    const row = this.world.store(events).get(this.id);
    if (row === undefined) return;
    this.world.store(events).update(row, job === undefined ? change : { ...change, hidden: { ...row.hidden, job } });
  }
}

/** Runs jobs: serial per key, each with its event record. */
export class Jobs {
  readonly #platform: Platform;
  readonly #feed: EventFeed;
  readonly #faults: Faults;
  readonly #queues = new Map<string, RunningJob[]>();

  constructor(platform: Platform, feed: EventFeed, faults: Faults) {
    this.#platform = platform;
    this.#feed = feed;
    this.#faults = faults;
  }

  add(world: World, plan: JobPlan): Job {
    const { action, entity, secondary = null, message = '' } = plan;
    const event = this.#feed.emit(world, { action, entity, secondary, message, status: 'scheduled' });
    const job = new RunningJob(world, plan, event.id, (dropped) => this.#act(dropped, () => this.#end(dropped, 'dropped')));
    job.mark({ percent_complete: 0 }, { createdAt: job.createdAt });
    if (this.#enqueue(job) === 1) this.#schedule(job);
    return job;
  }

  busy(euuid: string, serialKey: string): boolean {
    return (this.#queues.get(`${euuid}/${serialKey}`)?.length ?? 0) > 0;
  }

  /** The jobs of one serial key, the running one first. */
  open(euuid: string, serialKey: string): readonly Job[] {
    return this.#queues.get(`${euuid}/${serialKey}`) ?? [];
  }

  #key(job: RunningJob): string {
    return `${job.world.euuid}/${job.plan.serialKey ?? `job:${job.id}`}`;
  }

  #enqueue(job: RunningJob): number {
    const queue = this.#queues.get(this.#key(job)) ?? [];
    this.#queues.set(this.#key(job), queue);
    return queue.push(job);
  }

  #schedule(job: RunningJob): void {
    job.phase = 'scheduled';
    const delay = this.#platform.scaled(Math.min(startDelay, job.plan.seconds / 10));
    job.timer = job.world.clock.after(delay, () => this.#act(job, () => this.#start(job)));
  }

  #start(job: RunningJob): void {
    job.phase = 'started';
    const whole = this.#platform.scaled(job.plan.seconds);
    job.mark({ status: 'started' }, { createdAt: job.createdAt, startedAt: job.world.clock.monotonic(), whole });
    job.plan.onStart?.(job.world);
    const outcome = this.#outcome(job);
    if (outcome === 'hangs') return;
    job.timer = job.world.clock.after(whole, () => this.#act(job, () => this.#end(job, outcome)));
  }

  #outcome(job: RunningJob): 'finished' | 'failed' | 'hangs' {
    const effect = this.#faults.forEvent({ action: job.action, entityId: job.plan.entity.id }, ['job-fails', 'job-hangs']);
    if (effect !== undefined) return effect.kind === 'job-hangs' ? 'hangs' : 'failed';
    const { rng, knobs } = this.#platform.parts;
    return knobs.jobFailureRate > 0 && rng.next() < knobs.jobFailureRate ? 'failed' : 'finished';
  }

  #end(job: RunningJob, outcome: Outcome): void {
    job.phase = 'ended';
    job.timer?.cancel();
    const duration = Math.round((job.world.clock.monotonic() - job.createdAt) / 1000);
    job.mark({ status: outcome === 'finished' ? 'finished' : 'failed', percent_complete: 100, time_remaining: 0, duration });
    if (outcome === 'finished') job.plan.onFinish?.(job.world);
    if (outcome === 'failed') job.plan.onFail?.(job.world);
    this.#next(job);
  }

  #next(job: RunningJob): void {
    const queue = (this.#queues.get(this.#key(job)) ?? []).filter((other) => other !== job);
    if (queue.length === 0) this.#queues.delete(this.#key(job));
    else this.#queues.set(this.#key(job), queue);
    const head = queue[0];
    if (head?.phase === 'queued') this.#schedule(head);
  }

  #act(job: RunningJob, act: () => void): void {
    const { world } = job;
    this.#platform.run({ euuid: world.euuid, actor: world.actor, world, origin: `job ${job.id} ${job.action}`, changes: [] }, act);
  }
}
