import type { Mutant } from './mutant.ts';

const ledger = 'src/engine/memory/change-ledger.ts';
const send = 'src/engine/change/send.ts';
const wish = 'text: canonical([asked, body, scopes, restricted, user]), body }';

/** What was answered is sent again for a reason only, and for each of these; and what is gone is forgotten. */
export const remembering: readonly Mutant[] = [
  {
    id: 'refusal-ended-by-a-touch',
    promise: 'ledger',
    file: ledger,
    what: "if (entry.because.is === 'refused' && entry.seen !== seen) return undefined;",
    instead: "if (entry.because.is === 'refused') return undefined;",
    hint: ['F16/CloudDomainRecord/create/a-refused-change-is-touched', 'F16/CloudDomainRecord/create/a-refused-deletion-is-touched'],
  },
  {
    id: 'refusal-outlives-the-remote',
    promise: 'ledger',
    file: ledger,
    what: "if (entry.because.is === 'refused' && entry.seen !== seen) return undefined;",
    instead: "if (entry.because.is === 'refused' && entry.seen === `not ${seen}`) return undefined;",
    hint: ['F16/CloudDomainRecord/create/a-refused-deletion-and-the-remote-is-changed'],
  },
  {
    id: 'refusal-outlives-reconcile-at',
    promise: 'ledger',
    file: ledger,
    what: "if (because.is !== 'unknown') entries.delete(wish);",
    instead: "if (because.is === 'accepted') entries.delete(wish);",
    hint: ['F16/CloudDomainRecord/create/a-refused-change-is-touched'],
  },
  {
    id: 'doubt-ended-by-reconcile-at',
    promise: 'ledger',
    file: ledger,
    what: "if (because.is !== 'unknown') entries.delete(wish);",
    instead: 'if (because.is.length > 0) entries.delete(wish);',
    hint: ['F16/CloudDomainRecord/create/a-deletion-without-an-answer-is-asked-for-again'],
  },
  {
    id: 'refusal-without-an-end',
    promise: 'ledger',
    file: ledger,
    what: 'const refusedFor: Millis = 30 * minute;',
    instead: 'const refusedFor: Millis = 30 * 24 * 60 * minute;',
    hint: ['F16/CloudDomainRecord/create/a-refused-change-is-touched', 'F16/CloudDomainRecord/create/the-delete-is-refused-for-a-while'],
  },
  {
    id: 'refusal-outlives-another-wish',
    promise: 'ledger',
    file: send,
    what: wish,
    instead: 'text: canonical([asked, scopes, restricted, user]) }',
    hint: ['F16/CloudDomain/create/a-refused-change-becomes-another'],
  },
  {
    id: 'refusal-outlives-a-rotated-secret',
    promise: 'ledger',
    file: send,
    what: wish,
    instead: 'text: canonical([asked, body, scopes, restricted, user]) }',
    hint: ['F16/CloudBucket/create/a-refused-secret-is-rotated'],
  },
  {
    id: 'refusal-outlives-another-token',
    promise: 'ledger',
    file: send,
    what: wish,
    instead: 'text: canonical([asked, body]), body }',
    hint: ['F16/CloudDomainRecord/create/a-refused-change-meets-another-token'],
  },
  {
    id: 'nothing-forgotten',
    promise: 'memory',
    file: 'src/engine/memory/memory.ts',
    what: 'if (key !== undefined) store.forget(key);',
    instead: "if (key === '') store.forget(key);",
    hint: ['F16/CloudDomainRecord/create/the-delete-is-refused-for-a-while'],
  },
  {
    id: 'replacement-past-the-brake',
    promise: 'deletion',
    file: 'src/engine/change/remove-remote.ts',
    what: 'isBeside(why) ? undefined : heldRemoval(context)',
    instead: "why !== 'deleted' ? undefined : heldRemoval(context)",
    hint: ['F16/CloudBucket/create/a-mass-is-replaced-at-once'],
  },
];
