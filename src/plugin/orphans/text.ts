import type { OrphansData } from '../output/account-shapes.ts';
import { unreadText } from './unread.ts';
import { table } from '../output/table.ts';
import { counted } from '../../lib/counted.ts';
import { fewOf } from '../../lib/few-of.ts';

interface Hints {
  /** Kinds that were not looked at: what lies below others and what others carry, by short names, and what is set at others. */
  readonly unlooked:
    | { readonly below: readonly string[]; readonly carried: readonly string[]; readonly settings: readonly string[] }
    | undefined;
  /** What brings in all of it. */
  readonly all: string | undefined;
}

export function linesOf(
  { orphans, missing, counts, monthly, unread = [] }: OrphansData,
  { unlooked, all }: Hints,
  isWide = false,
): readonly string[] {
  const isPriced = monthly !== undefined;
  const isBelow = orphans.some((one) => one.in !== undefined);
  const parts = [
    orphans.length === 0
      ? []
      : table(
          headings({ isPriced, isBelow, isWide }),
          orphans.map((one) => [
            one.kind,
            String(one.id),
            one.label,
            one.region ?? '',
            one.created ?? '',
            one.class,
            ...(isBelow ? [one.in ?? ''] : []),
            ...(isPriced ? [one.monthly?.toFixed(2) ?? '?'] : []),
            ...(isWide ? [one.path, one.like ?? '', one.adopt] : []),
            one.export,
          ]),
        ),
    missing.length === 0
      ? []
      : table(
          ['OBJECT', 'REMOTE THAT IS NOT THERE', 'REASON'],
          missing.map(({ object, path, reason = '' }) => [object, path, reason]),
        ),
    [[summary({ orphans, missing, counts }), ...below(isBelow), ...beside(unlooked), ...(isPriced ? [together(monthly)] : [])].join(' ')],
    all === undefined || orphans.filter((one) => one.class !== 'foreign').length < 2
      ? []
      : [`To bring in at once all that no other installation has: ${all}`],
    claims(orphans),
    unread.map((list) => `Not all was read: ${unreadText(list)}`),
  ];
  return parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : ['', ...part]));
}

function summary({ orphans, missing, counts }: Pick<OrphansData, 'orphans' | 'missing' | 'counts'>): string {
  const { missing: gone, ...classes } = counts;
  const all = Object.entries(classes).filter(([, count]) => count > 0);
  const total = all.reduce((sum, [, count]) => sum + count, 0);
  const hidden = total - orphans.length + gone - missing.length;
  const without =
    all.length === 0
      ? 'Nothing is without an object'
      : `${total} without an object: ${all.map(([one, count]) => `${count} ${one}`).join(', ')}`;
  const lacking = gone === 0 ? '' : ` ${counted(gone, 'object lacks its', 'objects lack their')} remote.`;
  return `${without}.${lacking}${hidden === 0 ? '' : ` ${hidden} not shown: --all.`}`;
}

interface Shown {
  readonly isPriced: boolean;
  readonly isBelow: boolean;
  readonly isWide: boolean;
}
const headings = ({ isPriced, isBelow, isWide }: Shown): readonly string[] => [
  'KIND',
  'ID',
  'LABEL',
  'REGION',
  'CREATED',
  'CLASS',
  ...(isBelow ? ['IN'] : []),
  ...(isPriced ? ['$/MONTH'] : []),
  ...(isWide ? ['PATH', 'LIKE', 'ADOPT'] : []),
  'TO BRING IT IN',
];

const mostClaims = 10;
/** Who restored a backup would else make a second object for each. */
function claims(orphans: OrphansData['orphans']): readonly string[] {
  const all = orphans.flatMap(({ kind, id, claimedBy }) => (claimedBy === undefined ? [] : [`${claimedBy} names ${kind} ${id}`]));
  if (all.length === 0) return [];
  return [
    `By annotation cloudhosting.dev/remote alone, which no status confirms: ${fewOf(all, mostClaims)}. Whoever may edit an object can write that. If it was restored from a backup, bring in nothing of this before the operator has looked at it: it proves what is its own. If not, ask who made it, and remove the annotation.`,
  ];
}

const below = (is: boolean): readonly string[] =>
  is
    ? [
        'What is IN something that an object has may have come with that, as disks and a configuration come with the image of an instance: it needs no object of its own.',
      ]
    : [];

const beside = (unlooked: Hints['unlooked']): readonly string[] =>
  unlooked === undefined
    ? []
    : [
        `What lies below others is not looked at: --kinds ${unlooked.below.join(',')}.`,
        `Nor is what comes and goes with others: --kinds ${unlooked.carried.join(',')}.`,
        `What is set at others has no id of its own, and is never listed: ${unlooked.settings.join(', ')}.`,
      ];

const together = ({ usd, unknown }: NonNullable<OrphansData['monthly']>): string =>
  `What is listed costs ${unknown > 0 ? 'at least ' : ''}${usd.toFixed(2)} $ a month${unknown > 0 ? `; of ${unknown} nobody says the price` : ''}.`;
