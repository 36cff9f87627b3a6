import type { Effect } from '../../emulator/core/faults.ts';
import { carriesOwnerKey, createCallOf, takesTwoAtOnce } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';
import { asCollection, type Row } from '../../../src/resource/index.ts';
import type { Reference } from '../run/reference.ts';

/** After the latest second attempt where a label tells of which attempt it is, or no row tells when it was made; else within the window of the earliest. */
const late = ({ reference: { scenario } }: Scene): number =>
  scenario.kind.label?.nonce === true || asCollection(scenario.kind)?.createdAt === undefined ? 300 : 240;

/** A create is committed long after the bound that the service is known to keep: a second one was sent meanwhile. */
async function twice(scene: Scene, change: Row = {}): Promise<void> {
  const path = createCallOf(scene.reference)?.path.replace(/^\/v4/, '') ?? '';
  const effect: Effect = { kind: 'commit-late', seconds: late(scene) };
  scene.world.emulator.control.addFault({ match: { method: 'POST', path }, times: 1, effect });
  await scene.apply(change);
}
const isTwice = (scene: Scene): void =>
  scene.check('the situation', scene.made().length === 2, () => `the create came true ${scene.made().length} times`);
/** What is sent once has no twin, nor has what is refused while the first is made. */
const isCounted = (reference: Reference): boolean => {
  const { kind } = reference.scenario;
  return anyCollection(reference) && kind.key?.enforced === 'counted' && kind.attempts === undefined && takesTwoAtOnce(reference);
};
/** Where nobody chose its label, its mark tells it from a stranger's; and nothing uses it. */
const isMarked = (reference: Reference): boolean =>
  isCounted(reference) && reference.scenario.kind.label !== undefined && createCallOf(reference)?.body['vm_id'] === undefined;

const unlabelled: Row = { label: undefined };

export const twins: readonly Situation[] = [
  {
    id: 'a-create-comes-true-twice',
    fits: isMarked,
    play: async (scene) => {
      await twice(scene, unlabelled);
      await scene.ready();
      await scene.until(() => scene.made().length === 2, 10 * minute);
      isTwice(scene);
      await scene.pass(20 * minute);
      scene.check('O1 no duplicate', scene.alive().length === 1, () => `${scene.alive().length} of it live for more than 15 minutes`);
      await scene.delete();
      await scene.gone();
      scene.check('O2 no orphan', scene.alive().length === 0, () => 'one of the two is left');
    },
  },
  {
    id: 'deleted-before-its-twin-was-found',
    fits: isMarked,
    play: async (scene) => {
      await twice(scene, unlabelled);
      await scene.until(async () => (await scene.find())?.status?.['path'] !== undefined, 10 * minute);
      scene.check('the situation', scene.made().length === 1, () => 'its twin was there before it was deleted');
      await scene.delete();
      await scene.gone(scene.subject.name, 40 * minute);
      await scene.pass(5 * minute);
      isTwice(scene);
      scene.check('O2 no orphan', scene.alive().length === 0, () => 'its twin is left');
    },
  },
  {
    id: 'a-twin-has-no-mark',
    // What is new for each attempt is a mark, too.
    fits: (reference) => isCounted(reference) && !carriesOwnerKey(reference) && reference.scenario.kind.label?.nonce !== true,
    play: async (scene) => {
      await twice(scene);
      await scene.until(() => scene.made().length === 2, 10 * minute);
      isTwice(scene);
      const twin = scene.made().findLast(({ diedAt }) => diedAt === undefined);
      await scene.pass(20 * minute);
      scene.expectAlive(twin, 'a stranger may have made its like, so only a person can tell');
      await scene.expectReason(['Ambiguous']);
      await scene.annotate({ intent: null });
      await scene.ready();
      await scene.delete();
      await scene.gone();
      scene.expectAlive(twin, "a person said that it is somebody else's");
    },
  },
  {
    id: 'a-twin-is-in-use',
    fits: (reference) => isCounted(reference) && createCallOf(reference)?.body['vm_id'] !== undefined,
    play: async (scene) => {
      await twice(scene);
      await scene.until(() => scene.made().length === 2, 10 * minute);
      isTwice(scene);
      const twin = scene.made().findLast(({ diedAt }) => diedAt === undefined);
      await scene.pass(20 * minute);
      scene.expectAlive(twin, 'it is attached, so only a person can tell which one to keep');
      await scene.expectReason(['Ambiguous']);
    },
  },
];
