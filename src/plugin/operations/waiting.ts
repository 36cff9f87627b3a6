import { isDeepStrictEqual } from 'node:util';
import { isDeleting } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { AnyKind } from '../../resource/index.ts';
import { shownName, typed } from '../cluster/naming.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';
import { asksToBeConfirmed, phaseOf, withdrawal } from './asking.ts';
import { operationKind } from './chosen-action.ts';
import type { Made } from './create.ts';

interface Asked extends Made {
  readonly spec: { readonly action: string; readonly [field: string]: unknown };
}

/** The same, asked for before and not over: both would be done, one after the other. */
export function waitingAlready(call: Call, manifest: Asked): Promise<Resource | undefined> {
  const { needs = [], takes = [] } = operationKind().operates[manifest.spec.action] ?? {};
  // All that says what is done, and not until when.
  return sameAlready(call, operationKind(), { manifest, by: ['action', 'target', ...needs, ...takes], isOpen: isToCome });
}

interface Same {
  readonly manifest: Made;
  /** Fields in which both are alike. */
  readonly by: readonly string[];
  readonly isOpen: (object: Resource, now: number) => boolean;
}
/** Whoever names one means one of its own. */
export async function sameAlready({ session, flags }: Call, kind: AnyKind, { manifest, by, isOpen }: Same): Promise<Resource | undefined> {
  if (text(flags, 'name') !== undefined) return undefined;
  const reader = await session.reader();
  const wanted = manifest.spec as Readonly<Record<string, unknown>>;
  const all = await reader.list(kind, manifest.metadata.namespace).catch(unlessForbidden);
  return all.find(
    (one) => !isDeleting(one) && isOpen(one, session.now) && by.every((field) => isDeepStrictEqual(one.spec[field], wanted[field])),
  );
}

/** Who may only make one is told of no other. */
function unlessForbidden(error: unknown): readonly Resource[] {
  if (error instanceof CliError && error.isForbidden) return [];
  throw error;
}

/** What has begun ends, however late it is. */
function isToCome(object: Resource, now: number): boolean {
  const phase = phaseOf(object) ?? 'Pending';
  const isBefore = ['Pending', 'Waiting', 'AwaitingConfirmation'].includes(phase) && Date.parse(String(object.spec['notAfter'])) > now;
  return isBefore || phase === 'Running';
}

const noOther = 'No other one is made; for one beside it type the line again with --name and a name of its own';

/** Of an operation. */
export function waitsAlready(object: Resource): string {
  const action = String(object.spec['action']);
  if (phaseOf(object) === 'Running') return `${shownName(object)} runs already: ${action}. ${noOther}`;
  const waits = asksToBeConfirmed(object) ? 'waits for a confirmation already' : 'waits already';
  return `${shownName(object)} ${waits}: ${action}, not after ${String(object.spec['notAfter'])}. ${noOther}`;
}

/** Of what stays. */
export const isOnItsWay = (object: Resource): string => `${shownName(object)} is on its way already. ${noOther}`;

/** How it goes on. */
export const goesOn = (object: Resource): readonly string[] =>
  asksToBeConfirmed(object)
    ? [`To have it done: kubectl cloud confirm ${typed(object)}`, `To withdraw it: ${withdrawal(object)}`]
    : [`To see it done: kubectl cloud wait ${typed(object)}`];
