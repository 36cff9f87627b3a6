import { accountKey } from '../../engine/model/account.ts';
import { mergePatch, typed, withKubectl } from '../cluster/naming.ts';
import type { Reason } from '../../engine/model/outcome.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { editOfField } from '../../generate/reference.ts';
import { asCollection, asOperation } from '../../resource/index.ts';
import { stateOf } from '../facts.ts';
import { registry } from '../kinds.ts';
import { valueInto, variable } from './secret-value.ts';

/** What is to be done about this very object, and the lines for it. */
export interface Advice {
  readonly todo?: string;
  readonly commands: readonly string[];
}
type Special = (object: Resource, message: string) => Advice | undefined;

const edit = (object: Resource): string => withKubectl('edit', object);
const remove = (object: Resource): string => withKubectl('delete', object);
const lookAgain = (object: Resource): string => `kubectl cloud reconcile ${typed(object)}`;
const accountOf = (object: Resource): Pick<Resource, 'kind' | 'metadata'> => ({
  kind: registry.connection.kind,
  metadata: { ...object.metadata, ...accountKey(object) },
});
const nameOfAccount = (object: Resource): string => {
  const { namespace, name } = accountKey(object);
  return `${registry.connection.kind} ${namespace}/${name}`;
};
const isOperation = ({ kind }: Resource): boolean => asOperation(registry.kind(kind)) !== undefined;

/** Nothing in it can be edited: what it asks for was judged as it was made. */
const anotherOperation: Special = (object) =>
  isOperation(object)
    ? { todo: 'Its spec cannot be changed: delete it, and make another one that says it right.', commands: [remove(object)] }
    : undefined;

/** The fields that the operator names, as far as the kind has them. */
function namedIn({ kind }: Resource, message: string): readonly string[] {
  const own = registry.kind(kind).spec.shape;
  return [...new Set([...message.matchAll(/\bspec\.(\w+)/g)].map(([, field = '']) => field))].filter((field) => Object.hasOwn(own, field));
}

const shownFields = (fields: readonly string[]): string => fields.map((field) => `spec.${field}`).join(', ');
function editsOf(object: Resource, message: string) {
  const kind = registry.kind(object.kind);
  const fields = namedIn(object, message);
  const edits = fields.map((field) => editOfField(kind, field));
  return { fields, edits, isFree: fields.length === 0 || edits.includes('free') };
}

/** Admission refuses an edit of what is set once. */
const setOnce: Special = (object, message) => {
  const { fields, edits, isFree } = editsOf(object, message);
  if (isFree) return undefined;
  const named = shownFields(fields);
  if (object.status?.['path'] === undefined)
    return {
      todo: `${named} cannot be changed in this object, and nothing was made for it: delete it, and apply the corrected one.`,
      commands: [remove(object)],
    };
  if (edits.some((one) => one !== 'replace'))
    return {
      todo: `${named} cannot be changed: make another object for what it says now, or list it in lifecycle.ignoreFields to leave the account as it is.`,
      commands: [edit(object)],
    };
  return {
    todo: `${named} cannot be changed in what is there. Allow that it is deleted and made anew, empty and with another id, which asks for an approval before; then correct it.`,
    commands: [mergePatch(object, { spec: { lifecycle: { replace: 'Allow' } } }), edit(object)],
  };
};

/** The account has another value, and no edit can say the same. */
const driftOfSetOnce: Special = (object, message) => {
  const { fields, isFree } = editsOf(object, message);
  return isFree
    ? undefined
    : {
        todo: `${shownFields(fields)} cannot be changed here: set it back in the account, or list it in lifecycle.ignoreFields to leave it so.`,
        commands: [edit(object)],
      };
};

const heldByAnother: Special = (object, message) => {
  const [, kind = '', name = ''] = /^(Secret|ConfigMap) (\S+) (?:exists and does not belong|is written by)/.exec(message) ?? [];
  if (name === '') return undefined;
  return {
    todo: `See what ${kind} ${name} is for. Name another one in this object, or delete that one where nobody needs it.`,
    commands: [`kubectl -n ${object.metadata.namespace} describe ${kind.toLowerCase()} ${name}`, edit(object)],
  };
};

