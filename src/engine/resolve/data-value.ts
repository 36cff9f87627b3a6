import { own } from '../../lib/own.ts';
import { type AnyKind, FileContent, Sensitive, seconds } from '../../resource/index.ts';
import type { ClusterContext, DataReader } from '../context.ts';
import { isPending } from '../model/conditions.ts';
import { noKeyText, notFoundText } from '../ports/data-lack.ts';
import { type DataRecord, readForbidden } from '../ports/index.ts';

/** What a spec names of a Secret or a ConfigMap. */
export interface DataKey {
  readonly name: string;
  readonly key: string;
}
type Value<V> = { readonly value: V } | { readonly missing: string; readonly gone?: true };

/** Of what one object names together, in bytes, where its kind says nothing else: it is in memory while the object waits for its turn. */
const mostNamed = 2 ** 18;

/** Whether there is room for one more value of the same object. */
export function roomFor(kind: AnyKind): <V extends Sensitive | FileContent | string>(found: Value<V>) => Value<V> {
  const most = kind.mostNamed ?? mostNamed;
  let left = most;
  return (found) => {
    if ('missing' in found) return found;
    left -= typeof found.value === 'string' ? Buffer.byteLength(found.value) : found.value.size;
    return left >= 0 ? found : { missing: tooLong(most) };
  };
}
const tooLong = (most: number): string =>
  `with it this object names more than ${most / 1024} KiB of Secrets and ConfigMaps together, and nothing is sent for it. Put something shorter under that key, or name another one`;

export const secretValue = (context: ClusterContext, at: DataKey): Promise<Value<Sensitive>> =>
  dataValue(context, { kind: 'Secret', from: context.engine.secretCache, of: ({ data }, key) => own(data, key) }, at);

export const configMapValue = (context: ClusterContext, at: DataKey, file?: true): Promise<Value<string | FileContent>> =>
  dataValue<string, string | FileContent>(
    context,
    { kind: 'ConfigMap', from: context.engine.configMapCache, of: file === true ? fileOf : textOf },
    at,
  );

const textOf = ({ data }: DataRecord<string>, key: string): string | undefined => own(data, key);

/** A text that lies where a file is asked for is one, too. */
function fileOf({ data, binaryData = {} }: DataRecord<string>, key: string): FileContent | undefined {
  const [base64, text] = [own(binaryData, key), own(data, key)];
  if (base64 !== undefined) return new FileContent(Buffer.from(base64, 'base64'));
  return text === undefined ? undefined : new FileContent(Buffer.from(text));
}

interface DataSource<Held, V> {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly from: DataReader<Held>;
  readonly of: (record: DataRecord<Held>, key: string) => V | undefined;
}
async function dataValue<Held, V>(
  { object, signal }: ClusterContext,
  { kind, from, of }: DataSource<Held, V>,
  { name, key }: DataKey,
): Promise<Value<V>> {
  const { namespace } = object.metadata;
  // What was just edited or is about to be made must not get the value of some minutes ago.
  const record = await from
    .record({ namespace, name }, signal, isPending(object) ? seconds(1) : undefined)
    .catch((error: unknown) => readForbidden(error, namespace, kind));
  if (typeof record === 'string') return { missing: record };
  if (record === undefined)
    return { missing: `${notFoundText({ kind, name, namespace })}. Create it with key ${key}, or correct the name`, gone: true };
  const value = of(record, key);
  return value === undefined
    ? { missing: `${noKeyText({ kind, name, key })}. Add the key to the ${kind}, or correct it in the spec` }
    : { value };
}
