import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Millis } from '../../lib/clock.ts';
import { counted } from '../../lib/counted.ts';
import { namesOf, typed } from '../cluster/naming.ts';
import { registry } from '../command-line/kinds.ts';
import type { StatusData } from '../output/shapes.ts';
import { table } from '../output/table.ts';
import { goneText, heldLines, heldText } from './held.ts';
import { fewNotThere } from './not-there.ts';
import { type Group, groupLines } from './people.ts';

type Shown = StatusData['accounts'][number];
/** One account. */
export interface Glance {
  readonly data: Shown;
  /** That the account itself needs a person. */
  readonly ofAccount: Shown['needPerson'];
  /** What that holds up, or that no operator works for it. */
  readonly heldUp: readonly Resource[];
  /** What else needs one, but for what a brake holds: the account tells of that. */
  readonly groups: readonly Group[];
  /** No operator works for it. */
  readonly isDead: boolean;
  /** Nothing in it is seen or changed now. */
  readonly isLost: boolean;
  /** What can be done about each of `data.held`. */
  readonly held: readonly ReturnType<typeof heldLines>[];
}
interface How {
  readonly now: Millis;
  readonly isWide: boolean;
  /** `-A` or `-n shop`, what was looked at. */
  readonly about: string;
}

const head = ['ACCOUNT', 'STATE', 'USER', 'MODE', 'OBJECTS', 'DRIFT', 'NEED A PERSON'];
export function linesOf(all: readonly Glance[], { now, isWide, about }: How): readonly string[] {
  const { shown, more } = fewNotThere(all);
  const lines = shown.map(({ data: one, ofAccount, groups }) => [
    one.account,
    one.ready ? 'Ready' : one.reason,
    one.user ?? '',
    (one.mode ?? '') + (one.paused === undefined ? '' : ', paused'),
    Object.entries(one.objects)
      .map(([reason, count]) => `${count} ${reason}`)
      .join(', ') || 'none',
    String(one.drift),
    String(ofAccount.length + groups.length + one.held.length),
    ...(isWide ? [one.installation ?? '', one.servedBy ?? '', one.balance ?? '', String(one.maintenance)] : []),
  ]);
  return [
    ...table(isWide ? [...head, 'INSTALLATION', 'SERVED BY', 'BALANCE', 'MAINTENANCE'] : head, lines),
    ...shown.flatMap((row) => partsOf(row, now)),
    ...more,
    ...onwards(all, about),
  ];
}

function partsOf(row: Glance, now: Millis): readonly string[] {
  const { data, groups, isDead, isLost } = row;
  const held = data.held.flatMap(({ message, gone, goneNames }, at) => [
    heldText({ message }),
    // Where they are named the message names them.
    ...(gone === undefined || goneNames !== undefined ? [] : [`  ${goneText(gone)}`]),
    ...releaseLines(row.held[at] ?? []),
  ]);
  const notes = (data.notes ?? []).map((note) => `${data.account}: ${note}`);
  // That no operator works is the first of them.
  const why = isDead ? [`  ${whyLine(data)}`] : [];
  const before = isLost && groups.length > 0 ? ['', 'What needed a person when it was seen last:'] : [];
  const parts = [...accountLines(row), ...notes.slice(0, 1), ...why, ...notes.slice(1), ...held, ...before, ...groupLines(groups, now)];
  return parts.length === 0 ? [] : ['', ...parts];
}

/** The words first: a line with words behind it cannot be typed as it is. */
const releaseLines = (all: ReturnType<typeof heldLines>): readonly string[] => [
  `  To ${all.map(({ to, after }) => `${to}${after === undefined ? '' : ` (${after})`}`).join(', or to ')}:`,
  ...all.map(({ line }) => `    ${line}`),
];

function accountLines({ data, heldUp }: Glance): readonly string[] {
  const { account, ready, reason, message } = data;
  const all = heldUp.length === 0 ? [] : [`  holds up ${counted(heldUp.length, 'object')}: ${namesOf(heldUp)}`];
  const why = message.includes(whyLine(data)) ? [] : [`  ${whyLine(data)}`];
  return ready ? [] : [`${account}: ${reason}: ${message}`, ...all, ...why];
}
const whyLine = ({ account }: Shown): string => `kubectl cloud why ${typedAccount(account)}`;
/** `-n shop cacc/default`. */
function typedAccount(account: string): string {
  const [namespace = '', name = ''] = account.split('/');
  return typed({ kind: registry.connection.kind, metadata: { namespace, name } });
}

/** Of one cause its own line tells all. */
function onwards(rows: readonly Glance[], about: string): readonly string[] {
  const count = rows.reduce((sum, { ofAccount, groups, isLost }) => sum + ofAccount.length + (isLost ? 0 : groups.length), 0);
  return count < 2 ? [] : ['', `What to do about each of these ${count}: kubectl cloud why ${about}`];
}
