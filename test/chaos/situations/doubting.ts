import type { Effect } from '../../emulator/core/faults.ts';
import type { Reference } from '../reference.ts';
import { carriesOwnerKey, createCallOf } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

/** The user whose token the operator has: people may use it, too. */
const ownUser = 'admin';
const isOfKey =
  (enforced: string) =>
  (reference: Reference): boolean =>
    anyCollection(reference) && reference.scenario.kind.key.enforced === enforced && createCallOf(reference) !== undefined;

function strikeCreate(scene: Scene, effect: Effect, times = 1): void {
  const path = createCallOf(scene.reference)?.path.replace(/^\/v4/, '') ?? '';
  scene.world.emulator.control.addFault({ match: { method: 'POST', path }, times, effect });
}
function lag(scene: Scene, seconds: number): void {
  scene.world.emulator.control.setKnobs({ listLagSeconds: seconds, filterLagSeconds: seconds });
}
const onlyPosts = (scene: Scene): (() => void) => {
  const changes = scene.watchChanges();
  return () =>
    scene.check(
      'O5 no wrong victim',
      !changes().some(({ request }) => request.method !== 'POST'),
      () => 'what somebody else made was written or deleted',
    );
};

/** Events of what is below a parent name the parent alone, those of a profile nothing at all (realities 6). */
const isNamedByEvents = ({ scenario: { kind } }: Reference): boolean =>
  typeof kind.path === 'string' && kind.accountLevel !== true && kind.events.length > 0;

/** A create of unknown outcome, while other things of the same name are or were there. */
export const doubting: readonly Situation[] = [
  {
    id: 'two-creates-are-in-doubt',
    design: '4.4',
    fits: (reference) => isOfKey('counted')(reference) && carriesOwnerKey(reference),
    play: async (scene) => {
      lag(scene, 59);
      strikeCreate(scene, { kind: 'commit-late', seconds: 59 }, 2);
      await scene.apply();
      await scene.pass(7000);
      await scene.apply({}, 'second');
      await scene.ready();
      await scene.ready('second');
      scene.expectMade(2, 'each was sent once, and came true within the bounds');
    },
  },
  {
    id: 'an-older-namesake-and-a-lost-request',
    design: '4.4',
    fits: (reference) => isOfKey('unique')(reference) && !carriesOwnerKey(reference),
    play: async (scene) => {
      const older = await scene.plant({ username: ownUser });
      const check = onlyPosts(scene);
      strikeCreate(scene, { kind: 'lose-request' });
      await scene.apply();
      await scene.pass(10 * minute);
      await scene.delete();
      await scene.gone();
      check();
      scene.expectAlive(older, 'it was there long before the create was sent');
    },
  },
  {
    id: 'a-namesake-comes-while-in-doubt',
    design: '4.4, 5.5',
    fits: (reference) => anyCollection(reference) && !carriesOwnerKey(reference) && isNamedByEvents(reference),
    play: async (scene) => {
      lag(scene, 3);
      strikeCreate(scene, { kind: 'lose-request' });
      await scene.apply();
      await scene.until(() => scene.world.emulator.control.faults().every(({ hits }) => hits > 0), minute);
      const check = onlyPosts(scene);
      const theirs = await scene.plant({ fresh: true });
      await scene.pass(13 * minute);
      await scene.delete();
      await scene.gone();
      check();
      scene.expectAlive(theirs, 'its event names somebody else');
    },
  },
  {
    id: 'two-namesakes-come-while-in-doubt',
    design: '4.4',
    fits: isOfKey('counted'),
    play: async (scene) => {
      strikeCreate(scene, { kind: 'lose-request' });
      await scene.apply();
      await scene.until(() => scene.world.emulator.control.faults().every(({ hits }) => hits > 0), minute);
      const check = onlyPosts(scene);
      await Promise.all([scene.plant({ username: ownUser, fresh: true }), scene.plant({ username: ownUser, fresh: true })]);
      await scene.pass(5 * minute);
      check();
      await scene.expectReason(['Ambiguous']);
    },
  },
  {
    id: 'refused-and-deleted',
    design: '4.3, 4.6',
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined,
    play: async (scene) => {
      strikeCreate(scene, { kind: 'answer', status: 400, body: '{"errors":[{"reason":"This is refused."}]}' });
      await scene.apply();
      await scene.until(async () => (await scene.condition('Stalled'))?.status === 'True', minute);
      await scene.expectReason(['Rejected']);
      await scene.delete();
      await scene.gone(scene.subject.name, minute / 2);
      scene.expectMade(0, 'its only create was refused');
    },
  },
];
