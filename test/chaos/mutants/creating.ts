import type { Mutant } from './mutant.ts';

const attempt = 'src/engine/create/attempt.ts';
const create = 'src/engine/create/create.ts';

/** Design 4.3 and 4.4: exactly once. */
export const creating: readonly Mutant[] = [
  {
    id: 'intent-written-after-the-POST',
    promise: '4.3',
    file: attempt,
    what: '  await writeIntent(turn, intent);\n  if (turn',
    instead:
      '  const given = permit;\n  const anyway = given.send(() => undefined);\n  permit = { send: () => anyway, release: () => given.release() };\n  await anyway.catch(() => undefined);\n  await writeIntent(turn, intent);\n  if (turn',
    hint: ['F1/CloudDomainRecord/create/cloud:POST_/domains/{id}/records#1/commit', 'F1 CloudDomainRecord'],
  },
  {
    id: 'baseline-left-out',
    promise: '4.3',
    file: create,
    what: '  const found = await baseline(turn, key, want);\n  const own =',
    instead: '  const found = (await baseline(turn, key, want)).slice(999);\n  const own =',
    hint: ['F16/CloudDomainRecord/create/a-stranger-has-the-name'],
  },
  {
    id: 'bucket-not-read-first',
    promise: '4.3',
    file: create,
    what: "  if (enforced === 'item') {",
    instead: "  if (enforced === 'item') return { before: [] };\n  if (enforced === ('never' as string)) {",
    hint: ['F16/CloudBucket/create/a-stranger-has-the-label-that-the-spec-gives'],
  },
  {
    id: 'two-creates-of-one-key-in-flight',
    promise: '4.3',
    file: create,
    what: 'if (engine.evidence.inFlight.has(guard)) return',
    instead: "if (engine.evidence.inFlight.has(guard) && guard === '') return",
    hint: ['F16/CloudDomainRecord/create/two-objects-want-the-same-thing-of-a-slow-service'],
  },
  {
    id: 'gate-before-the-socket-write-left-out',
    promise: '4.3',
    file: 'src/engine/create/attempt.ts',
    what: 'permit.send(() => gate(turn, intent, { notedAt, writtenAt }))',
    instead: 'permit.send(() => undefined)',
    hint: ['F16/CloudDomainRecord/create/its-intent-takes-long-to-write'],
  },
  {
    id: 'unknown-outcome-taken-for-a-refusal',
    promise: '4.4',
    file: attempt,
    what: "if (error.fault === 'Unknown' || error.fault === 'Malformed') {",
    instead: "if (error.fault === 'Malformed') {",
    hint: ['F3/CloudDomainRecord/create/cloud:POST_/domains/{id}/records#1/answer-lost', 'F3 CloudDomainRecord'],
  },
  {
    id: 'doubt-not-waited-out',
    promise: '4.4',
    file: 'src/engine/create/unknown.ts',
    what: 'return Math.max(0, Date.parse(intent.attempts.at(-1)',
    instead: 'return Math.min(0, Date.parse(intent.attempts.at(-1)',
    hint: [
      'F16/CloudVolume/create/deleted-while-its-create-is-under-way',
      'F16/CloudDomainRecord/create/deleted-while-its-create-is-under-way',
    ],
  },
  {
    id: 'open-create-forgotten-at-deletion',
    promise: '4.4',
    file: 'src/engine/delete/deletion.ts',
    what: 'return intent === undefined\n        ?',
    instead: 'return intent !== turn\n        ?',
    hint: [
      'F16/CloudDomainRecord/create/deleted-while-its-create-is-under-way',
      'F16/CloudVolume/create/deleted-while-its-create-is-under-way',
    ],
  },
  {
    id: 'W2-without-the-identity',
    promise: '4.3',
    file: 'src/engine/create/writes.ts',
    what: "    { op: 'add', path: pointer(remoteAnnotation), value: formatIdentity(turn.engine.key, turn.name, identity) },\n",
    instead: '',
    hint: ['F1/CloudDomainRecord/create/kube:PATCH_clouddomainrecords/www_remove-intent#1/after', 'F1 CloudDomainRecord'],
  },
  {
    id: 'own-remote-not-taken-after-a-refusal',
    promise: '4.3',
    file: create,
    what: 'if (open !== undefined && made !== undefined && more.length === 0) return takeFound(turn, made, open);\n  const there',
    instead: 'if (more.length > 9) return takeFound(turn, made as Found, open as Intent);\n  const there',
    hint: ['F3 CloudDomain', 'F1 CloudDomain'],
  },
  {
    id: 'finalizer-not-written-with-the-intent',
    promise: '4.3',
    file: 'src/engine/create/writes.ts',
    what: '    finalizers: withFinalizer(turn.object),\n    annotations: { [intentAnnotation]: formatIntent(turn, intent),',
    instead: '    annotations: { [intentAnnotation]: formatIntent(turn, intent),',
    hint: ['F16/CloudDomainRecord/create/deleted-while-its-create-is-under-way'],
  },
  {
    id: 'refusal-leaves-its-attempt-open',
    promise: '4.3',
    file: attempt,
    what: 'await writeStruck(turn, { ...intent, attempts });',
    instead: 'await writeStruck(turn, intent);',
    hint: ['F16/CloudDomainRecord/create/refused-and-deleted', 'F16/CloudFirewall/create/refused-and-deleted'],
  },
  {
    id: 'no-look-after-doubt',
    promise: '4.4',
    file: 'src/engine/create/unknown.ts',
    what: '  const [first] = found;\n  if (first !== undefined)',
    instead: '  const [first] = found;\n  if (first !== undefined && found.length > 9)',
    hint: ['F3/CloudDomainRecord/create/cloud:POST_/domains/{id}/records#1/answer-lost', 'F3 CloudDomainRecord'],
  },
];
