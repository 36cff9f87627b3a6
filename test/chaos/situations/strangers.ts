import { isIdOf, isToldOnce, numberId } from '../../../src/resource/index.ts';
import type { Reference } from '../run/reference.ts';
import { hits } from '../stage/strike.ts';
import { pass } from '../stage/wire.ts';
import { carriesOwnerKey, comesLater, createCallOf, hasName, hasTags, isToldApart, takesOver } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const foreignTag = 'co-aaaaaaaa';
const isNamedByUser = (reference: Reference): boolean =>
  anyCollection(reference) && hasName(reference) && !carriesOwnerKey(reference) && !takesOver(reference);
const mayBeLabelled = (reference: Reference): boolean =>
  anyCollection(reference) && carriesOwnerKey(reference) && reference.scenario.kind.fields['label'] !== undefined;
const isAdoptable = (reference: Reference): boolean => anyCollection(reference) && reference.scenario.kind.item === undefined;

/** What is somebody else's: a label that is not ours where the operator derives it, else the very same. */
const strange = (scene: Scene): { readonly label?: string } => {
  const label = createCallOf(scene.reference)?.body['label'];
  const { kind } = scene.reference.scenario;
  // What can be called nothing else than the spec says must be called that to be adopted.
  const isFixed = kind.fields['label']?.immutable === true && scene.subject.spec['label'] !== undefined;
  if (typeof label !== 'string' || (isFixed && comesLater(scene.reference))) return {};
  return { label: kind.label?.plain === true ? 'notyours' : 'not-yours' };
};

/** An id that reads like one of the kind's. */
/** As the kind's own rule would have it, where ids are written in a form of their own. */
const nobodys = ({ reference }: Scene): number | string => {
  const { ids } = reference.scenario.kind;
  const all = [424_242, '424242424242', 'private/424242'];
  return all.find((id) => isIdOf(ids ?? numberId, id)) ?? 424_242;
};

const accountOf = async ({ world }: Scene): Promise<string> => String((await world.get('CloudAccount', 'default')).status?.['account']);
const forged = async (scene: Scene, path: string): Promise<string> => `${await accountOf(scene)}${path}#created.${'a'.repeat(16)}`;

/** Every answer takes so long; one was made before, so that the budget knows its window and lets two go at once. */
async function slowly(scene: Scene, seconds: number): Promise<void> {
  await scene.apply();
  await scene.ready();
  await scene.delete();
  await scene.gone();
  scene.world.emulator.control.setKnobs({ commitDelaySeconds: seconds });
  const written = scene.reference.steps.find(({ server, shape }) => server === 'kube' && shape.includes(' intent'));
  if (written === undefined) return;
  // Meanwhile the other one sees no intent.
  scene.stage.wire.arm(hits({ ...written, nth: written.nth + 1 }), async (passage, backend) => {
    await new Promise<void>((resolve) => void scene.world.clock.after(5000, resolve));
    return pass(passage, backend);
  });
}

/** What the object would make is there already, and is somebody else's. */
async function besideAStranger(scene: Scene, named: { readonly label?: string }): Promise<void> {
  const stranger = await scene.plant(named);
  const changes = scene.watchChanges();
  await scene.apply(named);
  await scene.pass(10 * minute);
  scene.expectMade(0, 'something of this name was there');
  await scene.expectReason(['AlreadyExists', 'Busy']);
  await scene.delete();
  await scene.gone();
  scene.check('O5 no wrong victim', !changes().some(({ request }) => request.method !== 'POST'), () => 'the stranger was written');
  scene.expectAlive(stranger, 'it was never ours');
}

