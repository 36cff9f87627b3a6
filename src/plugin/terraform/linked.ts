import { type AnyKind, readRemote, type ReferenceSite, type Row } from '../../resource/index.ts';
import { refusalsOf } from '../admission/refusals.ts';
import type { Draft } from '../export/spec-of.ts';
import { registry } from '../command-line/kinds.ts';

/** An object that a state has, and the row of the account that it stands for. */
export interface Standing {
  readonly kind: AnyKind;
  readonly name: string;
  readonly namespace: string;
  readonly row: Row;
}
type Output = Extract<ReferenceSite['what'], { readonly is: 'output' }>;

/** Makes a value that one of these objects gives out a reference to that object, in what takes either: `target` or `targetFrom`. */
export const linking =
  (all: readonly Standing[]) =>
  (kind: AnyKind, draft: Draft, namespace: string): Draft | undefined => {
    for (const { at, what } of registry.sites(kind.kind)) {
      const [from = '', further] = at;
      const plain = from.replace(/From$/, '');
      const value = draft.want[plain];
      if (what.is !== 'output' || further !== undefined || plain === from || typeof value !== 'string') continue;
      const found = all.filter((one) => one.namespace === namespace).flatMap((one) => givenOut(one, what, value));
      const [ref] = found;
      if (ref === undefined || found.length > 1) continue;
      const { [plain]: _want, ...want } = draft.want;
      const { [plain]: _spec, ...spec } = draft.spec;
      const linked = { want: { ...want, name: draft.want.name, [from]: value }, spec: { ...spec, [from]: ref } };
      // Only some specs may say it so, those of address records for example.
      return refusalsOf(kind, linked.spec).length > refusalsOf(kind, draft.spec).length ? undefined : linked;
    }
    return undefined;
  };

function givenOut({ kind, name, row }: Standing, { kind: of, output }: Output, value: string): readonly Row[] {
  if (kind.kind !== of) return [];
  const read = readRemote(kind, row);
  if ('malformed' in read) return [];
  const status: Row = kind.observe(read.remote, { name });
  return Object.entries(output.fields).flatMap(([word, field]) =>
    status[field] === value ? [{ [output.ref]: { name }, [output.selector]: word }] : [],
  );
}
