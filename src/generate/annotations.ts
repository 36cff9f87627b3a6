/** Annotations, by name without the group, for the reference. */
export const byPeople: Readonly<Record<string, string>> = {
  pause: 'Any value but `false`: nothing is written to the cloud for this object until it is removed.',
  'reconcile-at': 'A time, or any new value: look at the cloud resource now.',
  approve: 'The hash in `status.plan`: let the change that it describes happen.',
  recreate: 'A time, or any new value: make a cloud resource that is gone anew, empty.',
  abandon:
    'The text in the message of RemoteNotVisible or AccountMismatch of an object that is being deleted: let it go, and leave its cloud resource as it is.',
  confirm: 'The text in `status.challenge` of a CloudOperation: run it.',
  release: 'On a CloudAccount, the text that its status shows: let held deletions go on.',
};
export const byOperator: Readonly<Record<string, string>> = {
  remote: 'Which cloud resource this object owns, signed. Keep it in backups; it heals a lost status.',
  intent: 'A create whose outcome is not known yet.',
  twins: 'Ids of cloud resources that a second process made for the same object; they are dealt with.',
};
