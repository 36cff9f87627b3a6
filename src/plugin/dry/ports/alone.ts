import type { EngineDependencies } from '../../../engine/context.ts';
import type { Monitor } from '../../../engine/ports/index.ts';
import { silent } from './silent.ts';

const nothing = (): undefined => undefined;

type Alone = Pick<EngineDependencies, 'leadership' | 'accountLeases' | 'log' | 'keyUse' | 'settings' | 'crds' | 'transfers'>;

/** As an engine that nobody stands beside: it leads, every account is its own, and there is nothing that it would have to tell. */
export const alone: Alone = {
  leadership: { held: () => true },
  accountLeases: {
    request: nothing,
    held: () => true,
    holder: () => undefined,
    during: (_, work) => work(),
    release: () => Promise.resolve(),
  },
  // From where the operator reads only it knows.
  transfers: { refusal: nothing, place: nothing, begin: nothing, of: nothing, forget: nothing, known: () => [], stop: nothing },
  log: silent,
  keyUse: { show: () => Promise.resolve() },
  settings: { commitBound: 60_000, listLag: 60_000, operatorNamespace: '', release: '', accountSelector: {} },
  crds: { mismatched: new Set(), isLeaving: () => Promise.resolve(false) },
};

export const unheard: Omit<Monitor, 'changing'> = {
  reconciled: nothing,
  queued: nothing,
  panic: nothing,
  changed: nothing,
  driftSeen: nothing,
};
