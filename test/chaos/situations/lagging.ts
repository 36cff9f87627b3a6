import { isListed, type Row } from '../../../src/resource/index.ts';
import { alone } from './leaving.ts';
import { canBeEdited, carriesOwnerKey, createCallOf, listOf, managedChange, recordedEdit, isChangedAtOnce } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import type { Situation } from './situation.ts';

const crowd = ['', '-2', '-3', '-4', '-5', '-6'];

/** Of an object's status, all but what a write of it may bring along. */
async function conditionsOf(scene: Scene): Promise<string> {
  return JSON.stringify((await scene.find())?.status?.conditions ?? null);
}

const readsBelow = (scene: Scene, from: number, paths: readonly string[]): number =>
  scene.passages(from).filter(({ server, request }) => server === 'cloud' && request.method === 'GET' && paths.includes(request.path))
    .length;

/** Listings that are behind, and news that come in numbers. */
export const lagging: readonly Situation[] = [
  {
    id: 'listed-while-its-edit-does-not-show',
    fits: (reference) =>
      canBeEdited(reference) && reference.scenario.kind.key?.enforced === 'counted' && createCallOf(reference) !== undefined,
    play: async (scene) => {
      await scene.atRest();
      scene.world.emulator.control.setKnobs({ listLagSeconds: 55, filterLagSeconds: 55 });
      const changes = scene.watchChanges();
      await scene.apply(managedChange(scene.reference));
      await scene.ready();
      await scene.pass(5000);
      const before = await conditionsOf(scene);
      // Its create looks into the listing that both are in.
      await scene.apply({}, 'second');
      await scene.pass(50_000);
      const after = await conditionsOf(scene);
      scene.check('O8 truthful status', after === before, () => `an old listing was believed: ${after}, before it ${before}`);
      await scene.pass(5 * minute);
      // The second is made once the list shows that its name is free, and what is left of its create in its label goes with a PUT, too.
      const path = String((await scene.find())?.status?.['path']);
      const sent = changes().filter(({ request }) => request.method === 'PUT' && request.path.includes(path));
      scene.check('O7 no hot loop', sent.length === 1, () => `one edit was sent ${sent.length} times`);
    },
  },
  {
    id: 'swept-while-its-edit-does-not-show',
    fits: (reference) => canBeEdited(reference) && isListed(reference.scenario.kind),
    play: async (scene) => {
      const path = `/v4${listOf(scene.reference)}`;
      const isSweptSince = (from: number): boolean =>
        scene
          .passages(from)
          .some(({ server, request }) => server === 'cloud' && request.method === 'GET' && request.path.startsWith(`${path}?`));
      await scene.atRest();
      const rested = scene.stage.wire.record.length;
      await scene.until(() => isSweptSince(rested), 10 * minute);
      await scene.pass(5 * minute - 20_000);
      scene.world.emulator.control.setKnobs({ listLagSeconds: 55, filterLagSeconds: 55 });
      const changes = scene.watchChanges();
      const from = scene.stage.wire.record.length;
      await scene.apply(managedChange(scene.reference));
      await scene.ready();
      const before = await conditionsOf(scene);
      await scene.pass(40_000);
      scene.check('the situation', isSweptSince(from), () => 'it was not listed within 40 s of its edit');
      const after = await conditionsOf(scene);
      scene.check('O8 truthful status', after === before, () => `an old listing was believed: ${after}, before it ${before}`);
      await scene.pass(5 * minute);
      const sent = changes().filter(({ request }) => request.method === 'PUT');
      scene.check('O7 no hot loop', sent.length === 1, () => `one edit was sent ${sent.length} times`);
    },
  },
  {
    id: 'many-are-changed-at-once',
    fits: (reference) => canBeEdited(reference) && carriesOwnerKey(reference) && isChangedAtOnce(reference),
    play: async (scene) => {
      const { call, field } = await recordedEdit(scene.reference);
      const change: Row = alone(scene);
      for (const end of crowd) await scene.apply(change, `${scene.subject.name}${end}`);
      for (const end of crowd) await scene.ready(`${scene.subject.name}${end}`);
      await scene.pass(3 * minute);
      const paths = scene.alive().map((life) => `/v4${scene.pathOf(life)}`);
      const from = scene.stage.wire.record.length;
      for (const path of paths) await scene.outside({ method: 'PUT', path, body: call.body });
      await scene.pass(3 * minute);
      // What is put as a whole is read right before each change.
      const before = scene.reference.scenario.kind.fields[field]?.readFirst === undefined ? 0 : paths.length;
      const reads = readsBelow(scene, from, paths) - before;
      scene.check('O7 no hot loop', reads <= 2, () => `${paths.length} were changed at once, and ${reads} of them read one by one`);
    },
  },
];
