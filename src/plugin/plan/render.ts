import { shownText } from '../../engine/model/values.ts';
import { oneLine } from '../../lib/one-line.ts';
import type { PlanData } from '../output/shapes.ts';
import type { Entry } from './entries.ts';
import { addedBy } from './money.ts';

const nameOf = ({ kind, namespace, name }: Entry): string => `${kind} ${namespace}/${name}`;

const valueText = (value: unknown): string => (value === null ? 'none' : shownText(value));
const changeOf = ({ field, from, to, secret }: Entry['changes'][number]): string =>
  secret ? `${field}: another secret` : `${field}: ${valueText(from)} -> ${valueText(to)}`;

const noteOf = ({ effect, needsApproval, after, action, monthlyUSD }: Entry): string =>
  [
    ...(effect === undefined || action === 'replace' ? [] : [effect]),
    ...(needsApproval ? ['needs approval'] : []),
    ...(after.length > 0 ? [`after ${after.join(', ')}`] : []),
    ...(monthlyUSD === undefined ? [] : [moneyOf(monthlyUSD)]),
  ].join(', ');

function moneyOf({ before, after }: NonNullable<Entry['monthlyUSD']>): string {
  return before === undefined || after === undefined ? '? $/month' : dollars(after - before);
}
const dollars = (change: number): string => `${change < 0 ? '-' : '+'}${Math.abs(change).toFixed(2)} $/month`;

const callOf = ({ method, path }: Entry['calls'][number]): string => `${method} ${path}`;
const detailsOf = (entry: Entry): readonly string[] => [
  ...entry.changes.map((change) => `~ ${changeOf(change)}`),
  ...entry.calls.map(callOf),
  ...(entry.refusal === undefined ? [] : [entry.refusal.message]),
  ...(entry.message === undefined ? [] : [entry.message]),
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

export const summaryOf = ({ objects, summary, brake }: PlanData): string => {
  const waiting = objects.filter(({ needsApproval }) => needsApproval).length;
  const counts = Object.entries(summary).map(([action, count]) => `${count} ${action}`);
  const approvals = waiting === 0 ? '' : ` (${waiting} ${waiting === 1 ? 'needs' : 'need'} approval)`;
  const held = brake.wouldHold === 0 ? '' : ` ${brake.wouldHold} deletions would be held, because they are too many at once.`;
  return `${objects.length} ${objects.length === 1 ? 'object' : 'objects'}: ${counts.join(', ') || 'nothing'}${approvals}.${sumOf(objects)}${held}`;
};

/** Of what is not known nothing is added, and that is said. */
function sumOf(objects: readonly Entry[]): string {
  if (objects.every(({ monthlyUSD }) => monthlyUSD === undefined)) return '';
  const { known, unknown } = addedBy(objects);
  return ` ${dollars(known)}${unknown.length === 0 ? '' : ` and what ${unknown.length} of them cost, which is not known`}.`;
}
const basisOf = ({ accounts, objects }: PlanData): readonly string[] => [
  ...suppositionOf(objects),
  ...accounts.map(({ account, id, user, readAt }) => `Basis: ${account}, account ${id}, read at ${readAt} as ${user}.`),
  'Nothing was written.',
];
/** Where no account was asked. */
function suppositionOf(objects: readonly Entry[]): readonly string[] {
  const bases = new Set(objects.flatMap(({ basis }) => basis ?? []));
  if (bases.has('manifests'))
    return ['Basis: the manifests, before and after; checked offline: admission decides, and what the account has is not known.'];
  const [first, ...more] = [...bases].filter((one) => one.startsWith('status of ')).toSorted();
  return first === undefined ? [] : [`Basis: ${[first, ...more.slice(-1)].join(' to ')}; the account was not asked.`];
}
const approvalsOf = ({ objects }: PlanData): readonly string[] =>
  objects.flatMap((entry) => {
    if (!entry.needsApproval) return [];
    const { approval } = entry;
    return approval === undefined
      ? [`Once it is applied: kubectl cloud approve ${entry.kind.toLowerCase()}/${entry.name} -n ${entry.namespace}`]
      : [`Approve with the change, by this annotation on ${nameOf(entry)}: ${approval.annotation}: ${approval.value}`];
  });

/** A comment may have 65,536 characters. */
const most = 60_000;
/** By this line a job finds the comment that it wrote before. */
const marker = '<!-- kubectl-cloud-plan -->';

export function planMarkdown(data: PlanData): readonly string[] {
  const shown = data.objects.filter(({ action }) => action !== 'none');
  const head = [marker, `**${summaryOf(data)}**`, ''];
  const table = [
    '| Object | Action | |',
    '| --- | --- | --- |',
    ...shown.map((entry) => `| ${cell(nameOf(entry))} | ${entry.action} | ${cell(noteOf(entry))} |`),
    '',
  ];
  const foot = [...basisOf(data), ...approvalsOf(data)].map((line) => `${plain(oneLine(line))}\n`);
  const begun = [...head, ...(shown.length > 0 ? table : [])].join('\n');
  const folded = shown.map((entry) => fold(entry)).filter((text) => text !== '');
  let left = most - begun.length - foot.join('\n').length;
  const fitting = folded.filter((text) => (left -= text.length + 1) > 0);
  const cut = fitting.length < folded.length ? [`Details of ${folded.length - fitting.length} more are left out.\n`] : [];
  return [begun, ...fitting, ...cut, ...foot].join('\n').slice(0, most).split('\n');
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
