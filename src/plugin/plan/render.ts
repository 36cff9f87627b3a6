import { shownText } from '../../engine/model/values.ts';
import { oneLine } from '../../lib/one-line.ts';
import type { PlanData } from '../output/plan-shape.ts';
import { type Entry, yesTo } from './entries.ts';
import { wouldBeHeld } from './limits.ts';
import { addedBy, isInPart } from './money.ts';
import { pausedLine } from './pauses.ts';
import { counted } from '../../lib/counted.ts';

const nameOf = ({ kind, namespace, name }: Entry): string => `${kind} ${namespace}/${name}`;

function changeLines({ field, from, to, secret, elements }: Entry['changes'][number]): readonly string[] {
  if (secret) return [`~ ${field}: another secret`];
  if (elements === undefined) return [`~ ${field}: ${shownText(from)} -> ${shownText(to)}`];
  return [`~ ${field}:`, ...elements.map((line) => `  ${oneLine(line)}`)];
}

function noteOf(entry: Entry): string {
  const { effect, needsApproval, after, action, monthlyUSD } = entry;
  return [
    ...(effect === undefined || action === 'replace' ? [] : [effect]),
    ...(needsApproval ? [isInPart(entry) ? 'a part needs approval' : 'needs approval'] : []),
    ...(after.length > 0 ? [`after ${after.join(', ')}`] : []),
    ...(monthlyUSD === undefined ? [] : [moneyOf(monthlyUSD)]),
  ].join(', ');
}

function moneyOf({ before, untilApproved, after }: NonNullable<Entry['monthlyUSD']>): string {
  return untilApproved === undefined
    ? stepOf(before, after)
    : `${stepOf(before, untilApproved)} at once, then ${stepOf(untilApproved, after)} with the approval`;
}
const stepOf = (from: number | undefined, to: number | undefined): string =>
  from === undefined || to === undefined ? '? $/month' : dollars(to - from);
const dollars = (change: number): string => `${change < 0 ? '-' : '+'}${Math.abs(change).toFixed(2)} $/month`;

const whenOf = (afterApproval: true | undefined): string => (afterApproval === true ? 'after approval' : 'at once, without approval');

function callsOf(entry: Entry): readonly string[] {
  const isPart = isInPart(entry);
  const lines = entry.calls.map(({ method, path, afterApproval }) => `${method} ${path}${isPart ? `   ${whenOf(afterApproval)}` : ''}`);
  // Not every basis tells calls.
  return isPart && lines.length === 0 ? [fieldsText(entry, undefined), fieldsText(entry, true)] : lines;
}
const fieldsText = ({ changes }: Entry, when: true | undefined): string =>
  `${whenOf(when)}: ${changes.flatMap(({ field, afterApproval }) => (afterApproval === when ? [field] : [])).join(', ')}`;

const detailsOf = (entry: Entry): readonly string[] => [
  ...entry.changes.flatMap(changeLines),
  ...callsOf(entry),
  ...(entry.refusal === undefined ? [] : [entry.refusal.message]),
  ...(entry.message === undefined ? [] : [entry.message]),
  ...(entry.paused === undefined ? [] : [pausedLine(entry.paused)]),
  ...(entry.unknown === undefined || entry.unknown.length === 0 ? [] : [`not known: ${entry.unknown.join('; ')}`]),
];

export function planLines(data: PlanData, onlyChanges: boolean): readonly string[] {
  const shown = onlyChanges ? data.objects.filter(({ action }) => action !== 'none') : data.objects;
  const width = Math.max(0, ...shown.map((entry) => nameOf(entry).length));
  const lines = shown.flatMap((entry) => [
    `${nameOf(entry).padEnd(width)}   ${entry.action.padEnd(8)} ${noteOf(entry)}`.trimEnd(),
    ...detailsOf(entry).map((line) => `  ${line}`),
  ]);
  return [...lines, ...(lines.length > 0 ? [''] : []), summaryOf(data), ...basisOf(data), ...approvalsOf(data)];
}

const summaryOf = ({ objects, summary, brake }: PlanData): string => {
  const waiting = objects.filter(({ needsApproval }) => needsApproval).length;
  const counts = Object.entries(summary).map(([action, count]) => `${count} ${action}`);
  const approvals = waiting === 0 ? '' : ` (${counted(waiting, 'needs', 'need')} approval)`;
  const held = brake.wouldHold === 0 ? '' : ` ${wouldBeHeld(brake)}.`;
  return `${objectsOf(objects.length)}: ${counts.join(', ') || 'nothing'}${approvals}.${sumOf(objects)}${held}`;
};

const objectsOf = (count: number): string => counted(count, 'object');

