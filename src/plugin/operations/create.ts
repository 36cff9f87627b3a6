import { KubeError, type Resource } from '../../engine/ports/kubernetes.ts';
import { group, plural } from '../../generate/names.ts';
import { type RawObject, trim } from '../../kube/watch/trim.ts';
import type { AnyKind } from '../../resource/index.ts';
import { collectionOf, withRight } from '../cluster/reader.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';
import { fieldManager } from '../gestures/annotate.ts';
import { isThereAlready } from './already.ts';

/** An object that a line makes. */
export interface Made {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels: object; readonly annotations?: object };
  readonly spec: object;
}

/** As the line names it, or drawn. */
export function nameFor({ flags, session }: Call, verb: string, { metadata }: Pick<Resource, 'metadata'>): string {
  const drawn = Math.floor(session.host.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  return text(flags, 'name') ?? `${verb}-${metadata.name.slice(0, 40)}-${drawn}`;
}

/** Who made it, and why. */
export function madeBy({ flags }: Call): Pick<Made['metadata'], 'labels' | 'annotations'> {
  const reason = text(flags, 'reason');
  return { labels: { [`${group}/made-by`]: 'cli' }, ...(reason !== undefined && { annotations: { [`${group}/reason`]: reason } }) };
}

/** Once; the name is its own, so that the same line, sent once more, makes no second one. */
export async function create({ session }: Call, kind: AnyKind, manifest: Made): Promise<Resource> {
  const reader = await session.reader();
  const { namespace, name } = manifest.metadata;
  try {
    const raw = await reader.client.request({
      method: 'POST',
      path: collectionOf(kind, namespace),
      query: { fieldManager },
      body: manifest,
      signal: session.host.signal,
      timeout: reader.timeout,
    });
    return trimmed(trim(kind.kind, raw as RawObject), manifest);
  } catch (error) {
    if (error instanceof KubeError && error.fault === 'Unknown')
      throw new CliError(5, [
        error.message,
        `Whether it was made is not known. Look before you ask again: kubectl get -n ${namespace} ${kind.shortName} ${name}; the same line with --name ${name} makes no second one`,
      ]);
    const other = isTaken(error) ? await reader.get(kind, manifest.metadata) : undefined;
    if (other !== undefined) throw isThereAlready(other);
    throw withRight(error, { verb: 'create', resource: plural(kind.kind), namespace });
  }
}
const isTaken = (error: unknown): boolean => error instanceof KubeError && error.fault === 'AlreadyExists';

function trimmed(object: Resource | undefined, { metadata }: Made): Resource {
  if (object === undefined)
    throw new CliError(5, `the API server answered something else when ${metadata.name} was made; look: kubectl cloud status`);
  return object;
}
