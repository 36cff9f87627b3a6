import { systemClock } from '../../src/lib/clock.ts';
import { releaseName, releaseNamespace } from '../support/process/rendered-chart.ts';
import type { LedgerObject } from '../support/process/emulator-program.ts';
import type { Narrator } from './facts.ts';
import { isStanding } from '../chaos/evidence/standing.ts';
import { releaseHeld } from '../support/process/release-held.ts';
import { cloudObject, cloudObjects, namespace, statusText, untilGone, untilReady } from './objects.ts';
import { configMaps, namedIn, samples, secrets } from './samples.ts';
import type { Stage } from './stage.ts';

const wrongAddress = '192.0.2.66';
const colleague = 'colleague';

/** The account's things, apart from what the service had before and writes by itself. */
const identity = ({ collection, key }: LedgerObject): string => `${collection} ${key}`;

/** What the demo shows, act by act. Every statement is read back with kubectl or from the emulator's ledger. */
export class Story {
  readonly #stage: Stage;
  readonly #narrator: Narrator;
  readonly #which: 'all' | 'first';
  #before: ReadonlySet<string> = new Set();

  constructor(stage: Stage, narrator: Narrator, which: 'all' | 'first') {
    this.#stage = stage;
    this.#narrator = narrator;
    this.#which = which;
  }

