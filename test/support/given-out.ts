import { type AnyKind, filters, rendered, type Row } from '../../src/resource/index.ts';
import type { World } from './world.ts';

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

/** What of these keys a target must hold, by what the account shows; `missing`: there is none of it. */
export async function givenOut(
  world: World,
  { kind, path, keys }: { readonly kind: AnyKind; readonly path: string; readonly keys: Texts },
): Promise<{ readonly data: Texts; readonly missing: readonly string[] }> {
  const { body } = await world.emulator.control.actAs({ username: 'admin', method: 'GET', path: `/v4${path}` });
  const remote: Row = kind.remote.parse(JSON.parse(String(body)));
  return renderedOf(keys, Object.fromEntries(Object.entries(kind.outputs ?? {}).map(([name, { of }]) => [name, of(remote)])));
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
