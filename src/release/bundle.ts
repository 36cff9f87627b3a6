import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import manifest from '../../package.json' with { type: 'json' };

export const root = fileURLToPath(new URL('../..', import.meta.url));

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  logOverride: { 'large-file': 'silent' },
} satisfies BuildOptions;

/** What is split off is loaded when it is needed, which makes the operator start faster. */
const operator = (outdir: string): BuildOptions => ({
  ...common,
  entryPoints: { 'cloud-operator': 'src/main.ts' },
  format: 'esm',
  target: 'node24',
  splitting: true,
  outdir,
  outExtension: { '.js': '.mjs' },
  banner: { js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);" },
});

/** One file without extension, because kubectl finds plugins by their name. */
const plugin = (outdir: string): BuildOptions => ({
  ...common,
  entryPoints: ['src/plugin/main.ts'],
  format: 'cjs',
  target: 'node22',
  outfile: join(outdir, 'kubectl-cloud'),
});

/** Both programs read their version from package.json; a release tells them its own. */
const versioned = (version: string): Pick<BuildOptions, 'plugins'> => ({
  plugins: [
    {
      name: 'version',
      setup: (build) =>
        build.onLoad({ filter: /package\.json$/ }, ({ path }) =>
          path === join(root, 'package.json') ? { contents: JSON.stringify({ name: manifest.name, version }), loader: 'json' } : undefined,
        ),
    },
  ],
});

/** Writes the operator and the plugin into a folder, and tells the folders of all packages that went into them. */
export async function bundle(folder: string, version = manifest.version): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const results = await Promise.all(
    [operator(folder), plugin(folder)].map((options) => build({ ...options, ...versioned(version), metafile: true })),
  );
  // The plugin is no ES module, whatever a package.json further up says.
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}\n');
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  return [...new Set(inputs.flatMap((input) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []))].toSorted();
}
