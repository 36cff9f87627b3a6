import { plural } from '../../../src/generate/names.ts';
import { isToldOnce, type Row } from '../../../src/resource/index.ts';
import { serveOlderCrd } from '../../support/world/served-crd.ts';
import { accountTroubles } from '../families/meddled.ts';
import { answers } from '../families/bad-answers.ts';
import { actions } from '../families/kube-writes.ts';
import { mischiefsOf } from '../stage/mischief.ts';
import type { Reference } from '../run/reference.ts';
import { remoteOf } from '../stage/remote.ts';
import type { Manifest, Scenario } from '../scenario/scenario.ts';
import type { Stage } from '../stage/stage.ts';
import { type Step, stepId } from '../stage/step.ts';
import { hits, withAction, withEffect } from '../stage/strike.ts';
import { type Carry, pass, type Passage } from '../stage/wire.ts';
import type { Where } from './cast.ts';

/** Something that one object, one tenant or one kind suffers from for as long as its neighbours are looked at. */
export interface Trouble {
  readonly id: readonly string[];
  readonly where: Where;
  /** In the subject's place. */
  readonly subject?: Manifest;
  /**
   * A request must be struck by it; `unless-done`: if there is one. What is waited for is looked at as often as it takes, and who
   * lives beside it has it looked at sooner.
   */
  readonly strikes?: true | 'unless-done';
  before?(stage: Stage): void | Promise<void>;
  /** When the subject is as wanted. */
  whenReady?(stage: Stage): Promise<void>;
}

/** What is said of one call: refused, failing, silent, unreadable. */
const ofOneCall = ['400-busy', '403', '404', '500', 'timeout', 'malformed'];
const ofOneWrite = ['403', '409', '500'];
/** What the service says of the whole account when it says it of a call. */
export const accountWide: Readonly<Record<string, string>> = {
  401: 'the token is refused, and every object of the account lives by it',
  429: 'without a word on how long: nobody can tell whose it is, and its rate class rests for ten seconds',
  '429-after-30-s': 'the window of a whole rate class is used up, and every call of that class waits for it',
  '503-maintenance': 'the header says that all endpoints are in maintenance',
};
export const sharedRead = 'a listing, a catalogue or the event feed is read once for all objects: its failure is not the trouble of one';

/** Every step of a create or an update that is about this object alone, failing for good. */
export function callTroubles(reference: Reference): readonly Trouble[] {
  return reference.steps.flatMap((step) => {
    const isOwn = ownAt(reference, step);
    if (isOwn === undefined) return [];
    const carries = step.server === 'cloud' ? ofCloud : ofKube;
    const fitting = Object.entries(carries).filter(([name]) => name !== 'malformed' || !makesMore(reference, step));
    return fitting.map(([name, carry]): Trouble => ({
      id: [stepId(step), name],
      where: 'beside',
      strikes: step.nth > 1 && isOfAWait(step) ? 'unless-done' : true,
      before: (stage) => stage.wire.arm(isOwn(stage), carry(stage), true),
    }));
  });
}

/** What an unreadable answer told is lost, so another one is made each time: nobody could tell it from those of the neighbours. */
const makesMore = ({ scenario: { kind, subject } }: Reference, { shape, changes }: Step): boolean =>
  changes && shape.startsWith('POST') && isToldOnce(kind, subject.spec);

/** A look, or what it says of it. */
const isOfAWait = ({ server, shape, changes }: Step): boolean => !changes || (server === 'kube' && shape.endsWith('/status'));

/** Steps that no neighbour could be told from. */
export const sharedSteps = (reference: Reference): number =>
  reference.steps.filter((step) => step.server === 'cloud' && ownAt(reference, step) === undefined).length;

type Carries = Readonly<Record<string, (stage: Stage) => Carry>>;
const ofCloud: Carries = Object.fromEntries(
  ofOneCall.flatMap((name) => {
    const effect = answers[name];
    return effect === undefined ? [] : [[name, (stage: Stage) => withEffect(stage, effect)] as const];
  }),
);
const ofKube: Carries = Object.fromEntries(
  ofOneWrite.flatMap((name) => {
    const action = actions[name];
    return action === undefined ? [] : [[name, (stage: Stage) => withAction(stage, action)] as const];
  }),
);

