import { createCallOf, managedEdit } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

/** What the API server calls objects of the subject's kind. */
const resourceOf = ({ subject }: Scene): string => `${subject.kind.toLowerCase()}s`;

/** What the watch of Kubernetes tells late or not at all. */
export const watching: readonly Situation[] = [
  {
    id: 'edited-while-the-history-is-lost',
    design: '7',
    fits: (reference) => anyCollection(reference) && managedEdit(reference) !== undefined,
    play: async (scene) => {
      const edit = managedEdit(scene.reference);
      await scene.apply();
      await scene.ready();
      await scene.pass(3 * minute);
      const changes = scene.watchChanges();
      scene.world.server.closeWatches({ resource: resourceOf(scene) });
      await scene.apply({ [edit?.field ?? '']: edit?.scenario.operation.spec[edit.field] });
      scene.world.server.compact();
      await scene.pass(2 * minute);
      scene.check('O4 converges and stays', changes().length > 0, () => 'the edit fell into the gap, and nothing was listed anew');
      await scene.ready();
    },
  },
  {
    id: 'the-watch-is-slow',
    design: '7, 10',
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined,
    play: async (scene) => {
      for (let nth = 1; nth <= 6; nth += 1)
        scene.world.server.faults.addToWatches({ resource: resourceOf(scene), type: 'MODIFIED', nth, fate: { delay: 20_000 } });
      await scene.apply();
      await scene.ready();
      await scene.pass(2 * minute);
      const writes = scene
        .passages()
        .filter(
          ({ server, request }) => server === 'kube' && request.method === 'PATCH' && request.path.includes(`/${resourceOf(scene)}/`),
        );
      scene.check('O7 no hot loop', writes.length <= 6, () => `it took ${writes.length} writes to Kubernetes`);
      scene.expectMade(1, 'answers tell what the watch has not told yet');
    },
  },
];
