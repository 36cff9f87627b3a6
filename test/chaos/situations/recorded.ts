import { fixtures } from '../../conformance/case.ts';
import { type AnyKind, asCollection, collectionOfItem, erase, type Row } from '../../../src/resource/index.ts';
import { isToldByName } from '../containment/sibling.ts';
import { plain } from '../scenario/corner.ts';
import { type Reference, referenceOf } from '../run/reference.ts';
import { fixturesOf, type Scenario, scenariosOf } from '../scenario/scenario.ts';
import { changesSomething } from '../stage/step.ts';

/** A call as the operator made it in a recorded run. */
export interface RecordedCall {
  readonly method: string;
  /** With the version segment. */
  readonly path: string;
  readonly body: Row;
}

/** Data is sent beside the API. */
export function callsOf({ evidence }: Reference): readonly RecordedCall[] {
  return evidence.passages
    .filter(({ server, nth, request }) => server === 'cloud' && nth > 0 && request.path.startsWith('/v4') && changesSomething(request))
    .map(({ request }) => ({ method: request.method, path: request.path, body: bodyOf(request.body.toString()) }));
}

/** A file is no JSON. */
const bodyOf = (text: string): Row => (text.startsWith('{') ? (JSON.parse(text) as Row) : {});

/** The POST that made the remote. */
/** The create, with its label as the remote bears it in the end: what is new for each attempt is off again. */
export function createCallOf(reference: Reference): RecordedCall | undefined {
  const call = callsOf(reference).find(({ method }) => method === 'POST');
  const label = call?.body['label'];
  if (call === undefined || reference.scenario.kind.label?.nonce !== true || typeof label !== 'string') return call;
  return { ...call, body: { ...call.body, label: label.replace(/-[a-z2-7]{8}$/, '') } };
}

/** The path that lists its remote, wherever a create makes it. */
export function listOf({ scenario, evidence }: Reference): string {
  const { path = '' } = (JSON.parse(evidence.status) ?? {}) as { readonly path?: string };
  return collectionOfItem(scenario.kind, path);
}

/** The collection, in the ledger's words, in which a create makes its remote. */
export const collectionOf = ({ evidence }: Reference): string => evidence.births.keys().next().value ?? '';

/** Its label was derived, so that it names the object that it was made for. */
export function carriesOwnerKey(reference: Reference): boolean {
  const label = createCallOf(reference)?.body['label'];
  return typeof label === 'string' && /-[a-z2-7]{8}$/.test(label);
}
/** Marked with its name, it is another thing under another name. */
export const isToldApart = ({ scenario: { kind } }: Reference): boolean => isToldByName(fixturesOf(kind.kind)[0]);
/** An edit is done when it is answered; else its job is looked after, as it must be. */
export const isChangedAtOnce = ({ scenario }: Reference): boolean =>
  !scenario.kind.events.some(({ finishesLater = [] }) => finishesLater.some((action) => action.endsWith('_update')));
/** A second one of its key is one too many. Where the key only counts, as of addresses, anybody may have another. */
export const hasName = ({ scenario }: Reference): boolean => scenario.kind.key?.names === true;
/** An import, a copy: by a call that takes no tags, and so without the installation's. */
export const isMadeWithoutTags = ({ scenario }: Reference): boolean =>
  Object.keys(asCollection(scenario.kind)?.withoutTags ?? {}).some((field) => scenario.subject.spec[field] !== undefined);
export const hasTags = (reference: Reference): boolean => reference.scenario.kind.tags !== undefined && !isMadeWithoutTags(reference);

interface Edited {
  readonly scenario: Scenario & { readonly operation: { readonly is: 'update'; readonly spec: Row } };
  readonly field: string;
}

/** Nobody else can send the same by what was recorded. */
const sendsFile = ({ fields, parts = {} }: AnyKind, field: string): boolean => parts[fields[field]?.part ?? '']?.file !== undefined;

