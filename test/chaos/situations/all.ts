import { accounts } from './accounts.ts';
import { below } from './below.ts';
import { changing } from './changing.ts';
import { defaulting } from './defaulting.ts';
import { doubting } from './doubting.ts';
import { gestures } from './gestures.ts';
import { lagging } from './lagging.ts';
import { leading } from './leading.ts';
import { leavingAlone } from './leaving-alone.ts';
import { leaving } from './leaving.ts';
import { losing } from './losing.ts';
import { madeByHand } from './made-by-hand.ts';
import { odd } from './odd.ts';
import { operating } from './operating.ts';
import { outputs } from './outputs.ts';
import { pausing } from './pausing.ts';
import { quiet } from './quiet.ts';
import { rebuilding } from './rebuilding.ts';
import { recovering } from './recovering.ts';
import { refusing } from './refusing.ts';
import { renaming } from './renaming.ts';
import { secrets } from './secrets.ts';
import { sharing } from './sharing.ts';
import type { Situation } from './situation.ts';
import { strangers } from './strangers.ts';
import { takingOver } from './taking-over.ts';
import { teams } from './teams.ts';
import { twins } from './twins.ts';
import { watching } from './watching.ts';
import { wording } from './wording.ts';

export const situations: readonly Situation[] = [
  ...strangers,
  ...takingOver,
  ...rebuilding,
  ...recovering,
  ...leaving,
  ...losing,
  ...changing,
  ...sharing,
  ...accounts,
  ...twins,
  ...doubting,
  ...madeByHand,
  ...secrets,
  ...quiet,
  ...leading,
  ...lagging,
  ...wording,
  ...watching,
  ...teams,
  ...defaulting,
  ...gestures,
  ...odd,
  ...refusing,
  ...renaming,
  ...below,
  ...leavingAlone,
  ...pausing,
  ...outputs,
  ...operating,
];
