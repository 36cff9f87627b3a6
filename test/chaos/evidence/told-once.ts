import { kinds } from '../../../src/generated/kinds.ts';
import { type AnyKind, asCollection, type Row } from '../../../src/resource/index.ts';
import type { LedgerObject } from '../../emulator/core/ledger.ts';
import type { World } from '../../support/world/world.ts';

type Life = Pick<LedgerObject, 'row' | 'bornAt' | 'diedAt'>;

/** So long one may be there of which nobody knows what was told. */
const thrownAwayWithin = 15 * 60_000;

const toldFields = (kind: AnyKind): readonly string[] => Object.values(kind.outputs ?? {}).flatMap(({ toldOnce }) => toldOnce ?? []);
const allFields = kinds.flatMap(toldFields);

/** What the account told when it was made, and never again. */
export const toldBy = ({ row }: Pick<Life, 'row'>): readonly string[] =>
  allFields.flatMap((field) => {
    const value = (row as Row)[field];
    return typeof value === 'string' ? [value] : [];
  });

/** The answer that told was lost, and the remote with it: that another one was made is as it should be, and exactly one remains. */
export const isThrownAway = (life: Life): boolean =>
  (toldBy(life).length > 0 || isUnfilled(life)) && life.diedAt !== undefined && life.diedAt - life.bornAt <= thrownAwayWithin;

/** What it was to be made of never came. */
const isUnfilled = ({ row }: Life): boolean => kinds.some((kind) => asCollection(kind)?.transfer?.awaits(row as Row) === true);

/** What was told of a remote that an object has, and that lives, and is in no Secret. */
export function untoldIn(world: World): readonly string[] {
  const secrets = world.server.objects('/secrets').map((secret) => clear(secret as unknown as Row));
  const lives = world.emulator.control.objects().filter((life) => life.origin !== 'seed' && toldBy(life).length > 0);
  return world.kinds.flatMap((kind) => objectsOf(world, kind).flatMap((bound) => wrongOf(bound, lives, secrets)));
}
const clear = ({ data = {} }: Row): string =>
  Object.values(data as Readonly<Record<string, string>>)
    .map((text) => Buffer.from(text, 'base64').toString())
    .join('\n');

interface Bound {
  readonly name: string;
  readonly path: string;
}
function objectsOf(world: World, kind: AnyKind): readonly Bound[] {
  if (toldFields(kind).length === 0) return [];
  return world.server.objects(`cloudhosting.dev/${kind.kind.toLowerCase()}s`).flatMap(({ metadata, status }) => {
    const { path, origin } = (status ?? {}) as { readonly path?: string; readonly origin?: string };
    return path === undefined || origin !== 'Created' ? [] : [{ name: `${kind.kind} ${metadata.name}`, path }];
  });
}
function wrongOf({ name, path }: Bound, lives: readonly LedgerObject[], secrets: readonly string[]): readonly string[] {
  const life = lives.find(({ key }) => path.endsWith(`/${String(key)}`));
  if (life === undefined || life.diedAt !== undefined) return [];
  return toldBy(life).every((told) => secrets.some((text) => text.includes(told)))
    ? []
    : [`what was told of ${path} is in no Secret of ${name}`];
}
