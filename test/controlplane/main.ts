/** `node test/controlplane/main.ts [--keep]` starts a control plane; `... main.ts build` only makes sure that its programs are there. */
import { systemClock } from '../../src/lib/clock.ts';
import { findToolchain } from './programs/finder.ts';
import { findHelm } from './programs/helm.ts';
import { thisMachine } from './programs/machine.ts';
import { startControlPlane } from './start.ts';

const USAGE = `usage: node test/controlplane/main.ts           start a control plane, stop it with Ctrl-C
       node test/controlplane/main.ts --keep    start one that goes on in the background
       node test/controlplane/main.ts build     only find or build kube-apiserver, etcd, kube-controller-manager, kubectl and helm
`;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function build(): Promise<void> {
  const machine = thisMachine(say);
  const tools = await findToolchain(machine);
  for (const [name, path] of Object.entries(tools)) say(`${name} ${path}`);
  say(`helm ${await findHelm(machine)}`);
}

async function start(keep: boolean): Promise<void> {
  const started = systemClock.monotonic();
  const controlPlane = await startControlPlane({ log: say });
  say(`Ready after ${((systemClock.monotonic() - started) / 1000).toFixed(1)} s at ${controlPlane.url}`);
  say(`export KUBECONFIG=${controlPlane.kubeconfig}`);
  if (keep) {
    say(`It goes on in the background; end it with: kill ${await controlPlane.keep()}`);
    return;
  }
  say('Ctrl-C stops it.');
  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, resolve);
    // Signal handlers alone do not keep a process alive.
    systemClock.after(Number.MAX_SAFE_INTEGER, () => resolve('timeout'));
  });
  say(`${signal}: stopping`);
  await controlPlane.stop();
  process.exit(0);
}

/** What went wrong is written for the user; a stack would only hide it. */
function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

const [command, ...rest] = process.argv.slice(2);
if (rest.length > 0 || !['build', '--keep', undefined].includes(command)) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else if (command === 'build') {
  await build().catch(fail);
} else {
  await start(command === '--keep').catch(fail);
}
