import type { Timer } from '../clock.ts';
import type { EventRow } from '../contract/event.ts';
import type { Job, JobPlan, World } from '../contract/world.ts';
import { events } from '../records/events.ts';
import { emitEvent } from './events.ts';
import type { Platform } from './platform.ts';

type Phase = 'queued' | 'scheduled' | 'started' | 'ended';

/** Seconds between a job's turn and its start. */
const startDelay = 0.5;

class RunningJob implements Job {
  readonly id: number;
  readonly plan: JobPlan;
  readonly world: World;
  readonly createdAt: number;
  phase: Phase = 'queued';
  startedAt = 0;
  timer: Timer | undefined;
  readonly #ended: (job: RunningJob, failed: boolean) => void;

  constructor(world: World, plan: JobPlan, ended: (job: RunningJob, failed: boolean) => void) {
    this.world = world;
    this.plan = plan;
    this.#ended = ended;
    this.createdAt = world.clock.monotonic();
    this.id = emitEvent(world, {
      action: plan.action,
      entity: plan.entity,
      secondary: plan.secondary ?? null,
      message: plan.message ?? '',
      status: 'scheduled',
    }).id;
    this.mark({ percent_complete: 0 });
  }

  get action(): string {
    return this.plan.action;
  }

  cancel(): void {
    if (this.phase !== 'ended') this.#ended(this, true);
  }

  mark(change: Partial<EventRow>): void {
    const row = this.world.store(events).get(this.id);
    if (row !== undefined) this.world.store(events).update(row, change);
  }
}

/** Runs jobs: serial per key, each with its event record (realities 6.4, 6.5). */
export class Jobs {
  readonly #platform: Platform;
  readonly #queues = new Map<string, RunningJob[]>();
  readonly #open = new Map<number, RunningJob>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  add(world: World, plan: JobPlan): Job {
    const job = new RunningJob(world, plan, (ended) => this.#act(ended, () => this.#end(ended, 'dropped')));
    this.#open.set(job.id, job);
    if (plan.serialKey === undefined) {
      this.#schedule(job);
      return job;
    }
    const key = `${world.euuid}/${plan.serialKey}`;
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    queue.push(job);
    if (queue.length === 1) this.#schedule(job);
    return job;
  }

  busy(euuid: string, serialKey: string): boolean {
    return (this.#queues.get(`${euuid}/${serialKey}`)?.length ?? 0) > 0;
  }

  /** Percent and seconds of a job under way; undefined for other events. */
  progress(eventId: number): { readonly percent: number; readonly duration: number } | undefined {
    const job = this.#open.get(eventId);
    if (job === undefined || job.phase !== 'started') return undefined;
    const now = job.world.clock.monotonic();
    const whole = this.#platform.scaled(job.plan.seconds);
    return {
      percent: whole === 0 ? 99 : Math.min(99, Math.floor((99 * (now - job.startedAt)) / whole)),
      duration: (now - job.createdAt) / 1000,
    };
  }

  #schedule(job: RunningJob): void {
    job.phase = 'scheduled';
    const delay = this.#platform.scaled(Math.min(startDelay, job.plan.seconds / 10));
    job.timer = job.world.clock.after(delay, () => this.#act(job, () => this.#start(job)));
  }

  #start(job: RunningJob): void {
    job.phase = 'started';
    job.startedAt = job.world.clock.monotonic();
    job.mark({ status: 'started' });
    job.plan.onStart?.(job.world);
    const { rng, knobs } = this.#platform.parts;
    const outcome = knobs.jobFailureRate > 0 && rng.next() < knobs.jobFailureRate ? 'failed' : 'finished';
    job.timer = job.world.clock.after(this.#platform.scaled(job.plan.seconds), () => this.#act(job, () => this.#end(job, outcome)));
  }

  #end(job: RunningJob, outcome: 'finished' | 'failed' | 'dropped'): void {
    job.phase = 'ended';
    job.timer?.cancel();
    this.#open.delete(job.id);
    const duration = Math.round((job.world.clock.monotonic() - job.createdAt) / 1000);
    job.mark({ status: outcome === 'finished' ? 'finished' : 'failed', percent_complete: 100, time_remaining: 0, duration });
    if (outcome === 'finished') job.plan.onFinish?.(job.world);
    if (outcome === 'failed') job.plan.onFail?.(job.world);
    this.#next(job);
  }

  #next(job: RunningJob): void {
    if (job.plan.serialKey === undefined) return;
    const key = `${job.world.euuid}/${job.plan.serialKey}`;
    const queue = (this.#queues.get(key) ?? []).filter((other) => other !== job);
    if (queue.length === 0) this.#queues.delete(key);
    else this.#queues.set(key, queue);
    const head = queue[0];
    if (head?.phase === 'queued') this.#schedule(head);
  }

  #act(job: RunningJob, act: () => void): void {
    const { world } = job;
    this.#platform.run({ euuid: world.euuid, actor: world.actor, world, origin: `job ${job.id} ${job.action}`, changes: [] }, act);
  }
}
