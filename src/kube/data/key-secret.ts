import { randomBytes } from 'node:crypto';
import type { Clock, Millis } from '../../lib/clock.ts';
import { readTime, shownTime } from '../../lib/utc-time.ts';
import { KubeError, type Key, type SecretRecord } from '../../engine/ports/index.ts';
import { Sensitive } from '../../resource/index.ts';
import type { KubeSecrets } from './secrets.ts';

/** One per namespace of operators, whatever their releases are called: what one of them signed another one must be able to check. */
export const keySecretName = 'cloud-operator-key';
/** Put there by the operator while an account has identities that were signed with it; a ValidatingAdmissionPolicy refuses its deletion meanwhile. */
export const inUseLabel = 'cloudhosting.dev/in-use';
/** When it was made because there was none: what an installation had before may be lost with another key. */
const madeLabel = 'cloudhosting.dev/made-new-at';
/** Which release says so: the last one to leave takes the label away. */
const userPrefix = 'in-use.cloudhosting.dev/';

const FIELD = 'key';
const PREVIOUS = /^previous-(\d+)$/;
const BYTES = 32;

/** The key that signs, and those that signed before and still verify, newest first. Each is base64 of 32 bytes. */
export interface KeyRing {
  readonly current: Sensitive;
  readonly previous: readonly Sensitive[];
  /** Made new then, as there was none; undefined of a key that was taken over or imported. */
  readonly madeAt?: Millis | undefined;
}
export const bytesOf = (key: Sensitive): Buffer => Buffer.from(key.reveal(), 'base64');
export const isKey = (key: Sensitive): boolean => bytesOf(key).length === BYTES;

const make = (): Sensitive => new Sensitive(randomBytes(BYTES).toString('base64'));

/** The Secret that holds the installation's key. Never rendered by a chart: whoever comes first makes it, everybody else reads it. */
export class KeySecret {
  readonly #secrets: KubeSecrets;
  readonly #at: Key;
  readonly #clock: Pick<Clock, 'now'> | undefined;
  /** `clock`: of who may make one. */
  constructor(secrets: KubeSecrets, namespace: string, clock?: Pick<Clock, 'now'>) {
    this.#secrets = secrets;
    this.#clock = clock;
    this.#at = { namespace, name: keySecretName };
  }

  /** Undefined where there is none. A Secret that holds something else is refused, and never overwritten. */
  async read(signal: AbortSignal): Promise<KeyRing | undefined> {
    const seen = await this.#secrets.get(this.#at, signal);
    return seen && ringOf(this.#at, seen);
  }

  /**
   * `formerName`: the Secret of an older release, which was called after its lease. What that one holds is taken over: as the
   * key where there is none yet, else as one that signed before.
   */
  async readOrMake(formerName: string, signal: AbortSignal, made: () => Sensitive = make): Promise<KeyRing> {
    const former = formerName === keySecretName ? undefined : await this.#former(formerName, signal);
    const found = await this.read(signal);
    if (found !== undefined && (former === undefined || all(found).some((key) => same(key, former.current)))) return found;
    if (found !== undefined && former !== undefined)
      return this.#put({ current: found.current, previous: [...found.previous, ...all(former)] }, signal);
    return this.#make(former ?? { current: made(), previous: [], madeAt: this.#clock?.now() }, signal);
  }

  /** Signs from now on; what was there before is kept. Answers what the Secret holds then. */
  async take(ring: KeyRing, signal: AbortSignal): Promise<KeyRing> {
    const found = await this.read(signal);
    if (found === undefined) return this.#make(ring, signal);
    return this.#put({ current: ring.current, previous: [...ring.previous, ...all(found)] }, signal);
  }

  /** `user`: the release. `ring` is put back where somebody took the Secret away. */
  async mark(user: string, inUse: boolean, ring: KeyRing, signal: AbortSignal): Promise<void> {
    const seen = await this.#secrets.get(this.#at, signal);
    if (seen === undefined) {
      await this.#make(ring, signal);
      return this.mark(user, inUse, ring, signal);
    }
    const mine = userLabel(user);
    const others = Object.keys(seen.labels).some((label) => label.startsWith(userPrefix) && label !== mine);
    const wanted = { [mine]: inUse ? 'true' : null, [inUseLabel]: inUse || others ? 'true' : null };
    const differs = Object.entries(wanted).some(([label, value]) => (seen.labels[label] ?? null) !== value);
    if (differs) await this.#secrets.label(this.#at, wanted, seen, signal);
  }

  async #former(name: string, signal: AbortSignal): Promise<KeyRing | undefined> {
    const at = { ...this.#at, name };
    const seen = await this.#secrets.get(at, signal);
    return seen && ringOf(at, seen);
  }

  async #make(ring: KeyRing, signal: AbortSignal): Promise<KeyRing> {
    const { namespace, name } = this.#at;
    try {
      const labels = {
        'app.kubernetes.io/managed-by': 'cloud-operator',
        ...(ring.madeAt !== undefined && { [madeLabel]: shown(ring.madeAt) }),
      };
      await this.#secrets.create(this.#at, { data: dataOf(ring), labels }, signal);
    } catch (error) {
      if (!(error instanceof KubeError) || (error.fault !== 'AlreadyExists' && error.fault !== 'Unknown')) throw error;
    }
    const made = await this.read(signal);
    if (made === undefined) throw new KubeError('Unavailable', `Secret ${namespace}/${name} was made but cannot be read back yet`);
    return made;
  }

