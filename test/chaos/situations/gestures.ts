import { asCollection, type Row } from '../../../src/resource/index.ts';
import { isReady } from '../stage/readiness.ts';
import { pass, type Passage } from '../stage/wire.ts';
import { alone } from './leaving.ts';
import { canBeEdited, createCallOf, frozenEdit, managedChange } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

/** More than what a replacement sends from its acceptance to the end. */
const mostSteps = 40;

interface Plan {
  readonly hash?: string;
  readonly content?: string;
  readonly approved?: object;
}
const planOf = async (scene: Scene, name?: string): Promise<Plan> => (await scene.find(name))?.status?.['plan'] ?? {};

/** Waits until the object asks, and answers. */
async function approve(scene: Scene, name?: string): Promise<void> {
  await scene.until(async () => (await planOf(scene, name)).hash !== undefined, 10 * minute);
  const { hash = '' } = await planOf(scene, name);
  await scene.annotate({ approve: hash }, name);
}

const isNoteOf = ({ request }: Passage, name: string): boolean =>
  request.method === 'PATCH' && request.path.includes(`/${name}/status`) && request.body.toString().includes('"approved"');

/** What is asked of the object, or of its kind in the account. */
function concerns({ reference }: Scene, { server, request }: Passage, name: string): boolean {
  return server === 'kube' ? request.path.includes(`/${name}`) : request.path.startsWith(createCallOf(reference)?.path ?? '/');
}

/** Right before the nth request of an operator after the acceptance was noted; false once there was no such request. */
function before(scene: Scene, name: string, nth: number, happens: () => Promise<unknown>): () => boolean {
  let [sent, isDone] = [-1, false];
  scene.stage.wire.arm(
    (passage) => {
      if (sent >= 0 && concerns(scene, passage, name)) sent += 1;
      else if (sent < 0 && isNoteOf(passage, name)) sent = 0;
      return !isDone && sent > nth;
    },
    async (passage, backend) => {
      isDone = true;
      scene.stage.wire.mark(`the approval of ${name} is taken away before ${passage.shape}`);
      await happens();
      return pass(passage, backend);
    },
    true,
  );
  return () => isDone;
}

type Loss = (scene: Scene, name: string) => Promise<unknown>;
const patch = (scene: Scene, name: string, path: string, change: unknown): Promise<unknown> =>
  scene.world.server.as('admin', 'PATCH', `${scene.world.path(scene.subject.kind, undefined, name)}${path}`, change);
/** What goes together with the approval. */
const losses: Readonly<Record<string, Loss>> = {
  alone: () => Promise.resolve(),
  'with-the-status': (scene, name) => patch(scene, name, '/status', [{ op: 'remove', path: '/status' }]),
  'with-all-annotations': (scene, name) => patch(scene, name, '', [{ op: 'remove', path: '/metadata/annotations' }]),
};

/** One object for each step of a replacement: what was deleted is made anew, whatever is taken away and when. */
async function replaceAll(scene: Scene, loss: Loss): Promise<void> {
  const { field = '', to, spec } = frozenEdit(scene.reference) ?? {};
  const lifecycle = { replace: 'Allow', approve: ['InPlace'], onMissing: 'Stall' };
  for (let nth = 0; nth < mostSteps; nth += 1) {
    const name = `member-${nth}`;
    await scene.apply({ ...alone(scene), lifecycle }, name);
    await scene.ready(name);
    const isDone = before(scene, name, nth, async () => {
      await scene.annotate({ approve: null }, name);
      await loss(scene, name);
    });
    await scene.apply({ ...alone(scene), [field]: spec ?? to, lifecycle }, name);
    await approve(scene, name);
    await scene.until(async () => isReady(await scene.find(name)) || isAsking(await scene.find(name)), 20 * minute);
    // Before anything was deleted a lost note is a question anew.
    if (isAsking(await scene.find(name))) await approve(scene, name);
    await scene.ready(name);
    scene.stage.wire.disarm();
    const alive = scene.alive().length;
    scene.check('O4 converges and stays', alive === 1, () => `${alive} live after the replacement of ${name}`);
    await scene.delete(name);
    await scene.gone(name);
    // Else these are too many deletions for one act.
    await scene.pass(11 * minute);
    if (!isDone()) return;
  }
  scene.check('O7 no hot loop', false, () => `a replacement sends more than ${mostSteps} requests`);
}

