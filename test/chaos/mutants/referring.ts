import type { Mutant } from './mutant.ts';

const goesWithParent = 'src/engine/delete/parent-going.ts';

/** What an object refers to, and what it is below. */
export const referring: readonly Mutant[] = [
  {
    id: 'reference-not-waited-for',
    promise: 'references',
    file: 'src/engine/reconcile/unbound.ts',
    what: 'if (resolved.unresolved.length > 0) return withoutReferences(',
    instead: 'if (resolved.unresolved.length > 99) return withoutReferences(',
    hint: ['F16/CloudVolume/create/its-needs-come-later', 'F16/CloudDomainRecord/create/its-needs-come-later'],
  },
  {
    id: 'targets-not-watched',
    promise: 'references',
    file: 'src/engine/controller/watch-handler.ts',
    what: 'if (isPublic(change)) wakeDependants(engine, objectId(kind, key));',
    instead: 'if (now === undefined && isPublic(change)) wakeDependants(engine, objectId(kind, key));',
    hint: ['F16/CloudDomainRecord/create/its-needs-come-later', 'F16/CloudVolume/create/its-needs-come-later'],
  },
  {
    id: 'allowedRefs-ignored',
    promise: 'references',
    file: 'src/engine/model/account.ts',
    what: 'return namespace === metadata.namespace ||',
    instead: "return namespace !== '' ||",
    hint: ['F16/CloudDomainRecord/create/refers-to-what-does-not-admit-it'],
  },
  {
    id: 'deleted-beside-its-parent',
    promise: 'references',
    file: goesWithParent,
    what: 'if (parent === undefined || isTakenAlong(context, identity) || !isGoing(context, parent)) return undefined;',
    instead:
      "if (parent === undefined || parent.kind !== '' || isTakenAlong(context, identity) || !isGoing(context, parent)) return undefined;",
    hint: ['F16/CloudDomainRecord/create/deleted-with-its-parent'],
  },
  {
    id: 'waits-for-a-protected-parent',
    promise: 'references',
    file: goesWithParent,
    what: "policy.onDelete === 'Delete' && !policy.protect",
    instead: "policy.onDelete === 'Delete'",
    hint: ['F16/CloudDomainRecord/create/deleted-with-a-parent-that-is-protected-after-all'],
  },
  {
    id: 'named-by-its-id-without-leave',
    promise: 'references',
    file: 'src/engine/resolve/literal.ts',
    what: 'isIdOf(ids, id) ? literal(context, ids.plain?.(String(id)) ?? asId(String(id)))',
    instead: "isIdOf(ids, id) ? (context.object.kind === '' ? literal(context, id) : { value: asId(String(id)) })",
    hint: ['F16/CloudDomainRecord/create/names-by-its-id-what-is-not-its-own'],
  },
  {
    id: 'circle-waited-for',
    promise: 'references',
    file: 'src/engine/resolve/circle.ts',
    what: 'if (way === undefined || first === undefined) return undefined;',
    instead: "if (way === undefined || first === undefined || first.field !== '') return undefined;",
    hint: ['F12/CloudVolume/create.volumeRef/refers-to-itself', 'F12/CloudVolume/create.volumeRef/refers-to-each-other'],
  },
];
