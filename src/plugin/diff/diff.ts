import type { Resource } from '../../engine/ports/kubernetes.ts';
import { endpointsOf } from '../account/endpoints.ts';
import { shownName } from '../cluster/naming.ts';
import { inFiles, isAbout, nothing, selected } from '../cluster/select.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { type Hold, holdLine, holdsOf } from './holds.ts';
import { type Compared, goneLines, withGone } from './gone-with.ts';
import { withNames } from './ids.ts';
import {
  absence,
  changeIn,
  type Difference,
  driftIn,
  editsIn,
  isUnedited,
  policyOf,
  type Unknown,
  type Untold,
  untoldIn,
} from './in-status.ts';
import { CliError } from '../exit.ts';
import { isBehind, stateOf } from '../objects/facts.ts';
import { durationOf, text } from '../command-line/flag.ts';
import { sameLine } from '../command-line/same-line.ts';
import { Landscape } from '../objects/landscape.ts';
import type { DiffData } from '../output/shapes.ts';
import type { Entry } from '../plan/entries.ts';
import { look } from '../plan/bases/look.ts';
import { elementsOf } from '../dry/elements.ts';
import { noValue } from '../../engine/model/values.ts';
import { legend } from '../../lib/legend.ts';
import { oneLine } from '../../lib/one-line.ts';
import { wordOrQuoted } from '../../lib/quoted.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { counted } from '../../lib/counted.ts';
import { valueText } from '../../lib/value-text.ts';

/** Where what the account has differs from what objects ask for, now. */
export const diff: Verb = async (call) => {
  const { flags } = call;
  if (!isAbout(call)) throw await aboutNothing(call);
  const ofFiles = text(flags, 'filename') !== undefined;
  const { found: chosen, missing } = ofFiles ? await inFiles(call) : { found: await selected(call), missing: [] };
  if (chosen.length === 0 && !ofFiles) await nothing(call, '');
  if (ofFiles)
    call.session.say('objects are compared as they are in the cluster; what else is in these files is not compared: kubectl cloud plan -f');
  const isDrift = text(flags, 'show') === 'drift';
  const objects = isDrift ? chosen.filter(isUnedited) : chosen;
  const landscape = new Landscape(await call.session.reader(), objects);
  const held = await holdsOf(landscape, objects, call.session.now);
  const looked = text(flags, 'against') === 'account';
  const untold = isDrift || looked ? [] : objects.flatMap((object) => untoldIn(object) ?? []);
  const seen = looked ? await inAccount(call, objects) : inStatus(objects, untold, isDrift);
  const compared = await withGone(landscape, objects, { ...seen, unknown: [...missing.map(notFound), ...seen.unknown] });
  const lines = new Map(untold.map(({ object, line }) => [object, line]));
  return answerOf(
    objects,
    { ...compared, differences: await withNames(landscape, objects, compared.differences), held },
    { unknown: compared.unknown.map((one) => lines.get(one.object) ?? unknownLine(one)), looked },
  );
};

const notFound = (object: string): Unknown => ({
  object,
  reason: 'NotFound',
  message: 'it is not in the cluster: kubectl cloud plan -f says what applying it does',
});

/** As the operator saw it last. */
function inStatus(objects: readonly Resource[], untold: readonly Untold[], isDrift: boolean): Compared {
  const names = new Set(untold.map(({ object }) => object));
  const told = objects.filter((object) => !names.has(shownName(object)) || hasMore(object));
  return {
    differences: told.flatMap((object) => [...driftIn(object), ...(isDrift ? [] : editsIn(object))]),
    unknown: untold.map(({ line: _line, ...one }) => one),
  };
}

async function aboutNothing({ session }: Call): Promise<CliError> {
  const namespace = `-n ${await session.namespace()}`;
  return new CliError(2, [
    `diff of what? Of all objects of namespace ${namespace.slice(3)}: ${sameLine(session.typed, namespace) ?? `the same line with ${namespace}`}`,
    'Of all namespaces: -A instead of -n. Of some: KIND/NAME, or their manifests with -f',
  ]);
}

/** What was seen to differ in the account differs, whatever else is not sent. */
const hasMore = (object: Resource): boolean => isHeldBack.has(stateOf(object).reason ?? '') && !isBehind(object);
const isHeldBack: ReadonlySet<string> = new Set(['ReadOnly', 'RemoteFailed']);

/** As the account shows it now, by the engine's own reconcile; also of what is paused, as if it were not. */
export async function inAccount(call: Call, objects: readonly Resource[], verb = 'diff'): Promise<Compared> {
  const { session, flags } = call;
  const connector = await session.host.openCloud(await endpointsOf(call), verb);
  try {
    const targets = objects.map((object) => ({ kind: object.kind, ...keyOf(object), object }));
    const way = { connector, timeout: durationOf(flags, 'timeout'), brought: new Set<string>(), until: session.now };
    const { entries } = await look(call, targets, way);
    const policies = new Map(objects.map((object) => [shownName(object), policyOf(object)]));
    return {
      differences: entries.flatMap((entry) => differencesOf(entry, policies.get(nameOf(entry)) ?? 'Correct')),
      unknown: entries.flatMap(unknownOf),
    };
  } finally {
    connector.close();
  }
}

