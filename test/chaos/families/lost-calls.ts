import type { AnyKind, Row } from '../../../src/resource/index.ts';
import type { Effect } from '../../emulator/core/faults.ts';
import { caseAt, type Family } from '../run/case.ts';
import { type Corner, delayAt } from '../scenario/corner.ts';
import type { Excuse } from '../oracles/oracle.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Step } from '../stage/step.ts';
import { hits, withEffect } from '../stage/strike.ts';
import { excuseOf } from './killed.ts';

/** `late`: the commit comes when the client has long given up, and still within the bound. */
const fatesIn = (corner: Corner): Readonly<Record<string, Effect>> => ({
  'request lost': { kind: 'lose-request' },
  'answer lost': { kind: 'lose-answer' },
  'committed late': { kind: 'commit-late', seconds: delayAt(corner, 35), hang: true },
  'cut and committed late': { kind: 'commit-late', seconds: delayAt(corner, 20) },
  twice: { kind: 'twice' },
});

/** Only a proxy that repeats a POST delivers it twice, and no service without idempotency keys can tell; what a kind only counts then has a twin, and a ticket two replies. */
function fatesAt({ kind, operation, corner }: Scenario, { shape }: Step): Readonly<Record<string, Effect>> {
  const addsMember = Object.values(kind.fields).some(({ members }) => members !== undefined);
  const adds =
    operation.is === 'create' || (operation.is === 'update' && (kind.attempts !== undefined || addsMember || operation.rotates === true));
  const counted = adds && shape.startsWith('POST') && kind.key?.enforced === 'counted';
  const fates = fatesIn(corner);
  const { twice: _twice, ...others } = fates;
  return counted ? others : fates;
}

/** The answer that comes is the refusal of the second. Nothing on the first says for which object it was made without a label, or under one that the spec gives where nothing is tagged: a person is asked. */
const refusedAfterAll: Excuse = { stalls: ['AlreadyExists'], leftovers: true, otherEnd: true };
const hasNoMark = ({ kind, operation, subject: { spec } }: Scenario): boolean =>
  operation.is === 'create' && kind.key?.enforced === 'unique' && !isMarked(kind, spec);
const isMarked = ({ label, tags }: AnyKind, spec: Row): boolean =>
  label !== undefined && (tags !== undefined || spec[label.field] === undefined);

/** F3: every call that changes something, lost on either way, late, or delivered twice. */
export const lostCalls: Family = ({ scenario, steps }) =>
  steps
    .filter(({ server, changes }) => server === 'cloud' && changes)
    .flatMap((step) =>
      Object.entries(fatesAt(scenario, step)).map(([point, effect]) =>
        caseAt(
          'F3',
          { scenario, step, point: point.replaceAll(' ', '-') },
          {
            interference: { before: (stage) => stage.wire.arm(hits(step), withEffect(stage, effect)) },
            excuse: {
              ...excuseOf(scenario),
              ...(scenario.operation.is === 'update' && { corrected: true }),
              ...(point === 'twice' && hasNoMark(scenario) && refusedAfterAll),
            },
          },
        ),
      ),
    );
