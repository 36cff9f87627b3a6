import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { folderVariable, leave, performedIn } from '../../coverage/ledger-notes.ts';
import { openedWorlds, type Remembering } from './opened-worlds.ts';

/** Where what these accounts performed is gathered (`npm run coverage`); undefined where nobody asks. */
const ledgers = process.env[folderVariable];

/**
 * The law of memory, held after every test in which operators run: once the objects are gone, nothing is remembered of them.
 * A world that several tests share is judged when the last of them has ended.
 */
const shared: Remembering[] = [];
const own: Remembering[] = [];
let mine = shared;
openedWorlds.note = (world) => void mine.push(world);

async function judge(worlds: Remembering[]): Promise<void> {
  for (const world of worlds.splice(0)) {
    if (ledgers !== undefined) leave(performedIn(world.emulator.control.requests(), expect.getState().currentTestName ?? ''), ledgers);
    expect(await world.rememberedOnceEmpty()).toEqual([]);
  }
}

beforeEach(() => void (mine = own));
afterEach(() => judge(own));
afterAll(() => {
  mine = shared;
  return judge(shared);
});
