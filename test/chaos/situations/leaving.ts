import type { Row } from '../../../src/resource/index.ts';
import { isDead } from '../evidence/standing.ts';
import { isForAPerson } from './doubting.ts';
import { freezeAtCommit, hits } from '../stage/strike.ts';
import { pass } from '../stage/wire.ts';
import { carriesOwnerKey, createCallOf, movingEdit } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

async function isThere(scene: Scene, change = {}): Promise<void> {
  await scene.apply(change);
  await scene.ready();
}
/** Many may not share what one list of the sample names. */
export const alone = ({ subject }: Scene): Row =>
  Object.fromEntries(Object.keys(subject.spec).flatMap((field) => (field.endsWith('Refs') ? [[field, undefined]] : [])));
const crowd = 12;
const names = Array.from({ length: crowd }, (_, n) => `member-${n}`);
const canBeDoneToMany = (reference: Scene['reference']): boolean =>
  anyCollection(reference) && reference.scenario.kind.brakeExempt !== true && carriesOwnerKey(reference);

/** Once it is seen, and its object has waited for somebody to do it. */
async function isDeletedByHand(scene: Scene): Promise<void> {
  await scene.pass(10 * minute);
  await scene.expectReason(['Ambiguous']);
  const [life] = scene.alive();
  if (life !== undefined) {
    const { method, path } = scene.endOf(life);
    await scene.outside({ method, path: `/v4${path}` });
  }
  await scene.annotate({ 'reconcile-at': 'now' });
}

async function release(scene: Scene): Promise<void> {
  const { status } = await scene.world.get('CloudAccount', 'default');
  const [hold] = (status?.['held'] ?? []) as { readonly release: string }[];
  await scene.patchAccount({ metadata: { annotations: { 'cloudhosting.dev/release': hold?.release ?? 'nothing is held' } } });
}

