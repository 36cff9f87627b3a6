import type * as z from 'zod';
import { group } from '../../generate/names.ts';
import { registry } from '../command-line/kinds.ts';
import type { Kind, shapes } from './shapes.ts';

type Names = { readonly [K in Kind]?: (data: z.infer<(typeof shapes)[K]>) => readonly string[] };

/** The objects of an answer, as sentences name them: `CloudVolume shop/data`. */
const objectsIn: Names = {
  Status: ({ accounts }) => accounts.map(({ account }) => `${registry.connection.kind} ${account}`),
  Why: ({ objects }) => objects.map(({ object }) => object),
  Tree: ({ nodes }) => nodes.filter(({ missing }) => missing === undefined).map(({ id }) => id),
  Wait: ({ objects }) => objects.map(({ object }) => object),
  Plan: ({ objects }) => objects.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`),
  Diff: ({ differences }) => differences.map(({ object }) => object),
  Outputs: ({ object, outputs }) => outputs.map(({ kind, name }) => `${kind} ${object.split(' ')[1]?.split('/')[0]}/${name}`),
  Gesture: ({ gestures }) => gestures.map(({ object }) => object),
  Approvals: ({ approvals }) => approvals.map(({ object }) => object),
  Pauses: ({ pauses }) => pauses.map(({ object }) => object),
  Held: ({ held }) => held.flatMap(({ objects }) => objects.map(({ object }) => object)),
  Operation: ({ operation }) => [operation],
  Operations: ({ operations }) => operations.map(({ operation }) => operation),
  Cost: ({ lines }) => lines.flatMap(({ kind, object }) => (object === undefined ? [] : [`${kind} ${object}`])),
};

/** `-o name`, as kubectl writes it: kind and name of each object, for the next line to read. What has no object has no name. */
export function namesOf(kind: Kind, data: unknown): readonly string[] {
  const shown = (objectsIn[kind] as ((all: unknown) => readonly string[]) | undefined)?.(data) ?? [];
  return [...new Set(shown)].flatMap((object) => {
    const { what, name } = /^(?<what>\w+) [^\s/]+\/(?<name>\S+)$/.exec(object)?.groups ?? {};
    const isOurs = registry.kinds.some((one) => one.kind === what);
    if (what === undefined || (!isOurs && what !== 'Secret' && what !== 'ConfigMap')) return [];
    return [`${what.toLowerCase()}${isOurs ? `.${group}` : ''}/${name}`];
  });
}
