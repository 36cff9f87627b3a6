import type { LedgerObject } from '../../emulator/core/ledger.ts';
import type { Row } from '../../../src/resource/index.ts';
import type { Manifest } from '../scenario/scenario.ts';
import { minute, type Scene } from './scene.ts';
import type { Situation } from './situation.ts';

const isBelow = ({ scenario: { kind } }: Scene['reference']): boolean => kind.goesWithParent === true;

interface Family {
  readonly mine: LedgerObject;
  readonly parent: Manifest;
  /** Whether a call of its own was sent to delete what is below. */
  readonly isDeletedItself: () => boolean;
}

async function isThere(scene: Scene): Promise<Family> {
  const [parent] = scene.reference.scenario.needs;
  if (parent === undefined) throw new Error('it is below nothing');
  const mine = await scene.atRest();
  const changes = scene.watchChanges();
  const path = scene.pathOf(mine);
  return { mine, parent, isDeletedItself: () => changes().some(({ request }) => request.path.endsWith(path)) };
}

/** Both are deleted, and the service is not ready to delete the parent yet. */
async function removeBoth(scene: Scene, { parent, isDeletedItself }: Family): Promise<() => void> {
  const { control } = scene.world.emulator;
  const path = String((await scene.world.get(parent.kind, parent.name)).status?.['path']);
  const body = JSON.stringify({ errors: [{ reason: 'It is busy' }] });
  const fault = control.addFault({ match: { method: 'DELETE', path }, effect: { kind: 'answer', status: 400, body } });
  await scene.world.delete(parent.kind, parent.name);
  await scene.delete();
  await scene.pass(minute / 2);
  scene.check('O7 bounded calls', !isDeletedItself(), () => 'it was deleted by a call of its own, although it goes with its parent');
  await scene.expectReason(['Deleting']);
  return () => void control.removeFault(fault);
}

const rules: Readonly<Record<string, Row>> = { retained: { onDelete: 'Retain' }, protected: { protect: true } };

/** What is below another remote goes with it. */
export const below: readonly Situation[] = [
  {
    id: 'deleted-with-its-parent',
    fits: isBelow,
    play: async (scene) => {
      const family = await isThere(scene);
      const goOn = await removeBoth(scene, family);
      goOn();
      await scene.gone();
      scene.expectDead(family.mine, 'its parent has gone');
      scene.check('O7 bounded calls', !family.isDeletedItself(), () => 'it was deleted by a call of its own');
      const left = await scene.world.find(family.parent.kind, family.parent.name);
      scene.check('O3 no lost delete', left === undefined, () => 'the parent is left');
    },
  },
  ...Object.entries(rules).map(([how, lifecycle]): Situation => ({
    id: `deleted-with-a-parent-that-is-${how}-after-all`,
    fits: isBelow,
    play: async (scene) => {
      const family = await isThere(scene);
      const { kind, name } = family.parent;
      // Others may keep the object longer than the operator does.
      const { finalizers = [] } = (await scene.world.get(kind, name)).metadata;
      await scene.world.patch(kind, name, { metadata: { finalizers: [...finalizers, 'example.com/another'] } });
      await removeBoth(scene, family);
      await scene.world.patch(kind, name, { spec: { lifecycle } });
      await scene.gone();
      scene.expectDead(family.mine, 'its parent stays, so it must be deleted itself');
      scene.check('O2 no orphan', family.isDeletedItself(), () => 'no call has deleted it');
    },
  })),
];
