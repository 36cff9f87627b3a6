import type { Backend } from '../virtual/backend.ts';
import { type RunningOperator, World, type WorldOptions } from './world.ts';

export interface Key {
  readonly id: number;
  readonly label: string;
  readonly access_key: string;
  readonly secret_key: string;
}
interface Shown {
  readonly path: string;
  readonly accessKey?: string;
  readonly rotated?: string;
  readonly rotating?: string;
  readonly rotatesAt?: string;
  readonly renewedAt?: string;
  readonly retiring?: readonly { readonly path: string; readonly until: string }[];
}
interface Picture {
  readonly keys: readonly string[];
  readonly published: number | undefined;
  readonly path: string;
  readonly accessKey: string | undefined;
  readonly retiring: readonly string[];
  readonly refused: readonly string[];
}
type Between = NonNullable<WorldOptions['between']>;

export const hour = 3_600_000;
const spec = {
  label: 'uploads',
  bucketAccess: [{ bucketRef: { name: 'assets' }, permissions: 'read_write' }],
  lifecycle: { onDelete: 'Delete' },
};
const clear = (data: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
export const pathOf = ({ id }: Pick<Key, 'id'>): string => `/object-storage/keys/${id}`;

/** One object key of a bucket, and a client that uses the published one all the while. */
export class KeyWorld {
  readonly world: World;
  operator: RunningOperator;
  /** What the client was refused. */
  readonly refused: string[];
  private constructor(world: World, operator: RunningOperator, refused: string[]) {
    this.world = world;
    this.operator = operator;
    this.refused = refused;
  }

  static async open(inner?: Between): Promise<KeyWorld> {
    const refused: string[] = [];
    let opened: World | undefined;
    // It reads the Secret and uses what is there, before and after whatever the operator asks for.
    const use = (): void => {
      const now = opened === undefined ? {} : secretIn(opened, 'uploads-cokey');
      const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret } = now;
      if (opened === undefined || access === undefined) return;
      if (!keysIn(opened).some((one) => one.access_key === access && one.secret_key === secret))
        refused.push(`${access} at ${new Date(opened.clock.now()).toISOString()}`);
    };
    const between: Between = (server, backend, of): Backend => {
      const around = inner?.(server, backend, of) ?? backend;
      return {
        ...(around.travel && { travel: (request) => around.travel?.(request) ?? { there: 0, back: 0 } }),
        handle: async (request) => {
          use();
          try {
            return await around.handle(request);
          } finally {
            use();
          }
        },
      };
    };
    const world = await World.create({ between });
    opened = world;
    await world.namespace('team-b');
    await world.account({ access: [{ namespaces: ['team-b'], adopt: 'Any' }] });
    const operator = await world.start();
    await world.ready('CloudAccount', 'default');
    await world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1', lifecycle: { onDelete: 'Delete' } });
    await world.ready('CloudBucket', 'assets');
    return new KeyWorld(world, operator, refused);
  }

  get keys(): readonly Key[] {
    return keysIn(this.world);
  }
  get everMade(): number {
    return this.world.emulator.control.objects().filter(({ collection }) => collection === 'object keys').length;
  }
  secret(name = 'uploads-cokey'): Readonly<Record<string, string>> {
    return secretIn(this.world, name);
  }
  /** From a file, as Git has it. */
  async apply(more: object = {}, annotations: Readonly<Record<string, string>> = {}): Promise<void> {
    const metadata = { name: 'uploads', namespace: 'team-a', annotations };
    const object = { apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudObjectKey', metadata, spec: { ...spec, ...more } };
    await this.world.admin('POST', this.world.path('CloudObjectKey', 'team-a'), object);
  }
  async made(more: object = {}, annotations: Readonly<Record<string, string>> = {}): Promise<Key> {
    await this.apply(more, annotations);
    await this.world.ready('CloudObjectKey', 'uploads');
    return this.keys[0] as Key;
  }
  annotate(annotations: Readonly<Record<string, string | null>>): Promise<unknown> {
    return this.world.patch('CloudObjectKey', 'uploads', { metadata: { annotations } });
  }
  rotate(value: string): Promise<unknown> {
    return this.annotate({ 'cloudhosting.dev/rotate': value });
  }
  async shown(): Promise<Shown> {
    return (await this.world.get('CloudObjectKey', 'uploads')).status as never;
  }
  /** Time passes without this operator, which costs a test little of its own. */
  async away(time: number): Promise<void> {
    this.operator.kill();
    await this.world.clock.advance(time);
    this.operator = await this.world.start();
    await this.world.clock.advance(60_000);
  }
  async goes(): Promise<void> {
    await this.world.delete('CloudObjectKey', 'uploads');
    await this.world.gone('CloudObjectKey', 'uploads', 1_200_000);
  }
  /** What there is, what of it is published, what the status says, and what the client was refused. */
  async picture(): Promise<Picture> {
    const { path, accessKey, retiring = [] } = await this.shown();
    const { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret } = this.secret();
    return {
      keys: this.keys.map(({ id, label }) => `${id} ${label}`),
      published: this.keys.find((one) => one.access_key === access && one.secret_key === secret)?.id,
      path,
      accessKey,
      retiring: retiring.map((one) => one.path),
      refused: this.refused,
    };
  }
  /** The same where the new one is published, the old one goes on, and the client never saw the difference. */
  renewed(old: Key): Picture {
    const next = this.keys.at(-1) ?? old;
    return {
      keys: [`${old.id} uploads`, `${next.id} uploads`],
      published: next.id,
      path: pathOf(next),
      accessKey: next.access_key,
      retiring: [pathOf(old)],
      refused: [],
    };
  }
  /** Everything that the operator wrote anywhere but into the Secret that is meant to have it. */
  get elsewhere(): string {
    const places = ['cloudobjectkeys', 'cloudaccounts', 'configmaps', 'events', 'leases', 'secrets'];
    const all = places.flatMap((plural) => this.world.server.objects(`/${plural}`));
    const others = all.filter(({ metadata }) => metadata.name !== 'uploads-cokey');
    return JSON.stringify([others, this.world.log, this.world.changes, this.world.outcomes]);
  }
}

const keysIn = (world: World): readonly Key[] => world.emulator.control.rows('object keys') as never;
function secretIn(world: World, name: string): Readonly<Record<string, string>> {
  const found = world.server.objects('/secrets').find(({ metadata }) => metadata.name === name);
  return clear((found as { readonly data?: Readonly<Record<string, string>> } | undefined)?.data);
}
