import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../../../src/plugin/commands.ts';
import type { Command } from '../../../../src/plugin/command-line/command.ts';
import { canaries, lines, scene } from '../../../support/plugin/cli-scene.ts';
import { cloud, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import type { World } from '../../../support/world/world.ts';

const token = canaries.token;
const euuid = 'E1AF5EEC-526F-487D-B317EBEB34C87D71';
const another = 'B2C04D11-93A7-4E0C-9F21D07A55E1C3B8';
const takes = ({ flags }: Command, name: string): boolean => flags.some(({ form }) => form.includes(`--${name} `));
const asking = commands.filter(({ talks }) => ['asks', 'looks', 'changes'].includes(talks));
/** Each of its lines, without a person to ask. */
const typed = ({ name, confirms }: Command): readonly string[] =>
  (lines[name]?.lines ?? []).map((line) => `${line}${confirms === 'C0' ? '' : ' --dry-run'}`);

let world: World;
beforeEach(async () => {
  world = await scene();
});
/** With what the account was asked meanwhile. */
async function run(line: string): Promise<Ran & { readonly asked: readonly string[] }> {
  const before = world.emulator.control.requests().length;
  const ran = await cloud(world, line, { token, limit: 5 * 60_000 });
  const requests = world.emulator.control.requests().slice(before);
  const asked = requests.filter(({ userAgent }) => userAgent.startsWith('kubectl-cloud')).map(({ method, path }) => `${method} ${path}`);
  return { ...ran, asked };
}
const wholeOf = (ran: Ran): { readonly account?: unknown; readonly accounts?: unknown; readonly warnings: readonly string[] } => {
  dataOf(ran);
  return JSON.parse(ran.out) as never;
};

it('a verb that asks the account says where it is and which it is meant for, and no other does', () => {
  for (const command of commands) {
    const isAsking = asking.includes(command);
    expect([command.name, takes(command, 'endpoint'), takes(command, 'expect-account')]).toEqual([command.name, isAsking, isAsking]);
  }
});

const named = {
  id: euuid,
  endpoint: 'main',
  user: expect.stringMatching(/^\w+$/) as string,
  readAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
};
describe('-o json names the account that was asked, and none where none was', () => {
  it.each(commands.filter((command) => takes(command, 'output')))('$name', async (command) => {
    let count = 0;
    for (const line of typed(command)) {
      const ran = await run(`${line.replace(/ -o \w+/, '')} -o json`);
      const { account, accounts } = wholeOf(ran);
      if (ran.asked.length > 0) count += 1;
      expect(accounts).toBe(undefined);
      expect(account).toEqual(ran.asked.length === 0 ? undefined : named);
    }
    expect(count > 0).toBe(asking.includes(command));
  });
});

describe('--expect-account: of another account nothing is read, and nothing shown', () => {
  it.each(asking)('$name', async (command) => {
    for (const line of typed(command)) {
      const meant = await run(`${line} --expect-account ${euuid}`);
      const ran = await run(`${line} --expect-account ${another}`);
      const isAsked = meant.asked.length > 0;
      expect([ran.exit, ran.out]).toEqual(isAsked ? [4, ''] : [meant.exit, meant.out]);
      expect(ran.err).toContain(
        isAsked ? `leads to account ${euuid}, and --expect-account says ${another}` : '--expect-account was not looked at',
      );
      expect(new Set(ran.asked)).toEqual(new Set(isAsked ? ['GET /account', 'GET /profile'] : []));
    }
  });
  it('and the change is not sent either', async () => {
    const { exit, asked } = await run(`${lines['promo']?.lines[0]} --confirm WELCOME50 --expect-account ${another}`);
    expect([exit, asked.filter((one) => !one.startsWith('GET'))]).toEqual([4, []]);
  });
});

describe('a line that comes to several accounts', () => {
  const line = `doctor -A --account --endpoint ${endpoint}`;
  beforeEach(async () => {
    await world.namespace('team-b');
    await world.account({}, 'team-b', 'token-other');
  });
  it('names each', async () => {
    const { account, accounts } = wholeOf(await run(`${line} -o json`));
    expect(account).toBe(undefined);
    expect(accounts).toMatchObject([{ id: euuid }, { id: another, user: 'other' }]);
  });
  it('ends where one is not the one that is meant', async () => {
    expect(await run(`${line} --expect-account ${euuid}`)).toMatchObject({ exit: 4, out: '' });
  });
});
