import { homedir } from 'node:os';
import { join } from 'node:path';
import * as undici from 'undici';
import { systemClock, type Clock } from '../../../src/lib/clock.ts';
import { runCommand, type RunCommand } from '../command.ts';

/** Everything that finding and building programs sees of the world, so that its order can be tested with a made-up one. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In Go's words: `linux`, `darwin`. */
  readonly os: string;
  /** In Go's words: `amd64`, `arm64`. */
  readonly arch: string;
  readonly home: string;
  readonly clock: Clock;
  readonly run: RunCommand;
  readonly fetch: typeof fetch;
  /** Progress for a person, one line at a time. */
  readonly log: (line: string) => void;
}

const GO_ARCH: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

export function thisMachine(log: (line: string) => void): Machine {
  return {
    env: process.env,
    os: process.platform,
    arch: GO_ARCH[process.arch] ?? process.arch,
    home: homedir(),
    clock: systemClock,
    run: runCommand,
    fetch: fetchThroughProxy,
    log,
  };
}

/** Honours HTTPS_PROXY and NO_PROXY, which Node's own fetch does not. */
const fetchThroughProxy = ((url: string, init: object) =>
  undici.fetch(url, { ...init, dispatcher: new undici.EnvHttpProxyAgent() })) as unknown as typeof fetch;

/** The project's own cache: per user and outside `node_modules`, so that `npm ci` keeps it. */
export function cacheFolder(machine: Machine): string {
  const own = machine.env['CLOUD_OPERATOR_CACHE'];
  if (own) return own;
  return join(machine.env['XDG_CACHE_HOME'] || join(machine.home, '.cache'), 'cloud-operator');
}

/** Where the programs of one Kubernetes version lie. */
export function versionFolder(machine: Machine, version: string): string {
  return join(cacheFolder(machine), 'controlplane', `${version}-${machine.os}-${machine.arch}`);
}
