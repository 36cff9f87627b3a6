import type { CallOptions, Permit, Reply } from '../../engine/ports/index.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Call, RateClass, Sensitive } from '../../resource/index.ts';
import type { ApiClock } from '../http/api-clock.ts';
import type { Budget, Slot } from './rate-budget.ts';
import type { Client, Head, Request } from '../http/client.ts';
import type { Availability } from './availability.ts';

/** Told of every change of ours, so that the event that it causes is known again. */
export interface CallWatcher {
  sent(call: Call): void;
  answered(call: Call, reply: Reply): void;
  failed(call: Call): void;
}

export interface SenderOptions {
  readonly client: Client;
  readonly budget: Budget;
  readonly apiClock: ApiClock;
  readonly availability: () => Availability;
  readonly rateOf: (call: Call) => RateClass;
  readonly token: () => Sensitive;
  readonly watcher: CallWatcher;
  /** A 429 came. */
  readonly throttled: (error: CloudError) => void;
}

/** Budget, availability and client in one: the way of every request of a connection. */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Waits for the budget. Its rejections leave nothing behind. */
  async permit(request: Request, how: CallOptions): Promise<Permit> {
    this.#refuseInTrouble();
    how.onWait?.(true);
    const leave = this.#options.budget.acquire(this.#options.rateOf(request), { ...how, signal: how.intake ?? how.signal });
    const slot = await leave.finally(() => how.onWait?.(false));
    try {
      this.#refuseInTrouble();
    } catch (error) {
      slot.release();
      throw error;
    }
    return this.#permit(request, how, slot);
  }

  #permit(call: Request, how: CallOptions, slot: Slot): Permit {
    return {
      call,
      send: (gate) => this.#send(call, how, slot, gate),
      for: (other) => this.#permit(other, how, slot),
      release: () => slot.release(),
    };
  }

  /** What need not be now is better left for later. */
  isCrowded(request: Request): boolean {
    return this.#options.budget.isCrowded(this.#options.rateOf(request));
  }

  async send(request: Request, how: CallOptions): Promise<Reply> {
    const permit = await this.permit(request, how);
    return permit.send(() => undefined);
  }

  /** Past the check of availability: for the probe that ends it. */
  async probe(request: Request, how: CallOptions): Promise<Reply> {
    const slot = await this.#options.budget.acquire(this.#options.rateOf(request), how);
    return this.#send(request, how, slot, () => undefined);
  }

  #refuseInTrouble(): void {
    const refusal = this.#options.availability().refusal();
    if (refusal) throw refusal;
  }

  async #send(request: Request, { signal, caller }: CallOptions, slot: Slot, gate: () => string | undefined): Promise<Reply> {
    const { client, watcher } = this.#options;
    const change = request.method !== 'GET';
    let head: Head | undefined;
    const onHead = (answer: Head): void => {
      head = answer;
      if (answer.dated) this.#options.apiClock.observe(answer.apiTime, answer.requestedAt, answer.answeredAt);
      slot.answered(answer);
    };
    try {
      if (change) watcher.sent(request);
      const reply = await client.send(request, { token: this.#options.token(), signal, gate, onHead, caller });
      this.#options.availability().heard();
      if (change) watcher.answered(request, reply);
      return reply;
    } catch (error) {
      if (change) watcher.failed(request);
      const fault =
        error instanceof CloudError
          ? error
          : new CloudError('Unknown', `${request.method} ${request.path}: ${String(error)}`, { cause: error });
      if (fault.fault === 'Abandoned') slot.release();
      else slot.lost();
      this.#learn(fault, head);
      throw fault;
    }
  }

  #learn(error: CloudError, head: Head | undefined): void {
    const availability = this.#options.availability();
    if (error.fault === 'Abandoned') return;
    if (head?.status === 429) return this.#options.throttled(error);
    const maintenance = head?.headers['x-maintenance-mode'] !== undefined;
    if (head === undefined || !head.json || maintenance) availability.silent(error, maintenance);
    else if (error.fault === 'Unauthorized') availability.unauthorized(error);
    else availability.heard();
  }
}
