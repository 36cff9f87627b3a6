import type { AccountPicture } from './account-picture.ts';
import type { Lane, Performed, Strike } from './lane.ts';
import { stepsOf, type Step } from './recorded-step.ts';
import type { Subject } from './subject.ts';
import type { Call } from './traffic.ts';

export const phases = ['create', 'update', 'delete'] as const;
export type Phase = (typeof phases)[number];

/** A life without a fault: what an edit of a kind comes to, and the steps that every run of it has. */
export interface Recording {
  readonly subject: Subject;
  /** Undefined where the kind has none. */
  readonly edit: string | undefined;
  readonly steps: Readonly<Record<Phase, readonly Step[]>>;
  readonly pictures: Readonly<Record<Phase, AccountPicture>>;
}

/** Made, edited where there is an edit, and deleted; `heard` is told of each operation as soon as it is over. */
export async function live(
  lane: Lane,
  { subject, edit }: Pick<Recording, 'subject' | 'edit'>,
  strikes: Partial<Record<Phase, Strike>>,
  heard: (phase: Phase, performed: Performed) => void,
): Promise<void> {
  heard('create', await lane.create(subject, strikes.create));
  const spec = edit === undefined ? undefined : subject.edits[edit];
  if (spec !== undefined) heard('update', await lane.update(subject, spec, strikes.update));
  heard('delete', await lane.delete(subject, strikes.delete));
}

const nothing: Performed = { calls: [], picture: { alive: {}, born: {} }, struck: false, wrong: [] };

/** Lives it twice: what comes in one run only depends on the time of day, and is no step. */
export async function record(lane: Lane, subject: Subject, edit: string | undefined): Promise<Recording> {
  const runs: Record<Phase, Performed>[] = [];
  for (let i = 0; i < 2; i += 1) {
    const run = { create: nothing, update: nothing, delete: nothing };
    await live(lane, { subject, edit }, {}, (phase, performed) => void (run[phase] = performed));
    runs.push(run);
  }
  const of = <T>(value: (phase: Phase) => T) => ({ create: value('create'), update: value('update'), delete: value('delete') });
  return {
    subject,
    edit,
    steps: of((phase) => inAll(runs.map((run) => run[phase].calls))),
    pictures: of((phase) => (runs[0]?.[phase] ?? nothing).picture),
  };
}

const key = ({ call, occurrence }: Call): string => `${call} #${occurrence}`;

function inAll(runs: readonly (readonly Call[])[]): readonly Step[] {
  const [first = [], ...others] = runs;
  const seen = others.map((calls) => new Set(calls.map(key)));
  return stepsOf(first.filter((call) => seen.every((keys) => keys.has(key(call)))));
}
