import { isToldOnce, type Row, transferOf } from '../../../src/resource/index.ts';
import type { Reference } from '../run/reference.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { carriesOwnerKey, hasName, hasTags, takesOver } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

export const operatorKey = '/api/v1/namespaces/cloud-operator/secrets/cloud-operator-key';

/** The objects of the cluster are lost with their operator, and nothing in the account is. */
export async function lose(scene: Scene): Promise<void> {
  for (const operator of scene.stage.operators) scene.stage.kill(operator);
  await scene.stage.patchSubject([{ op: 'remove', path: '/metadata/finalizers' }]);
  await scene.delete();
}
/** With the key is lost who made what; the operators make another one. */
export async function loseAll(scene: Scene): Promise<void> {
  await lose(scene);
  await scene.world.admin('DELETE', operatorKey);
}
export async function readyOnce(scene: Scene, spec: object = {}): Promise<void> {
  if (Object.keys(spec).length > 0) await scene.patchAccount({ spec });
  await scene.apply();
  await scene.ready();
}

/** It is the object's again, and of no use to anybody: what was told of it went with the cluster. */
async function saysThatItsSecretIsLost(scene: Scene): Promise<void> {
  const isSaid = async (): Promise<boolean> => (await scene.condition('Ready'))?.reason === 'RemoteFailed';
  const said = await scene.until(isSaid, 30 * minute);
  scene.check('O8 truthful status', said, () => 'it does not say that nobody has its secret');
}

/** The address of what is brought after a create is of no use any more once that has been. */
const isSecretForGood = ({ kind, subject: { spec } }: Scenario): boolean => isToldOnce(kind, spec) && transferOf(kind, spec) === undefined;

/** Done long after everything of it was lost, so that nobody has taken off what was new for its attempt. */
async function doneAndLost(scene: Scene, losing: (scene: Scene) => Promise<void>): Promise<void> {
  await scene.apply();
  await scene.until(() => scene.alive().length > 0, 30 * minute);
  await losing(scene);
  await scene.pass(60 * minute);
  const [made] = scene.alive();
  const label = scene.subject.spec['label'];
  if (typeof label !== 'string' || !String((made?.row as Row | undefined)?.['label']).startsWith(`${label}-`))
    throw new Error('what was made has not its nonce any more');
}
const endsWithNonce = (reference: Reference): boolean => {
  const { kind, subject } = reference.scenario;
  const isMadeByItself = !isToldOnce(kind, subject.spec) && transferOf(kind, subject.spec) === undefined;
  return anyCollection(reference) && kind.label?.nonce === true && !carriesOwnerKey(reference) && isMadeByItself;
};

export const rebuilding: readonly Situation[] = [
  {
    id: 'rebuilt-from-Git',
    fits: (reference) => anyCollection(reference) && carriesOwnerKey(reference),
    play: async (scene) => {
      await readyOnce(scene);
      await lose(scene);
      await scene.apply();
      await scene.ready();
      scene.expectMade(1, 'its label names the object that it was made for');
      await scene.delete();
      await scene.gone();
      scene.expectDead(scene.made()[0], 'what was found again is its own');
    },
  },
  {
    id: 'rebuilt-with-recover',
    fits: anyCollection,
    play: async (scene) => {
      await readyOnce(scene);
      await lose(scene);
      await scene.patchAccount({ spec: { recover: true } });
      await scene.apply();
      if (isSecretForGood(scene.reference.scenario)) await saysThatItsSecretIsLost(scene);
      else await scene.ready();
      scene.expectMade(1, 'recover lets the natural key speak');
    },
  },
  {
    id: 'rebuilt-without-recover',
    fits: (reference) => anyCollection(reference) && hasName(reference) && !carriesOwnerKey(reference) && !takesOver(reference),
    play: async (scene) => {
      await readyOnce(scene);
      await lose(scene);
      const changes = scene.watchChanges();
      await scene.apply();
      await scene.pass(10 * minute);
      scene.expectMade(1, 'there is one already');
      await scene.expectReason(['AlreadyExists']);
      scene.check(
        'O5 no wrong victim',
        !changes().some(({ request }) => request.method !== 'POST'),
        () => 'what was not proven ours was written',
      );
    },
  },
  {
    id: 'rebuilt-before-its-nonce-is-off',
    fits: endsWithNonce,
    play: async (scene) => {
      await doneAndLost(scene, lose);
      await scene.apply();
      await scene.ready();
      scene.expectMade(1, 'what its key signed is behind its label');
      await scene.delete();
      await scene.gone();
      scene.expectDead(scene.made()[0], 'what was found again is its own');
    },
  },
  {
    id: 'rebuilt-before-its-nonce-is-off-without-its-key',
    fits: endsWithNonce,
    play: async (scene) => {
      await doneAndLost(scene, loseAll);
      const changes = scene.watchChanges();
      await scene.apply();
      await scene.pass(60 * minute);
      scene.expectNoChange(changes, 'it may be what the cluster had before it was rebuilt');
      await scene.expectReason(['AlreadyExists']);
      scene.expectAlive(scene.made()[0], 'nothing tells whose it is');
    },
  },
  {
    id: 'recovers-beside-a-stranger',
    fits: (reference) => anyCollection(reference) && hasTags(reference) && !carriesOwnerKey(reference),
    play: async (scene) => {
      await scene.patchAccount({ spec: { recover: true } });
      const theirs = await scene.plant();
      const changes = scene.watchChanges();
      await scene.apply();
      await scene.pass(10 * minute);
      await scene.expectReason(['RemoteMissing']);
      await scene.delete();
      await scene.gone();
      scene.check('O5 no wrong victim', changes().length === 0, () => 'what does not bear the tag of this installation was taken');
      scene.expectAlive(theirs, 'nothing tells that it is ours');
    },
  },
  {
    id: 'recovers-beside-another-installation',
    fits: (reference) => anyCollection(reference) && hasTags(reference) && !carriesOwnerKey(reference),
    play: async (scene) => {
      await scene.patchAccount({ spec: { recover: true } });
      const theirs = await scene.plant({ tags: ['co-aaaaaaaa'] });
      const changes = scene.watchChanges();
      await scene.apply();
      await scene.pass(10 * minute);
      scene.check('O5 no wrong victim', changes().length === 0, () => 'the other installation lost it');
      await scene.delete();
      await scene.gone();
      scene.expectAlive(theirs, 'it carries the tag of another installation');
    },
  },
  {
    id: 'restored-without-status',
    fits: anyCollection,
    play: async (scene) => {
      await readyOnce(scene);
      const [mine] = scene.alive();
      for (const operator of scene.stage.operators) scene.stage.kill(operator);
      await scene.stage.patchSubject([{ op: 'remove', path: '/status' }], 'status');
      scene.stage.sampler.forget();
      await scene.ready();
      await scene.delete();
      await scene.gone();
      scene.expectMade(1, 'the annotation names it');
      scene.expectDead(mine, 'it was known all the time');
    },
  },
  {
    id: 'replaced-without-annotations',
    fits: anyCollection,
    play: async (scene) => {
      await readyOnce(scene);
      const [mine] = scene.alive();
      for (const operator of scene.stage.operators) scene.stage.kill(operator);
      await scene.stage.patchSubject([{ op: 'remove', path: '/metadata/annotations' }]);
      await scene.pass(5 * minute);
      await scene.delete();
      await scene.gone();
      scene.expectMade(1, 'status names it');
      scene.expectDead(mine, 'it was known all the time');
    },
  },
];
