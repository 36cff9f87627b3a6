import { plural } from '../../../src/generate/names.ts';
import { confirmAnnotation, labelAnnotation, operationsAnnotation, rotateAnnotation } from '../../../src/engine/model/annotations.ts';
import type { LedgerObject } from '../../emulator/core/ledger.ts';
import type { Row } from '../../../src/resource/index.ts';
import { isCarried } from './carried.ts';
import { isStanding, partsIn } from './standing.ts';
import { asMade } from '../../support/samples/as-made.ts';
import type { World } from '../../support/world/world.ts';

/** What a run left behind, without what differs between any two runs: ids, addresses, times. Sorted lines, for comparison. */
export interface Picture {
  /** Everything alive in the account. */
  readonly account: readonly string[];
  /** Of that, what the service makes and takes away in its own time as parts of something else: the nodes of a cluster. */
  readonly parts: readonly string[];
  /** What is not over. */
  readonly standing: readonly string[];
  /** Our objects in Kubernetes. */
  readonly objects: readonly string[];
}

type Replace = (value: string | number) => string | number;

export function pictureOf({ world }: { readonly world: World }): Picture {
  const tables = world.kinds.map(({ kind }) => `cloudhosting.dev/${plural(kind)}`);
  const objects = world.emulator.control.objects().filter((life) => life.diedAt === undefined && isSomebodys(life));
  const names = new Map<number, string>();
  // Ids of collections overlap, so that an id says only that it is one; what has died may still be named somewhere.
  for (const life of world.emulator.control.objects()) if (typeof life.key === 'number' && isSomebodys(life)) names.set(life.key, '<id>');
  const wishes = JSON.stringify(tables.flatMap((table) => world.server.objects(table)).map(({ spec }) => spec));
  const chosen = [...choices].filter(([, field]) => !wishes.includes(`"${field}"`)).map(([property]) => property);
  const backedUp = world.server.objects(`cloudhosting.dev/${plural('CloudDatabaseBackup')}`).length > 0;
  const replace: Replace = (value) => (typeof value === 'number' ? (names.get(value) ?? value) : masked(value, names));
  const lines = (lives: readonly LedgerObject[]): readonly string[] =>
    lives.map(({ collection, row }) => `${collection} ${text(asMade(collection, row as Row, backedUp), replace, chosen)}`).toSorted();
  return {
    account: lines(objects),
    parts: lines([...partsIn(objects)]),
    standing: lines(objects.filter(isStanding)),
    objects: tables
      .flatMap((table) => world.server.objects(table))
      .map((object) => text(essence(object as unknown as Row), replace, []))
      .toSorted(),
  };
}

/** Made or changed by a user, and not merely there from the beginning. Notifications are the provider's. */
const isSomebodys = (life: LedgerObject): boolean =>
  life.collection !== 'notifications' && !isCarried(life) && (life.origin !== 'seed' || life.changes.length > 0);

/** What of an object is the operator's or the user's doing. */
/** That its remote was found after a lost answer, and not told by it, is noted for a week; what was done to it is another note. */
const isTakenAlone = (notes: unknown): boolean =>
  String(notes)
    .split(' ')
    .every((note) => note.startsWith('taken/'));

function essence(object: Row): Row {
  const { name, generation, finalizers, annotations = {} } = object['metadata'] as Row;
  const status = { ...(object['status'] as Row | undefined) };
  for (const field of volatile) delete status[field];
  if (Array.isArray(status['operations']) && isTakenAlone(status['operations'].join(' '))) delete status['operations'];
  return {
    kind: object['kind'],
    name,
    generation,
    finalizers,
    // What a person asks for by it was noted, so nobody misses it; the derived label is remembered until somebody takes the note away; where another one was chosen since, nothing brings it back.
    annotations: Object.keys(annotations as Row)
      .filter((annotation) => annotation !== rotateAnnotation && annotation !== confirmAnnotation)
      .filter((annotation) => annotation !== operationsAnnotation || !isTakenAlone((annotations as Row)[annotation]))
      .filter((annotation) => annotation !== labelAnnotation || (object['spec'] as Row)['label'] === undefined)
      .toSorted(),
    spec: object['spec'],
    status,
  };
}
/** The account's own figures move with every call; `applied` is an HMAC under a key that each world makes anew; a remote that was lost and made anew is one more; what an instance was booted with is told by events alone, which may be lost; what a person was asked before it was done, and answered, is told by the status alone. */
const volatile = [
  'eventCursor',
  'lastSyncTime',
  'applied',
  'driftBoundSeconds',
  'rateLimits',
  'remotesBefore',
  'successorOf',
  // Signed with its time; how many attempts there were is what a fault is about.
  'lastAttempt',
  'bootedConfigId',
  'nextChangeAt',
  'challenge',
  'consequences',
  'names',
  'confirmed',
];

/** What the service chooses minutes later where nobody does, and the spec field that does. */
const choices = new Map([['schedule', 'backupSchedule']]);

function text(value: unknown, replace: Replace, chosen: readonly string[]): string {
  return JSON.stringify(value, (name, inner: unknown) => {
    if (timeFields.has(name)) return '<time>';
    if (drawn.has(name)) return '<drawn>';
    if (signed.has(name)) return '<signature>';
    if (chosen.includes(name)) return '<choice>';
    // Of what was issued: each answer is another one.
    if (name === 'as' && typeof inner === 'string') return '<digest>';
    return typeof inner === 'string' || typeof inner === 'number' ? replace(inner) : sortedKeys(inner);
  });
}
const timeFields = new Set([
  'bornAt',
  'created',
  'updated',
  'lastTransitionTime',
  'since',
  'at',
  'message',
  'activeFrom',
  'endpointsFrom',
  'kubeconfigFrom',
]);
/** What the service draws by lot. */
const drawn = new Set(['password', 'hosts']);
/** Signatures over what each run calls otherwise. */
const signed = new Set(['mac']);

function sortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function masked(value: string, names: ReadonlyMap<number, string>): string {
  return value
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/-[0-9a-f]{12}\b/g, '-<node>')
    .replaceAll(/\b[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{16}\b/g, '<key>')
    .replaceAll(/\b\d+[.-]\d+[.-]\d+[.-]\d+\b|\b[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){2,}\b/g, '<address>')
    .replaceAll(/\b(?:[0-9A-F]{20}|[0-9a-f]{20})\b/g, '<credential>')
    .replaceAll(/\bprivate\/\d+/g, 'private/<id>')
    .replaceAll(/\d+/g, (digits) => names.get(Number(digits)) ?? digits)
    .replaceAll(/\b[0-9a-f]{32,}\b/g, '<hash>');
}

/** Lines of `now` that `before` lacks, and the other way round. */
export function differencesOf(before: readonly string[], now: readonly string[]): readonly string[] {
  const [gone, come] = [lacking(before, now), lacking(now, before)];
  const places = gone.map((line, i) => whereTheyPart(line, come[i] ?? ''));
  return [
    ...gone.map((line, i) => `- ${line.slice(0, 60)} ... ${line.slice(places[i])}`),
    ...come.map((line, i) => `+ ${line.slice(0, 60)} ... ${line.slice(places[i] ?? 0)}`),
  ];
}
function whereTheyPart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return Math.max(0, at - 60);
}
/** Lines of one that the other has not, each as often as it is missing. */
export function lacking(from: readonly string[], other: readonly string[]): readonly string[] {
  const rest = [...other];
  return from.filter((line) => {
    const at = rest.indexOf(line);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
