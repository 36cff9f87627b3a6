import type { Row } from '../../../src/resource/index.ts';
import type { Reference } from '../run/reference.ts';
import { alone } from './leaving.ts';
import { carriesOwnerKey, createCallOf, hasName, isToldApart, takesOver } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const [before, after] = ['old', 'new'];

/** What is marked with its name is another thing under another name. */
const isRenamed = (reference: Reference): boolean =>
  anyCollection(reference) && hasName(reference) && createCallOf(reference) !== undefined && !isToldApart(reference);

const hasMembers = ({ scenario }: Reference): boolean => Object.values(scenario.kind.fields).some(({ members }) => members !== undefined);

/** A spec that means the same remote under whatever name the object has. */
const spec = (scene: Scene): Row => ({ ...alone(scene), ...(carriesOwnerKey(scene.reference) && { label: 'one-and-the-same' }) });

/** Both are there: tools that prune last make what was renamed first. */
async function rename(scene: Scene, lifecycle: Row): Promise<void> {
  await scene.apply({ ...spec(scene), lifecycle }, before);
  await scene.ready(before);
  await scene.apply(spec(scene), after);
  await scene.pass(5 * minute);
  await scene.expectReason(['AlreadyClaimed', 'AlreadyExists'], after);
  scene.expectMade(1, 'the other one is claimed');
  await scene.delete(before);
  await scene.gone(before);
}

/** An object is made under its new name before the old one is deleted. */
export const renaming: readonly Situation[] = [
  {
    id: 'renamed-before-the-old-one-is-deleted',
    fits: isRenamed,
    play: async (scene) => {
      await rename(scene, { onDelete: 'Delete' });
      await scene.until(() => scene.made().length === 2, 2 * minute);
      scene.expectMade(2, 'the old one has gone, and the new one is made');
      // What is made may take the service its time.
      await scene.ready(after);
    },
  },
  {
    id: 'renamed-and-the-old-one-is-retained',
    // Whose the things below it are that bear marks of the old one, a person says.
    fits: (reference) => isRenamed(reference) && !hasMembers(reference) && !takesOver(reference),
    play: async (scene) => {
      await rename(scene, { onDelete: 'Retain' });
      await scene.pass(minute);
      await scene.expectReason(['AlreadyExists'], after);
      const [mine] = scene.alive();
      await scene.apply({ ...spec(scene), adopt: { id: mine?.key } }, after);
      await scene.ready(after, 2 * minute);
      scene.expectMade(1, 'what was retained is adopted');
    },
  },
  {
    id: 'renamed-and-taken-over-by-its-id',
    // What is below it gets the mark of the new name.
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined && !hasMembers(reference),
    play: async (scene) => {
      await scene.apply({ ...spec(scene), lifecycle: { onDelete: 'Delete' } }, before);
      await scene.ready(before);
      const [mine] = scene.alive();
      const changes = scene.watchChanges();
      await scene.apply({ ...spec(scene), adopt: { id: mine?.key } }, after);
      await scene.pass(minute);
      await scene.expectReason(['AlreadyClaimed'], after);
      await scene.delete(before);
      await scene.gone(before);
      await scene.ready(after);
      scene.expectNoChange(changes, 'the new name stands for the same one');
      scene.expectAlive(mine, 'it was handed over');
    },
  },
];
