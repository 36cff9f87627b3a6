/** Annotations, by name without the group, for the reference. */
export const byPeople: Readonly<Record<string, string>> = {
  pause:
    '`until=<time>[;reason=<text>]`: nothing is read or written in the cloud for this object until then, also when the annotation is taken away. Any other value but `false`: until it is removed. On a CloudAccount: nothing of the account is changed, its objects are still read, and what would be deleted in it waits.',
  resume: 'A time, or any new value: a pause with an end is over now.',
  'reconcile-at':
    'A time, or any new value: look at the cloud resource now, and at the Secrets and ConfigMaps that are named. On a CloudAccount: at its token, and read each list of the account once, which shows the most of it in few calls. Once it is done `status.lastHandledReconcileAt` has the value.',
  approve:
    'The hash in `status.plan`: let the change that it describes happen. Once accepted it is noted in `status.plan.approved`, and the annotation may go.',
  'approve-change':
    '`<status.plan.content>.<until>`: the same by what the change is, so that it can be written beside the change in Git, before it is merged; counts once. `<until>` is a time in UTC at most 14 days ahead: `abcdefghijklmnop.2030-01-31T18:00:00Z`.',
  'approve-reason':
    'The value of annotation approve or approve-change, a space, and why it is approved, for the Event, the audit log and `status.plan.approved.reason`; at most 200 characters. With another value in front it is of another approval, and counts for nothing.',
  recreate: 'A time, or any new value: make a cloud resource that is gone anew, empty.',
  confirm:
    'On an operation, the text of `status.challenge`: do what cannot be undone. Counts only once the challenge was shown, so not in the manifest.',
  rotate:
    'A time, or any new value: renew the credential that this object gives out, once for each value (`status.rotated`). One that is there when the cloud resource is first bound is noted and nothing is done; what was taken over with `spec.adopt` says so in Event `NotRotated`.',
  abandon:
    'The text in the message of RemoteNotVisible or AccountMismatch of an object that is being deleted: let it go, and leave its cloud resource as it is.',
  release: 'On a CloudAccount, the text that its status shows: let held deletions go on. Noted in `status.released` once accepted.',
};
export const byOperator: Readonly<Record<string, string>> = {
  remote: 'Which cloud resource this object owns, signed. Keep it in backups; it heals a lost status.',
  intent: 'A create whose outcome is not known yet.',
  replacing: 'A cloud resource that is deleted to be made anew, signed: its loss is no question any more. Goes when the new one is made.',
  twins:
    'Cloud resources that were made twice for the same object, because an answer was lost. The operator deletes those that surely were never used.',
  retiring: 'Cloud resources in whose place another one has come, and when they are deleted, signed.',
  label: 'The name that was derived for the cloud resource when it was made, signed: it stays, whatever becomes of the key',
  operation: 'On an operation, how far it has come, signed: by it nothing is done twice.',
  operations: 'On the object of the cloud resource to which something is done once, what was noted right before the call.',
  spent: 'Values of annotation approve-change that were used, until their time is over: with a status of before they count no second time.',
};