/** Of what is not known nothing is added, and that is said. */
function sumOf(objects: readonly Entry[]): string {
  if (objects.every(({ monthlyUSD }) => monthlyUSD === undefined)) return '';
  const { known, most, unknown } = addedBy(objects);
  if (known === 0 && unknown.length > 0) return ` What ${unknown.length} of them ${unknown.length === 1 ? 'costs' : 'cost'} is not known.`;
  const until = most > Math.max(known, 0) ? `; at most ${dollars(most)} on the way, until all of it is approved` : '';
  return ` ${dollars(known)}${unknown.length === 0 ? '' : ` and what ${unknown.length} of them cost, which is not known`}${until}.`;
}
const basisOf = ({ accounts, notWritable = [], objects }: PlanData): readonly string[] => [
  ...foundAgain(objects),
  ...suppositionOf(objects),
  ...accounts.map(({ account, id, user, readAt }) => `Basis: ${account}, account ${id}, read at ${readAt} as ${user}.`),
  ...notWritable.map(
    ({ account, because, until }) => `${account} ${because}: nothing is sent until ${until}, and what is told here is what happens then.`,
  ),
  'Nothing was written.',
];
/** The operator's key is not known here, so that no mark can be told from another one. */
function foundAgain(objects: readonly Entry[]): readonly string[] {
  const makes = objects.some(({ action, calls }) => action === 'create' && calls.some(({ body }) => isMarked(body)));
  return makes
    ? [
        'What an object of the same name let go of (lifecycle.onDelete: Retain, release --keep) is found again by its mark where the account still has it: then that is taken up, and nothing is made. A plan cannot tell marks.',
      ]
    : [];
}
const isMarked = (body: unknown): boolean => /-\*{8}$/.test(String((body as { readonly label?: unknown } | undefined)?.label));

/** Where no account was asked. */
function suppositionOf(objects: readonly Entry[]): readonly string[] {
  const bases = new Set(objects.flatMap(({ basis }) => basis ?? []));
  if (bases.has('manifests'))
    return ['Basis: the manifests only, before and after (offline). Not checked: admission, and what the account really has.'];
  const [first, ...more] = [...bases].filter((one) => one.startsWith('status of ')).toSorted();
  return first === undefined ? [] : [`Basis: ${[first, ...more.slice(-1)].join(' to ')}; the account was not asked.`];
}
const approvalsOf = ({ objects }: PlanData): readonly string[] =>
  objects.flatMap((entry) => {
    if (!entry.needsApproval) return [];
    const { approval } = entry;
    return approval === undefined
      ? [`Once it is applied: kubectl cloud ${yesTo(entry)} ${entry.kind.toLowerCase()}/${entry.name} -n ${entry.namespace}`]
      : [`Approve with the change, by this annotation on ${nameOf(entry)}: ${approval.annotation}: ${approval.value}`];
  });

/** A comment may have 65,536 characters. What is left out is counted in what remains. */
const most = 60_000;
/** By this line a job finds the comment that it wrote before. */
const marker = '<!-- kubectl-cloud-plan -->';

/** What is needed to merge comes first: approvals may take half of the room, then rows, and details what is left of it. */
export function planMarkdown(data: PlanData): readonly string[] {
  const changing = data.objects.filter(({ action }) => action !== 'none');
  const head = [marker, `**${summaryOf(data)}**`, '', ...(changing.length > 0 ? ['| Object | Action | |', '| --- | --- | --- |'] : [])];
  const basis = basisOf(data).map(paragraph);
  let room = most - lengthOf([...head, ...basis]);
  const approvals = fitting(approvalsOf(data).map(paragraph), room / 2, leftOut('approvals'));
  room -= lengthOf(approvals);
  const rows = fitting(changing.map(rowOf), room, leftOut('rows'));
  room -= lengthOf(rows);
  const details = fitting(
    changing.map(fold).filter((text) => text !== ''),
    room,
    leftOut('details'),
  );
  return [...head, ...rows, ...(rows.length > 0 ? [''] : []), ...basis, ...approvals, ...details].join('\n').split('\n');
}

const paragraph = (line: string): string => `${plain(oneLine(line))}\n`;
const leftOut = (what: string) => (count: number) =>
  `\nLeft out: ${what} of ${objectsOf(count)}. kubectl cloud plan without -o markdown shows all.\n`;
const rowOf = (entry: Entry): string => `| ${cell(nameOf(entry))} | ${entry.action} | ${cell(noteOf(entry))} |`;
const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length + 1, 0);

/** Those that fit, also after one that does not; `others` says how many do not. */
function fitting(texts: readonly string[], room: number, others: (count: number) => string): readonly string[] {
  if (lengthOf(texts) <= room) return texts;
  let left = room - lengthOf([others(texts.length)]);
  const shown = texts.filter(({ length }) => {
    if (length + 1 > left) return false;
    left -= length + 1;
    return true;
  });
  return [...shown, others(texts.length - shown.length)];
}

function fold(entry: Entry): string {
  const lines = detailsOf(entry).map(oneLine);
  if (lines.length === 0) return '';
  const fence = '`'.repeat(1 + Math.max(2, ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([ticks]) => ticks.length))));
  return `<details><summary>${plain(nameOf(entry))}: ${entry.action}</summary>\n\n${fence}\n${lines.join('\n')}\n${fence}\n</details>\n`;
}
/** Values come from specs and from the account: none may become markup. */
const plain = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('@', '&#64;');
const cell = (text: string): string => oneLine(plain(text)).replaceAll('|', '\\|');
