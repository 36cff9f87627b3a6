import { own } from '../../lib/own.ts';
import type { Sensitive } from '../../resource/index.ts';
import type { Engine } from '../context.ts';
import { deletionsAlone, noKeyText, notFoundText } from '../ports/data-lack.ts';
import { type Key, readForbidden, type Resource, type SecretRecord, tokenEvery } from '../ports/index.ts';

export interface AccountToken {
  readonly token: Sensitive;
  /** Set where only the copy is left, which serves deletions alone. */
  readonly limited?: string;
}

const copyOf = (engine: Engine, object: Resource): Key => ({
  namespace: engine.settings.operatorNamespace,
  name: `token-${object.metadata.uid}`,
});

/** The Secret's token, or the operator's copy of it that keeps deletions possible after the Secret has gone; else what is missing. */
export async function readToken(
  engine: Engine,
  object: Resource,
  ref: TokenRef,
  signal: AbortSignal,
): Promise<AccountToken | { missing: string }> {
  const { namespace, name } = object.metadata;
  const secret = await engine.secretCache
    .record({ namespace, name: ref.name }, signal, tokenEvery / 2)
    .catch((error: unknown) => readForbidden(error, namespace));
  const token = typeof secret === 'string' ? undefined : secret && own(secret.data, ref.key);
  if (token !== undefined) return { token };
  const { seen, make, mend } = typeof secret === 'string' ? { seen: secret, make: '', mend: '' } : lackOf(secret, namespace, ref);
  const kept = (await engine.secretCache.record(copyOf(engine, object), signal))?.data['token'];
  if (kept === undefined) return { missing: `spec.tokenSecretRef: ${seen}${make}` };
  return { token: kept, limited: `CloudAccount ${name}, spec.tokenSecretRef: ${seen}; ${deletionsAlone}${mend}` };
}

/** What was seen, and what to do about it before and after the account was first used. */
function lackOf(
  secret: SecretRecord | undefined,
  namespace: string,
  { name, key }: TokenRef,
): Readonly<Record<'seen' | 'make' | 'mend', string>> {
  return secret === undefined
    ? {
        seen: notFoundText({ kind: 'Secret', name, namespace }),
        make: `. Create it with a personal access token under key ${key}`,
        mend: '. Create the Secret again',
      }
    : {
        seen: noKeyText({ kind: 'Secret', name, key }),
        make: `. Put a personal access token under key ${key}`,
        mend: `. Put the token under key ${key} again`,
      };
}

interface TokenRef {
  readonly name: string;
  readonly key: string;
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
