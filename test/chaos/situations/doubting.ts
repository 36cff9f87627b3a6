import { isUndated } from '../../../src/engine/identity/candidates.ts';
import { installationTagPrefix } from '../../../src/engine/model/identity.ts';
import { placesOf } from '../../../src/resource/index.ts';
import type { Effect } from '../../emulator/core/faults.ts';
import type { Reference } from '../run/reference.ts';
import { carriesOwnerKey, comesLater, createCallOf, hasTags, takesOver, takesTwoAtOnce } from './recorded.ts';
import { minute, type Planting, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

/** The user whose token the operator has: people may use it, too. */
const ownUser = 'admin';
const isOfKey =
  (enforced: string) =>
  (reference: Reference): boolean =>
    anyCollection(reference) && reference.scenario.kind.key?.enforced === enforced && createCallOf(reference) !== undefined;

export function strikeCreate(scene: Scene, effect: Effect, times = 1): void {
  const path = createCallOf(scene.reference)?.path.replace(/^\/v4/, '') ?? '';
  scene.world.emulator.control.addFault({ match: { method: 'POST', path }, times, effect });
}
/** Waits until the operator has sent what the faults are for; a situation that never came about proves nothing. */
export async function struck(scene: Scene, limit = minute): Promise<void> {
  const done = await scene.until(() => scene.world.emulator.control.faults().every(({ hits }) => hits > 0), limit);
  scene.check('the situation', done, () => `the call that a fault waits for was not sent within ${limit / minute} minutes`);
}
function lag(scene: Scene, seconds: number): void {
  scene.world.emulator.control.setKnobs({ listLagSeconds: seconds, filterLagSeconds: seconds });
}
export const onlyPosts = (scene: Scene): (() => void) => {
  const changes = scene.watchChanges();
  return () =>
    scene.check(
      'O5 no wrong victim',
      !changes().some(({ request }) => request.method !== 'POST'),
      () => 'what somebody else made was written or deleted',
    );
};

/** What the service would make beside one in other letters is looked for first, so nothing is sent where there is one. */
const looksFirst = ({ scenario: { kind } }: Reference): boolean => kind.key?.enforced === 'unique' && kind.key.anyLetters === true;
const isUnlabelled =
  (enforced: string) =>
  (reference: Reference): boolean =>
    isOfKey(enforced)(reference) && !carriesOwnerKey(reference) && !looksFirst(reference);

/** Nothing refuses a second one, nothing in it says for which object it was made, and it is sent again. */
export const doubtful = (reference: Reference): boolean =>
  isUnlabelled('counted')(reference) && reference.scenario.kind.attempts === undefined && !takesOver(reference);

/** No row and no event tells who made it, and when: what there is after a create without an answer is for a person. */
export const isForAPerson = (reference: Reference): boolean =>
  anyCollection(reference) && isUndated(reference.scenario.kind) && !carriesOwnerKey(reference) && !takesOver(reference);
/** The object goes; where nobody can tell whose the other one is, a person says that it is not this object's. */
export async function goesAlone(scene: Scene): Promise<void> {
  await scene.delete();
  if (isForAPerson(scene.reference)) await scene.annotate({ recreate: '2026-01-01T12:00:00Z' });
  await scene.gone();
}

/** Events of what is below a parent name the parent alone, those of a profile nothing at all. */
function isNamedByEvents(reference: Reference): boolean {
  const { kind } = reference.scenario;
  const told = kind.events.some(({ creates = [] }) => creates.length > 0);
  const named = placesOf(kind).length > 0 && kind.accountLevel !== true && told;
  return named && anyCollection(reference) && !carriesOwnerKey(reference);
}

/** A person can copy the installation's tag, too: then only user and time tell whose a thing is. */
const ourTags = ({ reference }: Scene): readonly string[] =>
  ((createCallOf(reference)?.body['tags'] ?? []) as readonly string[]).filter((tag) => tag.startsWith(installationTagPrefix));

async function anOlderOne(scene: Scene, planting: Planting): Promise<void> {
  const older = await scene.plant(planting);
  const check = onlyPosts(scene);
  strikeCreate(scene, { kind: 'lose-request' });
  await scene.apply();
  await struck(scene);
  await scene.pass(10 * minute);
  await scene.delete();
  await scene.gone();
  check();
  scene.expectAlive(older, 'it was there long before the create was sent');
}

/** `eventLate`: seconds by which its event is read later than itself. */
async function oneComes(scene: Scene, planting: Planting, eventLate = 0): Promise<void> {
  lag(scene, eventLate > 0 ? 0 : 3);
  strikeCreate(scene, { kind: 'lose-request' });
  await scene.apply();
  await struck(scene);
  const check = onlyPosts(scene);
  if (eventLate > 0) scene.world.emulator.control.addFault({ match: {}, times: 1, effect: { kind: 'late', seconds: eventLate } });
  const from = scene.stage.wire.record.length;
  const theirs = await scene.plant({ ...planting, fresh: true });
  await scene.pass(minute / 2);
  checkPolls(scene, from);
  await scene.pass(12.5 * minute);
  await scene.delete();
  await scene.gone();
  check();
  scene.expectAlive(theirs, 'its event names somebody else');
}
/** The event of what was made, by whomever, is what the doubt ends with: half a minute has ten polls at least. */
function checkPolls(scene: Scene, from: number): void {
  const polls = scene.passages(from).filter(({ request }) => request.path.includes('/account/events')).length;
  scene.check('O4 converges and stays', polls >= 10, () => `events were asked for ${polls} times in half a minute of doubt`);
}

/** A create of unknown outcome, while other things of the same name are or were there. */
export const doubting: readonly Situation[] = [
  {
    id: 'two-creates-are-in-doubt',
    fits: (reference) => isOfKey('counted')(reference) && carriesOwnerKey(reference),
    play: async (scene) => {
      lag(scene, 59);
      strikeCreate(scene, { kind: 'commit-late', seconds: 59 }, 2);
      await scene.apply();
      await scene.pass(7000);
      await scene.apply({}, 'second');
      await scene.ready();
      await scene.ready('second');
      scene.expectMade(2, 'each was sent once, and came true within the bounds');
    },
  },
  {
    id: 'an-older-namesake-and-a-lost-request',
    fits: isUnlabelled('unique'),
    play: (scene) => anOlderOne(scene, { username: ownUser }),
  },
  {
    id: 'an-older-copy-and-a-lost-request',
    fits: (reference) => isUnlabelled('unique')(reference) && hasTags(reference),
    play: (scene) => anOlderOne(scene, { username: ownUser, tags: ourTags(scene) }),
  },
  {
    id: 'a-late-create-shows-when-the-next-is-refused',
    // Of what is still being made no next one is sent.
    fits: (reference) => isOfKey('unique')(reference) && !comesLater(reference),
    play: async (scene) => {
      lag(scene, 600);
      strikeCreate(scene, { kind: 'commit-late', seconds: 59 });
      await scene.apply();
      await struck(scene);
      strikeCreate(scene, { kind: 'delay', seconds: 15, before: true });
      await struck(scene, 10 * minute);
      lag(scene, 0);
      await scene.ready();
      scene.expectMade(1, 'the second was refused because of the first');
    },
  },
  {
    id: 'a-namesake-comes-while-in-doubt',
    fits: isNamedByEvents,
    play: (scene) => oneComes(scene, {}),
  },
  {
    id: 'a-copy-comes-while-in-doubt',
    fits: (reference) => isNamedByEvents(reference) && hasTags(reference),
    play: (scene) => oneComes(scene, { tags: ourTags(scene) }),
  },
  {
    id: 'a-copy-comes-while-in-doubt-and-its-event-late',
    fits: (reference) => isNamedByEvents(reference) && hasTags(reference),
    play: (scene) => oneComes(scene, { tags: ourTags(scene) }, 10),
  },
  {
    id: 'a-namesake-comes-while-in-doubt-and-nothing-tells-whose-it-is',
    fits: isForAPerson,
    play: async (scene) => {
      strikeCreate(scene, { kind: 'lose-request' });
      await scene.apply();
      await struck(scene);
      const check = onlyPosts(scene);
      const theirs = await scene.plant({ fresh: true });
      await scene.pass(13 * minute);
      await scene.expectReason(['Ambiguous']);
      await scene.delete();
      await scene.pass(40 * minute);
      if ((await scene.find()) !== undefined) await scene.annotate({ recreate: '2026-01-01T12:00:00Z' });
      await scene.gone();
      check();
      scene.expectAlive(theirs, 'nothing proves it to be our own');
    },
  },
  {
    id: 'two-namesakes-come-while-in-doubt',
    // Jobs of one instance are serial: of two disks at once the second is refused.
    fits: (reference) => isOfKey('counted')(reference) && takesTwoAtOnce(reference) && reference.scenario.kind.parentPower === undefined,
    play: async (scene) => {
      strikeCreate(scene, { kind: 'lose-request' });
      await scene.apply();
      await struck(scene);
      const check = onlyPosts(scene);
      await Promise.all([scene.plant({ username: ownUser, fresh: true }), scene.plant({ username: ownUser, fresh: true })]);
      await scene.pass(5 * minute);
      check();
      // Where each attempt has a label of its own, neither is taken for what it made.
      await scene.expectReason([scene.reference.scenario.kind.label?.nonce === true ? 'AlreadyExists' : 'Ambiguous']);
    },
  },
  {
    id: 'what-is-sent-once-got-lost',
    fits: (reference) => anyCollection(reference) && reference.scenario.kind.attempts === 1,
    play: async (scene) => {
      strikeCreate(scene, { kind: 'lose-request' });
      const sent = scene.watchChanges();
      const expectSent = (count: number, why: string): void =>
        scene.check('O1 no duplicate', sent().length === count, () => `${sent().length} were sent, ${count} should have been: ${why}`);
      await scene.apply();
      await struck(scene);
      for (const operator of scene.stage.operators) scene.stage.kill(operator);
      await scene.pass(40 * minute);
      await scene.expectReason(['UnknownOutcome']);
      await scene.annotate({ 'reconcile-at': 'now' });
      await scene.pass(10 * minute);
      expectSent(1, 'a second one would do harm, and nobody asked for it');
      strikeCreate(scene, { kind: 'lose-request' });
      await scene.annotate({ recreate: '2026-01-01T12:00:00Z' });
      await scene.pass(40 * minute);
      for (const operator of scene.stage.operators) scene.stage.kill(operator);
      await scene.pass(40 * minute);
      expectSent(2, 'each value of the annotation allows one');
      await scene.annotate({ recreate: '2026-01-02T12:00:00Z' });
      await scene.ready();
      scene.expectMade(1, 'the third was answered');
    },
  },
  {
    id: 'refused-and-deleted',
    fits: (reference) => anyCollection(reference) && createCallOf(reference) !== undefined,
    play: async (scene) => {
      strikeCreate(scene, { kind: 'answer', status: 400, body: '{"errors":[{"reason":"This is refused."}]}' });
      await scene.apply();
      await scene.until(async () => (await scene.condition('Stalled'))?.status === 'True', minute);
      await scene.expectReason(['Rejected']);
      await scene.delete();
      await scene.gone(scene.subject.name, minute / 2);
      scene.expectMade(0, 'its only create was refused');
    },
  },
];
