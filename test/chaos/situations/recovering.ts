import { installationTagPrefix, ownerDigest } from '../../../src/engine/model/identity.ts';
import { asCollection, type Row } from '../../../src/resource/index.ts';
import type { Reference } from '../run/reference.ts';
import { loseAll, operatorKey, readyOnce } from './rebuilding.ts';
import { carriesOwnerKey, createCallOf, isMadeWithoutTags, managedEdit } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const bodyOf = (reference: Reference): Row => createCallOf(reference)?.body ?? {};
/** What a person can copy from anything that the operator made. */
const ourTags = (reference: Reference): readonly string[] =>
  ((bodyOf(reference)['tags'] ?? []) as readonly string[]).filter((tag) => tag.startsWith(installationTagPrefix));
/** The derived label with another owner key. */
const alike = ({ reference }: Scene, owner: string): string => `${String(bodyOf(reference)['label']).slice(0, -8)}${owner}`;
/** An instance can be behind one firewall only. */
const onlyOnce = (reference: Reference): readonly string[] => (Object.hasOwn(bodyOf(reference)['devices'] ?? {}, 'vms') ? ['devices'] : []);
const canBeDoubled = (reference: Reference): boolean => carriesOwnerKey(reference) && onlyOnce(reference).length === 0;
const needsNothing = ({ scenario }: Reference): boolean =>
  scenario.kind.mode === 'collection' && scenario.needs.length === 0 && scenario.kind.accountLevel !== true;

