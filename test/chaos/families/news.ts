import { plural } from '../../../src/generate/names.ts';
import type { Millis } from '../../../src/lib/clock.ts';
import type { WatchFault } from '../../apiserver/faults/faults.ts';
import type { EventEffect } from '../../emulator/core/faults.ts';
import { caseAt, caseId, type Family } from '../run/case.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Stage } from '../stage/stage.ts';
import { hits } from '../stage/strike.ts';
import { pass } from '../stage/wire.ts';
import { excuseOf } from './killed.ts';

const lasts = 10 * 60_000;

const watchTroubles: Readonly<Record<string, (stage: Stage, resource: string) => void>> = {
  closed: (stage, resource) => stage.world.server.closeWatches({ resource }),
  broken: (stage, resource) => stage.world.server.closeWatches({ resource }, new Error('the connection broke')),
  'gone-410': (stage, resource) => {
    stage.world.server.compact();
    stage.world.server.closeWatches({ resource });
  },
  dropped: (stage, resource) => fated(stage, { resource, nth: 1, fate: 'drop' }),
  duplicated: (stage, resource) => fated(stage, { resource, nth: 1, fate: 'duplicate' }),
  delayed: (stage, resource) => fated(stage, { resource, nth: 1, fate: { delay: 30_000 } }),
};
const fated = (stage: Stage, fault: WatchFault): void => void stage.world.server.faults.addToWatches(fault);

/** F6: at every write to Kubernetes, the watch of the kind breaks, or loses, doubles or delays the news of it. */
export const watches: Family = ({ scenario, steps }) =>
  steps
    .filter(({ server }) => server === 'kube')
    .flatMap((step) =>
      Object.entries(watchTroubles).map(([point, happens]) =>
        caseAt(
          'F6',
          { scenario, step, point },
          {
            interference: {
              before: (stage) =>
                stage.wire.arm(hits(step), (passage, backend) => {
                  stage.wire.mark(`the watch: ${point}`);
                  happens(stage, plural(scenario.kind.kind));
                  return pass(passage, backend);
                }),
            },
            excuse: excuseOf(scenario),
          },
        ),
      ),
    );

const eventEffects: Readonly<Record<string, EventEffect>> = {
  lost: { kind: 'lost' },
  doubled: { kind: 'doubled' },
  late: { kind: 'late', seconds: 120 },
  'clock-ahead': { kind: 'skewed', seconds: 300 },
  'clock-behind': { kind: 'skewed', seconds: -300 },
  'other-entity': { kind: 'other-entity', type: 'nodebalancer' },
};

/** Of what is done once only its event tells the end: without one it is not known before the longest such job would be over. */
const patienceWith = ({ kind }: Scenario): Millis => (kind.mode === 'operation' ? 5 : 1) * 60 * 60_000;

/** F7: for ten minutes the account's events are lost, doubled, late, misdated, or name something else. */
export const events: Family = ({ scenario, steps }) =>
  steps.some(({ server, changes }) => server === 'cloud' && changes)
    ? Object.entries(eventEffects).map(([name, effect]) => ({
        id: caseId('F7', scenario, name),
        family: 'F7',
        scenario,
        interference: {
          patience: patienceWith(scenario),
          before: (stage) => {
            const { control } = stage.world.emulator;
            stage.wire.mark(`events of the account: ${name}`);
            const id = control.addFault({ match: {}, effect });
            stage.world.clock.after(lasts, () => void control.removeFault(id));
          },
        },
        excuse: { ...excuseOf(scenario), corrected: true },
        mustStrike: false,
      }))
    : [];
