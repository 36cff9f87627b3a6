import { isDeleting } from '../run/annotations.ts';
import { type Account, accountKey, admission } from './accounts.ts';
import { isPending } from '../converge/pending.ts';
import type { Outcome } from '../outcome.ts';
import type { Key, Resource } from '../ports.ts';
import { minutes, seconds } from '../../resource/index.ts';
import type { Engine } from '../run/turn.ts';

/** The account of an object, where it is connected and admits the object; else why not, in words that do not tell the two apart. */
export function accountOf(engine: Engine, object: Resource): { readonly account: Account } | { readonly outcome: Outcome } {
  const key = accountKey(object);
  const name = `${engine.registry.connection.kind} ${key.namespace}/${key.name}`;
  const account = engine.accounts.get(key);
  if (!isAdmitted(engine, key, object)) {
    const deleting = `${name} is not found. It is needed to delete what this object made; create it again`;
    return {
      outcome: waiting(name, isDeleting(object) ? deleting : `${name} is not found. Create it, or name another in spec.accountRef`),
    };
  }
  if (account !== undefined) return { account };
  // A restart must not make every object say that its account is not connected yet, nor an outage those with nothing to do.
  if (!engine.accounts.isShut(key) || !(isPending(object) || isDeleting(object)))
    return { outcome: { is: 'Quiet', recheckAfter: minutes(5) } };
  return { outcome: waiting(name, `${name} is not connected; its own conditions say why`) };
}

/** Several releases may share a cluster, each with the accounts that its selector names (design 5.9). */
export function isServed(engine: Engine, object: Resource): boolean {
  const { kind } = engine.registry.connection;
  const account = object.kind === kind ? object : engine.objects.get(kind, accountKey(object));
  const labels = account?.metadata.labels ?? {};
  return Object.entries(engine.settings.accountSelector).every(([name, value]) => labels[name] === value);
}

function isAdmitted(engine: Engine, key: Key, object: Resource): boolean {
  const there = engine.objects.get(engine.registry.connection.kind, key);
  const access = (there?.spec['access'] ?? []) as Account['access'];
  return there !== undefined && admission({ key, access }, engine.registry.kind(object.kind), object.metadata.namespace) !== undefined;
}

const waiting = (on: string, message: string): Outcome => ({
  is: 'Waiting',
  reason: 'AccountNotReady',
  message,
  on: [on],
  recheckAfter: seconds(300),
});
