import { sleep, systemClock, type Millis } from '../../src/lib/clock.ts';
import type { Narrator } from '../demo/facts.ts';
import { cloudObject, namespace } from '../demo/objects.ts';
import { releaseHeld } from '../support/process/release-held.ts';
import { configMaps, samples, secrets } from '../demo/samples.ts';
import type { Stage } from '../demo/stage.ts';
import type { Application, Controller, ResourceState } from './controller.ts';
import type { Manifest, Repository } from './repository.ts';

const app = 'shop';
/** Of Argo CD, the operator and the emulated jobs together. */
const patience: Millis = 60_000;
const volume = (name: string, spec: object): Manifest => ({
  apiVersion: 'cloudhosting.dev/v1alpha1',
  kind: 'CloudVolume',
  metadata: { name },
  spec: { sizeGiB: 10, lifecycle: { onDelete: 'Delete' }, ...spec },
});

/** What a team sees in Argo CD, state by state of the operator's table; each statement is read from the Application. */
export class Story {
  readonly #stage: Stage;
  readonly #argo: Controller;
  readonly #repository: Repository;
  readonly #narrator: Narrator;

  constructor(parts: { stage: Stage; argo: Controller; repository: Repository; narrator: Narrator }) {
    this.#stage = parts.stage;
    this.#argo = parts.argo;
    this.#repository = parts.repository;
    this.#narrator = parts.narrator;
  }

  async play(): Promise<void> {
    await this.#create();
    await this.#waiting();
    await this.#stalled();
    await this.#approval();
    await this.#paused();
    await this.#editedByHand();
    await this.#quiet();
    await this.#pruned();
    await this.#protected();
    await this.#removed();
  }