/** Tells the subject's calls of this shape from those of its neighbours; undefined where they have them in common. */
function ownAt({ scenario, evidence }: Reference, step: Step): ((stage: Stage) => (passage: Passage) => boolean) | undefined {
  const recorded = evidence.passages.find(hits(step));
  const alike = (passage: Passage): boolean => passage.server === step.server && passage.shape === step.shape && passage.nth >= step.nth;
  const { kind, subject } = scenario;
  if (recorded === undefined) return undefined;
  if (step.server === 'kube') {
    const object = new RegExp(`/${plural(kind.kind)}/${subject.name}(?:[/?]|$)`);
    return object.test(recorded.request.path) ? () => (passage) => alike(passage) && object.test(passage.request.path) : undefined;
  }
  const { path } = (JSON.parse(evidence.status) ?? {}) as { path?: string };
  if (path !== undefined && isBelow(recorded.request.path, path))
    return (stage) => (passage) => alike(passage) && isBelow(passage.request.path, pathOf(stage) ?? path);
  return isTold(scenario, step, recorded) ? () => (passage) => alike(passage) && isSame(passage, recorded) : undefined;
}

/** By what it sends. Where the key only counts all are made by the same call. */
const isTold = ({ kind, operation }: Scenario, { changes }: Step, { request }: Passage): boolean =>
  changes && request.body.toString() !== '' && !(kind.key?.names === false && operation.is === 'create');
const isSame = (one: Passage, other: Passage): boolean => withoutNonce(one) === withoutNonce(other);
/** Each attempt bears another one, and this run may draw other numbers than the recording did. */
const withoutNonce = ({ request }: Passage): string => request.body.toString().replaceAll(/-[a-z2-7]{8}(?=")/g, '-<nonce>');

const isBelow = (path: string, item: string): boolean => `${neutral(path)}/`.startsWith(`${item}/`);
/** The data of an image is sent beside the API, to an address with its number. */
const neutral = (path: string): string =>
  path.replace(/^\/v4(?:beta)?|\?.*$/g, '').replace(/^\/image-uploads\/(\d+)$/, '/images/private/$1/data');

function pathOf({ world, scenario }: Stage): string | undefined {
  const { kind, name } = scenario.subject;
  const found = world.server.objects(`cloudhosting.dev/${plural(kind)}`).find(({ metadata }) => metadata.name === name);
  const path = (found as { status?: Row } | undefined)?.status?.['path'];
  return typeof path === 'string' ? path : undefined;
}

/** What an object, its tenant or its kind suffers from without any call of its own. */
export function standingTroubles(reference: Reference): readonly Trouble[] {
  const { scenario } = reference;
  return scenario.operation.is === 'create'
    ? [...ofNames(scenario), ...ofRemotes(scenario), ...ofTenants(reference), ofKind(scenario)]
    : [];
}

/** A Secret or an object that is named and is not there. */
function ofNames({ subject, needs }: Scenario): readonly Trouble[] {
  const without = (id: string, name: string): Trouble => {
    const spec = JSON.parse(JSON.stringify(subject.spec).replaceAll(`"name":"${name}"`, '"name":"nowhere"')) as Row;
    return { id: [id], where: 'beside', subject: { ...subject, spec, secrets: {}, configMaps: {} } };
  };
  return [
    ...Object.keys(subject.secrets).map((name) => without('secret-missing', name)),
    ...Object.keys(subject.configMaps).map((name) => without('config-map-missing', name)),
    ...needs.map(({ name }) => without('reference-missing', name)),
  ];
}

/** A remote that is gone or not well by its own account. */
const ofRemotes = (scenario: Scenario): readonly Trouble[] =>
  mischiefsOf(scenario)
    .filter(({ breaks }) => breaks)
    .map((mischief) => ({
      id: [`remote-${mischief.id}`],
      where: 'beside',
      whenReady: async (stage) => {
        const remote = await remoteOf(stage);
        stage.wire.mark(`out of band: ${mischief.id} of ${remote?.path ?? 'nothing'}`);
        if (remote !== undefined) await mischief.happens(stage, remote);
      },
    }));

const longerThanAnyNeighbour = 3 * 60 * 60_000;

/** A tenant whose token is taken away or leads elsewhere, in the middle of a create. */
function ofTenants({ steps }: Reference): readonly Trouble[] {
  const step = steps.find(({ server, changes }) => server === 'cloud' && changes);
  if (step === undefined) return [];
  return Object.entries(accountTroubles(longerThanAnyNeighbour)).map(([name, happens]): Trouble => ({
    id: [`token-${name}`],
    where: 'abroad',
    strikes: true,
    before: (stage) =>
      stage.wire.arm(hits(step), async (passage, backend) => {
        stage.wire.mark(`the token of team-a: ${name}`);
        await happens(stage);
        return pass(passage, backend);
      }),
  }));
}

/** A kind of which the cluster serves an older version is not written. */
const ofKind = ({ kind: { kind } }: Scenario): Trouble => ({
  id: ['crd-of-another-version'],
  where: 'of-another-kind',
  before: async (stage) => {
    stage.wire.mark(`the CRD of ${kind} is of another version`);
    await serveOlderCrd(stage.world, kind);
    await stage.pass(400_000);
  },
});
