import { sleep, systemClock } from '../../../src/lib/clock.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import { confirmAnnotation } from '../../../src/engine/model/annotations.ts';
import { type AnyKind, hasEnded } from '../../../src/resource/index.ts';
import { configMapContent } from '../../support/samples/config-map-content.ts';
import type { KubeObject } from '../../support/world/custom-object.ts';
import { inTime } from '../../support/samples/in-time.ts';
import { remedyOf } from '../../support/world/remedy.ts';
import { isReady, type Stage } from '../../support/process/stage.ts';
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
  async prepare({ kind, name, needs, secrets, configMaps, holds = {} }: Subject): Promise<void> {
    await this.#empty();
    await this.#secret('cloud', { token: 'token-admin' });
    for (const [secret, data] of Object.entries(secrets)) await this.#secret(secret, data);
    for (const [configMap, data] of Object.entries(configMaps)) await this.#text('configmaps', configMap, configMapContent(data));
    this.#accounts += 1;
    if (kind !== 'CloudAccount') {
      const spec = { endpoint: 'default', tokenSecretRef: { name: 'cloud', key: 'token' }, installation: 'tests' };
      await this.create({ kind: 'CloudAccount', name: this.#account, spec });
    }
    for (const need of needs.filter((one) => one.name !== name || one.kind !== kind)) {
      await this.create(need);
      await this.until(need, isReady);
    }
    await this.#hold(holds, needs);
  }
  /** As the provider: what the account holds besides. */
  async #hold(holds: NonNullable<Subject['holds']>, needs: Subject['needs']): Promise<void> {
    const found = needs.map(async ({ kind, name }) => [`$${name}`, (await this.#stage.find(kind, name))?.status?.['id']] as const);
    const ids = new Map<unknown, unknown>(await Promise.all(found));
    for (const [collection, row] of Object.entries(holds)) {
      const filled = Object.entries(row).map(([field, value]) => [field, ids.has(value) ? Number(ids.get(value)) : value]);
      await this.#stage.emulator.control('POST', '/rows', { collection, row: Object.fromEntries(filled) });
    }
  }

  async create({ kind, name, spec }: Manifest): Promise<void> {
    await this.#clearAway(kind);
    // What is done once is done again in the next life only with a time limit of its own.
    const body = this.#stage.manifest(kind, name, this.#placed(kind, inTime(spec)));
    await must(this.#stage.cluster.request('POST', this.#stage.path(kind), { body }));
  }
  /** What is over has its words still, and stands in the way of the next one that says the same, whoever opened it. */
  async #clearAway(name: string): Promise<void> {
    const kind = kinds.find((one) => one.kind === name);
    if (kind?.deletion?.ended === undefined) return;
    for (const { collection, key, row } of await this.#stage.emulator.alive())
      if (hasEnded(kind, row)) await this.#stage.emulator.control('POST', '/rows', { collection, key });
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

  /** Until it is Ready; where a create without an answer is for a person, they do once what its message says. */
  async made(subject: Manifest): Promise<'open' | 'ready'> {
    const kind = kinds.find((one) => one.kind === subject.kind);
    const remedy = (object: KubeObject | undefined) =>
      object === undefined || kind === undefined ? undefined : remedyOf(kind, object, new Date(systemClock.now()).toISOString());
    await this.until(
      subject,
      (object) =>
        isReady(object) || (kind !== undefined && leftOpen(kind, object)) || remedy(object) !== undefined || asksOf(object) !== undefined,
    );
    const challenge = asksOf(await this.#stage.find(subject.kind, subject.name));
    if (challenge !== undefined) return this.#confirm(subject, challenge);
    const made = await this.#stage.find(subject.kind, subject.name);
    const asked = remedy(made);
    if (asked === undefined) return kind !== undefined && leftOpen(kind, made) ? 'open' : 'ready';
    await this.#merge(subject, asked.patch);
    await this.until(subject, isReady);
    return 'ready';
  }
  /** What asks first has read out what is lost; it counts once it is noted. */
  async #confirm(subject: Manifest, challenge: string): Promise<'open' | 'ready'> {
    await this.#merge(subject, { metadata: { annotations: { [confirmAnnotation]: challenge } } });
    await this.until(subject, (object) => asksOf(object) !== challenge);
    return this.made(subject);
  }
  async #merge({ kind, name }: Manifest, body: object): Promise<void> {
    const contentType = 'application/merge-patch+json';
    await must(this.#stage.cluster.request('PATCH', this.#stage.path(kind, name), { body, contentType }));
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

const asksOf = (object: KubeObject | undefined): string | undefined =>
  object?.status?.['phase'] === 'AwaitingConfirmation' ? (object.status['challenge'] as string | undefined) : undefined;

/** What is done once and got no answer is done for good: a person looks up whether it happened. */
const leftOpen = (kind: AnyKind, object: KubeObject | undefined): boolean =>
  kind.mode === 'operation' &&
  object?.status?.conditions?.some(({ type, status, reason }) => type === 'Stalled' && status === 'True' && reason === 'UnknownOutcome') ===
    true;

async function must(answer: Answer): Promise<void> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${String(body['message'])}`);
}
