import { recreateAnnotation } from '../../../src/engine/model/annotations.ts';
import { sleep, systemClock } from '../../../src/lib/clock.ts';
import type { KubeObject } from '../../support/custom-object.ts';
import { isReady, type Stage } from '../../support/stage.ts';
import { longest, pace } from './patience.ts';
import { type Manifest, type Subject, subjects } from './subject.ts';

type Answer = Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;

/** The people of one namespace: they write specs and wait. By requests, because kubectl takes seconds of a busy machine. */
export class Team {
  readonly #stage: Stage;
  #accounts = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** What the subject needs, and nothing of what the one before needed; in an account of another name, which remembers no deletions. */
  async prepare({ kind, name, needs, secrets, configMaps }: Subject): Promise<void> {
    await this.#empty();
    await this.#secret('cloud', { token: 'token-admin' });
    for (const [secret, data] of Object.entries(secrets)) await this.#secret(secret, data);
    for (const [configMap, data] of Object.entries(configMaps)) await this.#text('configmaps', configMap, { data });
    this.#accounts += 1;
    if (kind !== 'CloudAccount') {
      const spec = { endpoint: 'default', tokenSecretRef: { name: 'cloud', key: 'token' }, installation: 'tests' };
      await this.create({ kind: 'CloudAccount', name: this.#account, spec });
    }
    for (const need of needs.filter((one) => one.name !== name || one.kind !== kind)) {
      await this.create(need);
      await this.until(need, isReady);
    }
  }

  async create({ kind, name, spec }: Manifest): Promise<void> {
    const body = this.#stage.manifest(kind, name, this.#placed(kind, spec));
    await must(this.#stage.cluster.request('POST', this.#stage.path(kind), { body }));
  }
  /** Again, when the operator has written meanwhile. */
  async replace({ kind, name }: Manifest, spec: object): Promise<void> {
    for (;;) {
      const object = await this.#stage.find(kind, name);
      const body = { ...object, spec: this.#placed(kind, spec) };
      const answer = await this.#stage.cluster.request('PUT', this.#stage.path(kind, name), { body });
      if (answer.status !== 409) return must(Promise.resolve(answer));
    }
  }
  async delete({ kind, name }: Manifest): Promise<void> {
    await must(this.#stage.cluster.request('DELETE', this.#stage.path(kind, name)));
  }

  async until({ kind, name }: Manifest, done: (object: KubeObject | undefined) => boolean): Promise<void> {
    const end = systemClock.monotonic() + longest;
    while (!done(await this.#stage.find(kind, name))) {
      // Asked once more, the stage tells the whole story.
      if (systemClock.monotonic() > end) return void (await this.#stage.until([kind, name], done, 0));
      await sleep(systemClock, pace);
    }
  }

  /**
   * Until it is Ready. What may be sent but once waits for a person when its answer never came: they find nothing of it, and have
   * it sent again. Were there something, two would be born, which no picture excuses.
   */
  async made(subject: Manifest): Promise<void> {
    await this.until(subject, (object) => isReady(object) || isForAPerson(object));
    if (isReady(await this.#stage.find(subject.kind, subject.name))) return;
    const contentType = 'application/merge-patch+json';
    const body = { metadata: { annotations: { [recreateAnnotation]: new Date(systemClock.now()).toISOString() } } };
    await must(this.#stage.cluster.request('PATCH', this.#stage.path(subject.kind, subject.name), { body, contentType }));
    await this.until(subject, isReady);
  }

  async #empty(): Promise<void> {
    const { cluster } = this.#stage;
    const paths = subjects.map(({ kind }) => this.#stage.path(kind));
    await Promise.all(paths.map((path) => must(cluster.request('DELETE', path))));
    const end = systemClock.monotonic() + longest;
    for (;;) {
      const lists = await Promise.all(paths.map((path) => cluster.request<{ items?: readonly object[] }>('GET', path)));
      if (lists.every(({ body }) => body.items?.length === 0)) return;
      if (systemClock.monotonic() > end) throw new Error(`not deleted: ${JSON.stringify(lists.map(({ body }) => body))}`);
      await sleep(systemClock, pace);
    }
  }
  #secret(name: string, stringData: Readonly<Record<string, string>>): Promise<void> {
    return this.#text('secrets', name, { stringData });
  }
  async #text(plural: string, name: string, content: object): Promise<void> {
    const path = `/api/v1/namespaces/${this.#stage.namespace}/${plural}`;
    const { status } = await this.#stage.cluster.request('POST', path, { body: { metadata: { name }, ...content } });
    if (status >= 300 && status !== 409) throw new Error(`${plural} ${name}: ${status}`);
  }

  get #account(): string {
    return `account-${this.#accounts}`;
  }
  #placed(kind: string, spec: object): object {
    return kind === 'CloudAccount' ? spec : { ...spec, accountRef: { name: this.#account } };
  }
}

function isForAPerson(object: KubeObject | undefined): boolean {
  const stalled = object?.status?.conditions?.find(({ type }) => type === 'Stalled');
  return stalled?.status === 'True' && stalled.reason === 'UnknownOutcome';
}

async function must(answer: Answer): Promise<void> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${String(body['message'])}`);
}
