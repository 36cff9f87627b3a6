import { type Row, Sensitive } from '../../../src/resource/index.ts';
import type { Reference } from '../run/reference.ts';
import { fixturesOf, secretCanary } from '../scenario/scenario.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const secretName = 'applied-values';
const rotated = 'quite-other-';

/** What the fixture wants of a field that is applied and never shown, with what goes with it. */
function appliedWant({ scenario: { kind } }: Reference): Row | undefined {
  const fields = Object.keys(kind.fields).filter((field) => kind.fields[field]?.applied === true);
  const wants = Object.values(fixturesOf(kind.kind)[0]?.wants ?? {});
  return wants.find((want) => fields.some((field) => want[field] !== undefined));
}

/** The same as a user writes it: keys of a Secret in place of what they hold, which is noted in `data`. */
function asWritten(value: unknown, at: string, data: Record<string, string>): unknown {
  if (value instanceof Sensitive) {
    data[at] = withCanary(value.reveal());
    return { name: secretName, key: at };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asWritten(inner, `${at}.${name}`, data)]));
}
/** Inside a text of many lines, so that what frames it stays. */
const withCanary = (text: string): string => (text.includes('\n') ? text.replace('\n', `\n${secretCanary}`) : `${secretCanary}${text}`);

async function rotate(scene: Scene, data: Readonly<Record<string, string>>, other = rotated): Promise<void> {
  const values = Object.entries(data).map(([key, text]) => [
    key,
    Buffer.from(text.replace(secretCanary, `${secretCanary}${other}`)).toString('base64'),
  ]);
  await scene.world.admin('PATCH', `/api/v1/namespaces/team-a/secrets/${secretName}`, { data: Object.fromEntries(values) });
}

const isApplied = (reference: Reference): boolean => anyCollection(reference) && appliedWant(reference) !== undefined;

/** Ready with values out of a Secret, whose data it returns. */
async function applyOutOfSecret(scene: Scene): Promise<Readonly<Record<string, string>>> {
  const data: Record<string, string> = {};
  const change = asWritten(appliedWant(scene.reference), 'applied', data) as Row;
  await scene.world.secret(secretName, data);
  await scene.apply(change);
  await scene.ready();
  return data;
}

export const secrets: readonly Situation[] = [
  {
    id: 'the-secret-is-rotated',
    fits: isApplied,
    play: async (scene) => {
      const data = await applyOutOfSecret(scene);
      const changes = scene.watchChanges();
      await scene.pass(20 * minute);
      scene.expectNoChange(changes, 'what was applied is remembered');
      await rotate(scene, data);
      await scene.pass(20 * minute);
      scene.check(
        'O4 converges and stays',
        changes().some(({ request }) => request.body.toString().includes(rotated)),
        () => 'the rotated value was never applied',
      );
    },
  },
  {
    id: 'a-refused-secret-is-rotated',
    fits: isApplied,
    play: async (scene) => {
      const data = await applyOutOfSecret(scene);
      const changes = scene.watchChanges();
      const fault = { match: { username: 'admin', method: 'POST' }, effect: { kind: 'answer', status: 403 } } as const;
      scene.world.emulator.control.addFault(fault);
      for (const [count, other] of [
        [1, rotated],
        [2, `${rotated}and-another`],
      ] as const) {
        await rotate(scene, data, other);
        // A refusal holds for half an hour: what is sent within that time is sent for its value.
        await scene.pass(10 * minute);
        const sent = changes().length;
        scene.check('O7 bounded calls', sent === count, () => `${sent} calls were made, ${count} should have been: one for each value`);
      }
    },
  },
];
