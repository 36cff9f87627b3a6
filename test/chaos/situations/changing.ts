import type { LedgerObject } from '../../emulator/core/ledger.ts';
import type { Row } from '../../../src/resource/index.ts';
import { isReady } from '../stage/readiness.ts';
import { asMade } from '../../support/samples/as-made.ts';
import type { Reference } from '../run/reference.ts';
import { canBeEdited, frozenEdit, isMadeWithoutTags, isTold, managedChange, managedEdit, recordedEdit } from './recorded.ts';
import { minute, type Scene } from './scene.ts';
import { anyCollection, type Situation } from './situation.ts';

const shown = (life: LedgerObject | undefined): string => {
  const { updated: _, ...row } = asMade(life?.collection ?? '', { ...life?.row });
  return JSON.stringify(row);
};

interface Outside {
  readonly mine: LedgerObject;
  readonly field: string;
  /** As the spec wants it. */
  readonly wanted: string;
  edit(): Promise<void>;
}

/** Ready, and at hand the edit that a colleague makes by the API. */
async function outsideOf(scene: Scene, change: Row = {}): Promise<Outside> {
  const { call, field } = await recordedEdit(scene.reference);
  const mine = await scene.atRest(change);
  return {
    mine,
    field,
    wanted: shown(mine),
    edit: () => scene.outside({ method: 'PUT', path: `/v4${scene.pathOf(mine)}`, body: call.body }),
  };
}
/** Where one user does both, nobody else can be named. */
const namesTheOther = ({ actor }: Scene, status: Row | undefined): boolean =>
  actor !== 'colleague' || JSON.stringify(status?.['lastCorrection'] ?? null).includes(actor);
const isRestored =
  ({ mine, wanted }: Outside) =>
  (): boolean =>
    shown(mine) === wanted;

/** The edit is recorded of one that was made with our tag, and would bring it to one without. */
const canBeEditedOutside = (reference: Reference): boolean => canBeEdited(reference) && !isMadeWithoutTags(reference);
/** No event names who has changed what no event tells of; a sweep finds it ('changed-outside-without-an-event'). */
const isToldOf = (reference: Reference): boolean =>
  canBeEditedOutside(reference) &&
  isTold(reference) &&
  reference.scenario.kind.events.some(({ actions, creates = [], deletes = [] }) =>
    actions.some((action) => ![...creates, ...deletes].includes(action)),
  );

