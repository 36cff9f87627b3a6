import { accountKey } from '../../engine/model/account.ts';
import { isDeleting, pauseAnnotation, releaseAnnotation } from '../../engine/model/annotations.ts';
import type { Reason } from '../../engine/model/outcome.ts';
import { shownPlan } from '../../engine/model/policy.ts';
import type { Paused } from '../../engine/model/pause.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { reasons } from '../../generate/reference/reasons.ts';
import { mergePatch, typed, withKubectl } from '../cluster/naming.ts';
import { registry } from '../command-line/kinds.ts';
import type { Cause } from './causes/cause.ts';
import { hasNothingToBoot } from './causes/refused.ts';
import { specialOf } from './causes/special.ts';

/** Lines to type. None: time, or somebody outside of the cluster, must do it. */
type Lines = (object: Resource) => readonly string[];

const nothing: Lines = () => [];
const verb =
  (name: string): Lines =>
  (object) => [`kubectl cloud ${name} ${typed(object)}`];
const wait = verb('wait');
const edit: Lines = (object) => [withKubectl('edit', object)];
/** What was mended outside of the cluster is seen at the next look, which may be half an hour away. */
const lookAgain = verb('reconcile');
const isAccount = ({ kind }: Resource): boolean => kind === registry.connection.kind;
/** Held together with much else, and not by its own `protect` or by what still uses it. */
const isToBeReleased = ({ status }: Resource): boolean => {
  const on = (status?.['waitingFor'] ?? []) as readonly string[];
  return on.length === 0 || on.some((one) => one.includes(releaseAnnotation));
};
const letGo: Lines = (object) => (isDeleting(object) ? verb('abandon')(object) : lookAgain(object));

const ofAccount =
  (name: string): Lines =>
  (object) => {
    const { namespace, name: account } = object.kind === registry.connection.kind ? object.metadata : accountKey(object);
    return [`kubectl cloud ${name} -n ${namespace} ${registry.connection.shortName}/${account}`];
  };

/** Of what is done once: it asks for a confirmation, and not for an approval. */
const confirmation = (object: Resource): readonly string[] | undefined =>
  typeof object.status?.['challenge'] === 'string' ? verb('confirm')(object) : undefined;

/** Off without being asked to be: what the spec may say of it. Undefined: it says On, and something else keeps it off. */
function powering(object: Resource): readonly string[] | undefined {
  const mayBeSaid = Object.hasOwn(registry.kind(object.kind).spec.shape, 'power') && object.spec['power'] === undefined;
  const lineOf = (power: string): string => mergePatch(object, { spec: { power } });
  if (!mayBeSaid) return undefined;
  return hasNothingToBoot(object) ? [...edit(object), lineOf('Off')] : [lineOf('On'), lineOf('Off')];
}

/** Of what is off and has nothing to boot yet, for when it has. */
export const oncePowered = (object: Resource): Pick<Cause, 'todo' | 'commands' | 'afterwards'> => ({
  todo: 'Say whether it is to run. The first line has it booted once what it waits for is there, the second says that it is meant to be off (in its manifest, too, where it comes from Git).',
  commands: ['On', 'Off'].map((power) => mergePatch(object, { spec: { power } })),
  afterwards: true,
});

/** What may be typed about each reason; what it means and what else to do stands in the reference. */
const lines: Readonly<Record<Reason, Lines>> = {
  Available: nothing,
  PoweredOff: (object) => powering(object) ?? verb('tree')(object),
  Creating: wait,
  Updating: wait,
  Deleting: verb('wait --for=Deleted'),
  Drifted: wait,
  DriftReported: edit,
  Observed: nothing,
  Paused: verb('resume'),
  ReadOnly: ofAccount('status'),
  ReferenceNotReady: wait,
  AccountNotReady: (object) => (isAccount(object) ? lookAgain(object) : ofAccount('why')(object)),
  Throttled: ofAccount('status'),
  Unreachable: wait,
  Unauthorized: ofAccount('reconcile'),
  Forbidden: lookAgain,
  Busy: wait,
  ApprovalRequired: (object) => confirmation(object) ?? verb('approve')(object),
  DeletionHeld: (object) => (isToBeReleased(object) ? ofAccount('release --list')(object) : edit(object)),
  InvalidSpec: edit,
  Rejected: (object) => [...edit(object), ...lookAgain(object)],
  QuotaExceeded: lookAgain,
  ImmutableField: edit,
  AlreadyExists: edit,
  AlreadyClaimed: lookAgain,
  Ambiguous: lookAgain,
  UnknownOutcome: wait,
  IdentityConflict: edit,
  AccountMismatch: letGo,
  RemoteMissing: verb('recreate'),
  RemoteNotVisible: letGo,
  RemoteFailed: lookAgain,
  Contested: (object) => [...edit(object), ...lookAgain(object)],
  OperationFailed: verb('history'),
  Expired: verb('history'),
  CRDMismatch: () => ['kubectl cloud version'],
};

export const commandsFor = (reason: Reason, object: Resource): readonly string[] =>
  specialOf(reason, object)?.commands ?? lines[reason](object);

/** What the reference says is to be done, unless more can be said of this very object. */
export const todoOf = (reason: Reason, object: Resource): string =>
  specialOf(reason, object)?.todo ?? particular[reason]?.(object) ?? reasons[reason]?.todo ?? '';

const particular: Readonly<Partial<Record<Reason, (object: Resource) => string | undefined>>> = {
  ApprovalRequired: (object) => {
    if (confirmation(object) !== undefined)
      return 'To have it done, confirm it: the line shows once more what is asked, and why. To have it dropped, delete the object.';
    return shownPlan(object) === undefined
      ? undefined
      : 'If that is meant, approve it: the line shows once more what it does, and asks. If not, set the spec back to what the account has.';
  },
  AccountNotReady: (object) =>
    isAccount(object) ? 'Do what the message says, for example make the Secret that it names; it is looked at every minute.' : undefined,
  PoweredOff: (object) => {
    if (powering(object) === undefined) return undefined;
    const off = 'says that it is meant to be off (in its manifest, too, where it comes from Git)';
    return hasNothingToBoot(object)
      ? `Give it what it can boot, as its message says, and \`spec.power: On\`: the first line edits it. The second ${off}.`
      : `The first line has it booted, the second ${off}.`;
  },
  DeletionHeld: (object) => {
    return isToBeReleased(object) ? undefined : 'Set `lifecycle.protect: false` to have it deleted.';
  },
  Paused: ({ metadata, status }) => {
    const { until } = (status?.['paused'] ?? {}) as Partial<Paused>;
    if (until === undefined)
      return metadata.annotations?.[pauseAnnotation] !== undefined
        ? 'It is paused until somebody resumes it, as this line does:'
        : undefined;
    return `Wait: the pause ends by itself at ${until}. To end it before:`;
  },
};
