import { accountKey } from '../../../engine/model/account.ts';
import { mergePatch, shownName, typed, withKubectl } from '../../cluster/naming.ts';
import type { Reason } from '../../../engine/model/outcome.ts';
import type { Key, Resource } from '../../../engine/ports/kubernetes.ts';
import { isObjectName } from '../../../resource/index.ts';
import { namesUnfit, stateOf } from '../../objects/facts.ts';
import { registry } from '../../command-line/kinds.ts';
import { linksOf } from '../../objects/links.ts';
import { type OwnerTold, ownerTold } from '../../objects/owner-told.ts';
import type { Advice } from '../advice.ts';
import { stopped } from './at-rest.ts';
import { foreignMark } from './foreign-mark.ts';
import { goneFromAccount, nothingToAdopt, notYetBrought } from './gone.ts';
import { heldUp } from './held.ts';
import { kindsIn } from './renamed.ts';
import { managed, otherToken, resumed } from './of-account.ts';
import { lostSecret } from './data/lost-secret.ts';
import { valueInto, variable } from './data/secret-value.ts';
import { anotherOperation, driftOfSetOnce, isOperation, overAlready, setBack, setOnce } from './set-once.ts';
import { calledAlike, goesUnless, thereAlready } from './there-already.ts';

/** `message`: of its state, the operator's own words alone. */
type Special = (object: Resource, message: string) => Advice | undefined;

type Named = Pick<Resource, 'kind'> & { readonly metadata: Key };
const edit = (object: Named): string => withKubectl('edit', object);
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
const heldByAnother: Special = (object, message) => {
  const [, kind = '', name = ''] = /^(Secret|ConfigMap) (\S+) (?:exists and does not belong|is written by)/.exec(message) ?? [];
  if (!isObjectName(name)) return exchanged(object, message);
  return {
    todo: `See what ${kind} ${name} is for. Name another one in this object, or delete that one where nobody needs it.`,
    commands: [`kubectl -n ${object.metadata.namespace} describe ${kind.toLowerCase()} ${name}`, edit(object)],
  };
};

/** What is not there, or holds what was told once of another one, is nothing to look into or to delete. */
function exchanged(object: Resource, message: string): Advice | undefined {
  const [, kind = '', name = ''] = /^(?:Secret|ConfigMap) \S+ is (?:named by|still that of) ([A-Za-z]+) ([^\s,]+), /.exec(message) ?? [];
  if (!registry.kinds.some((one) => one.kind === kind) || !isObjectName(name)) return undefined;
  const other = { kind, metadata: { namespace: object.metadata.namespace, name } };
  return {
    todo: `Give one of the two another name to write to, as the message says. The line edits this object; the other one is ${shownName(other)}.`,
    commands: [edit(object)],
  };
}

/** It is in a Secret that the spec names. */
const wrongInSecret: Special = (object, message) => {
  const [, name, key] = /^.*\. Put another value into the Secret ([a-z0-9.-]+), key ([\w.-]+);/s.exec(message) ?? [];
  const isNamed = linksOf(object).some((link) => link.is === 'data' && link.kind === 'Secret' && link.name === name && link.key === key);
  if (name === undefined || key === undefined || !isNamed) return undefined;
  return {
    todo: `Put another value into key ${key} of Secret ${name}: read it into the variable first (read -rs ${variable(key)}).`,
    commands: [valueInto({ namespace: object.metadata.namespace, name, key }), lookAgain(object)],
  };
};

