import { shellWord } from '../../lib/shell-word.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { Gatherer, textOf } from './gathered.ts';
import { WithoutNames } from './without-names.ts';
import { nothingThere } from '../cluster/select.ts';
import type { Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { durationOf, on, text } from '../command-line/flag.ts';
import type { BundleData } from '../output/shapes.ts';
import { table } from '../output/table.ts';

/** One archive for whoever is to help. */
export const bundle: Verb = async ({ session, flags }) => {
  const { host } = session;
  const to = text(flags, 'to') ?? `cloud-bundle-${shownTime(session.now).replaceAll(/[^0-9TZ]/g, '')}.tar.gz`;
  refuseName(to);
  if ((await host.fileText(to)) !== undefined)
    throw new CliError(3, `${to} is there already, and is not overwritten: name another file with --to`);
  const namespace = on(flags, 'allNamespaces') ? undefined : await session.namespace();
  const gatherer = new Gatherer(session, await session.reader(), namespace);
  const { pages, missing } = await gatherer.gather(session.now - durationOf(flags, 'since'));
  if (!pages.some(({ name }) => name.startsWith('objects/'))) await nothingThere({ session, flags }, '');
  // --no-names of commander is `names`, false.
  const names = flags['names'] === false ? new WithoutNames() : undefined;
  const shown =
    names === undefined
      ? pages
      : pages.map((page) => ({
          ...page,
          ...(page.data !== undefined && { data: names.object(page.data) }),
          ...(page.text !== undefined && { text: names.log(page.text) }),
        }));
  const files = new Map(shown.map((page) => [page.name, names?.text(textOf(page)) ?? textOf(page)]));
  files.set('README.txt', readme(shownTime(session.now), [...files.keys()], missing, names !== undefined));
  await host.writeArchive(to, files);
  const data: BundleData = {
    to,
    files: [...files].map(([name, content]) => ({ name, bytes: Buffer.byteLength(content) })),
    missing: [...missing],
    names: names === undefined,
  };
  return { exit: 0, kind: 'Bundle', data, lines: answerLines(data) };
};

function refuseName(to: string): void {
  if (to.endsWith('/')) throw new CliError(2, `${to} is a folder: name a file, for example ${to}cloud-bundle.tar.gz`);
  if (/\.(zip|tar|7z|xz|bz2)$/.test(to))
    throw new CliError(2, `${to}: the archive is a gzipped tar: give it a name that ends in .tar.gz or .tgz`);
}

const readme = (time: string, files: readonly string[], missing: readonly string[], isWithout: boolean): string =>
  [
    `Written by kubectl cloud bundle at ${time}.`,
    'Without Secrets, without what the operator signed, without texts of more than 200 characters.',
    isWithout
      ? 'Names, labels, domains, addresses and values of differences are replaced by name-N, the same everywhere. Names of one or two letters stay where they are part of a sentence.'
      : 'With names, labels and addresses as people wrote them.',
    'Events are as whoever may write them wrote them, also who reported one.',
    '',
    ...files,
    ...(missing.length === 0 ? [] : ['', 'Not in it:', ...missing]),
    '',
  ].join('\n');

function answerLines({ to, files, missing }: BundleData): readonly string[] {
  const rows = files.map(({ name, bytes }) => [name, String(bytes)]);
  return [
    ...table(['FILE', 'BYTES'], rows),
    ...missing.map((what) => `Not in it: ${what}`),
    `${to} is written, and sent nowhere. Look into it before you give it away: tar -xzOf ${shellWord(to)} | less`,
  ];
}
