import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Landscape } from '../objects/landscape.ts';
import type { Cause } from '../why/causes/cause.ts';
import { keysText, missingData } from '../why/causes/data/missing-data.ts';
import { type Group, inTurns } from './people.ts';

/** Of what is listed and lacks a key of a Secret or ConfigMap: with the keys that there are. */
export async function withKeys(landscape: Landscape, groups: readonly Group[]): Promise<readonly Group[]> {
  const shown = new Set(inTurns(groups));
  return Promise.all(
    groups.map(async (group) => {
      const [first, ...others] = group;
      if (first === undefined || !shown.has(group)) return group;
      return [{ ...first, roots: await Promise.all(first.roots.map((root) => withKeysOf(landscape, root))) }, ...others];
    }),
  );
}

async function withKeysOf(landscape: Landscape, root: Cause): Promise<Cause> {
  const { kind, namespace, name } = /^(?<kind>Secret|ConfigMap) (?<namespace>[^/]+)\/(?<name>.+)$/.exec(root.object)?.groups ?? {};
  if (root.reason !== 'KeyMissing' || namespace === undefined || name === undefined) return root;
  const now = await landscape.dataNow({ kind: kind === 'Secret' ? 'Secret' : 'ConfigMap', namespace, name });
  return now.is === 'there' ? { ...root, message: `${root.message}${keysText(now.keys)}` } : root;
}

/** The same of what an account itself lacks. */
export async function keysOfToken(landscape: Landscape, account: Resource | 'missing' | 'unseen'): Promise<readonly string[]> {
  const lacks = typeof account === 'string' ? [] : await missingData(account, landscape);
  return lacks.flatMap(({ object, reason, message }) => (reason === 'KeyMissing' ? [`${object}: ${message}`] : []));
}
