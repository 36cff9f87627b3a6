import { unreadText } from '../../orphans/unread.ts';
import { oneLine } from '../../../lib/one-line.ts';
import type { ExportData } from '../../output/account-shapes.ts';
import { table } from '../../output/table.ts';
import { accessText } from '../placing/admitted.ts';
import { headOf } from './manifest.ts';
import { counted } from '../../../lib/counted.ts';
import { shellWord } from '../../../lib/shell-word.ts';

type Counts = readonly (readonly [string, string, string, string, string])[];
const head = ['KIND', 'FOUND', 'WRITTEN', 'SKIPPED', 'NOT PROVEN'] as const;

const of = (all: readonly { readonly kind: string }[], kind: string): string => String(all.filter((one) => one.kind === kind).length);
const countsOf = ({ kinds, skipped, unproven }: ExportData): Counts =>
  kinds.map(({ kind, found, written }) => [kind, String(found), String(written), of(skipped, kind), of(unproven, kind)]);

const lead = ({ account, kinds }: ExportData): readonly string[] =>
  account === undefined
    ? []
    : [
        `Account ${account.id} as ${account.user}: ${counted(
          kinds.reduce((sum, { found }) => sum + found, 0),
          'remote',
        )} of ${counted(kinds.length, 'kind')}.`,
      ];

/** What wants to be known besides the counts. */
function remarks({
  unproven,
  skipped,
  unread = [],
  unasked = [],
  access = [],
  secrets = [],
  givenOut = [],
  monthly,
  ...beside
}: ExportData): readonly string[] {
  const reasons = [...new Set(skipped.map(({ why }) => why))];
  return [
    ...unproven.map(({ kind, path, why }) => `${kind} ${path} is not written: ${why}`),
    ...unread.map((list) => `${unreadText(list)}. Export again once that answers`),
    ...reasons.map((why) => `${skipped.filter((one) => one.why === why).length} skipped: ${why}`),
    ...besideLines(beside),
    ...unasked.map(({ kind, why }) => `${kind} is left out: ${why}.`),
    ...access.map(accessText),
    ...(secrets.length === 0 ? [] : [`${counted(secrets.length, 'Secret is', 'Secrets are')} needed: SECRETS.md lists them.`]),
    ...(givenOut.length === 0
      ? []
      : [
          `Once they are applied, also while they only observe, the operator writes what these give out, passwords and kubeconfigs, into Secrets: ${givenOut.map(({ object, secret }) => `${object} into ${secret}`).join(', ')}.`,
        ]),
    ...(monthly === undefined
      ? []
      : [`What is written costs ${monthly.unknown > 0 ? 'at least ' : ''}${monthly.usd.toFixed(2)} $ a month.`]),
  ];
}

function besideLines({
  marking = [],
  leftAlone = [],
  before = [],
}: Pick<ExportData, 'marking' | 'leftAlone' | 'before'>): readonly string[] {
  return [...[...marking, ...leftAlone].map(({ kind, path, why }) => `${kind} ${path}: ${why}`), ...before.map(twiceText)];
}
export const twiceText = ({ file, what, by }: NonNullable<ExportData['before']>[number]): string =>
  `${file}, of an earlier export or import, is for ${what}, as ${by} is: delete one of the two before you apply them`;

/** How it was written. */
interface Written {
  readonly kustomization: boolean;
  readonly management: 'Observe' | 'Manage';
}

const step = (says: string, line: string): readonly string[] => [`  ${says}:`, `    ${line}`];
/** What is done with a folder of manifests, each with its line to type alone: no shell need take a remark behind it. */
export function stepsOf(folder: string, kustomization: boolean) {
  const to = shellWord(folder);
  return {
    apply: step('Apply them', `kubectl apply ${kustomization ? '-k' : '-R -f'} ${to}`),
    waitReady: step('Wait for them', `kubectl cloud wait -R -f ${to}`),
    waitObserved: step('Wait until all are looked at', `kubectl cloud wait -R -f ${to} --for=Observed`),
    compare: step('Compare, which must say that nothing would happen', `kubectl cloud plan -f ${to} -R --only-changes`),
    promote: step('Have them managed from the next apply on', `kubectl cloud export --promote ${to}`),
  };
}

/** On a terminal. What is managed from the first apply on is compared before that. */
export function reportLines(data: ExportData, { kustomization, management }: Written): readonly string[] {
  const { files, to } = data;
  const rows = countsOf(data);
  const next = stepsOf(to, kustomization);
  const inOrder =
    management === 'Manage'
      ? [next.compare, next.apply, next.waitReady]
      : [next.apply, next.waitObserved, next.compare, next.promote, next.apply];
  return [
    ...lead(data),
    ...(rows.length === 0 ? ['The account has nothing of these kinds.'] : table(head, rows)),
    ...remarks(data),
    `${counted(files.length, 'manifest')} in ${to}.${files.length === 0 ? '' : ' Next, in this order:'}`,
    ...(files.length === 0 ? [] : inOrder.flat()),
  ];
}

const cells = (row: readonly string[]): string => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const inMarkup: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '@': '&#64;', ']': '&#93;' };
/** Tags and labels are anybody's: none may become a link or an image. A list of our own, `[team-b]`, stays to be read. */
const asText = (line: string): string => oneLine(line).replaceAll(/[&<@]|\](?=[([:])/g, (sign) => inMarkup[sign] ?? sign);

/** The same for who reads the folder later. */
export function reportMarkdown(data: ExportData): string {
  return [
    headOf('export'),
    '# What was exported',
    '',
    ...lead(data).map(oneLine),
    '',
    cells(head),
    cells(head.map(() => '---')),
    ...countsOf(data).map(cells),
    '',
    ...remarks(data).map((line) => `- ${asText(line)}`),
    '',
  ].join('\n');
}
