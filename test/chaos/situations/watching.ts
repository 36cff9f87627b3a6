import { namesToldOnce } from '../../../src/engine/outputs/told-once.ts';
import { plural } from '../../../src/generate/names.ts';
import { chartGrants } from '../stage/chart-rights.ts';
import { stateOf } from './quiet.ts';
import { canBeEdited, createCallOf, managedChange } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

/** What the API server calls objects of the subject's kind. */
const resourceOf = ({ subject }: Scene): string => plural(subject.kind);

const isOfSubject = (scene: Scene, path: string): boolean => path.includes(`/${resourceOf(scene)}/${scene.subject.name}`);

/** The API server has answered 403 to an operator for a path with `part` in it. */
const wasRefused = (scene: Scene, part = ''): boolean =>
  scene.passages().some(({ server, request, answer }) => server === 'kube' && request.path.includes(part) && answer?.status === 403);

/** What the API server tells late or not at all. */
export const watching: readonly Situation[] = [
  {
    id: 'edited-while-the-history-is-lost',
    fits: canBeEdited,
    play: async (scene) => {
      await scene.atRest();
      const changes = scene.watchChanges();
      scene.world.server.closeWatches({ resource: resourceOf(scene) });
      await scene.apply(managedChange(scene.reference));
      scene.world.server.compact();
      await scene.pass(2 * minute);
      scene.check('O4 converges and stays', changes().length > 0, () => 'the edit fell into the gap, and nothing was listed anew');
      await scene.ready();
    },
  },
  {
    id: 'the-watch-is-slow',
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined,
    play: async (scene) => {
      for (let nth = 1; nth <= 6; nth += 1)
        scene.world.server.faults.addToWatches({ resource: resourceOf(scene), type: 'MODIFIED', nth, fate: { delay: 20_000 } });
      await scene.apply();
      await scene.ready();
      await scene.pass(2 * minute);
      const writes = scene
        .passages()
        .filter(({ server, request }) => server === 'kube' && request.method === 'PATCH' && isOfSubject(scene, request.path));
      scene.check('O7 no hot loop', writes.length <= 6, () => `it took ${writes.length} writes to Kubernetes`);
      scene.expectMade(1, 'answers tell what the watch has not told yet');
    },
  },
  {
    id: 'kept-at-the-last-moment',
    fits: anyCollection,
    play: async (scene) => {
      await scene.atRest();
      const [mine] = scene.made();
      scene.world.server.faults.addToWatches({ resource: resourceOf(scene), type: 'MODIFIED', nth: 2, fate: { delay: 20_000 } });
      await scene.delete();
      await scene.world.patch(scene.subject.kind, scene.subject.name, { spec: { lifecycle: { onDelete: 'Retain' } } });
      await scene.gone();
      scene.expectAlive(mine, 'its policy was Retain before anything was sent');
    },
  },
  {
    id: 'its-first-status-says-all',
    // A status says nothing of what is only read before the create.
    fits: (reference) =>
      anyCollection(reference) && Object.values(reference.scenario.kind.parts ?? {}).some((part) => part.for !== 'before'),
    play: async (scene) => {
      await scene.apply();
      await scene.until(() => scene.alive().length > 0, 5 * minute);
      const state = stateOf(scene.reference.scenario.kind, scene.alive()[0]);
      await scene.ready();
      await scene.pass(minute);
      const writes = scene
        .passages()
        .filter(
          ({ nth, server, request }) => nth > 0 && server === 'kube' && request.method === 'PATCH' && isOfSubject(scene, request.path),
        );
      // Intent, identity, status; what is told once, and what is made in a further way or rendered later, with one more; of a job, and
      // of a part that comes later, its progress, too.
      const { kind, operation } = scene.reference.scenario;
      const { parts = {} } = kind;
      const isAwaited = Object.values(parts).some(({ notYet, rereadWhileProgressing: again }) => notYet !== undefined && again === true);
      const isPlain = operation.id === 'create' && namesToldOnce(kind, scene.subject.spec).length === 0;
      const atRest = isPlain && state === 'Ready' ? 3 : 4;
      const most = (state === undefined || state === 'Ready') && !isAwaited ? atRest : 5;
      scene.check('O7 no hot loop', writes.length <= most, () => `its create took ${writes.length} writes to Kubernetes`);
    },
  },
  {
    id: 'applied-while-the-CRDs-cannot-be-read',
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined,
    play: async (scene) => {
      scene.world.server.faults.add({ match: { path: /customresourcedefinitions\// }, action: { kind: 'answer', status: 403 } });
      const looked = await scene.until(() => wasRefused(scene, '/customresourcedefinitions/'), 6 * minute);
      scene.check('O4 converges and stays', looked, () => 'nobody looked at the CRDs while they could not be read');
      await scene.apply();
      await scene.until(() => scene.made().length > 0, 45_000);
      scene.expectMade(1, 'an API server that starts refuses for a while, and the CRD fitted before');
    },
  },
  {
    id: 'starts-beside-the-API-server',
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined,
    play: async (scene) => {
      for (const operator of scene.stage.operators) scene.stage.kill(operator);
      // It knows no roles yet, and refuses everybody.
      scene.world.server.setGrants([]);
      await scene.pass(20_000);
      scene.check('O4 converges and stays', wasRefused(scene), () => 'nobody asked the API server while it started');
      scene.world.server.setGrants(chartGrants);
      await scene.apply();
      await scene.until(() => scene.made().length > 0, 2 * minute);
      scene.expectMade(1, 'what is refused at the start is asked for again');
    },
  },
];
