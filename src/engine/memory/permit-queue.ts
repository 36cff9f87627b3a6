import type { Clock, Millis } from '../../lib/clock.ts';
import { onAbort } from '../../lib/on-abort.ts';
import type { Permit } from '../ports/index.ts';

/** A create of the object `uid` that needs a permit. */
export interface Queued {
  readonly uid: string;
  /** What it is for, and of which connection: another spec or account may need another window. */
  readonly what: string;
  readonly from: object;
  /** Asks for the permit; aborted when nobody wants it any more. */
  readonly ask: (signal: AbortSignal) => Promise<Permit>;
  /** The wait is over, for better or worse, and no reconcile is there to hear of it. */
  readonly ended: () => void;
  readonly stopping: AbortSignal;
}

interface Ticket extends Pick<Queued, 'what' | 'from'> {
  readonly permit: Promise<Permit>;
  readonly abort: AbortController;
  /** It came when no reconcile waited for it. */
  kept: boolean;
}

/** A reconcile waits so long itself: most windows are open. */
const patience: Millis = 1000;

/** So long a permit is kept for an object that was woken for it. */
const keptFor: Millis = 10_000;

/**
 * Permits that are waited for without a reconcile. A window of 100 creates a minute makes the thousandth wait for ten minutes:
 * meanwhile its object can be edited and deleted, and reconciles are there for others.
 */
export class PermitQueue {
  readonly #clock: Clock;
  readonly #tickets = new Map<string, Ticket>();
  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** The permit, which is the caller's from then on; undefined: it is waited for, and `ended` will be called. Rejects as `ask` does. */
  async take(queued: Queued): Promise<Permit | undefined> {
    const { uid, what, from } = queued;
    const known = this.#tickets.get(uid);
    if (known !== undefined && (known.what !== what || known.from !== from)) this.leave(uid);
    else if (known?.kept === false) return undefined;
    const ticket = this.#tickets.get(uid) ?? this.#draw(queued);
    if (await this.#comes(ticket)) {
      this.#tickets.delete(uid);
      return ticket.permit;
    }
    const ends = (then: () => void) => (): void => {
      if (this.#tickets.get(uid) !== ticket) return;
      then();
      queued.ended();
    };
    const [came, failed] = [ends(() => this.#keep(uid, ticket)), ends(() => void this.#tickets.delete(uid))];
    ticket.permit.then(came, failed);
    return undefined;
  }

  /** The object wants no create any more, or another one: its wait ends, and its permit is given back. */
  leave(uid: string): void {
    const ticket = this.#tickets.get(uid);
    if (ticket === undefined) return;
    this.#tickets.delete(uid);
    ticket.abort.abort(new Error('the create is not wanted any more'));
    ticket.permit.then(
      (permit) => permit.release(),
      () => undefined,
    );
  }

  forget(uid: string): void {
    this.leave(uid);
  }
  known(): Iterable<string> {
    return this.#tickets.keys();
  }

  /** A reconcile has ended: what was kept for it and not taken is somebody else's. */
  giveBack(uid: string): void {
    if (this.#tickets.get(uid)?.kept === true) this.leave(uid);
  }

  #draw({ uid, what, from, ask, stopping }: Queued): Ticket {
    const abort = new AbortController();
    const stay = onAbort(stopping, () => abort.abort(stopping.reason));
    const ticket: Ticket = { what, from, permit: ask(abort.signal).finally(stay), abort, kept: false };
    this.#tickets.set(uid, ticket);
    return ticket;
  }

  #keep(uid: string, ticket: Ticket): void {
    ticket.kept = true;
    this.#clock.after(keptFor, () => {
      if (this.#tickets.get(uid) === ticket) this.leave(uid);
    });
  }

  /** False when it takes longer than a reconcile waits. */
  async #comes({ permit }: Ticket): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = this.#clock.after(patience, () => resolve(false));
    const settled = (): void => resolve(true);
    permit.then(settled, settled);
    const comes = await promise;
    timer.cancel();
    return comes;
  }
}
