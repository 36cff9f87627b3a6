import type { Row } from '../../resource/index.ts';
import { annotation, remoteAnnotation } from '../run/annotations.ts';
import { covers, differences, installationTagPrefix } from '../converge/drift.ts';
import { type Identity, installationTag, ownerKey, parseIdentity } from './marks.ts';
import type { Resource } from '../ports.ts';
import type { AnyWant } from '../../resource/index.ts';
import type { Turn } from '../run/turn.ts';

/**
 * Whose remote an object may speak for (design 4.1).
 * `heal`: annotation or status alone proved it, and the other is to be written again.
 * `unproven`: an annotation that this operator did not make and that status does not confirm.
 */
export type Proof =
  | { readonly is: 'none' }
  | { readonly is: 'ours'; readonly identity: Identity; readonly heal: boolean }
  | { readonly is: 'unproven'; readonly identity: Identity }
  | { readonly is: 'conflict'; readonly message: string };

/** Backups restore annotations and no status; a full replace drops annotations and no status: each heals the other. */
export function proofOf(turn: Pick<Turn, 'engine' | 'name'>, object: Resource): Proof {
  const text = annotation(object, remoteAnnotation);
  const told = text === undefined ? undefined : parseIdentity(turn.engine.key, turn.name, text);
  const known = statusIdentity(object);
  if (text === undefined) return known === undefined ? { is: 'none' } : { is: 'ours', identity: known, heal: true };
  if (told === undefined && known === undefined)
    return {
      is: 'conflict',
      message: `annotation ${remoteAnnotation} cannot be read. Remove it to start anew, or put back the one from your backup`,
    };
  if (told === undefined) return { is: 'ours', identity: known as Identity, heal: true };
  return weigh(told, known);
}

function weigh({ genuine, ...identity }: Identity & { readonly genuine: boolean }, known: Identity | undefined): Proof {
  const agree = known !== undefined && known.path === identity.path && known.account === identity.account;
  if (genuine && (known === undefined || agree)) return { is: 'ours', identity, heal: false };
  if (agree) return { is: 'ours', identity: known, heal: true };
  if (known === undefined) return { is: 'unproven', identity };
  return {
    is: 'conflict',
    message: `annotation ${remoteAnnotation} names ${identity.path} and status names ${known.path}. Remove the annotation if the status is right; nothing is changed or deleted meanwhile`,
  };
}

function statusIdentity({ status }: Resource): Identity | undefined {
  const { path, account, origin } = (status ?? {}) as { path?: string; account?: string; origin?: string };
  return typeof path === 'string' && typeof account === 'string'
    ? { path, account, how: origin === 'Created' ? 'created' : 'adopted' }
    : undefined;
}

const tagsOf = (row: Row): readonly string[] => (Array.isArray(row['tags']) ? (row['tags'] as string[]) : []);

/** A tag of another installation excludes a remote everywhere but under `adopt.force`. */
export function hasForeignTag(turn: Turn, row: Row): boolean {
  const ours = installationTag(turn.name.installation);
  return turn.kind.tags !== undefined && tagsOf(row).some((tag) => tag.startsWith(installationTagPrefix) && tag !== ours);
}

/**
 * What we make bears the installation's tag from birth. Asked only where the service refuses a second of the name: there a
 * wrong no costs a person a look, and elsewhere it would make a twin.
 */
export function lacksOurTag({ kind, account, name }: Turn, row: Row): boolean {
  const sent = kind.tags !== undefined && !account.connection.identity.restricted;
  return sent && kind.key.enforced === 'unique' && !tagsOf(row).includes(installationTag(name.installation));
}

/** Unclaimed, and made for this very object: its label carries the owner key, or `recover` lets the natural key speak (design 4.2). */
export function isOwn(turn: Turn, row: Row, want?: AnyWant): boolean {
  if (hasForeignTag(turn, row)) return false;
  const label = turn.kind.label === undefined ? undefined : row[turn.kind.label.field];
  if (typeof label === 'string' && label.endsWith(`-${ownerKey(turn.name)}`)) return true;
  return turn.account.recover && want !== undefined && recoverable(turn, row, want);
}

/** Equal in every field of a natural key. */
export function hasKey({ kind }: Turn, key: Row, want: AnyWant, row: Row): boolean {
  return covers(key, kind.key.row?.(row, want) ?? row);
}

/** An annotation or `adopt` names any path: what makes the remote this object's own is its natural key. */
function recoverable(turn: Turn, row: Row, want: AnyWant): boolean {
  if (!hasKey(turn, turn.kind.key.of(want), want, row)) return false;
  if (turn.kind.tags !== undefined && !turn.account.connection.identity.restricted)
    return tagsOf(row).includes(installationTag(turn.name.installation));
  return differences(turn.kind, want, row, () => true).length === 0;
}

/** The uid of the object that holds this row's remote, when it is not this one. */
export function claimedBy(turn: Turn, path: string): string | undefined {
  const holder = turn.engine.claims.holder(turn.account.connection.identity.account, path);
  return holder === undefined || holder.uid === turn.object.metadata.uid
    ? undefined
    : `${holder.kind} ${holder.key.namespace}/${holder.key.name}`;
}
