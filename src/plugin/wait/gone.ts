import { nameOf } from '../../engine/model/object-id.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import type { AnyKind } from '../../resource/index.ts';
import type { Call } from '../command-line/command.ts';
import { text } from '../command-line/flag.ts';
import { shownName } from '../cluster/naming.ts';
import { nearest } from '../cluster/nearest.ts';
import { absent, eachNamed } from '../cluster/select.ts';

/** What a line names and is not there: whether it went or never was nobody can tell. */
export interface Gone {
  readonly object: string;
  readonly line: string;
}

/** Of what a line names one by one, what is not among `found`. */
export async function goneOf(call: Call, found: readonly Resource[]): Promise<readonly Gone[]> {
  const namespace = await call.session.namespace();
  const there = new Set(found.map((object) => `${object.kind} ${nameOf(object.metadata)}`));
  const missing = eachNamed(call.args).filter(([{ kind }, name]) => !there.has(`${kind} ${nameOf({ namespace, name })}`));
  if (missing.length === 0) return [];
  const nowhere = await absent(call);
  return Promise.all(
    missing.map(async ([kind, name]) => {
      const object = shownName({ kind: kind.kind, metadata: { namespace, name } });
      const why =
        nowhere === undefined ? ` (any more)${await hint(call, kind, { namespace, name })}` : `: namespace ${nowhere} does not exist`;
      return { object, line: `${object} is not there${why}${why.endsWith('?') ? '' : '.'}` };
    }),
  );
}

/** It may have been mistyped, or be somewhere else. */
async function hint({ session, flags }: Call, kind: AnyKind, key: Key): Promise<string> {
  const elsewhere = text(flags, 'namespace') === undefined ? '; if it is in another namespace, name that with -n' : '';
  return (await nearest(await session.reader(), kind, key)) ?? elsewhere;
}
