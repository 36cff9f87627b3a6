import { isListed } from '../../../src/resource/index.ts';
import { serveOlderCrd } from '../../support/world/served-crd.ts';
import { isReady } from '../stage/readiness.ts';
import { tokenCanary } from '../scenario/scenario.ts';
import { alone } from './leaving.ts';
import { carriesOwnerKey, createCallOf } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const other = 'B2C04D11-93A7-4E0C-9F21D07A55E1C3B8';
const secret = '/api/v1/namespaces/team-a/secrets/cloud-token';

const writesTo = (scene: Scene, euuid: string): readonly string[] =>
  scene.world.emulator.control
    .requests()
    .flatMap((one) => (one.euuid === euuid && one.method !== 'GET' ? [`${one.method} ${one.path}`] : []));

/** Calls to the account's API that name this item, and writes of its object. */
const disturbances = (scene: Scene, from: number, path: string): readonly string[] =>
  scene.passages(from).flatMap(({ server, shape, request }) => {
    const writes =
      server === 'kube' && request.method !== 'GET' && /cloud[a-z]+s\//.test(request.path) && !request.path.includes('cloudaccounts');
    return writes || (server === 'cloud' && request.path.includes(path)) ? [shape] : [];
  });

export const accounts: readonly Situation[] = [
  {
    id: 'the-token-leads-to-another-account',
    fits: anyCollection,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      await scene.world.admin('PATCH', secret, { data: { token: Buffer.from('token-other').toString('base64') } });
      await scene.pass(3 * minute);
      await scene.apply({}, 'second');
      await scene.delete();
      await scene.pass(10 * minute);
      const writes = writesTo(scene, other);
      scene.check('O5 no wrong victim', writes.length === 0, () => `the other account was written: ${writes.join(', ')}`);
      scene.expectAlive(scene.made()[0], 'it cannot be deleted with a token of another account');
      scene.check('O3 no lost delete', (await scene.find()) !== undefined, () => 'the object was let go while its remote lives');
      await scene.world.admin('PATCH', secret, { data: { token: Buffer.from(tokenCanary).toString('base64') } });
      await scene.gone();
      scene.expectDead(scene.made()[0], 'the right token is back');
    },
  },
  {
    id: 'the-operator-starts-with-a-token-of-another-account',
    fits: anyCollection,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      await scene.pass(2 * minute);
      await scene.world.admin('PATCH', secret, { data: { token: Buffer.from('token-other').toString('base64') } });
      for (const operator of scene.stage.operators) scene.stage.kill(operator);
      await scene.apply({}, 'second');
      await scene.pass(15 * minute);
      const writes = writesTo(scene, other);
      scene.check('O5 no wrong victim', writes.length === 0, () => `the other account was written: ${writes.join(', ')}`);
      const ready = (await scene.world.get('CloudAccount', 'default')).status?.conditions?.find(({ type }) => type === 'Stalled');
      scene.check('O8 truthful status', ready?.reason === 'AccountMismatch', () => `the account says ${ready?.reason}`);
    },
  },
  {
    id: 'the-token-is-replaced-by-one-that-is-not-valid',
    fits: anyCollection,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      await scene.world.admin('PATCH', secret, { data: { token: Buffer.from('no-such-token').toString('base64') } });
      await scene.pass(90_000);
      const changes = scene.watchChanges();
      await scene.delete();
      await scene.apply({}, 'second');
      await scene.pass(10 * minute);
      scene.expectNoChange(changes, 'its token was replaced a minute and a half ago, and the new one is not valid');
      const said = (await scene.world.get('CloudAccount', 'default')).status?.conditions?.find(({ type }) => type === 'Synced')?.reason;
      scene.check('O8 truthful status', said === 'Unauthorized', () => `the account says ${said}`);
      await scene.world.admin('PATCH', secret, { data: { token: Buffer.from(tokenCanary).toString('base64') } });
      await scene.gone();
      scene.expectDead(scene.made()[0], 'a valid token is there again');
    },
  },
  {
    id: 'throttled-with-a-time',
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined,
    play: async (scene) => {
      const path = createCallOf(scene.reference)?.path.replace(/^\/v4/, '') ?? '';
      const effect = { kind: 'answer', status: 429, headers: { 'retry-after': '120' } } as const;
      scene.world.emulator.control.addFault({ match: { method: 'POST', path }, times: 1, effect });
      await scene.apply();
      await scene.pass(5000);
      // Another object must wait for that time, too.
      const two = carriesOwnerKey(scene.reference);
      if (two) await scene.apply(alone(scene), 'second');
      const said = new Set<string>();
      await scene.until(async () => {
        const object = await scene.find();
        for (const { reason } of object?.status?.conditions ?? []) said.add(reason);
        return isReady(object);
      }, 30 * minute);
      const [first, second] = scene
        .passages()
        .filter(({ server, request }) => server === 'cloud' && request.method === 'POST' && request.path.endsWith(path));
      scene.check(
        'O9 limiter',
        (second?.at ?? Infinity) - (first?.at ?? 0) >= 120_000,
        () => `sent again after ${(second?.at ?? 0) - (first?.at ?? 0)} ms, where Retry-After said 120 s`,
      );
      scene.check('O8 truthful status', !said.has('Throttled'), () => 'waiting for the budget is said on an object');
      if (two) await scene.ready('second');
      scene.expectMade(two ? 2 : 1, 'it was throttled once');
    },
  },
  {
    id: 'at-rest',
    fits: (reference) => anyCollection(reference) && isListed(reference.scenario.kind) && reference.scenario.kind.parts === undefined,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      const [mine] = scene.alive();
      await scene.pass(10 * minute);
      const from = scene.stage.wire.record.length;
      await scene.pass(30 * minute);
      const found = disturbances(scene, from, mine === undefined ? 'nothing' : scene.pathOf(mine));
      scene.check(
        'O7 no hot loop',
        found.length === 0,
        () => `an object at rest costs ${found.length} calls in half an hour: ${[...new Set(found)].join(', ')}`,
      );
      const { metadata, status } = await scene.world.get(scene.subject.kind, scene.subject.name);
      scene.check(
        'O8 truthful status',
        status?.['observedGeneration'] === metadata.generation,
        () => 'observedGeneration is not the generation',
      );
    },
  },
  {
    id: 'the-CRD-is-of-another-version',
    fits: anyCollection,
    play: async (scene) => {
      for (const operator of scene.stage.operators) scene.stage.kill(operator);
      await serveOlderCrd(scene.world, scene.subject.kind);
      await scene.apply();
      await scene.pass(10 * minute);
      scene.expectMade(0, 'an older CRD silently drops fields');
      const stalled = (await scene.world.get('CloudAccount', 'default')).status?.conditions?.find(({ type }) => type === 'Stalled');
      scene.check('O8 truthful status', stalled?.reason === 'CRDMismatch', () => `the account says ${stalled?.reason}`);
    },
  },
];
