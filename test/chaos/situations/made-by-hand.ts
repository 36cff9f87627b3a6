import { doubtful, goesAlone, isForAPerson, onlyPosts, strikeCreate, struck } from './doubting.ts';
import { createCallOf } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import type { Situation } from './situation.ts';

async function inDoubt(scene: Scene, times = 1): Promise<void> {
  strikeCreate(scene, { kind: 'lose-request' }, times);
  await scene.apply();
  await struck(scene);
}

/** Nobody took part in it but the colleague, so nothing of theirs is touched; what comes late may be made beside theirs. */
async function comesAfter(scene: Scene, seconds: number, lost = 1): Promise<void> {
  await inDoubt(scene, lost);
  await scene.pass(seconds * 1000);
  const check = onlyPosts(scene);
  const theirs = await scene.plant({ fresh: true });
  await scene.pass(20 * minute);
  check();
  await goesAlone(scene);
  scene.expectAlive(theirs, 'a colleague made it by hand');
}

/** Hours after the first attempt, what is there is nobody's but the colleague's. */
async function comesWhileAway(scene: Scene, leave: () => unknown, comeBack: () => unknown): Promise<void> {
  await inDoubt(scene);
  await leave();
  await scene.pass(30 * minute);
  const theirs = await scene.plant({ fresh: true });
  await scene.pass(30 * minute);
  const changes = scene.watchChanges();
  await comeBack();
  await scene.pass(20 * minute);
  await scene.expectReason([isForAPerson(scene.reference) ? 'Ambiguous' : 'AlreadyExists']);
  await goesAlone(scene);
  scene.expectNoChange(changes, 'a colleague made by hand what was missing');
  scene.expectAlive(theirs, 'a colleague made it by hand');
}

/** While an outcome is open a person makes what is missing, with nothing in it that tells whose it is. */
export const madeByHand: readonly Situation[] = [
  {
    id: 'made-by-hand-a-moment-after-a-lost-create',
    // Of what is in a profile everybody is the same user.
    fits: (reference) => doubtful(reference) && createCallOf(reference)?.path.startsWith('/v4/profile/') === false,
    play: (scene) => comesAfter(scene, 50),
  },
  {
    id: 'made-by-hand-minutes-after-a-lost-create',
    fits: doubtful,
    play: (scene) => comesAfter(scene, 120),
  },
  {
    id: 'made-by-hand-between-two-lost-creates',
    fits: doubtful,
    // No listing shows it before the second is sent, nor that nothing came of that.
    play: async (scene) => {
      scene.world.emulator.control.setKnobs({ listLagSeconds: 120 });
      await comesAfter(scene, 130, 2);
    },
  },
  {
    id: 'made-by-hand-while-the-operator-is-down',
    fits: doubtful,
    play: (scene) =>
      comesWhileAway(
        scene,
        () => scene.stage.operators.forEach((operator) => operator.kill()),
        () => scene.stage.launch(),
      ),
  },
  {
    id: 'made-by-hand-while-the-account-is-only-read',
    fits: doubtful,
    play: (scene) =>
      comesWhileAway(
        scene,
        () => scene.patchAccount({ spec: { mode: 'ReadOnly' } }),
        () => scene.patchAccount({ spec: { mode: 'Manage' } }),
      ),
  },
];
