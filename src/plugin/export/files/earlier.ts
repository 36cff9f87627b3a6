import { join, relative, sep } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Host, TextFile } from '../../host.ts';
import { idOf } from '../../orphans/remotes.ts';
import type { Exported } from '../exported.ts';
import type { ExportData } from '../../output/account-shapes.ts';
import { fileOf, kustomizations } from '../placing/layout.ts';
import type { Wishes } from '../wishes.ts';
import { isOurs, type Verb } from './manifest.ts';
import { meantIn } from './written-before.ts';

/** Manifests that this program wrote into the folder before; there may be no folder yet. */
export async function earlierIn(host: Host, folder: string): Promise<readonly TextFile[]> {
  const there = folder === '-' ? [] : await host.readFiles(folder, true).catch(() => []);
  return there.filter(({ name, text }) => isOurs(text) && !/(?:^|[\\/])kustomization\.yaml$/.test(name));
}

const observes = (text: string): boolean =>
  parseAllDocuments(text).some((document) => document.getIn(['spec', 'lifecycle', 'management']) === 'Observe');

/** What an earlier line has in the place of a manifest that only observes, and that is managed. `why` none of that is written. */
export interface Managed {
  /** It is for the same. */
  readonly isSame: boolean;
  readonly why: string;
}
/** Whether a file that would be written takes the place of one by which something is managed: the next apply would end that. */
export function managedBy(verb: Verb, earlier: readonly TextFile[]): (file: string, text: string) => Managed | undefined {
  const there = new Map(earlier.map(({ name, text }) => [name, text] as const));
  return (file, text) => {
    const before = observes(text) ? there.get(file) : undefined;
    if (before === undefined || observes(before)) return undefined;
    const managed = meantIn(before);
    if (!meantIn(text).every((meant) => managed.includes(meant)))
      return { isSame: false, why: `${file}, of an earlier ${verb}, is managed and for ${managed.join(', ')}. Name another folder` };
    const why = `its manifest of an earlier ${verb} is managed, as after --promote, and stays as it is; --management Manage writes it anew`;
    return { isSame: true, why };
  };
}

/** Without those that only observe and would take the place of one by which something is managed: the next apply would end that. */
export function keepingManaged(all: Exported, earlier: readonly TextFile[], wishes: Wishes): Exported {
  const managedAt = managedBy('export', earlier);
  const found = all.manifests.map((manifest) => {
    const file = join(wishes.to, fileOf(manifest, wishes.layout, wishes.placing !== undefined));
    return { manifest, managed: managedAt(file, manifest.text) };
  });
  const kept = found.flatMap(({ manifest: { remote }, managed }) => {
    if (managed === undefined) return [];
    const { kind, row, path } = remote;
    return [{ isSame: managed.isSame, told: { kind: kind.kind, id: idOf(kind, row), path, why: managed.why } }];
  });
  if (kept.length === 0) return all;
  const manifests = found.flatMap(({ manifest, managed }) => (managed === undefined ? [manifest] : []));
  return {
    ...all,
    manifests,
    kinds: all.kinds.map((one) => ({ ...one, written: manifests.filter(({ kind }) => kind === one.kind).length })),
    skipped: [...all.skipped, ...kept.flatMap(({ isSame, told }) => (isSame ? [told] : []))],
    unproven: [...all.unproven, ...kept.flatMap(({ isSame, told }) => (isSame ? [] : [told]))],
  };
}

/** What stays there beside what is written now. */
export const remaining = (earlier: readonly TextFile[], before: NonNullable<ExportData['before']>): readonly string[] =>
  earlier.map(({ name }) => name).filter((name) => !before.some(({ file }) => file === name));

/** With what was there before: whoever applies and prunes by it would delete the objects of what it leaves out. No layout is deeper. */
export function kustomizationsOf(
  verb: Verb,
  folder: string,
  { written, remains }: { readonly written: readonly string[]; readonly remains: readonly string[] },
): readonly (readonly [string, string])[] {
  const there = remains.map((file) => relative(folder, file).replaceAll(sep, '/')).filter((file) => file.split('/').length <= 2);
  return [...kustomizations(verb, [...new Set([...written, ...there])])].map(([name, content]) => [join(folder, name), content]);
}

/** Each begins so; what earlier lines wrote says of itself that it is earlier. */
const heads = /^(?=<!-- Written by kubectl cloud \w+\. -->$)/m;
const mark = 'Earlier: ';

type IsAnew = (told: string) => boolean;
const never: IsAnew = () => false;
const ours = (text: string | undefined): string => (text !== undefined && isOurs(text) ? text : '');

/** A text for people above what earlier lines wrote there, unless they wrote the same, or what this one says anew. */
export function aboveEarlier(now: string, before: string | undefined, isAnew: IsAnew = never): string {
  const same = now.trim();
  const earlier = ours(before)
    .split(heads)
    .map((part) => part.replace(`# ${mark}`, '# ').trim())
    .filter((part) => part !== '' && part !== same && !isAnew(part));
  return [same, ...earlier.map((part) => part.replace(/^# /m, `# ${mark}`))].map((part) => `${part}\n`).join('\n');
}

/** The same of lines for programs, in the order in which they were written. */
export const behindEarlier = (now: string, before: string | undefined, isAnew: IsAnew): string =>
  [
    ...ours(before)
      .split(/(?<=\n)/)
      .filter((line) => line !== '' && line !== now && !isAnew(line)),
    now,
  ].join('');
