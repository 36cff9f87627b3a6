import { isDeepStrictEqual } from 'node:util';
import { isDeleting } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName } from '../cluster/naming.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';
import { phaseOf } from './asking.ts';
import { operationKind } from './chosen-action.ts';
import type { Made } from './create.ts';

interface Asked extends Made {
  readonly spec: { readonly action: string; readonly [field: string]: unknown };
}

/** The same, asked for before and not begun: both would be done, one after the other. Whoever names one means one of its own. */
export async function waitingAlready({ session, flags }: Call, { metadata, spec }: Asked): Promise<Resource | undefined> {
  if (text(flags, 'name') !== undefined) return undefined;
  const reader = await session.reader();
  const all = await reader.list(operationKind(), metadata.namespace).catch(unlessForbidden);
  return all.find((one) => !isDeleting(one) && isToCome(one, session.now) && isSame(one.spec, spec));
}

/** Who may only make one is told of no other. */
function unlessForbidden(error: unknown): readonly Resource[] {
  if (error instanceof CliError && error.isForbidden) return [];
  throw error;
}

/** What awaits a confirmation is not done by itself. */
const isToCome = (object: Resource, now: number): boolean =>
  ['Pending', 'Waiting'].includes(phaseOf(object) ?? 'Pending') && Date.parse(String(object.spec['notAfter'])) > now;

/** By all that says what is done, and not until when. */
function isSame(one: Resource['spec'], other: Asked['spec']): boolean {
  const { needs = [], takes = [] } = operationKind().operates[other.action] ?? {};
  return ['action', 'target', ...needs, ...takes].every((field) => isDeepStrictEqual(one[field], other[field]));
}

export const waitsAlready = (object: Resource): string =>
  `${shownName(object)} waits already: ${String(object.spec['action'])}, not after ${String(object.spec['notAfter'])}. No other one is made; for one beside it type the line again with --name and a name of its own`;
