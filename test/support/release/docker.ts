import { runCommand, type CommandResult } from '../../controlplane/command.ts';

/** Build argument of the Dockerfile -> image that it begins with; CI: that of the image for CI jobs. */
export type BaseImages = Readonly<Record<'BUILD' | 'BASE' | 'CI', string>>;

export const docker = (args: readonly string[]): Promise<CommandResult> => runCommand('docker', args);

/** The Dockerfile's own base images, or those that `IMAGE_BUILD` and `IMAGE_BASE` name, for example of a mirror. */
export function baseImages(dockerfile: string, env: NodeJS.ProcessEnv): BaseImages {
  const of = (name: keyof BaseImages): string =>
    env[`IMAGE_${name}`] ?? new RegExp(`^ARG ${name}=(\\S+)$`, 'm').exec(dockerfile)?.[1] ?? '';
  return { BUILD: of('BUILD'), BASE: of('BASE'), CI: of('CI') };
}

/** Why the image can be neither built nor run here, and what to do about it; undefined when it can. Nothing is pulled. */
export async function withoutDocker(bases: Partial<BaseImages>): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'the host network, on which the container meets the API server, is only there on Linux';
  const daemon = await docker(['version', '--format', '{{.Server.Version}}']);
  if (daemon.code !== 0) return `no Docker daemon answers (${daemon.stderr.trim().split('\n').at(-1)}); start one, or set DOCKER_HOST`;
  for (const [argument, image] of Object.entries(bases)) {
    const { code } = await docker(['image', 'inspect', image]);
    if (code !== 0) return `base image ${image} is not on this machine; \`docker pull ${image}\`, or name another in IMAGE_${argument}`;
  }
  return undefined;
}
