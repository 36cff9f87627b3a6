import type { RunningOperator } from '../../support/world/world.ts';
import { chartGrants, operatorToken } from '../stage/chart-rights.ts';
import { hits } from '../stage/strike.ts';
import { pass } from '../stage/wire.ts';
import { createCallOf } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const theirs = 'example.org/finalizer';
/** The watch has told of what was done by then. */
const told = 1000;

async function finalizersOf(scene: Scene): Promise<readonly string[]> {
  const { metadata } = await scene.world.get(scene.subject.kind, scene.subject.name);
  return (metadata as { readonly finalizers?: readonly string[] }).finalizers ?? [];
}

/** Installed beside the first one in a namespace of its own, with the rights that the chart gives it there. */
async function secondRelease({ world }: Scene): Promise<RunningOperator> {
  const namespace = 'second-release';
  await world.namespace(namespace);
  world.server.setGrants([
    ...chartGrants,
    ...chartGrants.map((grant) => (grant.namespace === undefined ? grant : { ...grant, namespace })),
  ]);
  return world.launch(operatorToken, { namespace });
}
/** Who has changed an object or the account. */
const writersIn = (scene: Scene, from = 0): readonly string[] => [
  ...new Set(
    scene
      .passages(from)
      .filter(({ server, request }) => request.method !== 'GET' && (server === 'cloud' || request.path.includes('/cloudhosting.dev/')))
      .map(({ by }) => by),
  ),
];

/** One leads, one stands by; and others write the same objects. */
export const leading: readonly Situation[] = [
  {
    id: 'the-leader-is-asked-to-stop',
    standby: true,
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined,
    play: async (scene) => {
      const [leader] = scene.stage.operators;
      await scene.pass(minute);
      const changes = scene.watchChanges();
      void leader?.operator.stop();
      await scene.apply();
      const taken = await scene.until(() => changes().some(({ by }) => by !== leader?.identity), 10_000);
      scene.check('O4 converges and stays', taken, () => 'the standby has not taken over within ten seconds');
      await scene.ready();
      scene.expectMade(1, 'one of the two made it');
    },
  },
  {
    id: 'two-run-and-one-leads',
    standby: true,
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      await scene.pass(5 * minute);
      await scene.delete();
      await scene.gone();
      const writers = new Set(
        scene
          .passages()
          .filter(({ request }) => request.method !== 'GET' && !request.path.includes('/leases'))
          .map(({ by }) => by),
      );
      scene.check('O13 within its rights', writers.size === 1, () => `${[...writers].join(' and ')} have both written`);
      scene.expectMade(1, 'one of the two made it');
    },
  },
  {
    id: 'two-releases-without-a-selector',
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined,
    play: async (scene) => {
      const [first] = scene.stage.operators;
      const other = await secondRelease(scene);
      await scene.apply();
      // Two that undo each other's writes never come to rest.
      const isFought = await scene.until(() => writersIn(scene).length > 1, 5 * minute);
      scene.check('O13 within its rights', !isFought, () => `${writersIn(scene).join(' and ')} have both written`);
      for (const operator of isFought ? [...scene.stage.operators, other] : []) operator.kill();
      if (isFought) return;
      await scene.ready();
      // It serves on when the other one is asked to stop.
      const from = scene.stage.wire.record.length;
      void first?.operator.stop();
      await scene.pass(minute);
      await scene.delete();
      await scene.gone();
      const taken = writersIn(scene, from).includes(other.identity);
      scene.check('O4 converges and stays', taken, () => 'the other release has not taken the account over');
      scene.expectMade(1, 'one of the two made it');
      scene.expectDead(scene.made()[0], 'the release that took over deletes it');
    },
  },
  {
    id: 'deleted-while-its-intent-is-written',
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined,
    play: async (scene) => {
      const written = scene.reference.steps.find(({ server, shape }) => server === 'kube' && shape.includes(' intent'));
      if (written === undefined) return;
      scene.stage.wire.arm(hits(written), async (passage, backend) => {
        const answer = await pass(passage, backend);
        await scene.delete();
        await new Promise<void>((resolve) => void scene.world.clock.after(told, resolve));
        return answer;
      });
      await scene.apply();
      await scene.gone();
      scene.expectMade(0, 'it was deleted before its create was sent');
    },
  },
  {
    id: 'another-controller-adds-its-finalizer',
    fits: anyCollection,
    play: async (scene) => {
      const written = scene.reference.steps.find(({ server, shape }) => server === 'kube' && shape.includes(' intent'));
      if (written === undefined) return;
      scene.stage.wire.arm(hits(written), async (passage, backend) => {
        await scene.stage.patchSubject({ metadata: { finalizers: [...(await finalizersOf(scene)), theirs] } });
        return pass(passage, backend);
      });
      await scene.apply();
      await scene.ready();
      const finalizers = await finalizersOf(scene);
      scene.check(
        'O5 no wrong victim',
        finalizers.includes(theirs),
        () => `of another controller's finalizer is left: ${finalizers.join()}`,
      );
    },
  },
];
