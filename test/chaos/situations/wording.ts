import type { Row } from '../../../src/resource/index.ts';
import type { Reference } from '../run/reference.ts';
import { fixturesOf } from '../scenario/scenario.ts';
import { createCallOf } from './recorded.ts';
import { minute } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

/** Edits that the fixture says take no call: another spelling, or a field that is managed no more. */
const silentEdits = ({ scenario: { kind } }: Reference): readonly Row[] =>
  (fixturesOf(kind.kind)[0]?.edits ?? [])
    .filter(({ refused, admissionOnly, calls = [] }) => refused !== true && admissionOnly !== true && calls.length === 0)
    .map(({ field, to, spec, with: more }) => ({ ...more, [field]: spec ?? to }));

/** A field of the sample that the API calls by another name. */
function renamed({ scenario: { kind, subject } }: Reference): { readonly field: string; readonly named: string } | undefined {
  const found = Object.entries(kind.fields).find(
    ([field, { errors = [] }]) => subject.spec[field] !== undefined && errors[0] !== undefined && errors[0] !== field,
  );
  return found === undefined ? undefined : { field: found[0], named: found[1].errors?.[0] ?? '' };
}

/** How people and the API word things. */
export const wording: readonly Situation[] = [
  {
    id: 'another-spelling-takes-no-call',
    fits: (reference) => anyCollection(reference) && silentEdits(reference).length > 0,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      await scene.pass(minute);
      const changes = scene.watchChanges();
      for (const edit of silentEdits(scene.reference)) {
        await scene.apply(edit);
        await scene.ready();
        await scene.pass(minute);
        scene.expectNoChange(changes, `${JSON.stringify(edit)} asks for nothing else than what is there`);
      }
    },
  },
  {
    id: 'a-refusal-names-the-field',
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined && renamed(reference) !== undefined,
    play: async (scene) => {
      const { field = '', named = '' } = renamed(scene.reference) ?? {};
      const path = createCallOf(scene.reference)?.path.replace(/^\/v4/, '') ?? '';
      const body = JSON.stringify({ errors: [{ field: named, reason: 'This is not available.' }] });
      scene.world.emulator.control.addFault({ match: { method: 'POST', path }, times: 1, effect: { kind: 'answer', status: 400, body } });
      await scene.apply();
      await scene.until(async () => (await scene.condition('Stalled'))?.status === 'True', minute);
      const { message = '' } = (await scene.condition('Synced')) ?? {};
      scene.check(
        'O8 truthful status',
        message.includes(`spec.${field}`),
        () => `the API refused ${named}, which is spec.${field}: ${message}`,
      );
    },
  },
];
