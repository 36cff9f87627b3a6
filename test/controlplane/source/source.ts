import type { Machine } from '../programs/machine.ts';
import type { Tool, ToolPaths } from '../programs/pinned.ts';

/** What one source has. */
export interface Offer {
  readonly tools: ToolPaths;
  /** Kubernetes version of the offered API server, empty when none is offered. */
  readonly version: string;
  /** Folder or place, for the one line that says what is used. */
  readonly from: string;
  /** Why something is missing, and what to do about it; empty when nothing is. */
  readonly reason: string;
}

/** A place where the programs of a control plane may come from. */
export interface Source {
  readonly name: string;
  /** Never throws for what is missing or broken: that is the offer's reason. May take minutes when it builds. */
  find(missing: readonly Tool[], machine: Machine): Promise<Offer>;
}

export function nothing(reason: string): Offer {
  return { tools: {}, version: '', from: '', reason };
}
