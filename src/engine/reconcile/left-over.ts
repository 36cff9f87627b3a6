import type { AnyKind, Row } from '../../resource/index.ts';
import { seenIn } from '../plan/diff.ts';
import type { Resolved } from '../resolve/resolve.ts';

/** What the remote still has from objects that are not there, for example the address of a machine that was deleted: it leads to nobody, or to somebody else. */
export function leftOver(kind: AnyKind, { lost, want }: Resolved, remote: Row): readonly string[] {
  return lost.flatMap((field) => {
    // What is set once is not followed: a machine is as good as ever without the image that it was made from.
    const { awaited: _some, ...whole } = want;
    const has = kind.fields[field]?.immutable === true ? undefined : seenIn(kind, field, whole, remote);
    // What is made up of several does not tell which of them is left.
    const isTold = has !== undefined && !has.startsWith('{');
    return isTold ? [`the account still has ${JSON.stringify(has)} there, which may be gone or somebody else's by now`] : [];
  });
}
