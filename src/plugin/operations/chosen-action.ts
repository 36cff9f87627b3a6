import type { Resource } from '../../engine/ports/kubernetes.ts';
import { kept } from '../../kinds/for-plugin/kept.ts';
import { type AnyOperation, asOperation, type Operated } from '../../resource/index.ts';
import { CliError } from '../exit.ts';
import { type Flags, on, text } from '../command-line/flag.ts';
import { kindCalled, registry } from '../command-line/kinds.ts';

/** The verbs, and which actions each stands for: the target's kind and the flags tell which. */
export const actionsOf: Readonly<Record<string, readonly string[]>> = {
  reboot: ['RebootInstance'],
  boot: ['BootInstance'],
  shutdown: ['ShutdownInstance'],
  rebuild: ['RebuildInstance'],
  snapshot: ['SnapshotInstance'],
  restore: ['RestoreInstanceBackup', 'RestoreDatabaseBackup'],
  patch: ['PatchDatabase'],
  'reset-credentials': ['ResetDatabaseCredentials', 'ResetKubeconfig'],
  recycle: ['RecycleCluster', 'RecycleNodePool', 'RecycleNode'],
  'delete-node': ['DeleteNode'],
  regenerate: ['RegenerateClusterAccess'],
  assign: ['AssignAddresses'],
};

/** Those that renew what an object gives out. */
const renewing = ['reset-credentials', 'regenerate'] as const;
export const renewingOf = (kind: string): readonly string[] => renewing.filter((verb) => targetsOf(verb).includes(kind));

/** Kinds to which a verb can be done: also those of which it keeps something as an object. */
export function targetsOf(verb: string): readonly string[] {
  const { operates } = operationKind();
  const done = (actionsOf[verb] ?? []).flatMap((name) => operates[name]?.on ?? []);
  return [...new Set([...done, ...Object.keys(kept[verb] ?? {})])];
}

/** Fields of the spec by the flag that gives them. */
const fields: Readonly<Record<string, (flags: Flags, kind: string) => Readonly<Record<string, unknown>>>> = {
  config: (flags) => ({ configRef: reference(text(flags, 'config') ?? '') }),
  label: (flags) => ({ label: text(flags, 'label') }),
  backup: (flags) => backupOf(text(flags, 'backup') ?? ''),
  to: (flags, kind) => ({ toInstanceRef: { name: objectOf(text(flags, 'to') ?? '', kind) } }),
  overwrite: () => ({ overwrite: true }),
  address: (flags) => ({ assignments: (text(flags, 'address') ?? '').split(',').map(assignment) }),
  node: (flags) => ({ nodeId: text(flags, 'node') }),
  what: (flags) => {
    const what = text(flags, 'what');
    return { ...(what !== 'service-token' && { kubeconfig: true }), ...(what !== 'kubeconfig' && { serviceToken: true }) };
  },
};
function assignment(value: string): object {
  const [address = '', instance = '', ...more] = value.split('=');
  if (address === '' || instance === '' || more.length > 0)
    throw new CliError(2, `--address=${value} says not what goes where: write for example 203.0.113.7=web-2`);
  const named = /^[0-9.]+$/.test(address) ? { address } : { addressRef: { name: address } };
  return { ...named, instanceRef: reference(instance) };
}
const isId = (value: string): boolean => /^[1-9][0-9]*$/.test(value);
const reference = (value: string): object => (isId(value) ? { external: Number(value) } : { name: value });
/** `web-2`, or with the target's kind `cinst/web-2`: only what has an object. */
function objectOf(value: string, kind: string): string {
  const [name = '', word = kind, ...more] = value.split('/').toReversed();
  if (name === '' || isId(name) || kindCalled(word)?.kind !== kind || more.length > 0)
    throw new CliError(2, `--to=${value} is no ${kind} of this namespace: write its name, for example web-2`);
  return name;
}
/** By its id, or by the object that stands for it. */
const backupOf = (value: string): Readonly<Record<string, unknown>> =>
  isId(value) ? { backupId: Number(value) } : { backupRef: { name: value.replace(/^(cdbb|clouddatabasebackups?)\//i, '') } };

/** What a flag may say, where that is no number. */
const anyValue: Readonly<Record<string, string>> = { address: '203.0.113.7=web', to: 'web' };

export interface ChosenAction {
  readonly kind: AnyOperation;
  readonly action: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The kind of what is done once. */
export function operationKind(): AnyOperation {
  const [kind] = registry.kinds.flatMap((one) => asOperation(one) ?? []);
  if (kind === undefined) throw new CliError(4, 'this release knows nothing that is done once');
  return kind;
}

/** The object whose remote changes: what a person must name. */
export function changedBy({ spec }: Pick<Resource, 'spec'>): string {
  const { onto } = operationKind().operates[String(spec['action'])] ?? {};
  const named = (onto === undefined ? undefined : spec[onto]) ?? spec['target'];
  return String((named as { readonly name?: unknown } | undefined)?.name);
}

/** The action that a line means. */
export function actionFor(verb: string, flags: Flags, target: Pick<Resource, 'kind'>): ChosenAction {
  const kind = operationKind();
  const all = (actionsOf[verb] ?? []).flatMap((name) => {
    const operated = kind.operates[name];
    return operated === undefined ? [] : [{ name, operated }];
  });
  const fitting = all.filter(({ operated }) => operated.on === target.kind);
  if (fitting.length === 0) throw new CliError(2, `${verb} is of ${targetsOf(verb).join(' and ')}, not of ${target.kind}`);
  const given = Object.entries(fields).filter(([flag]) => text(flags, flag) !== undefined || on(flags, flag));
  const parameters = Object.assign({}, ...given.map(([, field]) => field(flags, target.kind))) as Readonly<Record<string, unknown>>;
  const takesObject = fitting.some(({ operated: { takes = [] } }) => takes.includes('backupRef'));
  if (parameters['backupRef'] !== undefined && !takesObject)
    throw new CliError(2, `--backup=${text(flags, 'backup')} is no id: write for example 123456`);
  const [action] = fitting.filter(({ operated }) => isMeant(operated, Object.keys(parameters)));
  if (action !== undefined) return { kind, action: action.name, parameters };
  const needed = fitting.flatMap(({ operated: { needs = [] } }) => needs);
  const named = Object.keys(fields).filter((flag) =>
    Object.keys(fields[flag]?.({ [flag]: anyValue[flag] ?? '1' }, target.kind) ?? {}).some((field) => needed.includes(field)),
  );
  throw new CliError(
    2,
    named.length > 0 && given.length === 0
      ? `${verb} of ${target.kind} needs ${named.map((flag) => `--${flag}`).join(' and ')}`
      : `${verb} of ${target.kind} takes no ${given.map(([flag]) => `--${flag}`).join(' and ')}`,
  );
}

const isMeant = ({ needs = [], takes = [] }: Operated, given: readonly string[]): boolean =>
  needs.every((field) => given.includes(field)) && given.every((field) => needs.includes(field) || takes.includes(field));
