import type { AnyKind, Row } from '../../resource/index.ts';
import type { BoundRemote } from '../model/step.ts';

/**
 * What the kind gives out of this remote; `undefined`: not known now, `null`: there is none. Of a secret part that was not read
 * this time nothing is known, and what was given out stays.
 */
export const outputsOf = (
  { outputs = {} }: AnyKind,
  { remote, want }: Pick<BoundRemote, 'remote' | 'want'>,
  secret: Row = {},
): Readonly<Record<string, string | null | undefined>> =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, { of, part }]) => [
      name,
      part !== undefined && !Object.hasOwn(secret, part) ? undefined : of({ ...remote, ...secret }, want),
    ]),
  );
