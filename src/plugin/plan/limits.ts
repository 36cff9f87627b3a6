import { effects } from '../../resource/index.ts';
import type { Call } from '../command-line/command.ts';
import { CliError, type Exit } from '../exit.ts';
import { type Flags, text } from '../command-line/flag.ts';
import type { PlanData } from '../output/plan-shape.ts';
import type { Entry } from './entries.ts';
import { addedBy } from './money.ts';
import { counted } from '../../lib/counted.ts';

/** What a line allows; undefined: anything. */
export interface Limits {
  readonly effect: (typeof effects)[number] | undefined;
  readonly deletes: number | undefined;
  readonly monthly: number | undefined;
}

export const limitsOf = (flags: Flags): Limits => ({
  effect: effects.find((effect) => effect === text(flags, 'maxEffect')),
  deletes: numberOf(flags, { name: 'maxDeletes', written: '--max-deletes', form: /^\d{1,6}$/, example: '0' }),
  monthly: numberOf(flags, { name: 'maxMonthly', written: '--max-monthly', form: /^\d{1,9}([.]\d{1,2})?$/, example: '50.00' }),
});

interface Word {
  readonly name: string;
  readonly written: string;
  readonly form: RegExp;
  readonly example: string;
}
function numberOf(flags: Flags, { name, written, form, example }: Word): number | undefined {
  const given = text(flags, name);
  if (given !== undefined && !form.test(given))
    throw new CliError(2, `${written} ${given} cannot be read: write for example ${written} ${example}`);
  return given === undefined ? undefined : Number(given);
}

const nameOf = ({ kind, namespace, name }: Entry): string => `${kind} ${namespace}/${name}`;

export const wouldBeHeld = ({ wouldHold: count }: PlanData['brake']): string =>
  `${counted(count, 'deletion')} would be held, because so many at once may be a mistake; but the first of them, up to 10, or a quarter of the namespace where that is more, may be gone from the account before`;

/** Each limit that a plan breaks, in words. */
export function broken({ objects, brake }: PlanData, limits: Limits): readonly string[] {
  const above = objects.filter(
    ({ effect }) => limits.effect !== undefined && effect !== undefined && effects.indexOf(effect) > effects.indexOf(limits.effect),
  );
  return [
    ...above.map((entry) => `${nameOf(entry)}: ${entry.effect} is more than --max-effect allows`),
    ...tooManyGone(objects, limits),
    ...tooDear(objects, limits),
    ...(brake.wouldHold === 0 ? [] : [`${wouldBeHeld(brake)}. What is held a person would have to let go with kubectl cloud release`]),
  ];
}

/** A replacement deletes, too, and what is kept only as far as manifests alone tell may be deleted. */
function tooManyGone(objects: readonly Entry[], { deletes }: Limits): readonly string[] {
  const gone = objects.filter(
    ({ action, unknown }) => action === 'delete' || action === 'replace' || (action === 'retain' && unknown !== undefined),
  );
  return deletes === undefined || gone.length <= deletes
    ? []
    : [`${gone.length} cloud resources would be deleted or replaced, and --max-deletes allows ${deletes}: ${gone.map(nameOf).join(', ')}`];
}

/** What has no known price may be any. */
function tooDear(objects: readonly Entry[], { monthly }: Limits): readonly string[] {
  if (monthly === undefined) return [];
  const { known, most, unknown } = addedBy(objects);
  const allowed = `and --max-monthly allows ${monthly.toFixed(2)}`;
  if (known > monthly) return [`it adds ${known.toFixed(2)} $ a month, ${allowed}`];
  if (most > monthly) return [`it adds at most ${most.toFixed(2)} $ a month on the way, until all of it is approved, ${allowed}`];
  const names = unknown.map(nameOf).join(', ');
  const isOfAccount = unknown.every(({ basis }) => basis === 'account');
  return unknown.length === 0
    ? []
    : [
        `what these cost is not known, so that --max-monthly cannot be held: ${names}. Name the prices with --prices FILE${isOfAccount ? '' : ', or plan --against account, whose catalogues tell those of plans'}`,
      ];
}

/** A refusal beats a limit, and a limit beats a difference. */
export function exitOf({ session }: Call, data: PlanData, limits: Limits): Exit {
  const over = broken(data, limits);
  for (const one of over) session.say(one);
  if (data.objects.some(({ action }) => action === 'refused')) return 4;
  if (over.length > 0) return 3;
  return data.objects.every(({ action }) => action === 'none') ? 0 : 1;
}
