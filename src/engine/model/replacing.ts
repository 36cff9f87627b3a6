import type { Millis } from '../../lib/clock.ts';
import { readTime, shownTime } from '../../lib/utc-time.ts';
import type { Resource } from '../ports/index.ts';
import { annotation, replacingAnnotation, retiringAnnotation } from './annotations.ts';
import type { Identity, InstallationKey, ObjectName } from './identity.ts';
import { canonical } from './values.ts';

/** A remote whose loss is no question: it is deleted to be made anew, or a person wants it made anew. */
export interface Replacing {
  readonly account: string;
  readonly path: string;
  /** When that was last written down. */
  readonly at: Millis;
}
interface Holder {
  readonly key: InstallationKey;
  readonly name: ObjectName;
  readonly object: Resource;
}

/**
 * `E1AF../volumes/123#2030-01-31T18:00:00Z.<mac>`: signed, because people can write annotations, and for this very object: whoever
 * made an earlier one of this name may have kept its note.
 */
export const formatReplacing = (holder: Holder, replacing: Replacing): string =>
  `${valueOf(replacing)}.${holder.key.mac(holder.name, signedText(holder, replacing))}`;
const signedText = ({ object }: Holder, replacing: Replacing): string => `replacing ${valueOf(replacing)} of ${object.metadata.uid}`;
const valueOf = ({ account, path, at }: Replacing): string => `${account}${path}#${shownTime(at)}`;

/** What this operator noted of this very object. */
export function replacingOf(holder: Holder): Replacing | undefined {
  const text = annotation(holder.object, replacingAnnotation) ?? '';
  const {
    account = '',
    path = '',
    time = '',
    mac = '',
  } = /^(?<account>[^/#]+)(?<path>\/[^#]+)#(?<time>[^#.]+)\.(?<mac>[a-z2-7]{16})$/.exec(text)?.groups ?? {};
  const at = readTime(time);
  if (at === undefined) return undefined;
  const noted = { account, path, at };
  return holder.key.signed(holder.name, signedText(holder, noted), mac) ? noted : undefined;
}

export const isReplacing = (holder: Holder, { account, path }: Identity): boolean => {
  const noted = replacingOf(holder);
  return noted?.account === account && noted.path === path;
};

/** A remote in whose place another one has come: what was given out of it works until then. */
export interface Retiring {
  readonly account: string;
  readonly path: string;
  /** RFC 3339, by the service's clock. */
  readonly until: string;
  readonly mac: string;
}
/** What the object says that is on its way out, for who has no key to judge it: for show, never to delete by. */
export const shownRetiring = ({ status }: Resource): readonly Retiring[] => listIn(status?.['retiring']);

/** Only of this very object: whoever made an earlier one of this name may have kept what was signed for it. */
const textOf = ({ metadata: { uid } }: Resource, { account, path, until }: Omit<Retiring, 'mac'>): string =>
  `retiring ${account}${path} until ${until} of ${uid}`;

export function retire({ key, name, object }: Holder, { account, path }: Pick<Identity, 'account' | 'path'>, at: Millis): Retiring {
  const noted = { account, path, until: shownTime(at) };
  return { ...noted, mac: key.mac(name, textOf(object, noted)) };
}

/**
 * What this operator noted of this very object: people can write annotations, and what is named here is deleted. Annotation and
 * status each restore the other.
 */
export function retiringOf(holder: Holder): readonly Retiring[] {
  const { object } = holder;
  const all = [...listIn(parsed(annotation(object, retiringAnnotation))), ...listIn(object.status?.['retiring'])];
  const genuine = all.filter((one) => isSigned(holder, one));
  return genuine.filter((one, at) => genuine.findIndex(({ account, path }) => account === one.account && path === one.path) === at);
}
const isSigned = ({ key, name, object }: Holder, { mac, ...noted }: Retiring): boolean => key.signed(name, textOf(object, noted), mac);

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
}
function listIn(value: unknown): readonly Retiring[] {
  if (!Array.isArray(value)) return [];
  return (value as Partial<Retiring>[]).flatMap((one) => {
    const { account, path, until, mac } = one ?? {};
    const whole = typeof account === 'string' && typeof path === 'string' && typeof mac === 'string';
    return whole && typeof until === 'string' && readTime(until) !== undefined ? [{ account, path, until, mac }] : [];
  });
}

const defaultOverlap = 24;
/** So long the old one works beside the new one. */
export function overlapOf({ spec }: Resource): Millis {
  const { overlapHours = defaultOverlap } = (spec['rotation'] as { readonly overlapHours?: number } | undefined) ?? {};
  return overlapHours * 3_600_000;
}

/** So many may work beside the one in use: each is a live credential, and the places of a namespace count objects. */
export const mostRetiring = 3;

/** Who shortens the overlap has those go sooner that are on their way out already, so long after that at the latest. */
export const shortened = (holder: Holder, one: Retiring, now: Millis): Retiring => {
  const latest = now + overlapOf(holder.object);
  // An end is written to the second, and the service's clock may be set back a little.
  return endOf(one) - latest < 60_000 ? one : retire(holder, one, latest);
};

/** By the service's clock. */
export const endOf = ({ until }: Retiring): Millis => readTime(until) ?? Infinity;

/** The annotation; null where there is nothing to note. */
export const formatRetiring = (all: readonly Retiring[]): string | null => (all.length === 0 ? null : canonical(all));

/** For people. */
export const retiringTexts = (holder: Holder): readonly string[] =>
  retiringOf(holder).map(({ path, until }) => `${path} (which was to be deleted at ${until})`);

/** Of this very object: a backup brings status to others. */
export const predecessorNote = ({ metadata: { uid } }: Resource, { account, path }: Pick<Identity, 'account' | 'path'>): string =>
  `${uid} ${account}${path}`;
export const predecessorsOf = ({ status }: Resource): readonly string[] => (status?.['successorOf'] ?? []) as readonly string[];
/** It had that, which is gone, and another one is made, or was, in its place. */
export const isMadeInPlaceOf = (object: Resource, gone: Pick<Identity, 'account' | 'path'>): boolean =>
  predecessorsOf(object).includes(predecessorNote(object, gone));
