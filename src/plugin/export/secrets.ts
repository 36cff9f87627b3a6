import type { AnyKind, Row } from '../../resource/index.ts';
import { registry } from '../command-line/kinds.ts';
import { headOf, type Verb } from './files/manifest.ts';
import type { Draft } from './spec-of.ts';

/** A value that somebody has to put into a Secret, because nothing tells it. */
export interface NeededSecret {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
  /** `CloudInstance shop/web spec.rootPasswordSecretRef` */
  readonly for: string;
}

const password = 'rootPasswordSecretRef';

/** With the Secret that an image needs, in both forms; what it holds is no difference. */
export function withImage({ spec: { shape } }: AnyKind, draft: Draft, name: string): Draft {
  if (draft.spec['image'] === undefined || !(password in shape)) return draft;
  const ref = { name: `${name}-root`, key: 'password' };
  return { want: { ...draft.want, [password]: ref }, spec: { ...draft.spec, [password]: ref } };
}

interface Written {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly spec: Row;
}
/** The Secrets that a spec names. */
export function secretsIn({ kind, namespace, name, spec }: Written): readonly NeededSecret[] {
  return registry.sites(kind).flatMap(({ at, what }) => {
    const ref = what.is === 'secret' && at.length === 1 ? (spec[at[0] ?? ''] as Partial<NeededSecret> | undefined) : undefined;
    if (ref?.name === undefined || ref.key === undefined) return [];
    return [{ namespace, name: ref.name, key: ref.key, for: `${kind} ${namespace}/${name} spec.${at.join('.')}` }];
  });
}

/** What a person reads and types; values are read from the terminal, and are in no history. */
export const secretsText = (verb: Verb, secrets: readonly NeededSecret[]): string =>
  [
    headOf(verb),
    '# Secrets',
    '',
    'No value of a Secret was read or written. What these manifests name must be made before they are managed; each command reads the value from the terminal, end it with Ctrl-D.',
    ...secrets.flatMap(({ namespace, name, key, for: what }) => [
      '',
      `For ${what}:`,
      '',
      `    kubectl create secret generic ${name} -n ${namespace} --from-file=${key}=/dev/stdin`,
    ]),
    '',
  ].join('\n');
