import { strikeCreate, struck } from './doubting.ts';
import { lose, readyOnce } from './rebuilding.ts';
import { takesOver } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import type { Situation } from './situation.ts';

/** The account deletes by default, and the object says nothing of it. */
const silent = { lifecycle: { onDelete: undefined } };

/** It was there before, so it is there after, whatever is deleted by default; nothing was sent for it. */
async function isTakenOver(scene: Scene, made: number, why: string): Promise<void> {
  const alive = scene.alive();
  await scene.ready(scene.subject.name, 30 * minute);
  const { status } = await scene.world.get(scene.subject.kind, scene.subject.name);
  scene.check('O8 truthful status', status?.['origin'] === 'Adopted', () => `it says that it is ${String(status?.['origin'])}: ${why}`);
  scene.expectMade(made, why);
  await scene.delete();
  await scene.gone();
  for (const one of alive) scene.expectAlive(one, why);
}

async function inDoubt(scene: Scene): Promise<void> {
  await scene.patchAccount({ spec: { defaults: { onDelete: 'Delete' } } });
  strikeCreate(scene, { kind: 'lose-request' }, 1);
  await scene.apply(silent);
  await struck(scene);
}

export const takingOver: readonly Situation[] = [
  {
    id: 'what-exists-is-taken-over',
    fits: takesOver,
    play: async (scene) => {
      await scene.patchAccount({ spec: { defaults: { onDelete: 'Delete' } } });
      await scene.plant();
      await scene.apply(silent);
      await isTakenOver(scene, 0, 'it was there before');
    },
  },
  {
    id: 'made-by-hand-while-in-doubt-it-is-taken-over',
    fits: takesOver,
    play: async (scene) => {
      await inDoubt(scene);
      await scene.pass(50_000);
      await scene.plant({ fresh: true });
      await isTakenOver(scene, 0, 'a colleague made it by hand');
    },
  },
  {
    id: 'made-by-hand-while-the-operator-is-down-it-is-taken-over',
    fits: takesOver,
    play: async (scene) => {
      await inDoubt(scene);
      for (const operator of scene.stage.operators) operator.kill();
      await scene.pass(30 * minute);
      await scene.plant({ fresh: true });
      await scene.pass(30 * minute);
      scene.stage.launch();
      await isTakenOver(scene, 0, 'a colleague made it by hand');
    },
  },
  {
    id: 'rebuilt-it-is-taken-over',
    fits: takesOver,
    play: async (scene) => {
      await readyOnce(scene, { defaults: { onDelete: 'Delete' } });
      await lose(scene);
      await scene.apply(silent);
      await isTakenOver(scene, 1, 'it was there before the cluster was made anew');
    },
  },
];
