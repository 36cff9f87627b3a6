import { hits } from '../stage/strike.ts';
import { pass } from '../stage/wire.ts';
import { alone } from './leaving.ts';
import { canBeEdited, carriesOwnerKey, managedChange } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const annotateAccount = (scene: Scene, name: string, value: string | null): Promise<unknown> =>
  scene.patchAccount({ metadata: { annotations: { [`cloudhosting.dev/${name}`]: value } } });

/** A pause of the account stops every change of its objects, and reads go on. */
export const pausing: readonly Situation[] = [
  {
    id: 'the-account-is-paused',
    fits: canBeEdited,
    play: async (scene) => {
      const many = carriesOwnerKey(scene.reference);
      const [leaving, coming] = [many ? ['leaves'] : [], many ? ['comes'] : []];
      await scene.apply();
      await scene.ready();
      for (const name of leaving) await scene.apply(alone(scene), name);
      for (const name of leaving) await scene.ready(name);
      await annotateAccount(scene, 'pause', `until=${scene.inDays(1)};reason=migration`);
      await scene.pass(10_000);
      const changes = scene.watchChanges();
      await scene.apply(managedChange(scene.reference));
      for (const name of coming) await scene.apply(alone(scene), name);
      for (const name of leaving) await scene.delete(name);
      await scene.pass(10 * minute);
      // The note holds, whatever becomes of the annotation or of the process.
      await annotateAccount(scene, 'pause', null);
      for (const operator of scene.stage.operators) scene.stage.kill(operator);
      await scene.pass(10 * minute);
      scene.expectNoChange(changes, 'the account is paused until tomorrow');
      await scene.expectReason(['ReadOnly']);
      await annotateAccount(scene, 'resume', 'now');
      for (const name of [scene.subject.name, ...coming]) await scene.ready(name);
      for (const name of leaving) await scene.gone(name);
      scene.check('O4 converges and stays', changes().length > 0, () => 'it did not go on');
    },
  },
  {
    id: 'the-account-is-paused-while-an-intent-is-written',
    fits: anyCollection,
    play: async (scene) => {
      const { clock } = scene.world;
      const intent = scene.reference.steps.find(({ server, shape }) => server === 'kube' && shape.includes(' intent'));
      if (intent === undefined) return;
      // Its answer comes when the pause is known, and before the intent is too old to be used.
      scene.stage.wire.arm(hits(intent), async (passage, backend) => {
        const response = await pass(passage, backend);
        await annotateAccount(scene, 'pause', 'true');
        const { promise, resolve } = Promise.withResolvers<void>();
        clock.after(3000, resolve);
        await promise;
        return response;
      });
      const changes = scene.watchChanges();
      await scene.apply();
      await scene.pass(10 * minute);
      scene.expectNoChange(changes, 'the account was paused before the call was sent');
      await annotateAccount(scene, 'pause', null);
      await scene.ready();
      scene.expectMade(1, 'nothing was sent before');
    },
  },
];
