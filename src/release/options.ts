import { parseArgs } from 'node:util';

export interface Options {
  readonly version: string;
  readonly base: string;
  /** Absent: no image for CI jobs. */
  readonly ciBase: string | undefined;
  readonly platforms: readonly string[];
  readonly plugins: readonly string[];
  readonly node: ReadonlyMap<string, string>;
  readonly output: string;
  readonly registry: string | undefined;
  readonly source: string | undefined;
  readonly signing: Signing | undefined;
  readonly allowDirty: boolean;
}
/** A key that cosign can read, or the identity that the place where it runs has. */
export interface Signing {
  readonly key: string | undefined;
  /** Whether the signature is noted in a public log. */
  readonly log: boolean;
}

export const usage = `npm run release -- --version X --base IMAGE@sha256:... [flags]

  --version X           of image, chart and plugin, for example 1.2.3
  --base IMAGE          image with Node.js 24 at /nodejs/bin/node, by its digest; the Dockerfile says which one is meant
  --ci-base IMAGE       make an image for CI jobs too, on one with a shell, Git and Node.js 22.19 or later in PATH, by its digest
  --platforms LIST      of the image; default linux/amd64,linux/arm64
  --plugins LIST        platforms of the plugin that bring their Node.js; default linux_amd64,linux_arm64,windows_amd64
  --node PLATFORM=DIR   Node.js for a platform of the plugin, as unpacked from nodejs.org, in place of npm's. macOS
                        needs it, as npm has no binary of this version. May be repeated
  --output FOLDER       default dist/release
  --registry NAME       push to NAME/cloud-operator, NAME/kubectl-cloud (for CI jobs) and NAME/charts/cloud-operator, with the
                        login of \`crane auth\`
  --source URL          where the sources are, for the chart, the image, and what krew downloads
  --sign-key KEY        sign with this key (a file, or a KMS as cosign names it; password in COSIGN_PASSWORD)
  --sign-identity       sign with the identity of the CI that this runs in
  --no-transparency-log do not note signatures in the public log
  --allow-dirty         from sources that are not committed, for a trial

Needs git and npm; crane to read the base and to push; cosign to sign.
`;

/** Wrong flags, with what to do about it. */
export class UsageError extends Error {}

export function optionsOf(args: readonly string[]): Options {
  const { values } = parsed(args);
  const { version = '', base = '' } = values;
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) throw new UsageError('--version: say it like 1.2.3 or 1.2.3-rc.1');
  if (values['sign-key'] !== undefined && values['sign-identity']) throw new UsageError('--sign-key or --sign-identity, not both');
  const signed = values['sign-key'] !== undefined || values['sign-identity'];
  return {
    version,
    base: byDigest('--base', base),
    ciBase: values['ci-base'] === '' ? undefined : byDigest('--ci-base', values['ci-base']),
    platforms: list(values.platforms),
    plugins: list(values.plugins),
    node: new Map(values.node.map(folderOf)),
    output: values.output,
    registry: values.registry,
    source: values.source,
    signing: signed ? { key: values['sign-key'], log: !values['no-transparency-log'] } : undefined,
    allowDirty: values['allow-dirty'],
  };
}

function byDigest(flag: string, image: string): string {
  if (/^[^@\s]+@sha256:[0-9a-f]{64}$/.test(image)) return image;
  throw new UsageError(`${flag}: name an image with its digest, IMAGE@sha256:...`);
}

const list = (text: string): readonly string[] => text.split(',').filter((word) => word !== '');

function folderOf(text: string): [string, string] {
  const [, platform, folder] = /^(\w+_\w+)=(.+)$/.exec(text) ?? [];
  if (platform === undefined || folder === undefined) throw new UsageError(`--node ${text}: say it like darwin_arm64=FOLDER`);
  return [platform, folder];
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        version: { type: 'string' },
        base: { type: 'string' },
        'ci-base': { type: 'string', default: '' },
        platforms: { type: 'string', default: 'linux/amd64,linux/arm64' },
        plugins: { type: 'string', default: 'linux_amd64,linux_arm64,windows_amd64' },
        node: { type: 'string', multiple: true, default: [] },
        output: { type: 'string', default: 'dist/release' },
        registry: { type: 'string' },
        source: { type: 'string' },
        'sign-key': { type: 'string' },
        'sign-identity': { type: 'boolean', default: false },
        'no-transparency-log': { type: 'boolean', default: false },
        'allow-dirty': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
