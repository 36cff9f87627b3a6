import type { Millis } from '../../lib/clock.ts';
import { readTime, shownTime } from '../../lib/utc-time.ts';
import type { Resource } from '../ports/index.ts';
import { annotation, replacingAnnotation } from './annotations.ts';
import type { Identity, InstallationKey, ObjectName } from './identity.ts';

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

/** `E1AF../volumes/123#2030-01-31T18:00:00Z.<mac>`: signed, because people can write annotations. */
export function formatReplacing({ key, name }: Omit<Holder, 'object'>, replacing: Replacing): string {
  const value = valueOf(replacing);
  return `${value}.${key.mac(name, `replacing ${value}`)}`;
}
const valueOf = ({ account, path, at }: Replacing): string => `${account}${path}#${shownTime(at)}`;

/** What this operator noted of this very object. */
export function replacingOf({ key, name, object }: Holder): Replacing | undefined {
  const text = annotation(object, replacingAnnotation) ?? '';
  const {
    account = '',
    path = '',
    time = '',
    mac = '',
  } = /^(?<account>[^/#]+)(?<path>\/[^#]+)#(?<time>[^#.]+)\.(?<mac>[a-z2-7]{16})$/.exec(text)?.groups ?? {};
  const at = readTime(time);
  if (at === undefined) return undefined;
  const noted = { account, path, at };
  return key.signed(name, `replacing ${valueOf(noted)}`, mac) ? noted : undefined;
}

export const isReplacing = (holder: Holder, { account, path }: Identity): boolean => {
  const noted = replacingOf(holder);
  return noted?.account === account && noted.path === path;
};
