import { converges, forgets, keepsPublished, keepsSecrets, keepsTold, leadsAlone, noHotLoop, noPanic, truthful } from './behaviour.ts';
import { audited, obeysLimits, staysInItsRights } from './limits.ts';
import type { Oracle, Trial, Violation } from './oracle.ts';
import { noDuplicate, noLostDelete, noOrphan, noWrongVictim, sameEnd } from './remotes.ts';

const oracles: Readonly<Record<string, Oracle>> = {
  'O1 no duplicate': noDuplicate,
  'O2 no orphan': noOrphan,
  'O3 no lost delete': noLostDelete,
  'O4 converges and stays': converges,
  'O5 no wrong victim': noWrongVictim,
  'O6 same end': sameEnd,
  'O7 no hot loop': noHotLoop,
  'O8 truthful status': truthful,
  'O9 obeys limits': obeysLimits,
  'O10 no secret shown': keepsSecrets,
  'O17 told once': keepsTold,
  'O18 published stays good': keepsPublished,
  'O11 no panic': noPanic,
  'O13 within its rights': staysInItsRights,
  'O14 leads alone': leadsAlone,
  'O15 forgets what is gone': forgets,
  'O16 said in the audit': audited,
};

export const judge = (trial: Trial): readonly Violation[] =>
  Object.entries(oracles).flatMap(([oracle, ask]) => ask(trial).map((message) => ({ oracle, message })));
