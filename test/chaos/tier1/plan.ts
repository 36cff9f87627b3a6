import { seeded } from '../../support/seeded.ts';
import type { Family } from './family.ts';
import { type Phase, phases, type Recording } from './recording.ts';
import { stepText, type Step } from './recorded-step.ts';

/** One fault at one step of one operation. */
export interface Case {
  readonly id: string;
  readonly family: Family;
  readonly recording: Recording;
  readonly phase: Phase;
  readonly step: Step;
}
/** One life of an object with at most one fault in each of its operations. */
export interface Life {
  readonly recording: Recording;
  readonly cases: Partial<Record<Phase, Case>>;
}

function phaseText(phase: Phase, { edit, subject: { way } }: Recording): string {
  if (phase === 'update') return `update:${edit}`;
  return way === undefined ? phase : `${phase}.${way}`;
}

/** Every case of a family, from the recordings. Making and deleting are the same for all edits of a kind, and count once; deleting also for all ways. */
export function casesOf(family: Family, recordings: readonly Recording[]): readonly Case[] {
  const known = new Set<string>();
  return recordings.flatMap((recording) => {
    const { kind, way } = recording.subject;
    const first = !known.has(kind);
    if (way === undefined) known.add(kind);
    return phases
      .filter((phase) => (way === undefined ? first || phase === 'update' : phase === 'create'))
      .flatMap((phase) =>
        recording.steps[phase].filter(family.at).map((step) => ({
          id: [family.name, kind, phaseText(phase, recording), stepText(step)].join('/'),
          family,
          recording,
          phase,
          step,
        })),
      );
  });
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j] as T, result[i] as T];
  }
  return result;
}

const changesTheAccount = ({ step }: Case): boolean => /^cloud (?!GET )/.test(step.call);

/** In an order in which a few of them already say much: what changes the account takes turns with all the rest. */
function ordered(cases: readonly Case[], random: () => number): readonly Case[] {
  const mixed = shuffled(cases, random);
  const [changes, rest] = [mixed.filter(changesTheAccount), mixed.filter((one) => !changesTheAccount(one))];
  return Array.from({ length: Math.max(changes.length, rest.length) }, (_, i) => [changes[i], rest[i]])
    .flat()
    .filter((one) => one !== undefined);
}

/** The fewest lives that have room for all cases of one family and kind, those that say most first. */
export function livesOf(cases: readonly Case[], seed: number): readonly Life[] {
  const random = seeded(seed);
  const of = (phase: Phase): readonly Case[] =>
    ordered(
      cases.filter((one) => one.phase === phase),
      random,
    );
  const [creates, updates, deletes] = [of('create'), of('update'), of('delete')];
  const [some] = cases;
  if (some === undefined) return [];
  return Array.from({ length: Math.max(creates.length, updates.length, deletes.length) }, (_, i) => {
    const [create, update, last] = [creates[i], updates[i], deletes[i]];
    const recording = update?.recording ?? { ...some.recording, edit: undefined };
    return { recording, cases: { ...(create && { create }), ...(update && { update }), ...(last && { delete: last }) } };
  });
}

/** Of one kind, so that a lane is prepared once for all of them. Few enough deletions for the brake not to hold them. */
export interface Batch {
  readonly family: Family;
  readonly lives: readonly Life[];
}
const batchSize = 6;

/**
 * All lives. A sample has every family and kind early; all of them go family by family, as lanes have to be opened anew
 * for another control plane.
 */
export function batchesOf(cases: readonly Case[], seed: number, sampled: boolean): readonly Batch[] {
  const groups = Map.groupBy(cases, ({ family, recording: { subject } }) => `${family.name} ${subject.kind} ${subject.way ?? ''}`);
  const batches = [...groups.values()].flatMap((group) => {
    const lives = livesOf(group, seed);
    // The first is a taste, so that even a short run has something of every family and kind.
    const starts = [0, ...Array.from({ length: Math.ceil(Math.max(0, lives.length - 1) / batchSize) }, (_, i) => 1 + i * batchSize)];
    return starts.map((start, round) => ({
      round,
      batch: { family: (group[0] as Case).family, lives: lives.slice(start, starts[round + 1] ?? lives.length) },
    }));
  });
  const order = [...new Set(cases.map(({ family }) => family))];
  const place = ({ family }: Batch): number => (sampled ? 0 : order.indexOf(family));
  return batches.toSorted((a, b) => place(a.batch) - place(b.batch) || a.round - b.round).map(({ batch }) => batch);
}
