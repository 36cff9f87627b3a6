import { placeOf } from '../../engine/model/step.ts';
import { differences } from '../../engine/plan/diff.ts';
import { callOf } from '../../engine/plan/plan-update.ts';
import type { AnyKind, AnyWant, Call, Marks, Row } from '../../resource/index.ts';
import { unknownOwner } from '../../resource/index.ts';

/** What is sent once an object manages what it looks at now, though nothing differs: its mark on what is below it. */
export function marking(kind: AnyKind, want: AnyWant, remote: Row): readonly Call[] {
  if (kind.marked !== true) return [];
  const marks: Marks = { keys: [unknownOwner], mayTag: true, ...want.marks };
  const differing = (looksOnly: boolean) => differences(kind, { ...want, marks: { ...marks, looksOnly } }, remote, () => true);
  const shown = new Set(differing(true).map(placeOf));
  return differing(false)
    .filter((one) => one.member !== undefined && !shown.has(placeOf(one)))
    .flatMap((one) => callOf(one, remote, { ...want, marks: { ...marks, looksOnly: false } }) ?? []);
}

/** The same in words. */
export function markingText(calls: readonly Call[], when = 'once it is managed, it marks'): string | undefined {
  if (calls.length === 0) return undefined;
  const sent = calls.map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`);
  return `${when} by a tag which of these are its own, and changes nothing else: ${sent.join('; ')}`;
}
