import { accountKey } from '../../engine/model/account.ts';
import { isDeleting } from '../../engine/model/annotations.ts';
import type { Reason } from '../../engine/model/outcome.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { reasons } from '../../generate/reasons.ts';
import { typed } from '../cluster/naming.ts';
import { registry } from '../kinds.ts';

/** Lines to type. None: time, or somebody outside of the cluster, must do it. */
type Lines = (object: Resource) => readonly string[];

const nothing: Lines = () => [];
const verb =
  (name: string): Lines =>
  (object) => [`kubectl cloud ${name} ${typed(object)}`];
const wait = verb('wait');
const edit: Lines = ({ kind, metadata: { namespace, name } }) => [`kubectl -n ${namespace} edit ${kind.toLowerCase()} ${name}`];
/** What was mended outside of the cluster is seen at the next look, which may be half an hour away. */
const lookAgain = verb('reconcile');
const letGo: Lines = (object) => (isDeleting(object) ? verb('abandon')(object) : lookAgain(object));

const ofAccount =
  (name: string): Lines =>
  (object) => {
    const { namespace, name: account } = object.kind === registry.connection.kind ? object.metadata : accountKey(object);
    return [`kubectl cloud ${name} -n ${namespace} ${registry.connection.shortName}/${account}`];
  };

/** What may be typed about each reason; what it means and what else to do stands in the reference. */
const lines: Readonly<Record<Reason, Lines>> = {
  Available: nothing,
  Creating: wait,
  Updating: wait,
  Deleting: verb('wait --for=Deleted'),
  Drifted: wait,
  DriftReported: edit,
  Observed: nothing,
  Paused: verb('resume'),
  ReadOnly: ofAccount('status'),
  ReferenceNotReady: wait,
  AccountNotReady: ofAccount('why'),
  Throttled: ofAccount('status'),
  Unreachable: wait,
  Unauthorized: ofAccount('reconcile'),
  Forbidden: lookAgain,
  Busy: wait,
  ApprovalRequired: verb('approve'),
  DeletionHeld: ofAccount('release'),
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
  CRDMismatch: () => ['kubectl cloud version'],
};

export const commandsFor = (reason: Reason, object: Resource): readonly string[] => lines[reason](object);

/** What the reference says is to be done. */
export const todoOf = (reason: Reason): string => reasons[reason]?.todo ?? '';