const isAsking = (object: Awaited<ReturnType<Scene['find']>>): boolean =>
  object?.status?.conditions?.some(({ reason }) => reason === 'ApprovalRequired') === true;

/** Applied as the sample is, and edited so that somebody is asked: not before, since what ends an import or a copy is a change, too. */
async function ask(scene: Scene): Promise<{ readonly there: Row; readonly back: Row }> {
  const change = managedChange(scene.reference);
  const lifecycle = { approve: [] };
  await scene.apply({});
  await scene.ready();
  const there = { ...change, lifecycle };
  await scene.apply(there);
  const before = Object.fromEntries(Object.keys(change).map((field) => [field, scene.subject.spec[field]]));
  return { there, back: { ...before, lifecycle } };
}

export const gestures: readonly Situation[] = [
  ...Object.entries(losses).map(([how, loss]): Situation => ({
    id: `the-approval-of-a-replacement-is-taken-away-${how}`,
    // A dozen of them at once, which not every place has room for.
    fits: (reference) =>
      anyCollection(reference) && frozenEdit(reference) !== undefined && asCollection(reference.scenario.kind)?.noRoom === undefined,
    play: (scene) => replaceAll(scene, loss),
  })),
  {
    id: 'an-approval-by-content-counts-once',
    fits: canBeEdited,
    play: async (scene) => {
      const { there, back } = await ask(scene);
      await scene.until(async () => (await planOf(scene)).content !== undefined, 10 * minute);
      const { content = '' } = await planOf(scene);
      await scene.annotate({ 'approve-change': `${content}.${scene.inDays(15)}` });
      const changes = scene.watchChanges();
      await scene.pass(5 * minute);
      scene.expectNoChange(changes, 'it ends more than 14 days ahead');
      await scene.annotate({ 'approve-change': `${content}.${scene.inDays(7)}` });
      await scene.ready();
      scene.check('O4 converges and stays', changes().length > 0, () => 'what was approved was not done');
      await scene.apply(back);
      await approve(scene);
      await scene.ready();
      const later = scene.watchChanges();
      await scene.apply(there);
      await scene.pass(10 * minute);
      scene.expectNoChange(later, 'the approval is spent');
      await scene.expectReason(['ApprovalRequired']);
    },
  },
  {
    id: 'an-approval-outlives-a-failed-try',
    fits: canBeEdited,
    play: async (scene) => {
      const { control } = scene.world.emulator;
      await ask(scene);
      control.addFault({ match: { username: 'admin', method: 'PUT' }, effect: { kind: 'answer', status: 500 } });
      await approve(scene);
      await scene.until(async () => (await planOf(scene)).approved !== undefined, 10 * minute);
      await scene.annotate({ approve: null });
      const changes = scene.watchChanges();
      await scene.pass(5 * minute);
      scene.check('the situation', changes().length > 0, () => 'nothing was tried');
      control.clearFaults();
      await scene.ready();
    },
  },
  {
    id: 'a-pause-with-an-end-outlives-its-annotation',
    fits: canBeEdited,
    play: async (scene) => {
      await scene.apply();
      await scene.ready();
      await scene.annotate({ pause: `until=${scene.inDays(1)};reason=incident` });
      await scene.until(async () => (await scene.find())?.status?.['paused'] !== undefined, 10 * minute);
      await scene.annotate({ pause: null });
      const changes = scene.watchChanges();
      await scene.apply(managedChange(scene.reference));
      await scene.pass(30 * minute);
      scene.expectNoChange(changes, 'it is paused until tomorrow');
      await scene.expectReason(['Paused']);
      await scene.annotate({ resume: 'now' });
      await scene.ready();
      scene.check('O4 converges and stays', changes().length > 0, () => 'it did not go on');
    },
  },
];