  async #create(): Promise<void> {
    const { cluster, emulator } = this.#stage;
    await cluster.kubectl(['create', 'namespace', namespace]);
    for (const [name, data] of [['cloud', { token: emulator.ready.token }] as const, ...secrets])
      await cluster.kubectl(['-n', namespace, 'create', 'secret', 'generic', name, ...literals(data)]);
    for (const [name, data] of configMaps) await cluster.kubectl(['-n', namespace, 'create', 'configmap', name, ...literals(data)]);
    await this.#repository.commit('Add the shop', await samples());
    await this.#argo.create(app, this.#repository, namespace);
    await this.#healthOf('CloudInstance', 'web', 'Progressing');
    await this.#appIs('Synced', 'Healthy');
  }

  /** A reference to what is not there yet. */
  async #waiting(): Promise<void> {
    await this.#change(() => this.#repository.add(volume('early', { instanceRef: { name: 'later' } })));
    await this.#healthOf('CloudVolume', 'early', 'Progressing', 'later');
    await this.#change(() => this.#repository.remove('CloudVolume', 'early'));
    await this.#appIs('Synced', 'Healthy');
  }

  /** Only a person can help. */
  async #stalled(): Promise<void> {
    await this.#change(() => this.#repository.add(volume('lost', { region: 'nowhere' })));
    await this.#healthOf('CloudVolume', 'lost', 'Degraded', 'spec.region');
    await this.#appIs('Synced', 'Degraded');
    await this.#change(() => this.#repository.remove('CloudVolume', 'lost'));
    await this.#appIs('Synced', 'Healthy');
  }

  /** A change that reboots asks first; the answer is an annotation that Git does not have. */
  async #approval(): Promise<void> {
    await this.#change(() => this.#repository.change('CloudInstance', 'web', { type: 'g6-standard-2' }));
    const { health } = await this.#healthOf('CloudInstance', 'web', 'Suspended', 'cloudhosting.dev/approve=');
    const hash = /cloudhosting\.dev\/approve=(\w+)/.exec(health?.message ?? '')?.[1] ?? '';
    await this.#kubectl('annotate', 'cloudinstance', 'web', `cloudhosting.dev/approve=${hash}`);
    await this.#healthOf('CloudInstance', 'web', 'Progressing');
    await this.#healthOf('CloudInstance', 'web', 'Healthy');
    await this.#appIs('Synced', 'Healthy');
  }

  async #paused(): Promise<void> {
    await this.#kubectl('annotate', 'cloudfirewall', 'web-servers', 'cloudhosting.dev/pause=true');
    await this.#healthOf('CloudFirewall', 'web-servers', 'Suspended', 'pause');
    await this.#kubectl('annotate', 'cloudfirewall', 'web-servers', 'cloudhosting.dev/pause-');
    await this.#appIs('Synced', 'Healthy');
  }

  /** In the cluster: Argo CD puts it back. In the account: the operator does, and Argo CD sees no difference. */
  async #editedByHand(): Promise<void> {
    const size = async (): Promise<unknown> => (await this.#live('CloudVolume', 'db-data')).spec['tags'];
    const before = JSON.stringify(await size());
    await this.#kubectl('patch', 'cloudvolume', 'db-data', '--type=merge', '-p', '{"spec":{"tags":["by-hand"]}}');
    await this.#narrator.fact(
      'an edit in the cluster is put back',
      async () => (JSON.stringify(await size()) === before ? `spec.tags ${before}` : undefined),
      patience,
    );
    await this.#appIs('Synced', 'Healthy');
    const path = String((await this.#live('CloudVolume', 'db-data')).status?.['path']);
    await this.#stage.emulator.actAs('colleague', 'PUT', `/v4${path}`, { tags: ['theirs'] });
    const by = async (): Promise<string | undefined> =>
      ((await this.#live('CloudVolume', 'db-data')).status?.['lastCorrection'] as { by?: string } | undefined)?.by;
    await this.#narrator.fact(
      'a change in the account is put back',
      async () => ((await by()) === 'colleague' ? 'by colleague' : undefined),
      patience,
    );
    await this.#appIs('Synced', 'Healthy');
  }

  /** Comparisons go on, and none finds anything to do. */
  async #quiet(): Promise<void> {
    const syncs = async (): Promise<string> => {
      const { status } = await this.#application();
      return `${status?.history?.length} syncs, the last at ${status?.operationState?.startedAt}`;
    };
    const before = await syncs();
    const seen = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      await sleep(systemClock, 3_000);
      await this.#argo.refresh(app);
      const { sync, health } = (await this.#application()).status ?? {};
      seen.add(`${sync?.status} and ${health?.status}, ${await syncs()}`);
    }
    const only = `Synced and Healthy, ${before}`;
    await this.#narrator.fact(
      'it stays so for 24 s, compared again each 3 s',
      () => Promise.resolve(seen.size === 1 && seen.has(only) ? only : undefined),
      0,
    );
  }

  async #pruned(): Promise<void> {
    await this.#change(() => this.#repository.remove('CloudVolume', 'db-data'));
    await this.#narrator.fact(
      'what Git drops is deleted in the account',
      async () => {
        const volumes = (await this.#stage.emulator.alive()).filter(({ collection }) => collection === 'volumes');
        return volumes.length === 0 ? 'no volume is left' : undefined;
      },
      patience,
    );
    await this.#appIs('Synced', 'Healthy');
  }

  async #protected(): Promise<void> {
    const { lifecycle } = this.#spec('CloudBucket', 'shop-assets');
    await this.#change(() =>
      this.#repository.change('CloudBucket', 'shop-assets', { lifecycle: { ...(lifecycle as object), protect: true } }),
    );
    await this.#appIs('Synced', 'Healthy');
    const [bucket] = this.#repository.manifests.filter(({ kind }) => kind === 'CloudBucket');
    await this.#change(() => this.#repository.remove('CloudBucket', 'shop-assets'));
    await this.#narrator.fact(
      'what is protected is not pruned, and Argo CD says why',
      async () => {
        const message = (await this.#application()).status?.operationState?.message ?? '';
        return /has spec\.lifecycle\.protect: true.*?first/.exec(message)?.[0];
      },
      patience,
    );
    if (bucket !== undefined) await this.#change(() => this.#repository.add({ ...bucket, spec: { ...bucket.spec, lifecycle } }));
    await this.#appIs('Synced', 'Healthy');
  }

  async #removed(): Promise<void> {
    await this.#argo.delete(app);
    await releaseHeld(this.#stage.cluster, namespace, patience, (message) => this.#narrator.say(message));
    await this.#narrator.fact(
      'the application goes with all that it had',
      async () => {
        const left = await this.#stage.cluster.kubectl(['-n', namespace, 'get', 'cloud', '-o', 'name']);
        return (await this.#argo.application(app)) === undefined && left.stdout === '' ? 'no object of ours is left' : undefined;
      },
      2 * patience,
    );
  }

  #spec(kind: string, name: string): Manifest['spec'] {
    return this.#repository.manifests.find((one) => one.kind === kind && one.metadata.name === name)?.spec ?? {};
  }
  async #live(kind: string, name: string): Promise<{ spec: Manifest['spec']; status?: Readonly<Record<string, unknown>> }> {
    return (await cloudObject(this.#stage.cluster, kind, name)) as unknown as {
      spec: Manifest['spec'];
      status?: Readonly<Record<string, unknown>>;
    };
  }
  async #kubectl(...args: readonly string[]): Promise<void> {
    await this.#stage.cluster.kubectl(['-n', namespace, ...args]);
  }
  async #change(edit: () => Promise<void>): Promise<void> {
    await edit();
    await this.#argo.refresh(app);
  }
  async #application(): Promise<Application> {
    return (await this.#argo.application(app)) ?? {};
  }

  async #healthOf(kind: string, name: string, health: string, says = ''): Promise<ResourceState> {
    let found: ResourceState | undefined;
    await this.#narrator.fact(
      `${kind} ${name} is ${health}`,
      async () => {
        found = (await this.#application()).status?.resources?.find((one) => one.kind === kind && one.name === name);
        const message = found?.health?.message ?? '';
        return found?.health?.status === health && message.includes(says) ? message.slice(0, 160) : undefined;
      },
      patience,
    );
    return found ?? { kind, name };
  }

  async #appIs(sync: string, health: string): Promise<void> {
    await this.#narrator.fact(
      `the application is ${sync} and ${health}`,
      async () => {
        const { status } = await this.#application();
        const resources = status?.resources ?? [];
        const differs = resources.filter((one) => one.status !== sync).map(({ kind, name }) => `${kind}/${name}`);
        const wanted = this.#repository.manifests.length;
        if (status?.sync?.revision !== this.#repository.revision || differs.length > 0) return undefined;
        const said = `${status.sync.status} ${status.health?.status} ${resources.length}`;
        return said === `${sync} ${health} ${wanted}` ? `${wanted} resources` : undefined;
      },
      patience,
    );
  }
}

const literals = (data: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(data).map(([key, text]) => `--from-literal=${key}=${text}`);
