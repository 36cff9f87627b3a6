import type { Knobs } from '../../emulator/contract/knobs.ts';

/** One setting of what is not established about the service. */
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
  { id: 'filter-lag60', knobs: { filterLagSeconds: 60 } },
  { id: 'slow-commit', knobs: { commitDelaySeconds: 20 } },
  // Nearly as late as the operator's bound allows.
  { id: 'late-commit', knobs: { commitDelaySeconds: 55 } },
  { id: 'sliding', knobs: { rateWindow: 'sliding' } },
  { id: 'limits-2023', knobs: { rateProfile: 'recorded-2023' } },
  { id: 'no-limits', knobs: { rateProfile: 'none' } },
  { id: 'restricted', knobs: {}, restricted: true },
];

/** Seconds by which a fault may delay a commit at this corner, so that it stays within the operator's bound. */
export const delayAt = ({ knobs }: Corner, seconds: number): number => Math.min(seconds, 59 - (knobs.commitDelaySeconds ?? 0));
