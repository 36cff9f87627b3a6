export interface Explained {
  readonly means: string;
  readonly todo: string;
}

/** `status.phase` of an operation. */
export const phases = {
  Pending: {
    means: 'What it needs is not there yet, or something stands against it; nothing was sent.',
    todo: 'Read its condition `Synced`. It is done by itself once nothing stands against it, until `spec.notAfter`; delete it if it shall not be.',
  },
  AwaitingConfirmation: {
    means: 'Something is lost by it, so it asks first; nothing was sent.',
    todo: 'Read `status.consequences`, then annotate `cloudhosting.dev/confirm=<status.challenge>`, or delete it.',
  },
  Waiting: { means: 'A job or another operation on the same cloud resource goes first; nothing was sent.', todo: 'Wait.' },
  Running: { means: 'It was sent, and goes on in the account.', todo: 'Wait.' },
  Succeeded: { means: 'It was done.', todo: 'Nothing.' },
  Failed: { means: 'The account refused it, or its job failed there.', todo: 'Read its message; to try once more, make another one.' },
  Unknown: {
    means: 'It was sent, and nothing tells how it ended.',
    todo: 'Look in the account whether it was done. It is never sent again; make another one only where it was not.',
  },
  Expired: {
    means: 'It was not sent: it came too late (`spec.notAfter`), or was done before.',
    todo: 'Make another one with a new `notAfter`, if it is still wanted.',
  },
} as const satisfies Readonly<Record<string, Explained>>;

/** What `kubectl cloud` says of an object in place of a reason: what its status cannot tell. */
export const pluginWords = {
  NotLookedAt: {
    means:
      'No operator has looked at the object since it was made, edited, approved or deleted, so that what its status says may no longer hold.',
    todo: 'Wait some seconds. If it stays so, run `kubectl cloud doctor`: no operator runs, or none serves its namespace and account.',
  },
  NotFound: { means: 'What was named, or what something waits for, is not in the cluster.', todo: 'Create it, or correct the name.' },
  KeyMissing: {
    means: 'The Secret or ConfigMap that is named is there, and has no such key.',
    todo: 'Add the key to it, or name another key or another one.',
  },
  NotSeen: { means: 'You may not read it, so that nothing can be said of it.', todo: 'Ask somebody who may, or for the right to read it.' },
  NotRead: {
    means: 'A field could not be compared, because what it depends on could not be read.',
    todo: 'The message says what; have it read, and compare again.',
  },
  NotHeld: {
    means: 'Nobody renews the Lease by which an operator works for the account: none is at work.',
    todo: 'See whether its Pods run, and what they log. Nothing is seen or done until one works.',
  },
  NotAdmitted: {
    means: 'It is there, and its owner does not admit the namespace of what refers to it.',
    todo: 'Have its owner add the namespace to `spec.allowedRefs`, or refer to something else.',
  },
  Incomplete: {
    means:
      'What is to be in it (the disk or configuration of a machine) has objects, and is not there yet; what it is refused or lacks may be for want of that.',
    todo: 'See to what it waits for; what was refused is asked for again as that comes.',
  },
  ThereNow: {
    means: 'What was waited for has come, and the operator has not looked since.',
    todo: 'Wait: it looks again by itself, mostly within a minute.',
  },
} as const satisfies Readonly<Record<string, Explained>>;

/** Reasons of Events that no condition has. */
export const eventReasons = {
  Created: { means: 'The cloud resource was made.', todo: 'Nothing.' },
  Adopted: { means: 'A cloud resource that was there before was taken over (`spec.adopt`).', todo: 'Nothing.' },
  Recovered: { means: 'A cloud resource that was made for this object was found again.', todo: 'Nothing.' },
  Recreated: {
    means: 'The cloud resource was gone from the account, and another one is made for its object (`lifecycle.onMissing: Recreate`).',
    todo: 'Nothing for it to come. Read in the message who deleted it: what it held is not in the new one.',
  },
  Deleted: { means: 'The cloud resource is gone from the account.', todo: 'Nothing.' },
  Retained: {
    means: 'The object was let go, and its cloud resource, or what it gave out, stays and costs what it cost before.',
    todo: 'To have it back, apply the same manifest again, or one with `spec.adopt`; or delete it in the account. The message names it.',
  },
  SecretNotSent: {
    means: 'What was there before the object counts as having the value of its Secret, as no answer of the service shows it.',
    todo: 'To have the value sent, renew the Secret once the object is Ready.',
  },
  NotRotated: {
    means:
      'Annotation `cloudhosting.dev/rotate` was on the object when it took over what was there before, and counts as done: nothing was renewed.',
    todo: 'To have it renewed, give the annotation another value, which the message has the line for.',
  },
  ShareUsedUp: {
    means: 'The calls of this account have used up its share of the rate limits, and further ones wait.',
    todo: 'Raise `spec.budget.sharePercent` if that takes too long.',
  },
  Maintenance: {
    means: 'The provider has announced maintenance of this cloud resource.',
    todo: 'Read when in the message; the operator waits until it is over.',
  },
  ServiceDown: {
    means: 'What a managed service watches is down.',
    todo: 'See what it runs on; the issue that the provider opens says what is done about it.',
  },
  ManagedIssue: {
    means: 'The provider has opened an issue for what a managed service watches.',
    todo: 'Read the issue that the message names.',
  },
  OpenToAll: {
    means: 'Everybody in the Internet may connect to the database.',
    todo: 'Take `0.0.0.0/0` out of its allow list, if that is not meant.',
  },
} as const satisfies Readonly<Record<string, Explained>>;