/** The edits of a kind that take one PUT of the item, the plainest last. */
export function editsOf({ scenario }: Reference, ...beginnings: readonly string[]): readonly Edited[] {
  const [fixture] = fixturesOf(scenario.kind.kind);
  if (fixture === undefined) return [];
  const applied = fixture.edits.filter((edit) => edit.refused !== true && edit.admissionOnly !== true);
  return scenariosOf(fixture, plain)
    .filter(({ operation }) => operation.is === 'update')
    .flatMap((one, index) => {
      const { field, calls = [] } = applied[index] ?? { field: '' };
      const [first] = calls;
      // What stands for an id is below the item.
      const fits =
        calls.length === 1 &&
        !sendsFile(scenario.kind, field) &&
        beginnings.some((beginning) => first?.startsWith(beginning)) &&
        first?.includes('*') !== true;
      return fits && one.operation.is === 'update' ? [{ scenario: one as Edited['scenario'], field }] : [];
    });
}

/** What an edit changes of the sample; one that is made another way has the rest otherwise. */
export const changedBy = ({ scenario: { subject, operation } }: Edited): Row =>
  Object.fromEntries(Object.entries(operation.spec).filter(([field, value]) => value !== subject.spec[field]));

/** Edits whose effect anybody can bring about with one call, too. */
export const outsideEdits = (reference: Reference): readonly Edited[] => editsOf(reference, 'PUT {item}');

/** The service tells events of it: some kinds are only ready for those that it may tell one day. */
export const isTold = ({ scenario, evidence }: Reference): boolean => {
  const routed = scenario.kind.events.flatMap(({ actions }) => actions);
  return evidence.told.some((action) => routed.some((beginning) => action.startsWith(beginning)));
};

/** The plainest edit of a field that the sample sets: one that it leaves out is not managed. */
export const managedEdit = (reference: Reference): Edited | undefined =>
  outsideEdits(reference).findLast(({ field }) => reference.scenario.subject.spec[field] !== undefined);

export const canBeEdited = (reference: Reference): boolean =>
  reference.scenario.kind.mode === 'collection' && managedEdit(reference) !== undefined;

/** What it makes of the sample's spec. */
export function managedChange(reference: Reference): Row {
  const edit = managedEdit(reference);
  return edit === undefined ? {} : { [edit.field]: edit.scenario.operation.spec[edit.field] };
}

export async function recordedEdit(reference: Reference): Promise<{ readonly call: RecordedCall; readonly field: string }> {
  const edit = managedEdit(reference);
  const recorded = edit === undefined ? { skipped: 'no edit' } : await referenceOf(edit.scenario);
  const call = 'skipped' in recorded ? undefined : callsOf(recorded).find(({ method }) => method === 'PUT');
  if (call === undefined || edit === undefined) throw new Error(`${reference.scenario.kind.kind} has no edit by one PUT`);
  return { call, field: edit.field };
}

/** A change that only a replacement can make. */
type FrozenEdit = { readonly field: string; readonly to: unknown; readonly spec?: unknown };
const frozenEdits = ({ scenario: { kind } }: Reference): readonly FrozenEdit[] =>
  (fixturesOf(kind.kind)[0]?.edits ?? []).filter(
    ({ field, refused, admissionOnly }) =>
      refused === true && admissionOnly !== true && kind.fields[field]?.only === undefined && field !== 'type',
  );
/** Of a field that the account shows. */
export const frozenEdit = (reference: Reference): FrozenEdit | undefined =>
  reference.scenario.kind.deletion?.release === undefined ? frozenEdits(reference)[0] : undefined;
/** Which many of a kind may make alike: what it changes is no name. */
export const movingEdit = (reference: Reference): FrozenEdit | undefined =>
  frozenEdits(reference).find(({ field }) => reference.scenario.kind.fields[field]?.catalogue !== undefined);

/** What exists already is the object's from then on, as adopted: nothing in it is anybody's to lose. */
export const takesOver = ({ scenario }: Reference): boolean => asCollection(scenario.kind)?.takesOver === true;

/** Whether somebody can make another one that has the same key. */
export const takesSecond = (reference: Reference): boolean => fixtureOf(reference)?.refusesSecond !== true;
/** And while the first is still being made. */
export const takesTwoAtOnce = (reference: Reference): boolean => takesSecond(reference) && fixtureOf(reference)?.oneAtATime !== true;

/** Whether what it makes shows up only once it is done. */
export const comesLater = ({ scenario }: Reference): boolean => asCollection(scenario.kind)?.appears !== undefined;

const fixtureOf = ({ scenario: { kind } }: Reference) => fixtures.find((one) => erase(one.kind).kind === kind.kind);
