import { type Row, sitesOf } from '../../../src/resource/index.ts';
import type { Reference } from '../run/reference.ts';
import type { Manifest, Scenario } from '../scenario/scenario.ts';
import { comesLater, createCallOf } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const guest = 'team-b';
const byAccount = { accountRef: { name: 'default', namespace: 'team-a' } };

/** No references by name, and no account-level kind: it may live in another namespace. */
export const isSelfContained = ({ scenario }: Reference): boolean =>
  scenario.kind.mode === 'collection' && scenario.kind.accountLevel !== true && scenario.needs.length === 0;
const reference = ({ spec }: Scene['subject']): readonly [string, Row] | undefined =>
  Object.entries(spec).find(([field, value]) => field.endsWith('Ref') && (value as Row)['name'] !== undefined && field !== 'accountRef') as
    | readonly [string, Row]
    | undefined;

/** Lists resolve to what is there; one name is waited for. */
const needNamed = ({ subject, needs }: Scenario): { readonly field: string; readonly need: Manifest } | undefined =>
  Object.entries(subject.spec)
    .filter(([field]) => field.endsWith('Ref'))
    .flatMap(([field, value]) => needs.filter(({ name }) => name === (value as Row)['name']).map((need) => ({ field, need })))[0];

/** Where a reference resolves to more than an id, by which field of its target's status. */
function placedBy({ scenario: { kind } }: Reference, field: string): string | undefined {
  const what = sitesOf(kind.spec).find(({ at }) => at[0] === field)?.what;
  return what?.is === 'ref' ? what.target.placedBy : undefined;
}

/** It was made or, where that takes minutes, its create was sent. */
function isBegun(scene: Scene, changes: ReturnType<Scene['watchChanges']>): boolean {
  if (scene.made().length > 0 || !comesLater(scene.reference)) return scene.made().length > 0;
  const own = lastOf(createCallOf(scene.reference)?.path);
  return changes().some(({ request: { method, path } }) => method === 'POST' && lastOf(path) === own);
}
const lastOf = (path = ''): string => path.slice(path.lastIndexOf('/'));

async function admit(scene: Scene, access: Row): Promise<void> {
  await scene.world.namespace(guest);
  if (Object.keys(access).length > 0) await scene.patchAccount({ spec: { access: [{ namespaces: [guest], ...access }] } });
  await scene.pass(minute);
}

export const sharing: readonly Situation[] = [
  {
    id: 'from-a-namespace-that-is-not-admitted',
    fits: isSelfContained,
    play: async (scene) => {
      await admit(scene, {});
      await scene.apply(byAccount, 'guest', guest);
      await scene.pass(10 * minute);
      scene.expectMade(0, 'the account admits nobody');
    },
  },
  {
    id: 'more-objects-than-the-account-admits',
    fits: (known) => isSelfContained(known) && /-[a-z2-7]{8}$/.test(String(createCallOf(known)?.body['label'])),
    play: async (scene) => {
      await admit(scene, { maxObjects: 1 });
      await Promise.all([scene.apply(byAccount, 'guest', guest), scene.apply(byAccount, 'guest-2', guest)]);
      await scene.pass(15 * minute);
      scene.expectMade(1, 'access[].maxObjects is 1');
    },
  },
  {
    id: 'adopts-where-nothing-may-be-adopted',
    fits: (known) => isSelfContained(known) && known.scenario.kind.item === undefined,
    play: async (scene) => {
      await admit(scene, { adopt: 'None' });
      const stranger = await scene.plant(createCallOf(scene.reference)?.body['label'] === undefined ? {} : { label: 'not-yours' });
      const changes = scene.watchChanges();
      await scene.apply({ ...byAccount, adopt: { id: stranger.key } }, 'guest', guest);
      await scene.pass(10 * minute);
      scene.expectNoChange(changes, 'the account lets this namespace adopt nothing');
      const { conditions = [] } = (await scene.find('guest', guest))?.status ?? {};
      scene.check(
        'O8 truthful status',
        conditions.some(({ reason }) => reason === 'Forbidden'),
        () => 'it does not say that adoption is forbidden',
      );
    },
  },
  {
    id: 'refers-to-what-does-not-admit-it',
    fits: ({ scenario }) => scenario.kind.mode === 'collection' && JSON.stringify(scenario.subject.spec).includes('domainRef'),
    play: async (scene) => {
      await admit(scene, { adopt: 'None' });
      const [field, value] = reference(scene.subject) ?? ['', {}];
      await scene.apply({ ...byAccount, [field]: { ...value, namespace: 'team-a' } }, 'guest', guest);
      await scene.pass(10 * minute);
      scene.expectMade(0, 'the target does not admit this namespace');
    },
  },
  {
    id: 'names-by-its-id-what-is-not-its-own',
    fits: (known) => known.scenario.kind.mode === 'collection' && needNamed(known.scenario) !== undefined,
    play: async (scene) => {
      await admit(scene, { adopt: 'None' });
      const { field = '', need } = needNamed(scene.reference.scenario) ?? {};
      const { status = {} } = need === undefined ? {} : await scene.world.get(need.kind, need.name);
      const by = placedBy(scene.reference, field);
      const id = by === undefined ? status['id'] : `${String(status[by])}/${String(status['id'])}`;
      const changes = scene.watchChanges();
      await scene.apply({ ...byAccount, [field]: { external: id } }, 'guest', guest);
      await scene.pass(10 * minute);
      scene.expectNoChange(changes, 'the account lets this namespace adopt nothing, so it may name nothing by its id');
      await scene.patchAccount({ spec: { access: [{ namespaces: [guest], adopt: 'Any' }] } });
      const made = await scene.until(() => isBegun(scene, changes), 5 * minute);
      scene.check('O4 converges and stays', made, () => 'the account lets it, and nothing was made');
    },
  },
  {
    id: 'its-needs-come-later',
    bare: true,
    fits: (known) => anyCollection(known) && known.scenario.needs.length > 0,
    play: async (scene) => {
      const { needs } = scene.reference.scenario;
      const changes = scene.watchChanges();
      await scene.apply();
      // Not shortly before it would be looked at again anyway, each minute after it began, or after it said that it waits.
      await scene.pass(5 * minute + 15_000);
      if (needNamed(scene.reference.scenario) !== undefined) {
        scene.expectNoChange(changes, 'what it refers to is not there');
        await scene.expectReason(['ReferenceNotReady']);
      }
      for (const need of needs) {
        await scene.world.provide(need);
        await scene.world.apply(need.kind, need.name, need.spec);
      }
      for (const need of needs) await scene.world.ready(need.kind, need.name);
      const soon = await scene.until(() => isBegun(scene, changes), 20_000);
      scene.check('O4 converges and stays', soon, () => 'what it refers to is ready for 20 s, and it was not woken');
      await scene.ready();
      scene.expectMade(1, 'it is made once, when what it needs is there');
    },
  },
];
