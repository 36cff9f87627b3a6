import { buildOf, versionLine } from './commands/build.ts';
import { key } from './commands/key.ts';
import { plugin } from './commands/plugin.ts';
import { exitCodes, run, type ExitCode } from './commands/run.ts';
import { ConfigError, configHelp, keyHelp, readConfig } from './config.ts';

const usage = `cloud-operator runs cloud hosting accounts from Kubernetes.

Usage:
  cloud-operator run [flags]        run the operator
  cloud-operator crds               print the custom resource definitions of this release
  cloud-operator crds --apply       apply them to the cluster (--kubeconfig, --context)
  cloud-operator key export         write out the installation's key (--file, --namespace, --kubeconfig, --context)
  cloud-operator key import         put one in; what the one before signed stays good (the same flags)
  cloud-operator plugin             print kubectl-cloud of this release, to be put into PATH as an executable file
  cloud-operator version            print name, version and commit

Exit codes: 0 ended as it was asked to, 1 failed (the log says why), 2 wrong command or flag, 3 the lease was lost.

Flags of key, besides namespace, kubeconfig and context:
${keyHelp()}

Flags of run (each has an environment variable; the flag wins):
${configHelp()}
`;

/** Resolves when the reader has it all: a pipe takes 64 KiB at a time, and an exit would cut off the rest. */
const write = (text: string | Buffer): Promise<void> => new Promise((resolve) => void process.stdout.write(text, () => resolve()));

async function main([command, ...args]: readonly string[]): Promise<ExitCode> {
  const { env } = process;
  const build = buildOf(env['CLOUD_OPERATOR_COMMIT']);
  if (command === 'help' || [command, ...args].some((arg) => arg === '--help' || arg === '-h')) {
    await write(usage);
    return exitCodes.ended;
  }
  if (command === 'run') return run(readConfig(args, env), build);
  if (command === 'crds') {
    // On its own, because only this command needs the generators.
    const { crds } = await import('./commands/crds.ts');
    await write(await crds(args, env));
    return exitCodes.ended;
  }
  if (command === 'key') {
    await write(await key(args, env, process.stdin));
    return exitCodes.ended;
  }
  if (command === 'plugin') {
    await write(await plugin(args, process.stdout.isTTY));
    return exitCodes.ended;
  }
  if (command === 'version' || command === '--version') {
    await write(`${versionLine(build)}\n`);
    return exitCodes.ended;
  }
  throw new ConfigError(
    `${command === undefined ? 'no command given' : `no command ${command}`}: write run, crds, key, plugin or version; --help explains them`,
  );
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`cloud-operator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof ConfigError ? exitCodes.usage : exitCodes.failed);
}
