import type { Knobs } from '../emulator/contract/knobs.ts';

/** One setting of what is not established about the service (design 9). */
export interface Corner {
  /** Empty for the setting that most cases run at. */
  readonly id: string;
  readonly knobs: Partial<Knobs>;
  readonly restricted?: true;
}

export const plain: Corner = { id: '', knobs: {} };

/** Each differs in one respect, or in all that make looking up harder. */
export const corners: readonly Corner[] = [
  plain,
  { id: 'lag3', knobs: { listLagSeconds: 3, filterLagSeconds: 3 } },
  { id: 'lag60', knobs: { listLagSeconds: 60, filterLagSeconds: 60 } },
  { id: 'unique', knobs: { volumeLabelsUnique: true, clusterLabelsUnique: true } },
  { id: 'slow-commit', knobs: { commitDelaySeconds: 20 } },
  { id: 'restricted', knobs: {}, restricted: true },
];
