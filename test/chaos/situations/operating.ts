import { asOperation } from '../../../src/resource/index.ts';
import type { Reference } from '../run/reference.ts';
import { hits } from '../stage/strike.ts';
import { pass, type Passage } from '../stage/wire.ts';
import { minute, type Scene } from './scene.ts';
import type { Situation } from './situation.ts';

interface Other {
  readonly kind: string;
  readonly name: string;
}
/** The object whose remote changes in place of the target's. */
function otherOf({ scenario: { kind, subject } }: Pick<Reference, 'scenario'>): Other | undefined {
  const { on = '', onto } = asOperation(kind)?.operates[String(subject.spec['action'])] ?? {};
  const { name } = (onto === undefined ? {} : (subject.spec[onto] ?? {})) as { readonly name?: string };
  return name === undefined ? undefined : { kind: on, name };
}
const changesAnother = (reference: Reference): boolean => otherOf(reference) !== undefined;

const other = (scene: Scene): Other => otherOf(scene.reference) ?? { kind: '', name: '' };
const patchOther = (scene: Scene, change: object): Promise<unknown> => scene.world.patch(other(scene).kind, other(scene).name, change);
const annotateOther = (scene: Scene, annotation: string, value: string | null): Promise<unknown> =>
  patchOther(scene, { metadata: { annotations: { [`cloudhosting.dev/${annotation}`]: value } } });
const phaseOf = async (scene: Scene): Promise<unknown> => (await scene.find())?.status?.['phase'];

/** The call itself, as the fault-free run sent it. */
function callOf({ steps, scenario }: Reference): string {
  const { action } = scenario.subject.spec;
  const call = steps.find(({ server, shape }) => server === 'cloud' && shape.startsWith('POST'));
  if (call === undefined) throw new Error(`no call of ${String(action)} was recorded`);
  return call.shape;
}
const callsIn = (scene: Scene, passages: readonly Passage[]): readonly Passage[] =>
  passages.filter(({ shape, server }) => server === 'cloud' && shape === callOf(scene.reference));

export const operating: readonly Situation[] = [
  {
    id: 'what-changes-in-its-place-is-paused',
    fits: changesAnother,
    play: async (scene) => {
      await annotateOther(scene, 'pause', 'true');
      await scene.pass(10_000);
      const changes = scene.watchChanges();
      await scene.apply();
      await scene.pass(20 * minute);
      scene.expectNoChange(changes, 'what it would change is paused');
      await scene.expectReason(['ReferenceNotReady']);
      await annotateOther(scene, 'pause', null);
      await annotateOther(scene, 'resume', 'now');
      await scene.ready();
    },
  },
  {
    id: 'what-changes-in-its-place-is-edited-meanwhile',
    fits: changesAnother,
    play: async (scene) => {
      await scene.apply();
      await scene.until(async () => (await phaseOf(scene)) === 'Running', 10 * minute);
      await scene.until(() => callsIn(scene, scene.passages()).length > 0, minute);
      const changes = scene.watchChanges();
      const from = scene.stage.wire.record.length;
      await patchOther(scene, { spec: { tags: ['edited'] } });
      await scene.ready();
      // Its end is written down before anything else goes on.
      const all = scene.passages(from);
      const end = all.findIndex(({ shape }) => shape.endsWith(' operation'));
      const early = all.slice(0, end).find((one) => changes().includes(one));
      scene.check('O9 obeys limits', end >= 0 && early === undefined, () => `${early?.shape} was sent while it was worked on`);
      await scene.pass(5 * minute);
      scene.check('O4 converges and stays', changes().length > 0, () => 'the edit never came about');
    },
  },
  {
    id: 'what-changes-in-its-place-is-deleted-in-the-very-moment',
    fits: changesAnother,
    play: async (scene) => {
      const { clock, server } = scene.world;
      const noted = scene.reference.steps.find((step) => step.server === 'kube' && step.shape.endsWith(' operation'));
      if (noted === undefined) throw new Error('nothing was noted before the call');
      const { kind, name } = other(scene);
      // Its answer comes when the deletion is known, and before the note is too old to be used.
      scene.stage.wire.arm(hits(noted), async (passage, backend) => {
        const response = await pass(passage, backend);
        await server.as('admin', 'DELETE', scene.world.path(kind, undefined, name));
        const { promise, resolve } = Promise.withResolvers<void>();
        clock.after(3000, resolve);
        await promise;
        return response;
      });
      await scene.apply();
      await scene.pass(20 * minute);
      const calls = callsIn(scene, scene.passages());
      scene.check('O5 no wrong victim', calls.length === 0, () => `${calls[0]?.shape} was sent although ${name} was being deleted`);
      scene.check('O8 truthful status', scene.stage.wire.struck === 1, () => 'it was not deleted in the very moment');
    },
  },
  {
    id: 'it-comes-again-and-only-what-changed-notes-it',
    fits: changesAnother,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      await scene.pass(5 * minute);
      const { spec } = scene.subject;
      const on = other(scene).kind;
      const target = String((spec['target'] as { readonly name?: string }).name);
      await scene.world.patch(on, target, { metadata: { annotations: { 'cloudhosting.dev/operations': null } } });
      await scene.world.server.as('admin', 'PATCH', `${scene.world.path(on, undefined, target)}/status`, { status: { operations: null } });
      await scene.delete();
      await scene.gone();
      const from = scene.stage.wire.record.length;
      await scene.apply();
      await scene.until(async () => ['Expired', 'Succeeded', 'Failed', 'Unknown'].includes(String(await phaseOf(scene))), 30 * minute);
      const again = callsIn(scene, scene.passages(from));
      scene.check('O1 no duplicate', again.length === 0, () => `${again[0]?.shape} was sent once more for what was done already`);
      await scene.expectReason(['Expired']);
    },
  },
];
