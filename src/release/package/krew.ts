import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { yaml } from '../../generate/yaml.ts';
import { sha256 } from './archive.ts';

export interface KrewFacts {
  readonly version: string;
  /** Where the sources are; archives are then looked for where a release of GitHub has them. */
  readonly source: string | undefined;
  /** File names, as the plugin's archives are called. */
  readonly archives: readonly string[];
}

/** Windows is not among them: krew starts a plugin there as a link that ends in .exe, and ours begins with a .cmd. */
const served = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64'];

const about = `# For \`kubectl krew install --manifest=cloud.yaml\`, and for an index of krew; without a network with --archive=FILE, which
# must have the sum that stands here.
`;
const needsNode =
  'it runs with the Node.js of the machine (22.19 or later, in PATH): npm has no Node.js for it that could have come along. A release that was made with --node PLATFORM=FOLDER brings its own.';

/** Manifest of the plugin for krew: each archive by its sum. A platform without an archive of its own gets the one for all. */
export async function krewManifest(folder: string, { version, source, archives }: KrewFacts): Promise<string> {
  const archiveOf = (platform: string): string | undefined => archives.find((name) => name.endsWith(`_${platform}.tar.gz`));
  const platforms = await Promise.all(
    served.map(async (platform) => {
      const [os = '', arch = ''] = platform.split('_');
      const name = archiveOf(platform) ?? archiveOf('any') ?? '';
      const uri = source === undefined ? name : `${source}/releases/download/v${version}/${name}`;
      const sum = sha256(await readFile(join(folder, name)));
      return { selector: { matchLabels: { os, arch } }, uri, sha256: sum, bin: 'kubectl-cloud' };
    }),
  );
  const without = served.filter((platform) => archiveOf(platform) === undefined);
  const manifest = {
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: 'cloud' },
    spec: {
      version: `v${version}`,
      ...(source !== undefined && { homepage: source }),
      shortDescription: 'Looks at and steers the objects of cloud-operator',
      description:
        'Shows how the objects of cloudhosting.dev are and who refers to whom, says why one waits and what to do about it, and approves, pauses, resumes and releases. It has your own rights in the cluster, writes annotations only, and of the cloud account it only reads.\n',
      ...(without.length > 0 && { caveats: `On ${without.join(', ')} ${needsNode}\n` }),
      platforms,
    },
  };
  return `${about}${yaml(manifest)}`;
}
