import { differencesOf, lacking } from '../evidence/picture.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { isDead, isOfTheService } from '../evidence/standing.ts';
import type { Oracle } from './oracle.ts';

/** O1: no more things are ever made than without the fault. */
export const noDuplicate: Oracle = ({ run, reference, excuse }) =>
  [...run.births].flatMap(([collection, count]) => {
    const usual = reference.births.get(collection) ?? 0;
    const expected = usual + (excuse.rebirths ?? 0) * Math.max(usual, aliveIn(run, collection)) + (excuse.additions ?? 0);
    return count > expected ? [`${count} ${collection} were made, ${expected} without the fault`] : [];
  });

const aliveIn = ({ before }: Evidence, collection: string): number =>
  [...before].filter((life) => life.collection === collection && life.origin !== 'seed').length;

/** O2: when the object is gone, nothing of it is left. */
export const noOrphan: Oracle = ({ scenario, run, reference, excuse }) => {
  if (excuse.leftovers === true) return [];
  if (!run.removed) return run.done ? ['the object was not gone 30 minutes after its deletion'] : [];
  const now = scenario.operation.is === 'delete' ? run.atRest : run.afterwards;
  const expected = scenario.operation.is === 'delete' ? reference.atRest : reference.afterwards;
  if (now === undefined || expected === undefined) return [];
  // What stands without the fault too, and only in another state, is not left over; which state it is in is for O6.
  const changed = new Set(lacking(expected.standing, now.standing).map(nameIn));
  return lacking(now.standing, expected.standing)
    .filter((line) => !changed.has(nameIn(line)))
    .map((line) => `left in the account: ${line.slice(0, 200)}`);
};
/** Collection and label; of what has none the whole line. */
function nameIn(line: string): string {
  const at = line.indexOf('{');
  const { label } = (at < 0 ? {} : JSON.parse(line.slice(at))) as { readonly label?: unknown };
  return typeof label === 'string' ? `${line.slice(0, at)}${label}` : line;
}

/** O3: the finalizer goes only after every remote of the object has died. */
export const noLostDelete: Oracle = ({ run }) => {
  const { releasedAt } = run;
  if (releasedAt === undefined || !run.removed) return [];
  const late = run.lives.filter(
    (life) => !run.before.has(life) && !isOfTheService(life) && life.diedAt !== undefined && life.diedAt > releasedAt,
  );
  return late.map(({ collection, key }) => `${collection} ${key} died after its object was let go`);
};

/** O5: nothing that was there before, and is not part of the subject, is touched otherwise than without the fault. */
export const noWrongVictim: Oracle = ({ run, reference, excuse }) => {
  if (excuse.victims === true) return [];
  const [was, is] = [casualties(reference), casualties(run)];
  return differencesOf(was, is)
    .filter((line) => line.startsWith('+'))
    .map((line) => `touched what it should not have: ${line.slice(2)}`);
};
const casualties = ({ before }: Evidence): readonly string[] =>
  [...before].filter(isDead).map(({ collection, key }) => `${collection} ${key} died`);

/** O6: where a run comes to rest does not depend on the fault. */
export const sameEnd: Oracle = ({ run, reference, excuse }) => {
  if (!run.done || excuse.otherEnd === true) return [];
  const hidden = [
    ...(excuse.corrected === true || excuse.edited === true ? [correction] : []),
    ...(excuse.edited === true ? [generations] : []),
  ];
  const shown = (lines: readonly string[]): readonly string[] =>
    lines.map((line) => hidden.reduce((text, pattern) => text.replaceAll(pattern, ''), line)).toSorted();
  const account = ({ atRest }: Evidence): readonly string[] =>
    excuse.untagged === true ? atRest.account.map((line) => line.replaceAll(installationTag, '')).toSorted() : atRest.account;
  return [...differencesOf(account(reference), account(run)), ...differencesOf(shown(reference.atRest.objects), shown(run.atRest.objects))];
};
const correction = /"(?:lastCorrection":\{[^}]*\}|corrections":\[[^\]]*\]),/g;
const installationTag = /"co-[a-z0-9]{8}",?/g;
const generations = /"(?:observedGeneration|generation)":-?\d+,?/g;