export const recovering: readonly Situation[] = [
  {
    id: 'a-tenant-chose-its-mark',
    fits: (reference) => anyCollection(reference) && carriesOwnerKey(reference),
    play: async (scene) => {
      const { kind, name } = scene.subject;
      const owner = ownerDigest({ installation: 'tests', kind, namespace: 'team-a', name });
      const theirs = await scene.plant({ label: alike(scene, owner), tags: ourTags(scene.reference), without: onlyOnce(scene.reference) });
      await scene.apply();
      await scene.ready();
      scene.expectMade(1, 'what everybody can compute is no mark');
      await scene.delete();
      await scene.gone();
      scene.expectAlive(theirs, 'it only looks as if it were its own');
    },
  },
  {
    id: 'rebuilt-without-installation',
    unnamed: true,
    fits: (reference) => anyCollection(reference) && carriesOwnerKey(reference),
    play: async (scene) => {
      await scene.plant({ label: alike(scene, 'abcdefgh'), tags: ['co-aaaaaaaa'], without: onlyOnce(scene.reference) });
      const changes = scene.watchChanges();
      await scene.apply();
      await scene.pass(10 * minute);
      scene.expectNoChange(changes, 'it looks like what the cluster had before it was rebuilt');
      await scene.expectReason(['AlreadyExists']);
      const { status } = await scene.world.get('CloudAccount', 'default');
      await scene.patchAccount({ spec: { installation: status?.['installation'] } });
      await scene.ready();
      scene.expectMade(1, 'a person has said that the other one is of another installation');
    },
  },
  {
    id: 'recovers-beside-a-second-that-fits',
    fits: (reference) => anyCollection(reference) && canBeDoubled(reference),
    play: async (scene) => {
      await readyOnce(scene);
      const [mine] = scene.alive();
      await loseAll(scene);
      await scene.plant({ label: alike(scene, 'abcdefgh'), tags: ourTags(scene.reference) });
      await scene.patchAccount({ spec: { recover: true } });
      const changes = scene.watchChanges();
      await scene.apply();
      await scene.pass(10 * minute);
      await scene.expectReason(['Ambiguous']);
      const { message = '' } = (await scene.condition('Synced')) ?? {};
      const id = /spec\.adopt: \{id: ([^}]+)\}/.exec(message)?.[1];
      if (id === undefined) return;
      await scene.apply({ adopt: { id: JSON.parse(id) as unknown } });
      await scene.ready();
      scene.expectNoChange(changes, 'only a person knows which of them it is');
      scene.expectAlive(mine, 'nothing was to be deleted');
    },
  },
  {
    id: 'recovers-what-two-objects-may-have-had',
    // What has no tag of ours is taken by whoever may adopt, and team-b may not.
    fits: (reference) => anyCollection(reference) && needsNothing(reference) && !isMadeWithoutTags(reference),
    play: async (scene) => {
      await readyOnce(scene);
      await loseAll(scene);
      await scene.patchAccount({ spec: { recover: true } });
      await scene.stage.secondNamespace('team-b');
      await scene.world.patch('CloudAccount', 'default', { spec: { recover: true } }, 'team-b');
      const changes = scene.watchChanges();
      await scene.apply({}, undefined, 'team-b');
      await scene.apply();
      await scene.pass(10 * minute);
      scene.expectNoChange(changes, 'nobody knows whose it was');
      const bound = [await scene.find(), await scene.find(undefined, 'team-b')].filter((one) => one?.status?.['path'] !== undefined);
      scene.check('O5 no wrong victim', bound.length === 0, () => 'the first who came took it');
      await scene.expectReason(['Ambiguous']);
    },
  },
  {
    id: 'recovers-beside-what-differs',
    fits: (reference) => anyCollection(reference) && managedEdit(reference) !== undefined,
    play: async (scene) => {
      const edit = managedEdit(scene.reference);
      await readyOnce(scene);
      await loseAll(scene);
      await scene.patchAccount({ spec: { recover: true } });
      const all = scene.watchChanges();
      // What it refers to has its passwords applied anew: which were is lost with the key.
      const changes = () => all().filter(({ request }) => request.path.startsWith(createCallOf(scene.reference)?.path ?? ''));
      await scene.apply({ [String(edit?.field)]: edit?.scenario.operation.spec[edit.field] });
      await scene.pass(10 * minute);
      scene.expectNoChange(changes, 'it has another value in what the spec sets');
      await scene.expectReason(['RemoteMissing']);
    },
  },
  {
    id: 'recovers-what-is-not-there',
    fits: anyCollection,
    play: async (scene) => {
      await scene.patchAccount({ spec: { recover: true } });
      const changes = scene.watchChanges();
      await scene.apply();
      await scene.pass(10 * minute);
      scene.expectNoChange(changes, 'what somebody removed must not come back empty');
      await scene.expectReason(['RemoteMissing']);
      const path = createCallOf(scene.reference)?.path.replace(/^\/v4/, '') ?? '';
      // What is never sent a second time by itself would need another word of a person.
      if (asCollection(scene.reference.scenario.kind)?.attempts === undefined)
        scene.world.emulator.control.addFault({ match: { method: 'POST', path }, times: 1, effect: { kind: 'answer', status: 503 } });
      await scene.annotate({ recreate: 'now' });
      await scene.until(() => changes().length > 0, minute);
      await scene.annotate({ recreate: null });
      await scene.ready();
      scene.expectMade(1, 'a person has asked for it');
    },
  },
  {
    id: 'another-key-signs-and-the-old-one-is-kept',
    fits: anyCollection,
    play: async (scene) => {
      await readyOnce(scene);
      const [mine] = scene.alive();
      for (const operator of scene.stage.operators) scene.stage.kill(operator);
      const { data } = (await scene.world.admin('GET', operatorKey)) as unknown as { readonly data: Row };
      const another = Buffer.from(Buffer.alloc(32, 8).toString('base64')).toString('base64');
      await scene.world.admin('PATCH', operatorKey, { data: { key: another, 'previous-1': data['key'] } });
      await scene.stage.patchSubject([{ op: 'remove', path: '/status' }], 'status');
      scene.stage.sampler.forget();
      const changes = scene.watchChanges();
      await scene.ready();
      scene.expectNoChange(changes, 'its identity is as good as before');
      await scene.delete();
      await scene.gone();
      scene.expectDead(mine, 'it was known all the time');
    },
  },
];
