import { type Case, caseId, type Trace } from '../run/case.ts';
import { keepsSecrets, noPanic, truthful } from '../oracles/behaviour.ts';
import type { Violation } from '../oracles/oracle.ts';
import { panicsOf, publishedIn } from '../run/perform.ts';
import { type Reference, referenceOf } from '../run/reference.ts';
import { situations } from '../situations/all.ts';
import { Scene } from '../situations/scene.ts';
import type { Situation } from '../situations/situation.ts';

async function played(situation: Situation, reference: Reference): Promise<{ violations: readonly Violation[]; scene: Scene }> {
  const scene = await Scene.open(reference, situation);
  await situation.play(scene);
  const { world } = scene;
  const run = {
    ...reference.evidence,
    sampled: [...scene.stage.sampler.problems],
    panics: panicsOf(scene.stage),
    remembered: scene.stage.world.remembered(),
    lives: world.emulator.control.objects(),
    published: publishedIn(scene.stage),
  };
  const trial = { scenario: reference.scenario, run, reference: reference.evidence, excuse: {} };
  const everywhere = [
    ...truthful(trial).map((message) => ({ oracle: 'O8 truthful status', message })),
    ...keepsSecrets(trial).map((message) => ({ oracle: 'O10 no secret shown', message })),
    ...noPanic(trial).map((message) => ({ oracle: 'O11 no panic', message })),
  ];
  const { endless } = scene.stage.wire;
  scene.check('O7 no hot loop', endless === undefined, () => `${endless} was sent again and again while no time passed`);
  await world.clock.settle();
  return { violations: [...scene.violations, ...everywhere], scene };
}

/** F16, of the sample as it is, to which every edit leads back: what people, other installations and the account itself do to objects, kind by kind, judged by the ledgers alone. */
export const circumstances = (trace: Trace): readonly Case[] =>
  trace.scenario.operation.is !== 'create'
    ? []
    : situations
        .filter((situation) => situation.restricted === trace.scenario.corner.restricted && situation.fits(trace as Reference))
        .map((situation) => ({
          id: caseId('F16', trace.scenario, situation.id),
          family: 'F16',
          scenario: trace.scenario,
          interference: {},
          excuse: {},
          mustStrike: false,
          play: async () => {
            const reference = await referenceOf(trace.scenario);
            if ('skipped' in reference) throw new Error(reference.skipped);
            const { violations, scene } = await played(situation, reference);
            return { violations, record: scene.stage.wire.record };
          },
        }));