/** Where its account is not to be read: a difference that is only reported does not say which of both keeps it from being sent. */
const readOnly: Special = (object, message) => {
  const account = accountOf(object);
  if (message.includes(`${nameOfAccount(object)} is paused`)) return resumed(account);
  return /^the account(?:'s mode)? is ReadOnly\b/.test(message) ? managed(account) : undefined;
};

const isAccount = ({ kind }: Resource): boolean => kind === registry.connection.kind;
const tokenRefused: Special = (object) => (isAccount(object) ? otherToken(object, 'a valid token') : undefined);
const tokenMayNot: Special = (object) =>
  isAccount(object) ? otherToken(object, 'a token with the scopes that the message names') : undefined;
const tokenOfAnother: Special = (object) =>
  isAccount(object) ? otherToken(object, 'a token of the account that the message names first') : undefined;

/** A limit that the account's owner set for a team, and not the provider for the account. */
const teamIsFull: Special = (object, message) => {
  const { namespace } = object.metadata;
  if (!message.startsWith(`namespace ${namespace} has `) || !message.includes('(access[].maxObjects)')) return undefined;
  return {
    todo: `The owner of ${nameOfAccount(object)} may raise maxObjects for namespace ${namespace} in its spec.access; or delete something else of this namespace that has its place in that account. This one is tried again every 30 to 60 minutes, and at once with the last line.`,
    commands: [edit(accountOf(object)), `kubectl cloud tree -n ${namespace}`, lookAgain(object)],
  };
};

/** What is named is there, and waiting does not make it fit. */
const unfitReference: Special = (object, message) => {
  if (/ is something of the account itself, which namespace | would be copied with all that others have in it, /.test(message))
    return {
      todo: `The owner of ${nameOfAccount(object)} must set adopt: Any for namespace ${object.metadata.namespace} in its spec.access; or it must go from this spec.`,
      commands: [edit(accountOf(object)), edit(object)],
    };
  if (!namesUnfit(message)) return undefined;
  return setOnce(object, message) ?? { todo: 'Correct the field that the message names.', commands: [edit(object)] };
};

const accountNotReady: Special = (object, message) => {
  if (isAccount(object) || message === '') return undefined;
  const account = nameOfAccount(object);
  return message.includes('does not admit')
    ? {
        todo: `The owner of ${account} must list kind ${object.kind} for namespace ${object.metadata.namespace} in its spec.access. Where another account is meant, delete this object, and apply it with another spec.accountRef.`,
        commands: [edit(accountOf(object))],
      }
    : {
        todo: `See why ${account} is not ready, and mend that: this object goes on by itself then.`,
        commands: [`kubectl cloud why ${typed(accountOf(object))}`],
      };
};

/** What never had anything of the account takes nothing with it. */
const secondOfOne: Special = (object, message) =>
  handedOver(object) ??
  renamedFrom(object) ??
  (message === '' || object.status?.['path'] !== undefined
    ? undefined
    : {
        todo: `Delete one of the two objects: this one without touching the cloud, by the second line. ${goesUnless} The first line has this one looked at then.`,
        commands: [lookAgain(object), remove(object)],
      });

/** Of one namespace, as the operator says: what the other one has stays for this one, which asks to adopt it. */
function handedOver(object: Resource): Advice | undefined {
  const other = besideIn(object);
  if (other?.handsOver !== true) return undefined;
  return {
    todo: 'If this object is to have it, as after a rename, delete the other one by the first line: it is handed over, and nothing in the account is touched. If the other one is to keep it, delete this one by the second line.',
    commands: [withKubectl('delete', other), remove(object)],
  };
}

/** The same, before this one asks for it. What names the other one for good is lost sight of, so that comes first. */
function renamedFrom(object: Resource): Advice | undefined {
  const other = besideIn(object);
  if (other?.id === undefined) return undefined;
  return {
    todo: `If this object is that one renamed, the first line has it ask for what that has (write it into the manifest, too), and the second hands that over: nothing in the account is touched.${partsFirst(other.kind)} Else delete this one without touching the cloud, by the third line, or give it another name.`,
    commands: [mergePatch(object, { spec: { adopt: { id: other.id } } }), withKubectl('delete', other), remove(object)],
  };
}
/** What has it, where that is of the same namespace. */
function besideIn(object: Resource): OwnerTold | undefined {
  const other = ownerTold(stateOf(object).message);
  return other?.metadata.namespace === object.metadata.namespace ? other : undefined;
}
/** Objects that name one of this kind as what they are in, and for good. */
function partsFirst(kind: string): string {
  const parts = kindsIn(kind);
  if (parts.length === 0) return '';
  return ` Before the second line, apply each ${parts.map((one) => one.kind).join(' and ')} that names the other one under another name, too, with the new name of this one and spec.adopt: {id: ...} (its own status.id); delete the old ones with it, each that has spec.lifecycle.protect: true once that is set to false.`;
}

/** What keeps it from being made is no match of its own, so that there is nothing to take over, and nothing of it to go. */
const conflicting: Special = (object, message) => {
  if (!/\} is not made: .+ is in this account, and (?:no object of namespace \S+|another namespace) has it\. /.test(message))
    return undefined;
  return object.status?.['path'] === undefined
    ? {
        todo: 'Nothing was made for this object: delete it by the second line, and apply it under another name. Or have done what the message says, by whom it says; then the first line has it looked at.',
        commands: [lookAgain(object), remove(object)],
      }
    : {
        todo: 'What this object has is kept until another one may be made in its place. Take the change back; or have done what the message says, by whom it says; then the second line has it looked at.',
        commands: [edit(object), lookAgain(object)],
      };
};

/** Whose it is to try again is told by the message. */
const triedAgain: Special = (object, message) =>
  /\bit is tried again every \d+ minutes\b/.test(message)
    ? (atTarget(object, message) ?? { todo: 'Correct the field that the message names.', commands: [edit(object), lookAgain(object)] })
    : undefined;

/** What is lacking may be put right at what the spec names, too, as well as that may be by itself. */
function atTarget(object: Resource, message: string): Advice | undefined {
  const [, field] = /\bNothing is under way at (spec\.\w+) that would mend it\b/.exec(message) ?? [];
  const [target] = linksOf(object).flatMap((link) =>
    link.is === 'object' && link.field === field ? [{ kind: link.kind, metadata: link.key }] : [],
  );
  if (target === undefined) return undefined;
  return {
    todo: `Give ${shownName(target)} what the message asks for, or correct the field that it names. It is tried again every 5 minutes, and at once with the last line.`,
    commands: [edit(target), edit(object), lookAgain(object)],
  };
}

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
  Rejected: first(anotherOperation, wrongInSecret, setOnce, triedAgain),
  ImmutableField: first(anotherOperation, overAlready, setBack, setOnce),
  AlreadyExists: first(anotherOperation, heldByAnother, conflicting, calledAlike, thereAlready, setOnce),
  Contested: anotherOperation,
  IdentityConflict: anotherOperation,
  DriftReported: first(anotherOperation, driftOfSetOnce),
  RemoteFailed: first(lostSecret, foreignMark),
  ReferenceNotReady: first(unfitReference, notYetBrought),
  DeletionHeld: heldUp,
  QuotaExceeded: teamIsFull,
  Unauthorized: tokenRefused,
  Forbidden: tokenMayNot,
  AccountMismatch: tokenOfAnother,
  RemoteMissing: first(nothingToAdopt, goneFromAccount),
  AlreadyClaimed: first(anotherOperation, conflicting, secondOfOne),
  ReadOnly: readOnly,
  Updating: stopped,
  Deleting: stopped,
  AccountNotReady: accountNotReady,
  Expired: expired,
  UnknownOutcome: unknownForGood,
};

/** Undefined where the reference says all that there is to say. */
export const specialOf = (reason: Reason, object: Resource): Advice | undefined => specials[reason]?.(object, stateOf(object).words);
