import { type Row, Sensitive } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { ownerKeyLabel, ownerUidLabel } from '../model/annotations.ts';
import { ownerDigest } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { canonical } from '../model/values.ts';
import { type Key, KubeError } from '../ports/index.ts';

/** Publishes the kind's output keys in a Secret that this object owns; a foreign Secret is never touched (README: secrets). */
export async function publish(context: ReconcileContext, remote: Row): Promise<Outcome | undefined> {
  const { engine, effects, kind, object } = context;
  if (kind.outputs === undefined) return undefined;
  const values = kind.outputs.secret.of(remote);
  if (Object.keys(values).length === 0) return undefined;
  const key: Key = { namespace: object.metadata.namespace, name: secretName(context) };
  const seen = await engine.secretCache.record(key, context.signal);
  const data = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Sensitive(value)]));
  const labels = { [ownerUidLabel]: object.metadata.uid, [ownerKeyLabel]: ownerDigest(context.name) };
  const content = { data, labels, owner: object };
  if (seen === undefined) {
    try {
      await effects.secrets.create(key, content, context.signal);
    } catch (error) {
      if (error instanceof KubeError && error.fault === 'AlreadyExists') return foreign(key);
      throw error;
    }
  } else if (!isOurs(seen.labels, labels)) return foreign(key);
  else if (canonical([plain(seen.data), seen.labels]) !== canonical([values, labels]))
    await effects.secrets.update(key, content, seen, context.signal);
  else return undefined;
  engine.secretCache.forget(key);
  return undefined;
}

/** One from before a restore has the uid of this object's forerunner, and the key of both. */
const isOurs = (seen: Readonly<Record<string, string>>, ours: Readonly<Record<string, string>>): boolean =>
  seen[ownerUidLabel] === ours[ownerUidLabel] || (seen[ownerUidLabel] !== undefined && seen[ownerKeyLabel] === ours[ownerKeyLabel]);

const plain = (data: Readonly<Record<string, Sensitive>>): Row =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value.reveal()]));

const secretName = ({ object, kind }: ReconcileContext): string =>
  typeof object.spec['secretName'] === 'string' ? object.spec['secretName'] : `${object.metadata.name}-${kind.shortName}`;

const foreign = ({ name }: Key): Outcome => ({
  is: 'Stalled',
  reason: 'AlreadyExists',
  message: `Secret ${name} exists and does not belong to this object, so it is not overwritten. Delete it, or choose another name in spec.secretName`,
});