  /** Applies the samples and follows them until all are Ready. */
  async create(): Promise<void> {
    const { cluster, emulator } = this.#stage;
    this.#before = new Set((await emulator.alive()).map(identity));
    const objects = await samples(this.#which);
    const items = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      secret('cloud', { token: emulator.ready.token }),
      ...namedIn(objects, secrets).map(([name, data]) => secret(name, data)),
      ...namedIn(objects, configMaps).map(([name, data]) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data })),
      ...objects,
    ];
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const { stdout } = await cluster.kubectl(['-n', namespace, 'apply', '-f', '-'], { input });
    this.#narrator.say(stdout.trim());
    this.#narrator.title('What the operator says while it works:');
    await untilReady(cluster, this.#narrator, 60_000);
  }

  /** The cloud has what the objects say, and it hangs together. */
  async verify(): Promise<void> {
    const narrator = this.#narrator;
    const { cluster, emulator } = this.#stage;
    const objects = await cloudObjects(cluster);
    const web = await cloudObject(cluster, 'CloudInstance', 'web');
    const instance = Number(statusText(web, 'id'));
    const ledger = await emulator.alive();
    const row = (collection: string, fits: (row: LedgerObject['row']) => boolean): LedgerObject['row'] | undefined =>
      ledger.find((object) => object.collection === collection && fits(object.row))?.row;
    const address = ipv4Of(row('instances', ({ id }) => id === instance));
    await narrator.fact('the instance runs', async () => address && `id ${instance}, ${address}`);
    await narrator.fact('the volume is attached to it', async () => nameOf(row('volumes', ({ vm_id: on }) => on === instance)));
    await narrator.fact('a firewall stands in front of it', async () => (await this.#devices(instance)) ?? undefined);
    await narrator.fact('DNS points at it', async () =>
      nameOf(
        row('domain records', ({ target }) => target === address),
        'target',
      ),
    );
    await narrator.fact('the bucket is there', async () => nameOf(row('buckets', () => true)));
    if (objects.some(({ kind }) => kind === 'CloudSSHKey'))
      await narrator.fact('the ssh key is there', async () => nameOf(row('ssh keys', () => true)));
    await narrator.fact('kubectl shows it', async () => {
      const { stdout } = await cluster.kubectl(['-n', namespace, 'get', 'cloudinstance,cloudvolume']);
      return `\n${stdout.replaceAll(/\n\n/g, '\n').trimEnd()}`.replaceAll('\n', '\n    ');
    });
  }

  /** Somebody else changes a record by hand. */
  async drift(): Promise<void> {
    const narrator = this.#narrator;
    const { cluster, emulator } = this.#stage;
    const record = await cloudObject(cluster, 'CloudDomainRecord', 'www');
    const [path, right] = [statusText(record, 'path'), statusText(record, 'target')];
    const target = async (): Promise<unknown> =>
      (await emulator.alive()).find(({ collection, key }) => collection === 'domain records' && String(key) === statusText(record, 'id'))
        ?.row['target'];
    await emulator.actAs(colleague, 'PUT', `/v4${path}`, { target: wrongAddress });
    await narrator.fact(`${colleague} points the record elsewhere`, async () =>
      (await target()) === wrongAddress ? `${right} -> ${wrongAddress}` : undefined,
    );
    const begun = systemClock.monotonic();
    const since = (): string => `after ${((systemClock.monotonic() - begun) / 1000).toFixed(1)} s`;
    await narrator.fact(
      'it is corrected',
      async () => ((await target()) === right ? `${wrongAddress} -> ${right} ${since()}` : undefined),
      15_000,
    );
    await narrator.fact('the status says whose change it was', async () => {
      const { by, at } = ((await cloudObject(cluster, 'CloudDomainRecord', 'www')).status?.['lastCorrection'] ?? {}) as {
        by?: string;
        at?: string;
      };
      return by === colleague ? `lastCorrection {by: ${by}, at: ${at}}` : undefined;
    });
    await narrator.fact('an Event says it too', () => this.#event('www', ['corrected', colleague]));
  }

  /** Everything goes again. */
  async remove(): Promise<void> {
    const narrator = this.#narrator;
    const { cluster, emulator } = this.#stage;
    const { stdout } = await cluster.kubectl(['-n', namespace, 'delete', 'cloud', '--all', '--wait=false']);
    narrator.say(stdout.trim());
    narrator.title('What each waits for until it is gone:');
    const released = releaseHeld(cluster, namespace, 30_000, (message) => narrator.say(message));
    await Promise.all([released, untilGone(cluster, narrator, 90_000)]);
    await narrator.fact('no object is left', async () => {
      const answer = await cluster.kubectl(['-n', namespace, 'get', 'cloud']);
      return answer.stdout.trim() === '' ? 'kubectl finds none' : undefined;
    });
    await narrator.fact('the account is empty', async () => {
      const all = (await emulator.everything()).filter((object) => !this.#before.has(identity(object)) && !isTrace(object));
      const left = all.filter(isStanding);
      return left.length === 0 ? `of ${all.length} things that were made in it, ${all.length} are gone` : undefined;
    });
  }

  /** The operator got by with what the chart allows it. */
  async rights(): Promise<void> {
    const user = `system:serviceaccount:${releaseNamespace}:${releaseName}`;
    await this.#narrator.fact('the API server refused it nothing', async () => {
      const entries = (await this.#stage.cluster.auditLog()).filter((entry) => entry.user.username === user);
      const refused = entries.filter(({ responseStatus }) => responseStatus?.code === 403);
      for (const { verb, requestURI } of refused) this.#narrator.say(`refused: ${verb} ${requestURI}`);
      return entries.length > 0 && refused.length === 0 ? `${entries.length} requests in the audit log, none answered 403` : undefined;
    });
  }

  async #devices(instance: number): Promise<string | undefined> {
    const devices = (await this.#stage.emulator.alive()).filter(({ collection }) => collection === 'firewall devices');
    const found = devices.find(({ row }) => JSON.stringify(row).includes(String(instance)));
    return found && `device ${found.key}`;
  }

  async #event(name: string, words: readonly string[]): Promise<string | undefined> {
    const { stdout } = await this.#stage.cluster.kubectl(['-n', namespace, 'get', 'events', '-o', 'json']);
    const { items } = JSON.parse(stdout) as { items: readonly { involvedObject: { name: string }; reason: string; message: string }[] };
    const event = items.find(
      ({ involvedObject, message }) => involvedObject.name === name && words.every((word) => message.includes(word)),
    );
    return event && `${event.reason}: ${event.message}`;
  }
}

const secret = (name: string, stringData: object): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
  stringData,
});
const ipv4Of = (row: LedgerObject['row'] | undefined): string | undefined => (row?.['ipv4'] as readonly string[] | undefined)?.[0];
const nameOf = (row: LedgerObject['row'] | undefined, field = 'label'): string | undefined => row && String(row[field]);
/** What the service keeps for itself; it also keeps the words of tags that nothing carries any more. */
const isTrace = ({ collection }: LedgerObject): boolean => ['events', 'event_marks', 'object transfer', 'tags'].includes(collection);
