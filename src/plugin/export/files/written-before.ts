import type { TextFile } from '../../host.ts';
import type { ExportData } from '../../output/account-shapes.ts';

type Before = NonNullable<ExportData['before']>;

/** What a manifest of an export is for: kind and `spec.adopt.id`, as the text has them, which is not read otherwise: there may be thousands. */
export const meantIn = (text: string): readonly string[] =>
  text.split(/^---$/m).flatMap((one) => {
    const [, kind] = /^kind: (\S+)$/m.exec(one) ?? [];
    const [, id] = /^ {2}adopt:\n(?: {4}.*\n)*? {4}id: (.+)$/m.exec(one) ?? [];
    return kind === undefined || id === undefined ? [] : [`${kind} ${id}`];
  });

/**
 * Files of an earlier export into this folder for what is written under another name now, as there are more of its name by now: once
 * both are applied, the two objects want the same.
 */
export function writtenBefore(earlier: readonly TextFile[], files: ReadonlyMap<string, string>): Before {
  const now = new Map([...files].flatMap(([file, text]) => meantIn(text).map((meant) => [meant, file] as const)));
  return earlier
    .filter(({ name }) => !files.has(name))
    .flatMap(({ name, text }) =>
      meantIn(text).flatMap((meant) => {
        const by = now.get(meant);
        return by === undefined ? [] : [{ file: name, what: meant, by }];
      }),
    );
}
