import type { Mutant } from './mutant.ts';

/** What is done once, and to which of two. */
export const operating: readonly Mutant[] = [
  {
    id: 'operation-sent-to-what-is-deleted-in-its-place',
    promise: 'operations',
    file: 'src/engine/change/operate.ts',
    what: 'return places.every(isAsJudged) ?',
    instead: 'return places.slice(0, 1).every(isAsJudged) ?',
    hint: ['F16/CloudOperation/create.onto/what-changes-in-its-place-is-deleted-in-the-very-moment'],
  },
  {
    id: 'operation-noted-on-its-target-alone',
    promise: 'operations',
    file: 'src/engine/change/operate.ts',
    what: 'for (const { object } of operation.places) {',
    instead: 'for (const { object } of operation.places.slice(0, 1)) {',
    hint: ['F16/CloudOperation/create.onto/it-comes-again-and-only-what-changed-notes-it'],
  },
  {
    id: 'operation-on-what-is-paused-in-its-place',
    promise: 'operations',
    file: 'src/engine/operate/target.ts',
    what: 'if (isPaused(object, engine.clock.now())) return',
    instead: "if (object.metadata.uid === '' && isPaused(object, engine.clock.now())) return",
    hint: ['F16/CloudOperation/create.onto/what-changes-in-its-place-is-paused'],
  },
  {
    id: 'operation-not-followed-where-it-changes-another',
    promise: 'operations',
    file: 'src/engine/operate/follow.ts',
    what: 'const paths = [path ?? [], ontoPath ?? []].flat();',
    instead: 'const paths = [path ?? [], ontoPath === undefined ? [] : []].flat();',
    hint: ['F16/CloudOperation/create.onto/what-changes-in-its-place-is-edited-meanwhile'],
  },
];
