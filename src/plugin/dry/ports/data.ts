import { nameOf } from '../../../engine/model/object-id.ts';
import type { ConfigMaps, DataContent, DataRecord, Key, SecretRecord, Secrets } from '../../../engine/ports/kubernetes.ts';
import { Sensitive } from '../../../resource/index.ts';

/** Reads of ConfigMaps and of the accounts' tokens. */
export interface DataSource {
  readonly configMap: ConfigMaps['get'];
  /** The token of an account, whose Secret this is; undefined where no account has it. */
  readonly token: (key: Key, signal: AbortSignal) => Promise<SecretRecord | undefined> | undefined;
  /** Whether a spec names this Secret. */
  readonly names: (key: Key) => boolean;
  /** Whether there is such a Secret, or would be. */
  readonly isThere: (key: Key, signal: AbortSignal) => Promise<boolean>;
}

/** Whatever key it is asked for it has, and nothing in it: no value of a Secret is needed to tell what would be done. */
const unread = new Proxy<Readonly<Record<string, Sensitive>>>(
  {},
  {
    get: () => new Sensitive('***'),
    has: () => true,
    getOwnPropertyDescriptor: () => ({ value: new Sensitive('***'), enumerable: true, configurable: true }),
  },
);
const namedOnly: SecretRecord = { uid: '', resourceVersion: '', labels: {}, data: unread };

/** Secrets by name: tokens apart, none is read. Of what would be written only the name is kept. */
export function namedSecrets({ token, names, isThere }: DataSource): Secrets {
  const written = new Set<string>();
  const write = (key: Key): Promise<void> => {
    written.add(nameOf(key));
    return Promise.resolve();
  };
  const named = async (key: Key, signal: AbortSignal): Promise<SecretRecord | undefined> =>
    names(key) && (written.has(nameOf(key)) || (await isThere(key, signal))) ? namedOnly : undefined;
  return {
    unread: true,
    get: (key, signal) => token(key, signal) ?? named(key, signal),
    create: write,
    update: write,
    remove: () => Promise.resolve(),
  };
}

/** What would be written is kept here, and nowhere else. */
export class ReadConfigMaps implements ConfigMaps {
  readonly #read: ConfigMaps['get'];
  readonly #written = new Map<string, DataRecord<string>>();
  constructor({ configMap }: DataSource) {
    this.#read = configMap;
  }
  async get(key: Key, signal: AbortSignal): Promise<DataRecord<string> | undefined> {
    return this.#written.get(nameOf(key)) ?? this.#read(key, signal);
  }
  create(key: Key, content: DataContent<string>): Promise<void> {
    return this.#write(key, content);
  }
  update(key: Key, content: DataContent<string>): Promise<void> {
    return this.#write(key, content);
  }
  #write(key: Key, { data, labels }: DataContent<string>): Promise<void> {
    this.#written.set(nameOf(key), { uid: 'not written', resourceVersion: '1', data, labels });
    return Promise.resolve();
  }
}
