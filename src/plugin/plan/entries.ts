import { approveChangeAnnotation, spentNoted } from '../../engine/model/annotations.ts';
import { objectId } from '../../engine/model/object-id.ts';
import { offeredContent } from '../../engine/model/policy.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Millis } from '../../lib/clock.ts';
import { ownWords } from '../../lib/quoted.ts';
import { shownName } from '../cluster/naming.ts';
import type { Action, Verdict } from '../dry/verdict.ts';
import { registry } from '../command-line/kinds.ts';
import { asOperation } from '../../resource/index.ts';
import { linksOf, selects } from '../objects/links.ts';
import type { PlanData } from '../output/plan-shape.ts';
import { type Coming, comesBy, comingIn, untoldOf } from './coming.ts';
import { followedBy } from './followed.ts';
import { tellingSameNames } from './same-name.ts';
import type { Target } from './targets/targets.ts';

export type Entry = PlanData['objects'][number];

/** A target that the API server takes, and what would become of it. */
export interface Planned {
  readonly object: Resource;
  readonly verdict: Verdict;
  /** What approves it counts as spent where it comes with the object: it is new. */
  readonly asksLater?: boolean;
  /** The account was not, so that what is to be adopted counts as there. */
  readonly unasked?: true;
}

/** `until`: when an approval that travels with the change ends. What waits for something that is made is made after it. */
export function entriesOf(all: readonly Planned[], until: Millis): readonly Entry[] {
  const planned = tellingSameNames(all);
  let coming: readonly Coming[] = [];
  for (;;) {
    const entries = planned.map((one) => entryOf(one, coming, until));
    const now = planned.flatMap((one, at) => comingIn(one, entries[at]?.action));
    if (now.length === coming.length) return entries;
    coming = now;
  }
}

function entryOf(planned: Planned, coming: readonly Coming[], until: Millis): Entry {
  const { object, verdict } = planned;
  const { namespace, name } = object.metadata;
  const { approval, effect, changes, calls } = verdict;
  const waits = waitsOf(planned, coming);
  return {
    kind: object.kind,
    namespace,
    name,
    action: waits.comesBy ?? verdict.action,
    ...(effect !== undefined && { effect }),
    needsApproval: approval !== undefined,
    changes: changes.map(({ elements, ...change }) => ({ ...change, ...(elements && { elements: [...elements] }) })),
    calls: [...calls],
    after: waits.after.map(shownName),
    ...approvalOf(planned, until),
    ...(verdict.missing && { missing: true as const }),
    ...(verdict.unread.length > 0 && { unknown: [...verdict.unread] }),
    ...messageOf(planned, waits),
  };
}

interface Waits {
  /** What must be there before. */
  readonly after: readonly Resource[];
  /** Where that is all that it waits for. */
  readonly comesBy?: Action;
  readonly untold?: string;
}
function waitsOf({ object, verdict }: Planned, coming: readonly Coming[]): Waits {
  const first = verdict.reason === 'ReferenceNotReady' ? awaited(object, coming) : [];
  if (first.length === 0) return { after: [] };
  const isTaken = first.some((one) => one.isTaken);
  return {
    after: first.map((one) => one.object),
    ...(object.status?.['path'] === undefined && { comesBy: comesBy(object, isTaken) }),
    ...(isTaken && { untold: untoldOf(object) }),
  };
}

function messageOf(planned: Planned, { comesBy: by, untold }: Waits): Pick<Entry, 'refusal' | 'message'> {
  const { object, verdict } = planned;
  if (untold !== undefined) return { message: untold };
  if (by !== undefined) return {};
  return wordsOf(verdict, asksFirst(object, verdict), later(planned), followedBy(registry.kind(object.kind), verdict));
}

/** What is lost by an operation is no field that differs. */
const asksFirst = ({ kind }: Resource, { approval }: Verdict): string | undefined =>
  approval !== undefined && yesTo({ kind }) === 'confirm' ? `it asks first: ${approval.changes.join('; ')}` : undefined;

/** It may have been used before: a cluster that is rebuilt from Git brings it back. */
const later = ({ verdict: { approval }, asksLater = false }: Planned): string | undefined =>
  approval?.content === undefined || !asksLater
    ? undefined
    : 'it asks once it is there: an approval that comes with an object that is new counts as spent';

const approvalOf = ({ object, verdict: { approval }, asksLater = false }: Planned, until: Millis): Pick<Entry, 'approval'> =>
  approval?.content === undefined || asksLater
    ? {}
    : {
        approval: {
          annotation: approveChangeAnnotation,
          value: offeredContent(approval.content, until, spentNoted(object)),
        },
      };

function wordsOf(
  { action, reason, message }: Pick<Verdict, 'action' | 'reason' | 'message'>,
  ...more: readonly (string | undefined)[]
): Pick<Entry, 'refusal' | 'message'> {
  if (action === 'refused' && reason !== undefined) return { refusal: refusalOf(reason, message ?? '') };
  const words = [message, ...more].filter((one) => one !== undefined);
  return words.length === 0 ? {} : { message: words.join('; ') };
}

/** The verb by which a person says yes: an operation asks for what it shows only once it is there. */
export const yesTo = ({ kind }: Pick<Entry, 'kind'>): 'approve' | 'confirm' =>
  asOperation(registry.kind(kind)) === undefined ? 'approve' : 'confirm';

/** What the API server refuses. */
export const refusedEntry = ({ kind, namespace, name, refused = '' }: Target): Entry => ({
  kind,
  namespace,
  name,
  action: 'refused',
  needsApproval: false,
  changes: [],
  calls: [],
  after: [],
  refusal: refusalOf('Admission', refused),
});

function refusalOf(reason: string, message: string): NonNullable<Entry['refusal']> {
  // The API server quotes fields that nothing has.
  const field = fieldIn(ownWords(message)) ?? (reason === 'Admission' ? fieldIn(message) : undefined);
  return { reason, message, ...(field !== undefined && { field }) };
}

const fieldIn = (text: string): string | undefined => /\bspec\.[A-Za-z0-9.[\]]*[A-Za-z0-9\]]/.exec(text)?.[0];

/** Objects of the same plan that it refers to, and that are not there yet. */
const awaited = (object: Resource, coming: readonly Coming[]): readonly Coming[] =>
  coming.filter(({ object: other }) =>
    linksOf(object).some(
      (link) =>
        (link.is === 'object' && objectId(link.kind, link.key) === objectId(other.kind, other.metadata)) ||
        (link.is === 'selector' && selects(link, other)),
    ),
  );
