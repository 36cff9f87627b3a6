import { hits } from '../strike.ts';
import { pass } from '../wire.ts';
import { createCallOf } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const theirs = 'example.org/finalizer';
/** Longer than an attempt may wait between its intent and its POST, and shorter than a write to Kubernetes may take. */
const slowWrite = 25_000;

async function finalizersOf(scene: Scene): Promise<readonly string[]> {
  const { metadata } = await scene.world.get(scene.subject.kind, scene.subject.name);
  return (metadata as { readonly finalizers?: readonly string[] }).finalizers ?? [];
}

/** One leads, one stands by; and others write the same objects. */
export const leading: readonly Situation[] = [
  {
    id: 'the-leader-is-asked-to-stop',
    design: '5.9',
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
    design: '5.9',
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
    id: 'its-intent-takes-long-to-write',
    design: '4.3',
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined,
    play: async (scene) => {
      const written = scene.reference.steps.find(({ server, shape }) => server === 'kube' && shape.includes(' intent'));
      if (written === undefined) return;
      scene.stage.wire.arm(hits(written), async (passage, backend) => {
        const answer = await pass(passage, backend);
        await new Promise<void>((resolve) => void scene.world.clock.after(slowWrite, resolve));
        return answer;
      });
      const changes = scene.watchChanges();
      await scene.apply();
      await scene.ready();
      const sentAt = changes().find(({ request }) => request.method === 'POST')?.at ?? 0;
      const noted = scene.passages().findLast(({ shape, at }) => shape === written.shape && at <= sentAt);
      const age = sentAt - (noted?.at ?? 0);
      scene.check(
        'O1 no duplicate',
        age <= 20_000,
        () => `it was sent ${age} ms after its intent was noted, and would be looked for in vain`,
      );
      scene.expectMade(1, 'one write was slow');
    },
  },
  {
    id: 'another-controller-adds-its-finalizer',
    design: '7',
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
