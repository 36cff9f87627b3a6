import { aroundActs, newFirewall, newVolume } from './around.ts';
import { Draw } from './draw.ts';
import { type Act, type Call, Estate, type Row, type Thing } from './estate.ts';
import { machineActs, newMachine } from './machines.ts';
import { nameActs, newRecord, newZone } from './names.ts';
import { clusterActs, databaseActs, personActs, storeActs } from './services.ts';

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
const texts = (body: Row): string => JSON.stringify(body).slice(0, 300);

async function act(estate: Estate, one: Act, hands: Hands, refused: string[]): Promise<number> {
  const call = one(estate);
  if (call === undefined) return 0;
  const { status, body } = await hands.ask(call);
  if (status >= 500 || (status >= 400 && status !== 400 && status !== 404))
    throw new Error(`${call.method} ${call.path} ${JSON.stringify(call.body)}: ${status} ${texts(body)}`);
  if (status >= 400) refused.push(`${call.method} ${call.path} ${JSON.stringify(call.body)}: ${texts(body)}`);
  else {
    const thing = call.makes?.(body);
    if (thing !== undefined) estate.things.push(thing);
    if (call.removes !== undefined) estate.remove(call.removes);
  }
  return 1;
}

/** Plays programs of one seed, beside each other as people work; program 713 of a seed is always the same one. */
export async function play(seed: number, numbers: readonly number[], hands: Hands): Promise<Played> {
  const played = numbers.map((number) => {
    const draw = new Draw(seed, number);
    const [begins, acts] = themeOf(draw);
    return { estate: new Estate(draw), begins, acts };
  });
  const refused: string[] = [];
  let asked = 0;
  for (let round = 0; round < rounds; round += 1) {
    const waiting = [...played];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { estate, begins, acts } = next;
        const line = round === 0 ? begins : Array.from({ length: actsOfRound }, () => estate.draw.pick(acts));
        for (const one of line) {
          const calls = await act(estate, one, hands, refused);
          asked += calls;
        }
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
    await hands.rest();
  }
  const estates = played.map(({ estate }) => estate);
  return { estates, things: estates.flatMap(({ things }) => things), asked, refused };
}