export const changing: readonly Situation[] = [
  {
    id: 'changed-outside',
    fits: isToldOf,
    play: async (scene) => {
      const outside = await outsideOf(scene);
      await outside.edit();
      scene.check('the situation', !isRestored(outside)(), () => 'the edit changed nothing');
      scene.check(
        'O4 converges and stays',
        await scene.until(isRestored(outside), 2 * minute),
        () => 'an event told of it, and it was not put right within two minutes',
      );
      await scene.pass(minute);
      const { status } = await scene.world.get(scene.subject.kind, scene.subject.name);
      scene.check(
        'O8 truthful status',
        namesTheOther(scene, status),
        () => `the correction does not name who made the difference: ${JSON.stringify(status?.['lastCorrection'])}`,
      );
    },
  },
  {
    id: 'changed-outside-without-an-event',
    fits: canBeEditedOutside,
    play: async (scene) => {
      const outside = await outsideOf(scene);
      scene.world.emulator.control.addFault({ match: {}, effect: { kind: 'lost' } });
      await outside.edit();
      scene.check('O4 converges and stays', await scene.until(isRestored(outside), 12 * minute), () => 'no sweep has found it');
    },
  },
  {
    id: 'changed-while-the-operator-was-away',
    fits: isToldOf,
    play: async (scene) => {
      const outside = await outsideOf(scene);
      const from = scene.world.clock.monotonic();
      for (const operator of scene.stage.operators) scene.stage.kill(operator);
      await outside.edit();
      await scene.until(isRestored(outside), 10 * minute);
      await scene.pass(2 * minute);
      const { status } = await scene.world.get(scene.subject.kind, scene.subject.name);
      scene.check(
        'O8 truthful status',
        namesTheOther(scene, status),
        () => `events since ${from} were not read: ${JSON.stringify(status?.['lastCorrection'])}`,
      );
    },
  },
  ...(['Report', 'Ignore'] as const).map((drift): Situation => ({
    id: `changed-outside-under-${drift}`,
    fits: canBeEdited,
    play: async (scene) => {
      const outside = await outsideOf(scene, { lifecycle: { drift } });
      const changes = scene.watchChanges();
      await outside.edit();
      await scene.pass(20 * minute);
      scene.expectNoChange(changes, `lifecycle.drift is ${drift}`);
      if (drift === 'Report') await scene.expectReason(['DriftReported']);
    },
  })),
  {
    id: 'an-ignored-field-is-changed',
    fits: canBeEdited,
    play: async (scene) => {
      const { field } = await recordedEdit(scene.reference);
      const outside = await outsideOf(scene, { lifecycle: { ignoreFields: [field] } });
      const changes = scene.watchChanges();
      await outside.edit();
      await scene.pass(20 * minute);
      scene.expectNoChange(changes, 'lifecycle.ignoreFields names the field');
    },
  },
  {
    id: 'somebody-keeps-changing-it',
    fits: canBeEdited,
    play: async (scene) => {
      const outside = await outsideOf(scene);
      const changes = scene.watchChanges();
      for (let round = 0; round < 8; round += 1) {
        await outside.edit();
        await scene.pass(5 * minute);
      }
      scene.check('O7 no hot loop', changes().length <= 4, () => `it was corrected ${changes().length} times within 40 minutes`);
      await scene.expectReason(['Contested']);
    },
  },
  {
    id: 'the-account-becomes-read-only',
    fits: canBeEdited,
    play: async (scene) => {
      const outside = await outsideOf(scene);
      await scene.patchAccount({ spec: { mode: 'ReadOnly' } });
      await scene.pass(minute);
      const changes = scene.watchChanges();
      await outside.edit();
      await scene.apply({}, 'second');
      await scene.pass(10 * minute);
      await scene.delete();
      await scene.pass(10 * minute);
      scene.expectNoChange(changes, 'the account is ReadOnly');
      scene.expectAlive(outside.mine, 'the account is ReadOnly');
    },
  },
  {
    id: 'a-change-is-to-be-approved',
    fits: canBeEdited,
    play: async (scene) => {
      await scene.apply({});
      await scene.ready();
      const changes = scene.watchChanges();
      await scene.apply({ ...managedChange(scene.reference), lifecycle: { approve: [] } });
      await scene.pass(5 * minute);
      await scene.expectReason(['ApprovalRequired']);
      await scene.annotate({ approve: 'another-hash' });
      await scene.pass(5 * minute);
      scene.expectNoChange(changes, 'nobody has approved it');
      const { hash = '' } = ((await scene.find())?.status?.['plan'] ?? {}) as { hash?: string };
      await scene.annotate({ approve: hash });
      await scene.ready();
      scene.check('O4 converges and stays', changes().length > 0, () => 'what was approved was not done');
    },
  },
  {
    id: 'replaced-where-that-is-allowed',
    fits: (reference) => anyCollection(reference) && frozenEdit(reference) !== undefined,
    play: async (scene) => {
      const { field = '', to, spec } = frozenEdit(scene.reference) ?? {};
      const lifecycle = { replace: 'Allow' };
      await scene.apply({ lifecycle });
      await scene.ready();
      await scene.apply({ [field]: spec ?? to, lifecycle });
      await scene.ready();
      scene.expectMade(2, 'lifecycle.replace is Allow, and Replace is approved');
      scene.check('O2 no orphan', scene.alive().length === 1, () => `${scene.alive().length} live`);
    },
  },
  ...(['', '-although-it-takes-long'] as const).map((how): Situation => ({
    id: `ready-means-applied${how}`,
    fits: canBeEdited,
    play: async (scene) => {
      const edit = managedEdit(scene.reference);
      await scene.apply();
      await scene.ready();
      const [mine] = scene.alive();
      const trouble = { match: { method: 'PUT' }, times: 4, effect: { kind: 'answer', status: 503 } } as const;
      if (how !== '') scene.world.emulator.control.addFault(trouble);
      await scene.apply(managedChange(scene.reference));
      await scene.until(async () => isReady(await scene.find()), 30 * minute);
      const then = shown(mine);
      await scene.pass(10 * minute);
      scene.check('O8 truthful status', shown(mine) === then, () => `it was Ready before the edit of ${edit?.field} was in the account`);
    },
  })),
];
