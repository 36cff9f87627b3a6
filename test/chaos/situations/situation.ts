import type { Reference } from '../run/reference.ts';
import type { Scene, Setting } from './scene.ts';

/** Something that people, other installations or the account do to an object of any kind, and what must then hold. */
export interface Situation extends Setting {
  readonly id: string;
  /** Played as a restricted user, and not as others are. */
  readonly restricted?: true;
  /** Whether it can be played with this kind, as the recorded create shows it. */
  fits(reference: Reference): boolean;
  /** Plays it, and tells the scene what did not hold. */
  play(scene: Scene): Promise<void>;
}

export const anyCollection = ({ scenario }: Reference): boolean => scenario.kind.mode === 'collection';
