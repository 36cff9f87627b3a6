import { access, glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files: string[] = [];
for await (const file of glob('{*.md,{charts,crds,deploy,plugin,src,test}/**/*.md}', { cwd: root })) files.push(file);
const textOf = (file: string): Promise<string> => readFile(join(root, file), 'utf8');
const commands = Object.keys((JSON.parse(await textOf('package.json')) as { scripts: object }).scripts);

/** As GitHub makes them of headings. */
const anchorsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (?<heading>.+)$/gm)].map(({ groups }) =>
    (groups?.['heading'] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
const prose = (text: string): string => text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`]*`/g, '');

async function broken(file: string, link: string): Promise<boolean> {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : join(dirname(file), path);
  if (relative('.', target).startsWith('..')) return true;
  const there = await access(join(root, target)).then(
    () => true,
    () => false,
  );
  return !there || (anchor !== undefined && target.endsWith('.md') && !anchorsIn(await textOf(target)).includes(anchor));
}

it.each(files)('%s links to what is there, and names commands that there are', async (file) => {
  const text = await textOf(file);
  const links = [...prose(text).matchAll(/\]\((?<link>[^)\s]+)\)/g)].map(({ groups }) => groups?.['link'] ?? '');
  const own = links.filter((link) => !/^[a-z]+:/.test(link));
  const judged = await Promise.all(own.map(async (link) => ({ link, broken: await broken(file, link) })));
  expect(judged.filter((one) => one.broken).map(({ link }) => link)).toEqual([]);
  const named = [...text.matchAll(/npm run (?:-s )?(?<name>[a-z:]+)/g)].map(({ groups }) => groups?.['name'] ?? '');
  expect(named.filter((name) => !commands.includes(name))).toEqual([]);
});

it('every guide is named where a reader looks for it', async () => {
  const guides = files.filter((file) => file.startsWith('deploy/guides/'));
  const readme = await textOf('README.md');
  expect(guides.filter((file) => !readme.includes(`(${file})`))).toEqual([]);
});

it('every guide says where its commands can be tried', async () => {
  const guides = files.filter((file) => file.startsWith('deploy/guides/'));
  const silent = await Promise.all(
    guides.map(async (file) => ((await textOf(file)).includes('[a playground](../../README.md#a-playground)') ? [] : [file])),
  );
  expect(silent.flat()).toEqual([]);
});

/** Two screens, which is what somebody reads who has come to do one thing. */
const most = 120;
it('no guide is longer than two screens, but for the one that is looked up by reason', async () => {
  const guides = files.filter((file) => file.startsWith('deploy/guides/') && file !== 'deploy/guides/troubleshooting.md');
  expect(guides.length).toBeGreaterThan(10);
  const lines = await Promise.all(guides.map(async (file) => [file, (await textOf(file)).trimEnd().split('\n').length] as const));
  expect(lines.filter(([, count]) => count > most)).toEqual([]);
});
