import { Sensitive, type Row } from '../../resource/index.ts';
import { ownerKeyLabel, ownerUidLabel } from '../run/annotations.ts';
import { canonical } from './drift.ts';
import { ownerKey } from '../identity/marks.ts';
import type { Outcome } from '../outcome.ts';
import { KubeError, type Key } from '../ports.ts';
import type { Turn } from '../run/turn.ts';

/** Publishes the kind's output keys in a Secret that this object owns; a foreign Secret is never touched (design 3.6). */
export async function publish(turn: Turn, remote: Row): Promise<Outcome | undefined> {
  const { engine, kind, object } = turn;
  if (kind.publishes === undefined) return undefined;
  const values = kind.publishes(remote);
  if (Object.keys(values).length === 0) return undefined;
  const key: Key = { namespace: object.metadata.namespace, name: secretName(turn) };
  const seen = await engine.secretCache.record(key, turn.signal);
  const data = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Sensitive(value)]));
  const labels = { [ownerUidLabel]: object.metadata.uid, [ownerKeyLabel]: ownerKey(turn.name) };
  const content = { data, labels, owner: object };
  if (seen === undefined) {
    try {
      await engine.secrets.create(key, content, turn.signal);
    } catch (error) {
      if (error instanceof KubeError && error.fault === 'AlreadyExists') return foreign(key);
      throw error;
    }
  } else if (!isOurs(seen.labels, labels)) return foreign(key);
  else if (canonical([plain(seen.data), seen.labels]) !== canonical([values, labels]))
    await engine.secrets.update(key, content, seen, turn.signal);
  else return undefined;
  engine.secretCache.forget(key);
  return undefined;
}

/** One from before a restore has the uid of this object's forerunner, and the key of both. */
const isOurs = (seen: Readonly<Record<string, string>>, ours: Readonly<Record<string, string>>): boolean =>
  seen[ownerUidLabel] === ours[ownerUidLabel] || (seen[ownerUidLabel] !== undefined && seen[ownerKeyLabel] === ours[ownerKeyLabel]);

const plain = (data: Readonly<Record<string, Sensitive>>): Row =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value.reveal()]));

const secretName = ({ object, kind }: Turn): string =>
  typeof object.spec['secretName'] === 'string' ? object.spec['secretName'] : `${object.metadata.name}-${kind.shortName}`;

const foreign = ({ name }: Key): Outcome => ({
  is: 'Stalled',
  reason: 'AlreadyExists',
  message: `Secret ${name} exists and does not belong to this object, so it is not overwritten. Delete it, or choose another name in spec.secretName`,
});
