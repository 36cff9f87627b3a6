import { quotedText } from '../../lib/quoted.ts';
import { isObjectName } from '../../resource/index.ts';
import type { Key } from '../../engine/ports/kubernetes.ts';
import { registry } from '../command-line/kinds.ts';

/** The object that has what another one asks for, as the operator tells it there. */
export interface OwnerTold {
  readonly kind: string;
  readonly metadata: Key;
  /** As `spec.adopt.id` says it: what it has may be asked for by this. */
  readonly id?: string | number;
  /** It hands over what it has as it is deleted. */
  readonly handsOver: boolean;
}

const owner = String.raw`belongs to (?<kind>\w+) (?<namespace>[^ /]+)\/(?<name>[^ ;,]*[^ ;,.:])`;
const wish = String.raw`If this is that object under another name, write spec\.adopt: \{id: (?<id>${quotedText}|\d+)(?:, force: true)?\} here `;
const jsonKey = String.raw`\{(?:[^"]|${quotedText})*?\}`;
/**
 * Whole sentences of the operator, from the beginning: what people call their things stands in the rest, in quotes, and may read like one.
 */
const sentences = [
  `^/\\S+ has this spec's name already and ${owner}\\. (?:${wish})?`,
  `^/\\S+ ${owner} already[;:] (?:.*(?<over>, which hands it over to this one)$)?`,
  `^${jsonKey} exists in the account already, and ${owner}\\. `,
].map((sentence) => new RegExp(sentence, 's'));

export function ownerTold(message: string): OwnerTold | undefined {
  const { kind, namespace, name, id, over } =
    sentences.map((one) => one.exec(message)?.groups).find((groups) => groups !== undefined) ?? {};
  const isKind = registry.kinds.some((one) => one.kind === kind);
  if (!isKind || kind === undefined || namespace === undefined || name === undefined) return undefined;
  if (!isObjectName(namespace) || !isObjectName(name)) return undefined;
  return {
    kind,
    metadata: { namespace, name },
    ...(id !== undefined && { id: JSON.parse(id) as string | number }),
    handsOver: over !== undefined,
  };
}
