import { differencesOf } from '../picture.ts';
import type { Oracle } from './oracle.ts';

/** O1: no more things are ever made than without the fault. */
export const noDuplicate: Oracle = ({ run, reference, excuse }) =>
  [...run.births].flatMap(([collection, count]) => {
    const expected = (reference.births.get(collection) ?? 0) + (excuse.rebirths ?? 0);
    return count > expected ? [`${count} ${collection} were made, ${expected} without the fault`] : [];
  });

/** O2: when the object is gone, nothing of it is left. */
export const noOrphan: Oracle = ({ scenario, run, reference }) => {
  if (!run.removed) return run.done ? ['the object was not gone 30 minutes after its deletion'] : [];
  const now = scenario.operation.is === 'delete' ? run.atRest : run.afterwards;
  const expected = scenario.operation.is === 'delete' ? reference.atRest : reference.afterwards;
  if (now === undefined || expected === undefined) return [];
  return differencesOf(expected.account, now.account)
    .filter((line) => line.startsWith('+'))
    .map((line) => `left in the account: ${line.slice(2)}`);
};

/** O3: the finalizer goes only after every remote of the object has died. */
export const noLostDelete: Oracle = ({ run }) => {
  const { releasedAt } = run;
  if (releasedAt === undefined || !run.removed) return [];
  const late = run.lives.filter((life) => !run.before.has(life) && life.diedAt !== undefined && life.diedAt > releasedAt);
  return late.map(({ collection, key }) => `${collection} ${key} died after its object was let go`);
};

/** O5: nothing that was there before, and is not part of the subject, is touched otherwise than without the fault. */
export const noWrongVictim: Oracle = ({ run, reference }) => {
  const [was, is] = [casualties(reference), casualties(run)];
  return differencesOf(was, is)
    .filter((line) => line.startsWith('+'))
    .map((line) => `touched what it should not have: ${line.slice(2)}`);
};
const casualties = ({ before, beganAt }: { readonly before: ReadonlySet<LedgerLife>; readonly beganAt: number }): readonly string[] => {
  void beganAt;
  return [...before].filter(({ diedAt }) => diedAt !== undefined).map(({ collection, key }) => `${collection} ${key} died`);
};
interface LedgerLife {
  readonly collection: string;
  readonly key: number | string;
  readonly diedAt?: number;
}

/** O6: where a run comes to rest does not depend on the fault. */
export const sameEnd: Oracle = ({ run, reference, excuse }) => {
  if (!run.done || excuse.otherEnd === true) return [];
  const shown = excuse.corrected === true ? withoutCorrection : (lines: readonly string[]): readonly string[] => lines;
  return [
    ...differencesOf(reference.atRest.account, run.atRest.account),
    ...differencesOf(shown(reference.atRest.objects), shown(run.atRest.objects)),
  ];
};
const withoutCorrection = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.replaceAll(/"lastCorrection":\{[^}]*\},/g, ''));
