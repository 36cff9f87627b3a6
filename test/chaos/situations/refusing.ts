import { canBeEdited, changedBy, managedChange, managedEdit, outsideEdits, recordedEdit } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const body = JSON.stringify({ errors: [{ reason: 'The service does not want this' }] });

/** Answers every call like this one so until it is removed. */
const refuse = (scene: Scene, method: string, path: string, status = 400): number =>
  scene.world.emulator.control.addFault({ match: { method, path }, effect: { kind: 'answer', status, ...(status === 400 && { body }) } });

async function touch(scene: Scene, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await scene.annotate({ approve: `touch-${n}` });
    await scene.pass(minute / 4);
  }
}

/** How often something has been sent since, and how often it should have been. */
function watch(scene: Scene, method: string): (count: number, why: string) => void {
  const changes = scene.watchChanges();
  return (count, why) => {
    const sent = changes().filter(({ request }) => request.method === method).length;
    scene.check('O7 bounded calls', sent === count, () => `${method} was sent ${sent} times, ${count} should have been: ${why}`);
  };
}

/** It is there, its edit is refused, and was sent once. */
async function refusedEdit(scene: Scene, status?: number): Promise<(count: number, why: string) => void> {
  const path = scene.pathOf(await scene.atRest());
  const expectSent = watch(scene, 'PUT');
  refuse(scene, 'PUT', path, status);
  await scene.apply(managedChange(scene.reference));
  await scene.pass(minute);
  return expectSent;
}

/** It is there, its deletion is refused, and was sent once. */
async function refusedDeletion(
  scene: Scene,
): Promise<{ readonly path: string; readonly expectSent: (count: number, why: string) => void }> {
  const mine = await scene.atRest();
  // What the service itself changes of a new one, such as a monitor's state, has been listed by then.
  await scene.pass(6 * minute);
  const { method, path: at } = scene.endOf(mine);
  const expectSent = watch(scene, method);
  refuse(scene, method, at);
  await scene.delete();
  await scene.pass(minute);
  return { path: scene.pathOf(mine), expectSent };
}

/** What was refused is sent again for a reason, and for nothing else. */
export const refusing: readonly Situation[] = [
  {
    id: 'a-refused-change-is-touched',
    fits: canBeEdited,
    play: async (scene) => {
      const expectSent = await refusedEdit(scene);
      await touch(scene, 10);
      await scene.pass(10 * minute);
      expectSent(1, 'it was refused, and only touched and swept since');
      await scene.annotate({ 'reconcile-at': 'now' });
      await scene.pass(minute);
      expectSent(2, 'a person asked for it');
      scene.world.emulator.control.clearFaults();
      await scene.ready(scene.subject.name, 70 * minute);
    },
  },
  {
    id: 'a-refused-change-becomes-another',
    fits: (reference) => canBeEdited(reference) && otherEdit(reference) !== undefined,
    play: async (scene) => {
      const other = otherEdit(scene.reference);
      const expectSent = await refusedEdit(scene);
      const first = managedChange(scene.reference);
      await scene.apply({ ...first, lifecycle: { protect: true } });
      await scene.pass(minute);
      expectSent(1, 'the same is asked for');
      await scene.apply({ ...(other && changedBy(other)), ...first });
      await scene.pass(minute);
      expectSent(2, 'something else is asked for');
    },
  },
  {
    id: 'a-refused-change-meets-another-token',
    fits: canBeEdited,
    play: async (scene) => {
      const expectSent = await refusedEdit(scene, 403);
      await touch(scene, 4);
      expectSent(1, 'the token may do what it could before');
      const token = 'token-with-fewer-scopes';
      const { write, read } = scene.reference.scenario.kind.scopes;
      const scopes = ['account:read_only', 'events:read_only', ...read, ...write].join(' ');
      scene.world.emulator.control.setToken({ token, username: 'admin', scopes });
      const data = { token: Buffer.from(token).toString('base64') };
      await scene.world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data });
      await scene.pass(3 * minute);
      expectSent(2, 'the token may do something else');
    },
  },
  {
    id: 'a-change-is-answered-and-does-not-come-about',
    fits: canBeEdited,
    play: async (scene) => {
      const mine = await scene.atRest();
      const changes = scene.watchChanges();
      const { control } = scene.world.emulator;
      const effect = { kind: 'answer', status: 200, body: JSON.stringify(mine.row) } as const;
      control.addFault({ match: { method: 'PUT', path: scene.pathOf(mine) }, effect });
      await scene.apply(managedChange(scene.reference));
      await scene.pass(10 * minute);
      const sent = changes().length;
      // After 30 s, and each time twice as long.
      scene.check('O7 bounded calls', sent > 1 && sent <= 6, () => `it was sent ${sent} times within ten minutes`);
      control.clearFaults();
      await scene.ready(scene.subject.name, 70 * minute);
    },
  },
  {
    id: 'a-refused-deletion-is-touched',
    fits: anyCollection,
    play: async (scene) => {
      const { expectSent } = await refusedDeletion(scene);
      await touch(scene, 10);
      await scene.pass(10 * minute);
      expectSent(1, 'it was refused, and only touched and swept since');
      scene.world.emulator.control.clearFaults();
      await scene.annotate({ 'reconcile-at': 'now' });
      await scene.gone();
      expectSent(2, 'a person asked for it');
    },
  },
  {
    id: 'a-refused-deletion-and-the-remote-is-changed',
    fits: canBeEdited,
    play: async (scene) => {
      const { path, expectSent } = await refusedDeletion(scene);
      const { call } = await recordedEdit(scene.reference);
      expectSent(1, 'it was refused');
      await scene.outside({ method: 'PUT', path: `/v4${path}`, body: call.body });
      await scene.pass(7 * minute);
      expectSent(2, 'what is to be deleted is another now');
    },
  },
  {
    id: 'a-deletion-without-an-answer-is-asked-for-again',
    fits: anyCollection,
    play: async (scene) => {
      const { method, path } = scene.endOf(await scene.atRest());
      const expectSent = watch(scene, method);
      scene.world.emulator.control.addFault({ match: { method, path }, times: 1, effect: { kind: 'lose-request' } });
      await scene.delete();
      for (const at of ['1', '2', '3', '4']) {
        await scene.pass(minute / 6);
        if ((await scene.find()) !== undefined) await scene.annotate({ 'reconcile-at': at });
      }
      expectSent(1, 'it may come about for a minute');
      await scene.gone();
    },
  },
];

/** A second edit by one PUT, of another field, which refers to nothing that is not there. */
const otherEdit = (reference: Scene['reference']): ReturnType<typeof managedEdit> =>
  outsideEdits(reference).find(
    ({ field, scenario }) => field !== managedEdit(reference)?.field && scenario.needs.length <= reference.scenario.needs.length,
  );
