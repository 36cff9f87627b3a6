import type { Row } from '../../../src/resource/index.ts';
import type { Reference } from '../run/reference.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const partsOf = ({ scenario: { kind } }: Reference) => Object.values(kind.parts ?? {});

/** Every part of it is answered with something else from now on, until the answer is called. */
function oddParts(scene: Scene): () => void {
  const { control } = scene.world.emulator;
  const [mine] = scene.alive();
  if (mine === undefined) throw new Error('it has no remote');
  const ids = partsOf(scene.reference).map(({ path, paged }) => {
    const body = paged ? { data: [17, null], page: 1, pages: 1, results: 2 } : { unexpected: ['odd'] };
    return control.addFault({
      match: { method: 'GET', path: path(scene.pathOf(mine), mine.row as Row) },
      effect: { kind: 'answer', status: 200, body: JSON.stringify(body) },
    });
  });
  return () => ids.forEach((id) => control.removeFault(id));
}

/** Answers that are JSON, and not what the service's documents promise. */
export const odd: readonly Situation[] = [
  {
    id: 'parts-are-odd',
    fits: (reference) => anyCollection(reference) && partsOf(reference).length > 0,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      const mend = oddParts(scene);
      const changes = scene.watchChanges();
      await scene.pass(20 * minute);
      scene.expectNoChange(changes, 'its parts cannot be read');
      const compared = partsOf(scene.reference).some((part) => part.for === 'drift');
      const said = await scene.condition('Synced');
      scene.check(
        'O4 converges and stays',
        said !== undefined && (compared || said.status === 'True'),
        () => `Synced is ${JSON.stringify(said)} while parts that are only shown cannot be read`,
      );
      mend();
      await scene.ready(scene.subject.name, 15 * minute);
    },
  },
];
