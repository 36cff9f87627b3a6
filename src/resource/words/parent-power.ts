import type { Row } from '../field-rule.ts';

/** What is above a remote may run with it, and some calls on it need that it does not: they wait until somebody has shut it down. */
export interface ParentPower {
  /** Of the parent's own row. */
  readonly power: (parent: Row) => 'on' | 'off' | 'changing';
  /** How whoever reads a message has it shut down, so that no object of it starts it again. */
  readonly off: string;
  /** A listing below the parent, and which of its rows have this remote in them: in none, and what runs above does not use it. */
  readonly users: { readonly path: string; readonly has: (row: Row, id: string) => boolean };
}