export const leaving: readonly Situation[] = [
  {
    id: 'retained',
    fits: anyCollection,
    play: async (scene) => {
      await isThere(scene, { lifecycle: { onDelete: 'Retain' } });
      const changes = scene.watchChanges();
      await scene.delete();
      await scene.gone();
      scene.expectNoChange(changes, 'the policy is Retain');
      scene.expectAlive(scene.made()[0], 'the policy is Retain');
    },
  },
  {
    id: 'protected',
    fits: anyCollection,
    play: async (scene) => {
      await isThere(scene, { lifecycle: { protect: true } });
      await scene.delete();
      await scene.pass(10 * minute);
      scene.expectAlive(scene.made()[0], 'it is protected');
      await scene.expectReason(['DeletionHeld']);
    },
  },
  {
    id: 'the-account-object-is-deleted-first',
    fits: anyCollection,
    play: async (scene) => {
      await isThere(scene);
      await scene.world.delete('CloudAccount', 'default');
      await scene.pass(2 * minute);
      await scene.delete();
      await scene.gone();
      scene.expectDead(scene.made()[0], 'deletion must not depend on what was deleted first');
    },
  },
  {
    id: 'the-token-is-deleted-first',
    fits: anyCollection,
    play: async (scene) => {
      await isThere(scene);
      await scene.world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/cloud-token');
      for (const operator of scene.stage.operators) scene.stage.kill(operator);
      await scene.pass(5 * minute);
      await scene.delete();
      await scene.gone();
      scene.expectDead(scene.made()[0], 'the operator keeps a copy of the token for this');
    },
  },
  {
    id: 'a-mass-is-deleted-at-once',
    fits: canBeDoneToMany,
    play: async (scene) => {
      for (const name of names) await scene.apply(alone(scene), name);
      for (const name of names) await scene.ready(name);
      for (const name of names) await scene.delete(name);
      await scene.pass(20 * minute);
      scene.check(
        'O5 no wrong victim',
        scene.alive().length === crowd,
        () => `only ${scene.alive().length} of ${crowd} live on while their deletion is held`,
      );
      await release(scene);
      for (const name of names) await scene.gone(name);
      scene.check('O2 no orphan', scene.alive().length === 0, () => `${scene.alive().length} are left after the release`);
    },
  },
  {
    id: 'a-mass-is-replaced-at-once',
    fits: (reference) => canBeDoneToMany(reference) && movingEdit(reference) !== undefined,
    play: async (scene) => {
      const { field = '', to, spec } = movingEdit(scene.reference) ?? {};
      const lifecycle = { replace: 'Allow' };
      for (const name of names) await scene.apply({ ...alone(scene), lifecycle }, name);
      for (const name of names) await scene.ready(name);
      for (const name of names) await scene.apply({ ...alone(scene), [field]: spec ?? to, lifecycle }, name);
      await scene.pass(20 * minute);
      const dead = scene.made().filter(isDead).length;
      scene.check('O5 no wrong victim', dead <= 10, () => `${dead} of ${crowd} were replaced before a person had looked`);
      await release(scene);
      for (const name of names) await scene.ready(name);
      scene.expectMade(2 * crowd, 'each was replaced once');
      scene.check('O2 no orphan', scene.alive().length === crowd, () => `${scene.alive().length} live`);
    },
  },
  {
    id: 'the-remote-is-hidden-for-a-while',
    fits: anyCollection,
    play: async (scene) => {
      await isThere(scene);
      const [mine] = scene.alive();
      const path = mine === undefined ? '' : scene.pathOf(mine);
      await scene.pass(3 * minute);
      const { control } = scene.world.emulator;
      const id = control.addFault({ match: { method: 'GET', path }, effect: { kind: 'answer', status: 404 } });
      await scene.annotate({ 'reconcile-at': 'now' });
      await scene.pass(minute);
      await scene.delete();
      await scene.pass(2 * minute);
      const isKept = (mine !== undefined && isDead(mine)) || (await scene.find()) !== undefined;
      scene.check('O3 no lost delete', isKept, () => 'the object was let go while its remote lives');
      control.removeFault(id);
      await scene.gone();
      scene.expectMade(1, 'a listing showed it all the time');
      scene.expectDead(mine, 'it was only hidden');
    },
  },
  {
    id: 'deleted-while-its-name-is-elsewhere',
    fits: (reference) =>
      anyCollection(reference) &&
      reference.scenario.kind.key?.enforced === 'counted' &&
      createCallOf(reference)?.body['label'] !== undefined &&
      reference.scenario.kind.fields['label']?.immutable !== true,
    play: async (scene) => {
      await isThere(scene);
      const [mine] = scene.alive();
      if (mine === undefined) return;
      await scene.annotate({ pause: 'true' });
      await scene.outside({ method: 'PUT', path: `/v4${scene.pathOf(mine)}`, body: { label: 'renamed' } });
      const stranger = await scene.plant();
      await scene.delete();
      await scene.annotate({ pause: null });
      await scene.gone();
      scene.expectDead(mine, 'its id was known');
      scene.expectAlive(stranger, 'it only had the name');
    },
  },
  {
    id: 'the-delete-is-refused-for-a-while',
    fits: anyCollection,
    play: async (scene) => {
      await isThere(scene);
      const [mine] = scene.alive();
      const { control } = scene.world.emulator;
      if (mine === undefined) return;
      const { method, path } = scene.endOf(mine);
      const id = control.addFault({ match: { method, path }, effect: { kind: 'answer', status: 403 } });
      await scene.delete();
      await scene.pass(20 * minute);
      scene.check('O3 no lost delete', (await scene.find()) !== undefined, () => 'the object was let go after a refusal');
      control.removeFault(id);
      await scene.gone(scene.subject.name, 70 * minute);
      scene.expectDead(mine, 'the refusal has passed');
    },
  },
  {
    id: 'deleted-while-its-create-is-under-way',
    fits: anyCollection,
    play: async (scene) => {
      const call = scene.reference.steps.find(({ server, shape }) => server === 'cloud' && shape.startsWith('POST'));
      if (call === undefined) return;
      const { control } = scene.world.emulator;
      scene.stage.wire.arm(hits(call), (passage, backend) => {
        control.addFault({ match: {}, times: 1, effect: { kind: 'commit-late', seconds: 40 } });
        void scene.delete();
        return pass(passage, backend);
      });
      await scene.apply();
      if (isForAPerson(scene.reference)) await isDeletedByHand(scene);
      await scene.gone();
      await scene.pass(5 * minute);
      scene.check('O2 no orphan', scene.alive().length === 0, () => `${scene.alive().length} are left of an object that is gone`);
    },
  },
  {
    id: 'the-grant-is-taken-away',
    restricted: true,
    fits: anyCollection,
    play: async (scene) => {
      await isThere(scene);
      const [mine] = scene.alive();
      if (mine === undefined) return;
      const path = scene.pathOf(mine);
      const { control } = scene.world.emulator;
      const none = JSON.stringify({ data: [], page: 1, pages: 1, results: 0 });
      const item = control.addFault({ match: { method: 'GET', path }, effect: { kind: 'answer', status: 404 } });
      const collection = createCallOf(scene.reference)?.path.replace(/^\/v4/, '') ?? '';
      const list = control.addFault({ match: { method: 'GET', path: collection }, effect: { kind: 'answer', status: 200, body: none } });
      await scene.delete();
      await scene.pass(20 * minute);
      const isKept = isDead(mine) || (await scene.find()) !== undefined;
      scene.check('O3 no lost delete', isKept, () => 'the object was let go while its remote lives');
      for (const id of [item, list]) control.removeFault(id);
      await scene.gone(scene.subject.name, 70 * minute);
      scene.expectDead(mine, 'it can be seen again');
    },
  },
  {
    id: 'the-leader-stands-still-after-its-intent',
    standby: true,
    fits: anyCollection,
    play: async (scene) => {
      const written = scene.reference.steps.find(({ server, shape }) => server === 'kube' && shape.includes(' intent'));
      if (written === undefined) return;
      scene.stage.wire.arm(hits(written), freezeAtCommit(scene.stage, 4 * minute));
      await scene.apply();
      // Of what is sent once nobody but a person can know that it never was.
      const once = scene.reference.scenario.kind.attempts === 1;
      if (once) await scene.pass(30 * minute);
      else await scene.ready();
      await scene.pass(5 * minute);
      scene.expectMade(once ? 0 : 1, 'who has lost the lease sends nothing');
      if (once) await scene.expectReason(['UnknownOutcome']);
    },
  },
];
