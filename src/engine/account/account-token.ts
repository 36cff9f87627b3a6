import { seconds, type Sensitive } from '../../resource/index.ts';
import type { Key, Resource } from '../ports.ts';
import type { Engine } from '../run/turn.ts';

/** A token Secret is read this often, so that a rotated token is in use within a minute (design 3.6). */
export const tokenEvery = seconds(60);

export interface AccountToken {
  readonly token: Sensitive;
  /** Set where only the copy is left, which serves deletions alone. */
  readonly limited?: string;
}

const copyOf = (engine: Engine, object: Resource): Key => ({
  namespace: engine.settings.operatorNamespace,
  name: `token-${object.metadata.uid}`,
});

/** The Secret's token, or the operator's copy of it that keeps deletions possible after the Secret has gone (design 4.6). */
export async function readToken(
  engine: Engine,
  object: Resource,
  ref: { readonly name: string; readonly key: string },
  signal: AbortSignal,
): Promise<AccountToken | undefined> {
  const secret = await engine.secretCache.record({ namespace: object.metadata.namespace, name: ref.name }, signal, tokenEvery / 2);
  const token = secret?.data[ref.key];
  if (token !== undefined) return { token };
  const kept = (await engine.secretCache.record(copyOf(engine, object), signal))?.data['token'];
  if (kept === undefined) return undefined;
  return {
    token: kept,
    limited: `the token Secret ${ref.name} of CloudAccount ${object.metadata.name} is gone or has no key ${ref.key}; deletions still work, nothing else is done. Create the Secret again`,
  };
}

/** Only a token that was seen to lead to the right account: deletions may have nothing else left one day. */
export async function keepCopy(engine: Engine, object: Resource, token: Sensitive, signal: AbortSignal): Promise<void> {
  const key = copyOf(engine, object);
  const copy = await engine.secretCache.record(key, signal);
  if (copy?.data['token']?.reveal() === token.reveal()) return;
  const content = { data: { token }, labels: { 'cloudhosting.dev/account-uid': object.metadata.uid } };
  await (copy === undefined ? engine.secrets.create(key, content, signal) : engine.secrets.update(key, content, copy, signal));
  engine.secretCache.forget(key);
}

/** The copy goes with the account object, after its last dependant. */
export async function dropCopy(engine: Engine, object: Resource, signal: AbortSignal): Promise<void> {
  const key = copyOf(engine, object);
  const copy = await engine.secrets.get(key, signal);
  if (copy !== undefined) await engine.secrets.remove(key, copy, signal);
  engine.secretCache.forget(key);
}
