import type { Millis } from '../../lib/clock.ts';
import { type AnyKind, asCollection, placesOf } from '../../resource/index.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { ageOf, on, text } from '../command-line/flag.ts';
import { kindFrom, registry } from '../command-line/kinds.ts';
import { whyUnlisted } from './settings.ts';

const classes = ['unmanaged', 'retained', 'lost', 'foreign', 'missing'] as const;
type Class = (typeof classes)[number];

/** What a line asks for. */
export interface Wishes {
  readonly kinds: readonly AnyKind[];
  readonly shown: readonly Class[];
  /** Made before then; undefined: whenever. */
  readonly before?: Millis;
  /** All that the account has, of whatever kind and age. */
  readonly isWhole: boolean;
}

export function wishesOf({ session, flags }: Call): Wishes {
  const named = classes.filter((one) => on(flags, one));
  if (on(flags, 'all') && named.length > 0) throw new CliError(2, `--all and --${named[0]} exclude each other`);
  const usual = on(flags, 'all') ? classes : classes.filter((one) => one !== 'foreign');
  const age = ageOf(flags, 'olderThan', 'older-than');
  return {
    kinds: kindsOf(text(flags, 'kinds')),
    shown: named.length > 0 ? named : usual,
    ...(age !== undefined && { before: session.now - age }),
    isWhole: named.length === 0 && age === undefined && text(flags, 'kinds') === undefined,
  };
}

/** What comes and goes with what carries it, as tags do, costs nothing and is listed only where it is named. */
export const isHeld = (kind: AnyKind): boolean => asCollection(kind) !== undefined && kind.takesOver !== true;

/** What is listed only where it is named, as tags are. */
export const carried: readonly string[] = registry.kinds
  .filter((kind) => asCollection(kind) !== undefined && !isHeld(kind))
  .map(({ shortName }) => shortName);

/** What takes one list for each that it lies below, so that it must be named. */
export const notLookedAt: readonly string[] = registry.kinds
  .filter((kind) => isHeld(kind) && placesOf(kind).length === 0)
  .map(({ shortName }) => shortName);

function kindsOf(words: string | undefined): readonly AnyKind[] {
  if (words === undefined) return registry.kinds.filter((kind) => isHeld(kind) && placesOf(kind).length > 0);
  const named = words
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .map(kindFrom);
  const never = named.find((kind) => asCollection(kind) === undefined);
  if (never !== undefined) throw new CliError(2, `--kinds ${never.kind}: ${whyUnlisted(never) ?? ''}, so no object can be missing for it`);
  if (named.length === 0) throw new CliError(2, '--kinds names none: write for example --kinds cvol,cinst');
  return [...new Set(named)];
}