export const strangers: readonly Situation[] = [
  {
    id: 'a-stranger-has-the-name',
    fits: isNamedByUser,
    play: (scene) => besideAStranger(scene, {}),
  },
  {
    id: 'a-stranger-has-the-label-that-the-spec-gives',
    fits: mayBeLabelled,
    play: (scene) => besideAStranger(scene, { label: 'given-by-spec' }),
  },
  {
    id: 'adopted',
    fits: isAdoptable,
    play: async (scene) => {
      const stranger = await scene.plant(strange(scene));
      await scene.apply({ adopt: { id: stranger.key }, lifecycle: { onDelete: undefined } });
      await scene.ready();
      scene.expectMade(0, 'an existing remote was to be adopted');
      await scene.delete();
      await scene.gone();
      scene.expectAlive(stranger, 'an adopted remote is retained unless the spec says otherwise');
    },
  },
  {
    id: 'adopted-by-a-wish-that-was-taken-out',
    // Without the wish, an object is to give out what only its create told.
    fits: (reference) => isAdoptable(reference) && !isToldOnce(reference.scenario.kind, reference.scenario.subject.spec),
    play: async (scene) => {
      const stranger = await scene.plant(strange(scene));
      await scene.apply({ adopt: { id: stranger.key }, lifecycle: { onDelete: undefined } });
      await scene.ready();
      await scene.apply({ lifecycle: { onDelete: undefined } });
      await scene.ready();
      await scene.delete();
      await scene.gone();
      scene.expectAlive(stranger, 'an adopted remote is retained unless the spec says otherwise');
    },
  },
  {
    id: 'adopted-and-to-be-deleted',
    fits: isAdoptable,
    play: async (scene) => {
      const stranger = await scene.plant(strange(scene));
      await scene.apply({ adopt: { id: stranger.key } });
      await scene.ready();
      await scene.delete();
      await scene.gone();
      scene.expectDead(stranger, 'onDelete is Delete');
    },
  },
  {
    id: 'adopts-what-is-claimed',
    fits: isAdoptable,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      const [mine] = scene.alive();
      await scene.apply({ adopt: { id: mine?.key } }, 'thief');
      await scene.pass(5 * minute);
      await scene.expectReason(['AlreadyClaimed'], 'thief');
      const bound = (await scene.find('thief'))?.metadata.annotations?.['cloudhosting.dev/remote'];
      scene.check('O8 truthful status', bound === undefined, () => `the thief bears the identity ${String(bound)}`);
      await scene.delete('thief');
      await scene.gone('thief');
      scene.expectAlive(mine, 'it belongs to the other object');
      scene.expectMade(1, 'an object that adopts makes nothing');
    },
  },
  {
    id: 'adopts-what-is-not-there',
    fits: isAdoptable,
    play: async (scene) => {
      await scene.apply({ adopt: { id: nobodys(scene) } });
      await scene.pass(10 * minute);
      scene.expectMade(0, 'spec.adopt never creates');
      await scene.expectReason(['RemoteMissing']);
    },
  },
  {
    id: 'adopts-from-another-installation',
    fits: (reference) => isAdoptable(reference) && hasTags(reference),
    play: async (scene) => {
      const theirs = await scene.plant({ ...strange(scene), tags: [foreignTag] });
      const changes = scene.watchChanges();
      await scene.apply({ adopt: { id: theirs.key } });
      await scene.pass(5 * minute);
      await scene.expectReason(['AlreadyClaimed']);
      scene.expectNoChange(changes, 'another installation manages it');
    },
  },
  {
    id: 'an-annotation-is-forged',
    fits: isAdoptable,
    play: async (scene) => {
      const stranger = await scene.plant(strange(scene));
      const changes = scene.watchChanges();
      const { kind, name, spec } = scene.subject;
      await scene.world.provide(scene.subject);
      await scene.world.admin('POST', scene.world.path(kind), {
        apiVersion: 'cloudhosting.dev/v1alpha1',
        kind,
        metadata: { name, annotations: { 'cloudhosting.dev/remote': await forged(scene, scene.pathOf(stranger)) } },
        spec,
      });
      await scene.pass(5 * minute);
      await scene.expectReason(['IdentityConflict']);
      await scene.delete();
      await scene.gone();
      scene.expectNoChange(changes, 'nothing proves that it is ours');
      scene.expectAlive(stranger, 'a forged annotation proves nothing');
    },
  },
  {
    id: 'an-annotation-is-exchanged',
    fits: isAdoptable,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      const stranger = await scene.plant(carriesOwnerKey(scene.reference) ? strange(scene) : { label: 'not-yours' }).catch(() => undefined);
      const path = stranger === undefined ? '/volumes/1' : scene.pathOf(stranger);
      const changes = scene.watchChanges();
      await scene.annotate({ remote: await forged(scene, path) });
      await scene.pass(5 * minute);
      await scene.expectReason(['IdentityConflict']);
      await scene.delete();
      await scene.gone();
      scene.expectNoChange(changes, 'annotation and status name different things');
    },
  },
  ...[0, 20].map((seconds): Situation => ({
    id: `two-objects-want-the-same-thing${seconds === 0 ? '' : '-of-a-slow-service'}`,
    fits: (reference) => isNamedByUser(reference) && reference.scenario.kind.key?.enforced !== 'unique' && !isToldApart(reference),
    play: async (scene) => {
      if (seconds > 0) await slowly(scene, seconds);
      await Promise.all([scene.apply(), scene.apply({}, 'second')]);
      await scene.pass(10 * minute);
      scene.check(
        'O1 no duplicate',
        scene.alive().length === 1,
        () => `${scene.alive().length} are there: the natural key names one thing`,
      );
    },
  })),
];
