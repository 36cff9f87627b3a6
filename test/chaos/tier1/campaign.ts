import { families } from './families.ts';
import type { Family } from './family.ts';
import { judged, unprepared, type Verdict } from './judge.ts';
import type { Options } from './options.ts';
import { type Batch, batchesOf, type Case, casesOf, type Life, livesOf } from './plan.ts';
import { Pool, type Slot } from './pool.ts';
import { record, type Recording } from './recording.ts';
import { type Subject, subjects, ways } from './subject.ts';

export interface Campaign {
  readonly planned: readonly Case[];
  readonly verdicts: readonly Verdict[];
  /** Their step did not come again, even at a second try. */
  readonly missed: readonly Case[];
  readonly forbidden: readonly string[];
}
export interface Listener {
  recorded(recordings: number, seconds: number): void;
  planned(cases: readonly Case[]): void;
  judged(verdict: Verdict): void;
  trouble(text: string): void;
}

/** Records every edit of every kind, derives the cases, and runs as many as there is time for. */
export class Runner {
  readonly #options: Options;
  readonly #elapsed: () => number;
  readonly #listener: Listener;
  readonly #pool: Pool;
  #planned: readonly Case[] = [];
  readonly #verdicts: Verdict[] = [];
  readonly #missed: Case[] = [];
  readonly #tries = new Map<string, number>();
  /** From when it is being ended, operators go because they are told to. */
  #over = false;

  constructor(options: Options, elapsed: () => number, listener: Listener) {
    this.#options = options;
    this.#elapsed = elapsed;
    this.#listener = listener;
    this.#pool = new Pool(options.jobs);
  }

  /** Rejects when something of its own failed; what was judged until then counts. */
  async run(): Promise<void> {
    const { seed, part } = this.#options;
    const wanted = families.filter(({ name }) => this.#lets('families', name));
    const recordings = await this.#record(wanted);
    this.#listener.recorded(recordings.length, this.#elapsed());
    this.#planned = wanted.flatMap((family) => casesOf(family, recordings)).filter(({ id }) => (this.#options.case ?? id) === id);
    this.#listener.planned(this.#planned);
    const queue = batchesOf(this.#planned, seed, this.#options.seconds < Infinity).filter((_, index) => index % part.of === part.index - 1);
    await this.#each(queue, (slot, batch) => this.#batch(slot, batch, queue));
  }

  /** What is known so far; what was forbidden only when it is closed. */
  get campaign(): Campaign {
    return { planned: this.#planned, verdicts: this.#verdicts, missed: this.#missed, forbidden: this.#pool.forbidden };
  }

  /** Ends everything that was started; may be called at any time. */
  close(): Promise<void> {
    this.#over = true;
    return this.#pool.close();
  }

  #lets(what: 'families' | 'kind', name: string): boolean {
    const { case: id } = this.#options;
    return [this.#options[what] ?? name].flat().includes(name) && (id === undefined || id.split('/').includes(name));
  }

  async #record([family]: readonly Family[]): Promise<readonly Recording[]> {
    if (family === undefined) return [];
    const chosen = [...subjects, ...ways].filter(({ kind }) => this.#lets('kind', kind));
    const tasks = chosen.flatMap((subject) => editsOf(subject).map((edit, index) => ({ subject, edit, index })));
    const done: { readonly at: number; readonly recording: Recording }[] = [];
    const order = new Map(tasks.map((task, at) => [task, at]));
    await this.#each([...tasks], async (slot, task) => {
      const attempt = async (): Promise<Recording> => record(await slot.lane(family, task.subject, true), task.subject, task.edit);
      // A lane that broke may have been the machine's fault; two that did are not.
      const recording = await attempt().catch(async (error: Error) => {
        this.#listener.trouble(`the recording of ${task.subject.kind} ${task.edit ?? ''} failed and is tried again: ${error.message}`);
        await slot.drop();
        return attempt();
      });
      done.push({ at: order.get(task) ?? 0, recording });
    });
    return done.toSorted((a, b) => a.at - b.at).map(({ recording }) => recording);
  }

  /** Every slot takes the next one as long as there is one. */
  async #each<T>(queue: T[], work: (slot: Slot, item: T) => Promise<void>): Promise<void> {
    await Promise.all(
      this.#pool.slots.map(async (slot) => {
        for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(slot, item);
      }),
    );
  }

  async #batch(slot: Slot, { family, lives }: Batch, queue: Batch[]): Promise<void> {
    const left: Case[] = [];
    for (const [index, life] of lives.entries()) {
      if (this.#over || this.#elapsed() > this.#options.seconds) return;
      left.push(...(await this.#life(slot, family, life, index === 0)));
    }
    const again = left.filter((one) => this.#mayTryAgain(one));
    this.#missed.push(...left.filter((one) => !again.includes(one)));
    if (again.length > 0) queue.push({ family, lives: livesOf(again, this.#options.seed) });
  }

  // oxlint-disable-next-line max-params -- where, by what, which, and whether nothing of before may play a part
  async #life(slot: Slot, family: Family, life: Life, anew: boolean): Promise<readonly Case[]> {
    const { verdicts, left, broken } = await slot.lane(family, life.recording.subject, anew).then(
      (lane) => judged(lane, life),
      (error: unknown) => unprepared(life, error),
    );
    if (this.#over) return [];
    for (const verdict of verdicts) this.#listener.judged(verdict);
    this.#verdicts.push(...verdicts);
    if (broken) await slot.drop();
    return left;
  }

  #mayTryAgain({ id }: Case): boolean {
    const tries = (this.#tries.get(id) ?? 1) + 1;
    this.#tries.set(id, tries);
    return tries <= 3;
  }
}

const editsOf = ({ edits }: Subject): readonly (string | undefined)[] => {
  const names = Object.keys(edits);
  return names.length === 0 ? [undefined] : names;
};
