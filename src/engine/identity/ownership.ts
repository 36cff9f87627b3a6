import { type AnyWant, asCollection, type Row } from '../../resource/index.ts';
import type { AccountContext } from '../context.ts';
import type { Claim } from '../memory/claims.ts';
import { installationTag, installationTagPrefix, isHalfMadeLabel, isMarked } from '../model/identity.ts';
import { toldName } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { covers } from '../model/values.ts';
import { holderAbove, holderNow } from '../resolve/above.ts';

const tagsOf = (row: Row): readonly string[] => (Array.isArray(row['tags']) ? (row['tags'] as string[]) : []);

/** A tag of another installation excludes a remote everywhere but under `adopt.force`. */
export function hasForeignTag(context: Pick<AccountContext, 'kind' | 'name'>, row: Row): boolean {
  const ours = installationTag(context.name.installation);
  return context.kind.tags !== undefined && tagsOf(row).some((tag) => tag.startsWith(installationTagPrefix) && tag !== ours);
}

/**
 * What we make bears the installation's tag from birth. Asked only where the service refuses a second of the name: there a
 * wrong no costs a person a look, and elsewhere it would make a duplicate.
 */
export const lacksOurTag = (context: AccountContext, row: Row): boolean =>
  context.kind.key?.enforced === 'unique' && isUntagged(context, row);

/** It lacks the tag that is sent with every create of its kind; false of kinds and for users without tags. */
export const isUntagged = (context: AccountContext, row: Row): boolean => sendsTag(context) && !hasOurTag(context, row);

export const hasOurTag = ({ name }: Pick<AccountContext, 'name'>, row: Row): boolean =>
  tagsOf(row).includes(installationTag(name.installation));

export const sendsTag = (context: AccountContext): boolean =>
  context.kind.tags !== undefined && !context.account.connection.identity.restricted && !isMadeWithoutTags(context);

/** The path that its spec has it made at takes none, although its kind has some. */
export const isMadeWithoutTags = (context: Pick<AccountContext, 'kind' | 'object'>): boolean => untaggedBirth(context) !== undefined;

/** Actions of the event that tells of a birth at such a path; undefined where its spec has it made at another. */
export function untaggedBirth({ kind, object }: Pick<AccountContext, 'kind' | 'object'>): readonly string[] | undefined {
  const ways = Object.entries(asCollection(kind)?.withoutTags ?? {});
  return ways.find(([field]) => object.spec[field] !== undefined)?.[1];
}

/** Made for this very object: its label carries the owner key, or what an attempt of it signed (README: identity). */
export function isOwn(context: AccountContext, row: Row): boolean {
  const { label: rule } = context.kind;
  const label = rule && row[rule.field];
  if (typeof label !== 'string' || hasForeignTag(context, row)) return false;
  return isMarked(rule, context, label) || isHalfMadeLabel(rule, context, label);
}

/** Equal in every field of a natural key. */
export function hasKey({ kind }: Pick<AccountContext, 'kind'>, key: Row, want: AnyWant, row: Row): boolean {
  return covers(key, kind.key?.row?.(row, want) ?? row);
}

/** Which object holds this row's remote, when it is not this one. */
export function claimedBy(context: AccountContext, path: string): string | undefined {
  const holder = holderNow(context, path);
  return holder && told(context, holder);
}
export const told = (context: AccountContext, holder: Claim): string => toldName(context, holder) ?? 'an object of another namespace';

/** The outcome, for whoever cannot have a remote or its name now: it is woken when the object that holds it lets go. */
export function refusedFor(context: AccountContext, path: string, outcome: Outcome): Outcome {
  const { account, engine, object } = context;
  engine.claims.refuse(account.connection.identity.account, holderAbove(context, object, path)?.path ?? path, object);
  return outcome;
}
