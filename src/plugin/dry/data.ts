import { nameOf } from '../../engine/model/object-id.ts';
import type { ConfigMaps, DataContent, DataRecord, Key, SecretRecord, Secrets } from '../../engine/ports/kubernetes.ts';
import { Sensitive } from '../../resource/index.ts';

/** Reads of ConfigMaps and of the accounts' tokens. */
export interface DataSource {
  readonly configMap: ConfigMaps['get'];
  /** The token of an account, whose Secret this is; undefined where no account has it. */
  readonly token: (key: Key, signal: AbortSignal) => Promise<SecretRecord | undefined> | undefined;
  /** Whether a spec names this Secret. */
  readonly names: (key: Key) => boolean;
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

/** Secrets by name: tokens apart, none is read. What would be written is forgotten. */
export const namedSecrets = ({ token, names }: DataSource): Secrets => ({
  get: (key, signal) => token(key, signal) ?? Promise.resolve(names(key) ? namedOnly : undefined),
  create: forgotten,
  update: forgotten,
  remove: forgotten,
});
const forgotten = (): Promise<void> => Promise.resolve();

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