  async #put(ring: KeyRing, signal: AbortSignal): Promise<KeyRing> {
    const seen = await this.#secrets.get(this.#at, signal);
    if (seen === undefined) return this.#make(ring, signal);
    const kept = { current: ring.current, previous: distinct(ring.previous).filter((key) => !same(key, ring.current)) };
    const { [madeLabel]: _, ...labels } = seen.labels;
    await this.#secrets.update(this.#at, { data: dataOf(kept), labels }, seen, signal);
    return kept;
  }
}

const all = ({ current, previous }: KeyRing): readonly Sensitive[] => [current, ...previous];
const same = (one: Sensitive, other: Sensitive): boolean => bytesOf(one).equals(bytesOf(other));
const distinct = (keys: readonly Sensitive[]): readonly Sensitive[] =>
  keys.filter((key, index) => keys.findIndex((one) => same(one, key)) === index);
const userLabel = (user: string): string => userPrefix + user.slice(0, 63).replace(/[^a-zA-Z0-9]+$/, '');

/** A label holds no colon. */
const shown = (at: Millis): string => shownTime(at).replaceAll(':', '.');
const madeAtOf = (labels: SecretRecord['labels']): Millis | undefined => readTime(labels[madeLabel]?.replaceAll('.', ':') ?? '');

/** The oldest is `previous-1`, so that a name keeps its meaning when another one joins. */
const dataOf = ({ current, previous }: KeyRing): Readonly<Record<string, Sensitive>> => ({
  [FIELD]: current,
  ...Object.fromEntries(previous.map((key, index) => [`previous-${previous.length - index}`, key])),
});

function ringOf({ namespace, name }: Key, { data, labels }: SecretRecord): KeyRing {
  const previous = Object.keys(data).flatMap((field) => {
    const number = PREVIOUS.exec(field)?.[1];
    return number === undefined ? [] : [{ field, number: Number(number) }];
  });
  const fields = [FIELD, ...previous.toSorted((a, b) => b.number - a.number).map(({ field }) => field)];
  const [current, ...rest] = fields.map((field) => {
    const key = data[field];
    if (key !== undefined && isKey(key)) return key;
    throw new KubeError(
      'Invalid',
      `Secret ${namespace}/${name}: "${field}" is not ${BYTES} bytes in base64; restore the Secret from a backup or with cloud-operator key import, or delete it only if no object was ever created with it`,
    );
  });
  return { current: current ?? new Sensitive(''), previous: rest, madeAt: madeAtOf(labels) };
}
