import { atOnce } from '../at-once.ts';
import { aroundActs, newFirewall, newVolume } from './around.ts';
import { Draw } from './draw.ts';
import { type Act, type Call, Estate, type Row, type Thing } from './estate.ts';
import { machineActs, newMachine } from './machines.ts';
import { nameActs, newRecord, newZone } from './names.ts';
import { personActs } from './people.ts';
import { clusterActs, databaseActs, storeActs } from './services.ts';

/** Who asks the account, and what time is there. */
export interface Hands {
  /** Status and body of the answer, whatever it is; the path is below `/v4`. */
  ask(call: Call): Promise<{ readonly status: number; readonly body: Row }>;
  /** Until the jobs of what was asked are over. */
  rest(): Promise<void>;
}
/** What came of some programs. */
export interface Played {
  readonly estates: readonly Estate[];
  readonly things: readonly Thing[];
  readonly asked: number;
  /** Calls that the service refused: people mistype, and so do programs. */
  readonly refused: readonly string[];
}

/** What somebody did in an account over the years: of each theme so often. */
const themes: readonly (readonly [share: number, begins: readonly Act[], acts: readonly Act[]])[] = [
  [26, [newZone, newRecord, newRecord], nameActs],
  [22, [newMachine], machineActs],
  [20, [newMachine, newVolume, newFirewall], [...aroundActs, ...machineActs.slice(0, 6), newZone]],
  [14, [], [newVolume, newFirewall, ...personActs]],
  [12, [], personActs],
  [3, [], storeActs],
  [2, [], databaseActs],
  [1, [], clusterActs],
];
const rounds = 5;
const actsOfRound = 4;

function themeOf(draw: Draw): readonly [begins: readonly Act[], acts: readonly Act[]] {
  let left = draw.below(100);
  for (const [share, begins, acts] of themes) {
    if (left < share) return [begins, acts];
    left -= share;
  }
  return [[], personActs];
}

const width = 12;
interface Tally {
  asked: number;
  readonly refused: string[];
}

/** Makes the call that an act comes to, if any, and keeps what came of it. */
async function act(estate: Estate, one: Act, hands: Hands, tally: Tally): Promise<void> {
  const call = one(estate);
  if (call === undefined) return;
  const { status, body } = await hands.ask(call);
  const line = (): string => `${call.method} ${call.path} ${JSON.stringify(call.body)}: ${status} ${JSON.stringify(body).slice(0, 300)}`;
  tally.asked += 1;
  if (status === 400 || status === 404) return void tally.refused.push(line());
  if (status >= 300) throw new Error(line());
  const thing = call.makes?.(body);
  if (thing !== undefined) estate.things.push(thing);
  if (call.removes !== undefined) estate.remove(call.removes);
}

/** Plays programs of one seed, beside each other as people work; program 713 of a seed is always the same one. */
export async function play(seed: number, numbers: readonly number[], hands: Hands): Promise<Played> {
  const programs = numbers.map((number) => {
    const draw = new Draw(seed, number);
    const [begins, acts] = themeOf(draw);
    return { estate: new Estate(draw), begins, acts };
  });
  const tally: Tally = { asked: 0, refused: [] };
  for (let round = 0; round < rounds; round += 1) {
    await atOnce(programs, width, async ({ estate, begins, acts }) => {
      const line = round === 0 ? begins : Array.from({ length: actsOfRound }, () => estate.draw.pick(acts));
      for (const one of line) await act(estate, one, hands, tally);
    });
    await hands.rest();
  }
  const estates = programs.map(({ estate }) => estate);
  return { estates, things: estates.flatMap(({ things }) => things), ...tally };
}
