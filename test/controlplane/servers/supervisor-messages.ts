/** What the parent asks of the supervisor, over the process channel. */
export type Order =
  | { readonly order: 'spawn'; readonly name: string; readonly file: string; readonly args: readonly string[] }
  | { readonly order: 'signal'; readonly name: string; readonly signal: NodeJS.Signals }
  /** End the children, remove the folder, exit. */
  | { readonly order: 'close' }
  /** Go on when the parent is gone; SIGTERM to the supervisor closes. */
  | { readonly order: 'keep' };

/** What the supervisor tells the parent. */
export type Report =
  | { readonly report: 'ready'; readonly webhook: string }
  | { readonly report: 'spawned'; readonly name: string; readonly pid: number }
  | { readonly report: 'exited'; readonly name: string; readonly code: number | null; readonly signal: NodeJS.Signals | null };
