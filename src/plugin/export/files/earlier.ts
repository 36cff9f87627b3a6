import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Host, TextFile } from '../../host.ts';
import { idOf } from '../../orphans/remotes.ts';
import type { Exported } from '../exported.ts';
import { fileOf } from '../placing/layout.ts';
import type { Wishes } from '../wishes.ts';
import { isOurs } from './manifest.ts';
import { meantIn } from './written-before.ts';

/** Manifests that this program wrote into the folder before; there may be no folder yet. */
export async function earlierIn(host: Host, folder: string): Promise<readonly TextFile[]> {
  const there = folder === '-' ? [] : await host.readFiles(folder, true).catch(() => []);
  return there.filter(({ name, text }) => isOurs(text) && !/(?:^|[\\/])kustomization\.yaml$/.test(name));
}

const observes = (text: string): boolean =>
  parseAllDocuments(text).some((document) => document.getIn(['spec', 'lifecycle', 'management']) === 'Observe');

const stays = 'its manifest of an earlier export is managed, as after --promote, and stays as it is; --management Manage writes it anew';

/** Without those that only observe and would take the place of one by which something is managed: the next apply would end that. */
export function keepingManaged(all: Exported, earlier: readonly TextFile[], wishes: Wishes): Exported {
  const there = new Map(earlier.map(({ name, text }) => [name, text] as const));
  const found = all.manifests.map((manifest) => {
    const file = join(wishes.to, fileOf(manifest, wishes.layout, wishes.placing !== undefined));
    const text = observes(manifest.text) ? there.get(file) : undefined;
    return { manifest, file, managed: text === undefined || observes(text) ? undefined : meantIn(text) };
  });
  const kept = found.flatMap(({ manifest: { text, remote }, file, managed }) => {
    if (managed === undefined) return [];
    const { kind, row, path } = remote;
    const other = meantIn(text).every((meant) => managed.includes(meant)) ? undefined : managed.join(', ');
    const why = other === undefined ? stays : `${file}, of an earlier export, is managed and for ${other}. Name another folder`;
    return [{ isSame: other === undefined, told: { kind: kind.kind, id: idOf(kind, row), path, why } }];
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
