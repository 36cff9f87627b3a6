import type { CallOptions, Lane } from '../../engine/ports/index.ts';

/** Whose turn it is when the operator reads for no object in particular: a tenant of its own, beside the namespaces. */
const tenant = 'cloud-operator';

/** How events, sweeps, rounds and the checks of the account are asked for. */
export const inBackground = (lane: Extract<Lane, 'events' | 'wait' | 'sweep'>, signal: AbortSignal, caller?: string): CallOptions => ({
  lane,
  tenant,
  signal,
  ...(caller !== undefined && { caller }),
});
