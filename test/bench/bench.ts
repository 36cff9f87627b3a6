import type { OperatorProgram } from '../support/process/installed-operator.ts';
import type { Figure } from './figure.ts';
import type { Fleet } from './fleet.ts';
import type { Planted } from './inhabitants.ts';
import type { Member } from './population.ts';
import type { Stage } from './stage.ts';

/** What a scenario has to work with. */
export interface Bench {
  readonly stage: Stage;
  /** Custom resources that were asked for; in an empty world a scenario makes them itself. */
  readonly count: number;
  /** Custom resources that there are before it begins. */
  readonly objects: number;
  readonly members: readonly Member[];
  readonly planted: Planted;
  /** Where the account was exported. */
  readonly fleet?: Fleet;
  /** The one that leads; a scenario that ends it puts another in its place. */
  operator: OperatorProgram;
  /** Shorter, and said so. */
  readonly quick: boolean;
  readonly say: (line: string) => void;
  readonly report: (figure: Omit<Figure, 'objects'>) => void;
}

export type Scenario = (bench: Bench) => Promise<void>;
