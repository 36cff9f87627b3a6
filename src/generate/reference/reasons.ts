/** Every reason of a condition, what it means, and what to do. They are API; the engine's list is compared with this one by a test. */
export const reasons: Readonly<Record<string, { readonly means: string; readonly todo: string }>> = {
  Available: { means: 'The account has what the spec asks for.', todo: 'Nothing.' },
  PoweredOff: {
    means:
      'The account has what the spec asks for, and the machine is off, which `spec.power` does not ask for: Ready is True, or False where that is `On`.',
    todo: 'Set `spec.power: On` to have it booted, or `Off` where that is meant. What has nothing to boot needs a disk and a configuration, or an image, first.',
  },
  Creating: { means: 'The cloud resource is being made.', todo: 'Wait.' },
  Updating: { means: 'A change of the spec is being made.', todo: 'Wait.' },
  Deleting: { means: 'The cloud resource is being deleted.', todo: 'Wait.' },
  Drifted: {
    means: 'Somebody else changed the cloud resource, and it is being set back.',
    todo: 'Wait; `status.drift` names the fields and who likely did it.',
  },
  DriftReported: {
    means: 'The cloud resource differs, and `lifecycle.drift` says to leave it so.',
    todo: 'Change the spec to what is there, or set `lifecycle.drift: Correct`.',
  },
  Observed: { means: 'The object only observes (`lifecycle.management: Observe`).', todo: 'Nothing; `status.drift` shows differences.' },
  Paused: {
    means: 'Annotation `cloudhosting.dev/pause` is set, or a pause with an end was (`status.paused`).',
    todo: 'Remove the annotation to go on; before the end of a pause that has one, annotate `cloudhosting.dev/resume=<time>`.',
  },
  ReadOnly: {
    means:
      'The account is read-only (`CloudAccount.spec.mode: ReadOnly`), or paused by annotation `cloudhosting.dev/pause` of the CloudAccount.',
    todo: 'To have changes made: set `spec.mode: Manage` where that is ReadOnly; end a pause of the account with `kubectl cloud resume cacc/NAME`.',
  },
  ReferenceNotReady: {
    means: 'An object that this one refers to is not there, has no id yet, or does not admit this namespace.',
    todo: 'See `status.waitingFor`; make the object, or have its owner admit this namespace in `allowedRefs`. Where that was let go on purpose, take it out of the spec or delete this object, too: the message says which of these can be done, and what that does in the account.',
  },
  AccountNotReady: {
    means: 'The CloudAccount is not there, not connected, or does not admit this namespace and kind.',
    todo: 'See the conditions of the CloudAccount and its `access` list.',
  },
  Throttled: {
    means: 'The account has used up what its rate limits allow.',
    todo: 'Wait; lower `budget`, or find out who else uses the token.',
  },
  Unreachable: {
    means: "The account's API does not answer, or what it answered proves nothing yet.",
    todo: 'Wait: it is asked again by itself. If that lasts for minutes, see the status page of the provider and the network policy of the operator.',
  },
  Unauthorized: { means: 'The token was refused.', todo: 'Put a valid token into the Secret of the CloudAccount; no restart is needed.' },
  Forbidden: {
    means: 'The token, or the access list of the account, does not allow this.',
    todo: 'The message names the missing scope, grant or access entry.',
  },
  Busy: { means: 'A job on the cloud resource, or its deletion under the same name, must end first.', todo: 'Wait.' },
  ApprovalRequired: {
    means: 'The change does more to the cloud resource than `lifecycle.approve` allows.',
    todo: 'Read `status.plan`, then annotate `cloudhosting.dev/approve=<status.plan.hash>`, or commit `cloudhosting.dev/approve-change: <status.plan.content>.<until>`, or undo the change of the spec. Flux takes away what managers called `kubectl...` write: what was accepted by then stays accepted, and `--field-manager=flux-client-side-apply` keeps the annotation.',
  },
  DeletionHeld: {
    means:
      'Something waits for a person, and the message says which of these it is. Deletions: unusually many objects of one account are being deleted at the same time, more than 10 and a quarter of a namespace within 10 minutes; as many may be gone before the rest is held, and deletions of domain records are not held for that. Losses: what unusually many objects of one kind had in the account has vanished, nobody deletes the objects, and none is made anew. Or the object, or one that would go with it, is protected, or an account is still used.',
    todo: 'Of deletions: if they are a mistake, set `lifecycle.onDelete: Retain` on the objects, which then go without their cloud resources; if they are meant, annotate the CloudAccount with `cloudhosting.dev/release` as its status shows, and they are deleted at once, for good. Of losses: leave `onDelete` as it is, find out what removed the cloud resources, and to have them made anew, empty, annotate the CloudAccount in the same way. Of a CloudAccount that was deleted by mistake: keep its manifest, take `cloudhosting.dev/remote` out of its `metadata.finalizers` and apply the manifest again at once; its objects wait for it, and nothing of theirs is deleted. Of one object alone the message says what holds it. `kubectl cloud why` prints the lines for each.',
  },
  InvalidSpec: {
    means: 'The spec asks for something that this operator can see to be impossible.',
    todo: 'Correct the field that the message names.',
  },
  Rejected: {
    means: "The account's API refused the request.",
    todo: 'Correct the field that the message names; it is tried again every 30 to 60 minutes, and every five where the object names a Secret or a ConfigMap.',
  },
  QuotaExceeded: { means: 'A limit of the account is reached.', todo: 'Delete something, or ask the provider for a higher limit.' },
  ImmutableField: {
    means: 'A field differs that cannot be changed on the existing cloud resource.',
    todo: 'Put the old value back, or set `lifecycle.replace: Allow` to have it deleted and made anew.',
  },
  AlreadyExists: {
    means: 'A cloud resource with this name, or one that stands against making this one, exists and is not ours.',
    todo: 'Choose another name, or take it over, or have it taken away, as the message says.',
  },
  AlreadyClaimed: {
    means: 'Another object, or another installation of this operator, has this cloud resource, or one that stands against making it.',
    todo: 'Delete one of the two objects. Neither touches the cloud where `spec.adopt` names the very one and both are of one namespace: the other one hands it over to this one. Else what the other one stands for may go with it, unless `lifecycle.onDelete` of that is `Retain`.',
  },
  Ambiguous: {
    means: 'Several cloud resources could be the one that was asked for.',
    todo: 'Choose one with `spec.adopt.id`, or delete the surplus ones that the message names.',
  },
  UnknownOutcome: { means: 'A request was sent and no answer came; the operator looks before it tries again.', todo: 'Wait.' },
  IdentityConflict: {
    means: 'Annotation `cloudhosting.dev/remote` and the status disagree, or the annotation was not written by this operator.',
    todo: 'Do what the message says: it tells which of the two is right, as far as that can be known. Nothing is changed or deleted until then.',
  },
  AccountMismatch: {
    means: 'The token belongs to another account than the object.',
    todo: 'Put a token of the right account into the Secret of the CloudAccount.',
  },
  RemoteMissing: {
    means: 'Somebody else deleted the cloud resource, or `spec.adopt` matches nothing.',
    todo: 'Annotate `cloudhosting.dev/recreate=<time>` to have it made anew and empty, correct `spec.adopt`, or delete the object.',
  },
  RemoteNotVisible: {
    means: 'The cloud resource is not visible to the token: it is gone, or a grant is.',
    todo: 'Restore the grant; or delete the object and write the annotation `abandon` that its message then shows, which leaves the resource as it is.',
  },
  RemoteFailed: {
    means: 'The cloud resource is broken by its own account, or nobody has its secret any more.',
    todo: 'Do what the message says; where it says nothing to do, open a support ticket with the provider. Nothing is sent to it until that is over; `Synced` is False where an edit waits for that.',
  },
  OperationFailed: {
    means: 'What was to be done once was refused by the account, or its job failed there.',
    todo: 'Read the message and the events of the account. It is not done again: make another object.',
  },
  Expired: {
    means: 'What was to be done once came too late (`spec.notAfter`), or may have been done before: nothing was sent.',
    todo: 'Make another object with a new `notAfter`, if it is still wanted.',
  },
  Contested: {
    means: 'Somebody else keeps changing a field that the operator sets back.',
    todo: 'Find the other writer (`status.drift`), or list the field in `lifecycle.ignoreFields`.',
  },
  CRDMismatch: {
    means:
      'The CRD in the cluster would lose or refuse what this version writes, so objects of the kind are left alone. A newer CRD that only has more optional fields is none such.',
    todo: 'The log says what is missing. Apply the CRDs of this version: `cloud-operator crds | kubectl apply --server-side -f -`.',
  },
};
