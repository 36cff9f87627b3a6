import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { ConfigError, type Config } from '../config.ts';
import { sleep, systemClock } from '../lib/clock.ts';
import { systemRandom } from '../lib/random.ts';
import { Operator, type OperatorOptions } from '../operator.ts';
import { type AnyKind, asConnection } from '../resource/index.ts';
import { Liveness } from '../telemetry/liveness.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { serve, verdict, type RunningServer } from '../telemetry/server.ts';
import { auditLog } from './audit-file.ts';
import type { Build } from './build.ts';
import { connect } from './cluster.ts';
import { youngCollection } from './collect.ts';
import { hooksInto } from './hooks.ts';
import { ownedAccount } from './owned-account.ts';
import { servedKinds } from './served-kinds.ts';

export const exitCodes = { ended: 0, failed: 1, usage: 2, leaseLost: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** In per cent of what lives: V8 would let garbage grow to a third of it. NODE_OPTIONS may not say it (`src/DECISIONS.md`, 56). */
const oldHeapGrowth = '--heap-growing-percent=10';

/** Runs until a signal or the loss of the lease, and answers the process's exit code. */
export async function run(config: Config, build: Build): Promise<ExitCode> {
  setFlagsFromString(oldHeapGrowth);
  const kinds = servedKinds(config.kinds);
  const log = createLog(config.logLevel);
  const ending = new Ending(log);
  const metrics = new Metrics(build, systemClock);
  const settings = {
    ...config,
    identity: config.identity ?? `${hostname()}-${randomBytes(4).toString('hex')}`,
    endpoints: await endpoints(config),
    apiServer: config.cluster.inCluster?.host,
  };
  log.info('starting', { ...build, node: process.version, endpoints: settings.endpoints.map(({ name, url }) => ({ name, url })) });
  const operator = new Operator({
    settings,
    kinds,
    cluster: await connect(systemClock, config.cluster),
    clock: systemClock,
    random: systemRandom,
    log,
    hooks: hooksInto(metrics, { log, lease: config.leaseName, audit: auditLog(config.auditLog, settings.identity, log) }),
    version: build.version,
    proxy: config.proxy,
    collect: youngCollection(),
    onLeaseLost: () => ending.with(exitCodes.leaseLost),
  });
  const servers = await pages(config, operator, metrics, ending);
  watch(operator, metrics, kinds, config.leaseName);
  const started = operator.start().catch((error: unknown) => {
    if (ending.code === undefined) throw error;
  });
  const code = await Promise.race([ending.wait, started.then(() => ending.wait)]);
  await finish(operator, config.shutdownGrace, log);
  await Promise.all(servers.map((server) => server.close()));
  log.info('ended', { code });
  return code;
}

/** Why the process is to end, and the first who said so. */
class Ending {
  code: ExitCode | undefined;
  readonly wait: Promise<ExitCode>;
  #resolve: (code: ExitCode) => void = () => undefined;

  constructor(log: Log) {
    this.wait = new Promise((resolve) => (this.#resolve = resolve));
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        // The second signal is from somebody who does not want to wait.
        if (this.code !== undefined) process.exit(exitCodes.failed);
        log.info('stopping: no new work begins, calls in flight may finish', { signal });
        this.with(exitCodes.ended);
      });
    }
    process.on('uncaughtException', (error) => {
      log.error('the process ends because of a bug; please report it', { error });
      process.exit(exitCodes.failed);
    });
  }

  with(code: ExitCode): void {
    this.code ??= code;
    this.#resolve(this.code);
  }
}

/** From now on metrics tell of this operator. */
function watch(operator: Operator, metrics: Metrics, kinds: readonly AnyKind[], lease: string): void {
  const names = kinds.map(({ kind }) => kind);
  const connections = kinds.filter((kind) => asConnection(kind) !== undefined);
  metrics.watchProcess();
  metrics.begin(names, lease);
  metrics.follow({
    objects: () => names.flatMap((kind) => [...operator.objects.all(kind)]),
    connections: () => operator.connector?.figures() ?? [],
    accountLeases: () => operator.accountLeases.figures(),
    owned: () => connections.flatMap(({ kind }) => [...operator.objects.all(kind)].map(ownedAccount)),
  });
}

/** Whatever hangs, the process ends: an identity that was not written down is found again after the next start. */
async function finish(operator: Operator, grace: number, log: Log): Promise<void> {
  const late = new AbortController();
  const limit = sleep(systemClock, grace + 5_000, late.signal).then(
    () => log.warn('stopping takes too long; what is still in flight is abandoned'),
    () => undefined,
  );
  await Promise.race([operator.stop(grace), limit]);
  late.abort();
}

async function pages(config: Config, operator: Operator, metrics: Metrics, ending: Ending): Promise<readonly RunningServer[]> {
  const liveness = new Liveness(systemClock);
  const alive = (): string | undefined =>
    liveness.problem({
      working: operator.phase === 'leading',
      oldestWait: operator.engine?.queue.oldestWait() ?? 0,
      reconciles: metrics.work.working,
    });
  const ready = (): string | undefined => {
    if (ending.code !== undefined || operator.phase === 'stopped') return 'the operator is stopping';
    return operator.phase === 'starting' ? 'the caches are not filled yet; the log says what it waits for' : undefined;
  };
  return Promise.all([
    ...at(config.metricsAddress, { '/metrics': async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() }) }),
    ...at(config.healthAddress, { '/livez': () => verdict([alive()]), '/readyz': () => verdict([ready()]) }),
  ]);
}

/** No server where the address is 0. */
const at = (address: string, shown: Parameters<typeof serve>[1]): Promise<RunningServer>[] =>
  address === '0' ? [] : [serve(address, shown)];

/** The adapter takes certificates as text, so that only this place reads files. */
function endpoints({ endpoints: configured }: Config): Promise<OperatorOptions['settings']['endpoints']> {
  return Promise.all(
    configured.map(async ({ ca, ...endpoint }) => {
      if (ca === undefined) return endpoint;
      const text = await readFile(ca, 'utf8').catch((error: Error) => {
        throw new ConfigError(`--endpoint ${endpoint.name}: its ca file cannot be read: ${error.message}`);
      });
      return { ...endpoint, ca: text };
    }),
  );
}
