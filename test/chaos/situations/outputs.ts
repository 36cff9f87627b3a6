import { canonical } from '../../../src/engine/model/values.ts';
import type { Row } from '../../../src/resource/index.ts';
import { borrowedIn, givenOut, plainOutput } from '../../support/samples/given-out.ts';
import type { Reference } from '../run/reference.ts';
import { dieAtCommit, dieInTransit } from '../stage/strike.ts';
import type { Carry, Passage } from '../stage/wire.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const target = 'outputs';
const at = `/api/v1/namespaces/team-a/configmaps`;
/** Secrets and ConfigMaps are looked after every five minutes. */
const looked = 6 * minute;
const theirs = { 'theirs.conf': 'as they wrote it' };

const gives = (reference: Reference): boolean => anyCollection(reference) && Object.keys(plainOutput(reference.scenario.kind)).length > 0;
const wish = ({ reference: { scenario } }: Scene, configMapName = target): Row => ({
  outputs: [{ configMapName, keys: plainOutput(scenario.kind) }],
});

async function dataOf(scene: Scene, name = target): Promise<Row | undefined> {
  const { status, body } = await scene.world.server.as('admin', 'GET', `${at}/${name}`);
  return status === 404 ? undefined : ((body as { readonly data?: Row }).data ?? {});
}
/** It holds exactly what the account shows. */
async function expectWhole(scene: Scene, why: string, { of = scene.subject.name, name = target } = {}): Promise<void> {
  const { kind, needs } = scene.reference.scenario;
  const { path = '' } = ((await scene.find(of))?.status ?? {}) as { readonly path?: string };
  const borrowed = await borrowedIn(scene.world, kind, needs);
  const { data: should } = await givenOut(scene.world, { kind, path, keys: plainOutput(kind), borrowed });
  const has = await dataOf(scene, name);
  scene.check('O4 converges and stays', canonical(has) === canonical(should), () => `${name} has ${canonical(has)}: ${why}`);
}
const isWrite =
  (method: string) =>
  ({ server, request }: Passage): boolean =>
    server === 'kube' && request.method === method && request.path.includes('/configmaps');

/** The write of the ConfigMap by this method is the last thing that a process does. */
async function killedAt(scene: Scene, method: 'POST' | 'PATCH', carry: Carry): Promise<void> {
  scene.stage.wire.arm(isWrite(method), carry);
  if (method === 'PATCH') {
    await scene.atRest(wish(scene));
    await scene.apply(wish(scene, 'another'));
  } else await scene.apply(wish(scene));
  await scene.until(() => scene.stage.wire.struck > 0, 30 * minute);
  scene.check('the situation', scene.stage.wire.struck > 0, () => `no ${method} of a ConfigMap was sent`);
  scene.stage.wire.disarm();
  await scene.pass(minute);
  await scene.ready();
  await scene.pass(looked);
}
const deaths = {
  'when-it-was-made': (scene) => killedAt(scene, 'POST', dieAtCommit(scene.stage)),
  'while-it-is-made': (scene) => killedAt(scene, 'POST', dieInTransit(scene.stage, 30_000)),
} satisfies Record<string, (scene: Scene) => Promise<void>>;

/** What an object gives out, and who else has a hand in where it goes. */
export const outputs: readonly Situation[] = [
  {
    id: 'a-configmap-of-somebody-else-has-the-name-of-the-outputs',
    fits: gives,
    play: async (scene) => {
      await scene.world.configMap(target, theirs);
      await scene.apply(wish(scene));
      await scene.pass(30 * minute);
      await scene.expectReason(['AlreadyExists']);
      const has = await dataOf(scene);
      scene.check(
        'O5 no wrong victim',
        canonical(has) === canonical(theirs),
        () => `the ConfigMap of somebody else is ${canonical(has)} now`,
      );
      await scene.world.admin('DELETE', `${at}/${target}`);
      await scene.ready(scene.subject.name, looked);
      await expectWhole(scene, 'its place is free');
    },
  },
  {
    id: 'the-configmap-of-the-outputs-is-lost-and-edited',
    fits: gives,
    play: async (scene) => {
      await scene.atRest(wish(scene));
      await expectWhole(scene, 'the object is Ready');
      await scene.world.admin('DELETE', `${at}/${target}`);
      await scene.pass(looked);
      await expectWhole(scene, 'it was lost');
      await scene.world.admin('PATCH', `${at}/${target}`, { data: { PLAIN_0: 'edited', more: 'x' } });
      await scene.pass(2 * looked);
      await expectWhole(scene, 'it was edited');
      await scene.delete();
      await scene.gone();
      await scene.pass(minute);
      const left = await dataOf(scene);
      scene.check('O2 no orphan', left === undefined, () => 'the ConfigMap outlives its object');
    },
  },
  ...Object.entries(deaths).map(([when, die]): Situation => ({
    id: `killed-${when}-the-configmap-of-the-outputs`,
    fits: gives,
    play: async (scene) => {
      await die(scene);
      await expectWhole(scene, 'a process died over it');
      await scene.apply();
      await scene.ready();
      await scene.pass(looked);
      const left = await dataOf(scene);
      scene.check('O4 converges and stays', canonical(left) === '{}', () => `${canonical(left)} is left there, and nothing asks for it`);
    },
  })),
  {
    id: 'killed-when-the-configmap-of-the-outputs-was-emptied',
    fits: gives,
    play: async (scene) => {
      await killedAt(scene, 'PATCH', dieAtCommit(scene.stage));
      await expectWhole(scene, 'it is the one that the spec names', { name: 'another' });
      const left = await dataOf(scene);
      scene.check('O4 converges and stays', canonical(left) === '{}', () => `${canonical(left)} is left in the old one`);
    },
  },
  {
    id: 'two-objects-want-one-configmap-for-their-outputs',
    fits: gives,
    play: async (scene) => {
      const other = 'younger';
      // Each has a name of its own in the account, derived from that of the object.
      const unnamed = { ...wish(scene), label: undefined };
      await scene.apply(unnamed);
      await scene.pass(2000);
      await scene.apply(unnamed, other);
      await scene.ready();
      await scene.pass(2 * looked);
      await scene.expectReason(['AlreadyExists'], other);
      await expectWhole(scene, 'the older has it');
      await scene.apply({ label: undefined });
      await scene.ready(other, 2 * looked);
      await expectWhole(scene, 'the older wants it no more', { of: other });
    },
  },
];
