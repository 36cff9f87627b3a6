import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A package of npm that went into a bundle. */
export interface Package {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** What the packages in these folders are. */
export const packagesIn = (root: string, folders: readonly string[]): Promise<readonly Package[]> =>
  Promise.all(
    folders.map(async (path) => {
      const folder = join(root, path);
      return { ...(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Package), folder };
    }),
  );

/** Their licence texts, as their licences ask of who passes them on. */
export async function licenseTexts(packages: readonly Package[]): Promise<string> {
  const parts = packages.map(async ({ folder, name, version, license }) => {
    const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).toSorted();
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    return [`${name} ${version} (${license ?? 'see its page'})`, ...texts.map((text) => text.trim())].join('\n\n');
  });
  return `${(await Promise.all(parts)).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
