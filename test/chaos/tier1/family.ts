import type { Millis } from '../../../src/lib/clock.ts';
import type { ControlPlane } from '../../controlplane/control-plane.ts';
import type { ControlPlaneOptions } from '../../controlplane/start.ts';
import type { Lane, Strike } from './lane.ts';
import type { Step } from './recorded-step.ts';

/** One kind of fault, which may fall at any recorded step. */
export interface Family {
  readonly name: string;
  readonly what: string;
  /** Steps at which it can fall. */
  readonly at: (step: Step) => boolean;
  readonly strike: (step: Step) => Strike;
  readonly leaseDuration: Millis;
  /** The fault is the whole control plane's: each lane, or all lanes of the family together, have one that is so started. */
  readonly controlPlane?: OwnControlPlane;
  /** An API server that starts anew refuses everybody until it has read its roles: its 403 are the fault's. */
  readonly refusesAtStart?: true;
}

interface OwnControlPlane {
  readonly of: 'lane' | 'family';
  readonly options: ControlPlaneOptions;
  /** Does the work while no fault falls on it: a lane is not opened in the middle of one. */
  readonly spare?: <T>(controlPlane: ControlPlane, work: () => Promise<T>) => Promise<T>;
  /** Does what a lane needs between two lives while the others wait for it, so that it is not struck again and again. */
  readonly expecting?: <T>(lane: Lane, work: () => Promise<T>) => Promise<T>;
}

/** What it takes for the same replica to go on at once after its end: it holds the lease by its pod's name. */
export const usualLease: Millis = 15_000;
/** Short, and still long enough for a machine that others use. */
export const shortLease: Millis = 6_000;