const nameOf = ({ kind, namespace, name }: Entry): string => `${kind} ${namespace}/${name}`;
/** It was never made, or the account does not have it any more. */
const isAbsent = ({ changes, action, missing }: Entry): boolean => changes.length === 0 && (action === 'create' || missing === true);

function differencesOf(entry: Entry, policy: string): readonly Difference[] {
  const object = nameOf(entry);
  if (isAbsent(entry)) return [absence(object, policy)];
  return entry.changes.map(({ field, from, to }) => ({ object, field: `spec.${field}`, want: to, have: from, policy }));
}

function unknownOf(entry: Entry): readonly Unknown[] {
  const { unknown = [], changes } = entry;
  const object = nameOf(entry);
  if (unknown.length > 0) return unknown.map((message) => ({ object, reason: 'NotRead', message }));
  return isAbsent(entry) || changes.length > 0 ? [] : withheld(entry).map((why) => ({ object, ...why }));
}

/** What it waits for, or is refused for, is why it could not be compared. */
function withheld({ action, message = 'it waits', refusal }: Entry): readonly Pick<Unknown, 'reason' | 'message'>[] {
  if (refusal !== undefined) return [{ reason: refusal.reason, message: refusal.message }];
  return action === 'wait' ? [{ reason: 'Waiting', message }] : [];
}

const keyOf = ({ metadata: { namespace, name } }: Resource) => ({ namespace, name });

interface Lines {
  readonly unknown: readonly string[];
  /** The account was read. */
  readonly looked: boolean;
}
function answerOf(
  objects: readonly Resource[],
  { differences, unknown, held }: Compared & { readonly held: readonly Hold[] },
  lines: Lines,
): Answer {
  const data: DiffData = {
    differences: [...differences],
    ...(unknown.length > 0 && { unknown: [...unknown] }),
    ...(held.length > 0 && { held: [...held] }),
  };
  const isEqual = differences.length + unknown.length === 0;
  const told = isEqual
    ? [`Nothing differs (${counted(objects.length, 'object')} compared).`]
    : [...differenceLines(objects, differences), ...lines.unknown];
  return { exit: isEqual ? 0 : 1, kind: 'Diff', data, lines: [...told, ...held.map((one) => holdLine(one, lines.looked))] };
}

/** Each by itself, and below it what went with it; then what went with something that was not asked about. */
function differenceLines(objects: readonly Resource[], differences: readonly Difference[]): readonly string[] {
  const gone = Map.groupBy(
    differences.filter((one) => one.with !== undefined),
    (one) => one.with,
  );
  const own = differences.filter((one) => one.with === undefined);
  const told = new Set(own.filter(({ field }) => field === 'spec').map(({ object }) => object));
  return [
    ...own.flatMap((one) => [...linesOf(one), ...(one.field === 'spec' ? goneLines(gone.get(one.object) ?? [], objects, one.object) : [])]),
    ...[...gone].flatMap(([parent = '', those]) => (told.has(parent) ? [] : goneLines(those, objects))),
  ];
}

export const unknownLine = ({ object, message = '' }: Unknown): string => `${object}  not known: ${message}`;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return noValue;
  return value === noValue ? JSON.stringify(value) : valueText(value);
}
/** A change that waits for a yes, as the operator wrote it into a status, in words and field by field. */
export function changeLines(text: string): readonly string[] {
  const change = changeIn(text);
  const elements = change === undefined ? undefined : elementsOf(change.have, change.want);
  return change === undefined || elements === undefined
    ? [text]
    : [`${change.field}: the account has (-), wanted (+)`, ...elements.map((line) => `  ${oneLine(line)}`)];
}

const whyText = ({ reason, message = '' }: Pick<Difference, 'reason' | 'message'>): string =>
  reason === undefined ? '' : `: ${reason}${message === '' ? '' : `: ${oneLine(message)}`}`;

/** Of a list of records each that differs has a line of its own. */
export function linesOf({ object, field, want, have, since, by, policy, names, ...absent }: Difference): readonly string[] {
  // How drift is treated says nothing of what is not there.
  if (field === 'spec') return [`${object}: wanted, but not in the account${whyText(absent)}`];
  const elements = elementsOf(have, want);
  const who = by === undefined ? '' : `, likely by ${wordOrQuoted(by)}`;
  const when = since === undefined ? '' : ` since ${shownTime(Date.parse(since))}`;
  const head = `${object}  ${field}: `;
  const tail = `${legend(names)}${when}${who}; lifecycle.drift: ${policy}`;
  return elements === undefined
    ? [`${head}wanted ${textOf(want)}, the account has ${textOf(have)}${tail}`]
    : [`${head}the account has (-), wanted (+)${tail}`, ...elements.map((line) => `  ${oneLine(line)}`)];
}
