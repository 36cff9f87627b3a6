import { outputsOf } from '../../../src/engine/outputs/values.ts';
import { type AnyKind, type AnyWant, filters, rendered, type Row } from '../../../src/resource/index.ts';
import type { World } from '../world/world.ts';

type Texts = Readonly<Record<string, string>>;

/** Each output of a kind under another name, in a text, and through every filter. */
export const everyOutput = ({ outputs = {} }: AnyKind): Texts => underNames(Object.keys(outputs));

/** Only what a ConfigMap may have. */
export const plainOutput = ({ outputs = {} }: AnyKind): Texts =>
  underNames(Object.entries(outputs).flatMap(([name, { secret }]) => (secret === true ? [] : [name])));

const underNames = (names: readonly string[]): Texts =>
  Object.fromEntries(
    names.flatMap((name, i) => [
      [`PLAIN_${i}`, name],
      [`TEXT_${i}`, `{"at": "<{${name}}>"}`],
      ...Object.keys(filters).map((filter) => [`${filter}.${i}`, `{${name}:${filter}}`]),
    ]),
  );

interface Asked {
  readonly kind: AnyKind;
  readonly path: string;
  readonly keys: Texts;
  /** What its kind borrows. */
  readonly borrowed?: AnyWant['borrowed'];
}

/** What of these keys a target must hold, by what the account shows or once has told; `missing`: there is none of it. */
export async function givenOut(
  world: World,
  { kind, path, keys, borrowed = {} }: Asked,
): Promise<{ readonly data: Texts; readonly missing: readonly string[] }> {
  const shown = await shownAt(world, path);
  const item = kind.remote.parse({ ...shown, ...toldOnce(world, kind, shown) });
  const parts = await partsOf(world, kind, { path, item });
  return renderedOf(keys, outputsOf(kind, { remote: { ...item, ...parts }, want: { name: '', borrowed } }, parts));
}

const shownAt = async (world: World, path: string): Promise<Row> => {
  const { body } = await world.emulator.control.actAs({ username: 'admin', method: 'GET', path: `/v4${path}` });
  return JSON.parse(String(body)) as Row;
};

/** What is shown below the item, while it is there. */
async function partsOf(world: World, { parts = {} }: AnyKind, { path, item }: { readonly path: string; readonly item: Row }): Promise<Row> {
  const there = Object.entries(parts).filter(([, part]) => part.when?.(item, item) !== false);
  const reads = there.map(async ([name, part]) => {
    const shown = await shownAt(world, part.path(path, item));
    return [name, part.paged ? shown['data'] : shown] as const;
  });
  return Object.fromEntries(await Promise.all(reads));
}

/** What an object borrows of the things that it refers to, as their status says it. */
export async function borrowedIn(
  world: World,
  { borrows = {} }: AnyKind,
  needs: readonly { readonly kind: string; readonly name: string }[],
): Promise<Readonly<Record<string, string>>> {
  const statuses = await Promise.all(needs.map(async (need) => (await world.find(need.kind, need.name))?.status));
  return Object.fromEntries(
    Object.entries(borrows).flatMap(([name, { status: field }]) => {
      const value = statuses.find((status) => typeof status?.[field] === 'string')?.[field];
      return value === undefined ? [] : [[name, String(value)] as const];
    }),
  );
}

/** The same by the values of the outputs. */
export function renderedOf(
  keys: Texts,
  values: Readonly<Record<string, string | null | undefined>>,
): { readonly data: Texts; readonly missing: readonly string[] } {
  const texts = Object.entries(keys).map(([key, text]) => [key, rendered(text, values)] as const);
  return {
    data: Object.fromEntries(texts.flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : []))),
    missing: texts.flatMap(([key, text]) => (typeof text === 'string' ? [] : [key])),
  };
}

/** What the account keeps to itself after the answer to the create. */
function toldOnce(world: World, { outputs = {} }: AnyKind, shown: Row): Row {
  const fields = Object.values(outputs).flatMap((output) => output.toldOnce ?? []);
  const known = world.emulator.control.objects().map(({ row }) => row as Row);
  const kept = known.find((row) => row['id'] === shown['id'] && fields.every((field) => field in row));
  return Object.fromEntries(fields.map((field) => [field, kept?.[field]]));
}