/** It is in a Secret, and the spec only names that. The service's own words come before, and may quote anything. */
const wrongInSecret: Special = (object, message) => {
  const [, name, key] = /^.*\. Put another value into the Secret ([a-z0-9.-]+), key ([\w.-]+);/s.exec(message) ?? [];
  if (name === undefined || key === undefined) return undefined;
  return {
    todo: `Put another value into key ${key} of Secret ${name}: read it into the variable first (read -rs ${variable(key)}).`,
    commands: [valueInto({ namespace: object.metadata.namespace, name, key }), lookAgain(object)],
  };
};

const lostSecret: Special = (object, message) => {
  const isLost = /^Secret \S+ does not hold what was told/.test(message);
  if (!isLost) return undefined;
  return asCollection(registry.kind(object.kind))?.rotation === undefined
    ? {
        todo: 'Restore the Secret with its labels from a backup; or have another one made: delete this object with what it stands for, and apply it again.',
        commands: [mergePatch(object, { spec: { lifecycle: { onDelete: 'Delete' } } }), remove(object)],
      }
    : {
        todo: 'Restore the Secret with its labels from a backup; or have what it gives out renewed, and its Secret filled with that.',
        commands: [`kubectl cloud rotate ${typed(object)}`],
      };
};

/** A difference that is only reported does not say which of both keeps it from being sent. */
const readOnly: Special = (object, message) => {
  const [account, name] = [accountOf(object), nameOfAccount(object)];
  if (message.includes(`${name} is paused`))
    return { todo: `End the pause of ${name}, if it is over.`, commands: [`kubectl cloud resume ${typed(account)}`] };
  if (!/^the account(?:'s mode)? is ReadOnly\b/.test(message)) return undefined;
  return { todo: `Have ${name} manage, if changes are to be made in it.`, commands: [mergePatch(account, { spec: { mode: 'Manage' } })] };
};

const accountNotReady: Special = (object, message) => {
  if (object.kind === registry.connection.kind || message === '') return undefined;
  const account = nameOfAccount(object);
  return message.includes('does not admit')
    ? {
        todo: `The owner of ${account} must list kind ${object.kind} for namespace ${object.metadata.namespace} in its spec.access. Where another account is meant, delete this object, and apply it with another spec.accountRef.`,
        commands: [edit(accountOf(object) as Resource)],
      }
    : {
        todo: `See why ${account} is not ready, and mend that: this object goes on by itself then.`,
        commands: [`kubectl cloud why ${typed(accountOf(object))}`],
      };
};

/** Nothing of it was ever there, so that nothing is made anew. */
const nothingToAdopt: Special = (object) =>
  object.spec['adopt'] === undefined || object.status?.['path'] !== undefined
    ? undefined
    : {
        todo: 'What spec.adopt names is not in the account. Correct it in the manifest; or take it out there, and another one is made, as this line does.',
        commands: [mergePatch(object, { spec: { adopt: null } })],
      };

/** It is over, and was not done. */
const expired: Special = (object) =>
  isOperation(object)
    ? {
        todo: 'Nothing was sent. If it is still wanted, make another one with a later spec.notAfter; this one can go.',
        commands: [remove(object)],
      }
    : undefined;
const unknownForGood: Special = (object) =>
  object.status?.['phase'] === 'Unknown'
    ? {
        todo: 'It is over, and whether it was done nobody was told. See what the account tells of it before you make another one.',
        commands: [`kubectl cloud history ${typed(object)}`],
      }
    : undefined;

const first =
  (...all: readonly Special[]): Special =>
  (object, message) => {
    for (const one of all) {
      const advice = one(object, message);
      if (advice !== undefined) return advice;
    }
    return undefined;
  };

const specials: Readonly<Partial<Record<Reason, Special>>> = {
  InvalidSpec: first(anotherOperation, setOnce),
  Rejected: first(anotherOperation, wrongInSecret, setOnce),
  ImmutableField: first(anotherOperation, setOnce),
  AlreadyExists: first(anotherOperation, heldByAnother, setOnce),
  Contested: anotherOperation,
  IdentityConflict: anotherOperation,
  DriftReported: first(anotherOperation, driftOfSetOnce),
  RemoteFailed: lostSecret,
  RemoteMissing: nothingToAdopt,
  ReadOnly: readOnly,
  AccountNotReady: accountNotReady,
  Expired: expired,
  UnknownOutcome: unknownForGood,
};

/** Undefined where the reference says all that there is to say. */
export const specialOf = (reason: Reason, object: Resource): Advice | undefined => specials[reason]?.(object, stateOf(object).message);
