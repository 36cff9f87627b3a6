import type { Millis } from '../../../src/lib/clock.ts';
import type { LedgerObject } from '../../emulator/core/ledger.ts';
import { asCollection } from '../../../src/resource/index.ts';
import { fixturesOf } from '../scenario/scenario.ts';
import { carriesOwnerKey } from './recorded.ts';
import { alone } from './leaving.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

function lose(scene: Scene, life: LedgerObject): Promise<void> {
  const { method, path } = scene.endOf(life);
  return scene.outside({ method, path: `/v4${path}` });
}
const onMissing = ({ scenario }: Scene['reference']): string => scenario.kind.defaults?.onMissing ?? 'Stall';
const canBeDeletedOutside = (reference: Scene['reference']): boolean =>
  anyCollection(reference) &&
  reference.scenario.kind.deletion?.release === undefined &&
  reference.scenario.kind.deletion?.ended === undefined;

/** An edit by which a colleague may make greater what cannot be made smaller. */
const growth = ({ scenario: { kind } }: Scene['reference']): { calls?: readonly string[]; body?: object } | undefined =>
  fixturesOf(kind.kind)[0]?.edits.find(
    ({ field, to, refused }) => kind.fields[field]?.only === 'grows' && typeof to === 'number' && refused !== true,
  );

const isMadeAnew = (reference: Scene['reference']): boolean =>
  canBeDeletedOutside(reference) && onMissing(reference) === 'Recreate' && carriesOwnerKey(reference);

/** Seven lose what they had, each so long after the other, all within ten minutes. */
async function loseMany(scene: Scene, apart: Millis): Promise<void> {
  const names = Array.from({ length: 7 }, (_, n) => `member-${n}`);
  for (const name of names) await scene.apply(alone(scene), name);
  for (const name of names) await scene.ready(name);
  await scene.pass(3 * minute);
  for (const life of scene.alive()) {
    await lose(scene, life);
    await scene.pass(apart);
  }
  await scene.pass(20 * minute);
  // Those that were seen to be gone before too many were may have been made anew.
  scene.check(
    'O1 no duplicate',
    scene.made().length <= names.length + 5,
    () => `${scene.made().length - names.length} of ${names.length} were made anew without a question`,
  );
  const { status } = await scene.world.get('CloudAccount', 'default');
  const [hold] = (status?.['held'] ?? []) as { readonly release: string }[];
  scene.check('O8 truthful status', hold !== undefined, () => 'the account does not say what is held');
  await scene.patchAccount({ metadata: { annotations: { 'cloudhosting.dev/release': hold?.release ?? '' } } });
  for (const name of names) await scene.ready(name);
  scene.check('O1 no duplicate', scene.alive().length === names.length, () => `${scene.alive().length} live where ${names.length} should`);
}

/** As a row shows that no call would end it. */
const closed = { closable: false };

export const losing: readonly Situation[] = [
  {
    id: 'the-remote-is-lost-and-missed',
    fits: (reference) => canBeDeletedOutside(reference) && onMissing(reference) === 'Stall',
    play: async (scene) => {
      await lose(scene, await scene.atRest());
      await scene.pass(20 * minute);
      scene.expectMade(1, 'what was in it is lost, so a person must ask for a new one');
      await scene.expectReason(['RemoteMissing']);
      await scene.annotate({ recreate: '2026-01-01T12:00:00Z' });
      await scene.ready();
      scene.expectMade(2, 'annotation recreate asked for one');
    },
  },
  {
    id: 'the-remote-is-lost-and-made-anew',
    fits: (reference) => canBeDeletedOutside(reference) && onMissing(reference) === 'Recreate',
    play: async (scene) => {
      await lose(scene, await scene.atRest());
      await scene.pass(20 * minute);
      await scene.ready();
      scene.expectMade(2, 'the lost one is made anew once');
      await scene.delete();
      await scene.gone();
      scene.check('O2 no orphan', scene.alive().length === 0, () => 'the new one is left');
    },
  },
  {
    id: 'a-mass-is-lost-at-once',
    fits: isMadeAnew,
    play: (scene) => loseMany(scene, 0),
  },
  {
    id: 'a-mass-is-lost-one-by-one',
    fits: isMadeAnew,
    play: (scene) => loseMany(scene, 75_000),
  },
  {
    id: 'it-ended-by-itself',
    fits: (reference) => anyCollection(reference) && reference.scenario.kind.deletion?.ended !== undefined,
    play: async (scene) => {
      const mine = await scene.atRest();
      const { method, path } = scene.endOf(mine);
      await scene.outside({ method, path: `/v4${path}` });
      const changes = scene.watchChanges();
      await scene.pass(30 * minute);
      await scene.ready();
      scene.expectMade(1, 'what is over is no loss');
      await scene.delete();
      await scene.gone();
      scene.expectNoChange(changes, 'it was over already');
    },
  },
  {
    id: 'it-cannot-be-ended',
    fits: (reference) =>
      anyCollection(reference) && asCollection(reference.scenario.kind)?.deletion?.keeps?.(closed, { name: '' }) !== undefined,
    play: async (scene) => {
      const mine = await scene.atRest();
      scene.world.emulator.control.edit({ collection: mine.collection, key: mine.key, row: closed });
      await scene.pass(10 * minute);
      const changes = scene.watchChanges();
      await scene.delete();
      await scene.gone();
      scene.expectNoChange(changes, 'no call would end it');
      scene.expectAlive(mine, 'only the provider can end it');
    },
  },
  {
    id: 'grown-beyond-its-spec',
    fits: (reference) => anyCollection(reference) && growth(reference) !== undefined,
    play: async (scene) => {
      const { calls: [call = ''] = [], body } = growth(scene.reference) ?? {};
      const [method = '', path = ''] = call.split(' ');
      await scene.apply();
      await scene.ready();
      const [mine] = scene.alive();
      await scene.outside({ method, path: `/v4${path.replace('{item}', mine === undefined ? '' : scene.pathOf(mine))}`, body });
      await scene.pass(30 * minute);
      scene.expectAlive(mine, 'nobody allowed a replacement');
      scene.expectMade(1, 'nobody allowed a replacement');
      await scene.expectReason(['ImmutableField']);
    },
  },
];
