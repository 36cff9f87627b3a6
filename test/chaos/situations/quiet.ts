import type { LedgerObject } from '../../emulator/core/ledger.ts';
import { type AnyKind, isListed, type Row } from '../../../src/resource/index.ts';
import type { Reference } from '../run/reference.ts';
import { changesSomething } from '../stage/step.ts';
import { alone } from './leaving.ts';
import { canBeEdited, carriesOwnerKey, managedChange, recordedEdit, isChangedAtOnce, isTold } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const observed = 30 * minute;
/** Nothing but events is read more often than every five minutes; one more at the edges, and one that a start brings. */
const mostReads = observed / (5 * minute) + 2;
const mostPolls = observed / minute + 2;

/** How often each path was read, without its query. */
function readsOf(scene: Scene, from: number): ReadonlyMap<string, number> {
  const reads = new Map<string, number>();
  for (const { server, request } of scene.passages(from)) {
    const path = request.path.replace(/\?.*$/, '');
    if (server === 'cloud' && !changesSomething(request)) reads.set(path, (reads.get(path) ?? 0) + 1);
  }
  return reads;
}
const limitOf = (path: string): number => (path.endsWith('/account/events') ? mostPolls : mostReads);

/** So that the next poll sees what happens now, and the one after that what is told half a minute late. */
async function justBeforeAPoll(scene: Scene): Promise<void> {
  const last = scene.passages().findLast(({ request }) => request.path.includes('/account/events'));
  await scene.pass((last?.at ?? 0) + minute - 5000 - scene.world.clock.monotonic());
}

/** What one list of the sample names, two may not share. */
const mayHaveSiblings = (reference: Reference): boolean =>
  carriesOwnerKey(reference) && !Object.keys(reference.scenario.subject.spec).some((field) => field.endsWith('Refs'));

const partsOf = ({ scenario: { kind } }: Reference): number => Object.keys(kind.parts ?? {}).length;

/** By the kind's own rule, and undefined where it looks at more than the row. */
export function stateOf(kind: AnyKind, life: LedgerObject | undefined): string | undefined {
  try {
    return life === undefined ? undefined : kind.health(life.row as Row, { name: '' }).state;
  } catch {
    return undefined;
  }
}

/** What an account costs when nothing happens, and how soon what happens is seen. */
export const quiet: readonly Situation[] = [
  {
    id: 'nothing-happens',
    fits: anyCollection,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      await scene.pass(15 * minute);
      const from = scene.stage.wire.record.length;
      await scene.pass(observed);
      const reads = readsOf(scene, from);
      const often = [...reads].filter(([path, count]) => count > limitOf(path));
      scene.check('O7 no hot loop', often.length === 0, () => `read too often within half an hour: ${often.join(', ')}`);
      scene.check('O7 no hot loop', reads.size > 1, () => 'nothing is swept');
    },
  },
  {
    id: 'more-parts-than-the-cap-allows',
    fits: (reference) => anyCollection(reference) && partsOf(reference) >= 3 && carriesOwnerKey(reference),
    play: async (scene) => {
      const crowd = Math.ceil(80 / partsOf(scene.reference));
      for (let n = 0; n < crowd; n += 1) await scene.apply(alone(scene), `member-${n}`);
      for (let n = 0; n < crowd; n += 1) await scene.ready(`member-${n}`);
      await scene.pass(15 * minute);
      const from = scene.stage.wire.record.length;
      await scene.pass(observed);
      const below = [...readsOf(scene, from)].filter(([path]) =>
        scene.alive().some((life) => path.startsWith(`/v4${scene.pathOf(life)}/`)),
      );
      const reads = below.reduce((sum, [, count]) => sum + count, 0);
      scene.check('O9 obeys limits', reads <= 310, () => `${reads} reads of parts within half an hour, where 300 are allowed`);
    },
  },
  {
    id: 'its-event-comes-after-a-later-one',
    fits: (reference) => canBeEdited(reference) && mayHaveSiblings(reference) && isTold(reference),
    play: async (scene) => {
      const { call } = await recordedEdit(scene.reference);
      const mine = await scene.atRest();
      await justBeforeAPoll(scene);
      const wanted = JSON.stringify({ ...(mine?.row as Row), updated: '' });
      scene.world.emulator.control.addFault({ match: {}, times: 1, effect: { kind: 'late', seconds: 30 } });
      await scene.outside({ method: 'PUT', path: `/v4${scene.pathOf(mine)}`, body: call.body });
      await scene.plant({ label: 'not-yours', fresh: true });
      const restored = (): boolean => JSON.stringify({ ...(mine?.row as Row), updated: '' }) === wanted;
      scene.check('O4 converges and stays', await scene.until(restored, 90_000), () => 'its event came 30 s late, and was not read');
    },
  },
  {
    id: 'its-job-ends',
    fits: (reference) => anyCollection(reference) && isTold(reference),
    play: async (scene) => {
      const { kind } = scene.reference.scenario;
      const from = scene.stage.wire.record.length;
      await scene.apply();
      await scene.until(() => scene.alive().length > 0, 5 * minute);
      // What the bare row does not show as under way has no job to follow.
      if (stateOf(kind, scene.alive()[0]) !== 'Progressing') return;
      await scene.until(() => stateOf(kind, scene.alive()[0]) === 'Ready', 15 * minute);
      await scene.ready(scene.subject.name, 10_000);
      const polls = scene.passages(from).filter(({ request }) => request.path.includes('/account/events'));
      const gap = Math.max(0, ...polls.slice(1).map(({ at }, index) => at - (polls[index]?.at ?? 0)));
      scene.check('O4 converges and stays', gap <= 3000, () => `events were not asked for during ${gap} ms while its job ran`);
    },
  },
  {
    id: 'its-own-edit-is-no-news',
    fits: (reference) => {
      const { kind } = reference.scenario;
      return canBeEdited(reference) && isChangedAtOnce(reference) && isListed(kind) && kind.parent === undefined;
    },
    play: async (scene) => {
      const mine = await scene.atRest();
      const from = scene.stage.wire.record.length;
      await scene.apply(managedChange(scene.reference));
      await scene.ready();
      await scene.pass(3 * minute);
      const reads = readsOf(scene, from).get(`/v4${scene.pathOf(mine)}`) ?? 0;
      scene.check('O7 no hot loop', reads === 0, () => `it was read ${reads} times after its edit was answered with all of it`);
    },
  },
];
