import { beforeEach, describe, expect, it } from 'vitest';
import { sleep } from '../../../../src/lib/clock.ts';
import type { Backend, BackendRequest, BackendResponse } from '../../../support/virtual/backend.ts';
import { ConnectionLost } from '../../../support/virtual/backend.ts';
import { lines, scene } from '../../../support/plugin/cli-scene.ts';
import { cloud, type Ran } from '../../../support/plugin/cloud-cli.ts';
import type { World } from '../../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await scene();
  // What was made begins to run.
  await world.clock.advance(600_000);
});

type Trouble = () => BackendResponse;
const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}): Trouble =>
  () => ({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ errors: [{ reason: 'by the test' }] }),
  });
const troubles: Readonly<Record<string, Trouble>> = {
  408: answer(408, { 'retry-after': '3' }),
  429: answer(429, { 'retry-after': '3' }),
  503: answer(503),
  'cut off': () => {
    throw new ConnectionLost();
  },
};
const isRead = ({ method }: BackendRequest): boolean => method === 'GET';

/** Trouble at the reads from this one on, so many of them. */
const inTrouble =
  (trouble: Trouble, { from, times }: { readonly from: number; readonly times: number }) =>
  (server: Backend): Backend => {
    let read = 0;
    return {
      handle: (request) => {
        if (isRead(request)) read += 1;
        return isRead(request) && read >= from && read < from + times ? Promise.resolve().then(trouble) : server.handle(request);
      },
    };
  };
const untimed = (text: string): string => text.replaceAll(/\d\d:\d\d:\d\dZ?/g, 'TIME');
const lineOf = (verb: string): string => lines[verb]?.lines[0] ?? '';
const typed = (verb: string, betweenAccount?: (server: Backend) => Backend): Promise<Ran> =>
  cloud(world, lineOf(verb), { files: {}, limit: 600_000, ...(betweenAccount && { betweenAccount }) });

describe('what the account does not answer for a moment is asked again, and the answer is the same', () => {
  const cases = ['get', 'events', 'cost', 'orphans', 'export', 'plan', 'diff', 'history'].flatMap((verb) =>
    Object.keys(troubles).map((name) => [verb, name] as const),
  );
  it.each(cases)('%s, %s', async (verb, name) => {
    const wanted = await typed(verb);
    for (const from of [1, 2, 3]) {
      const { exit, out, err } = await typed(verb, inTrouble(troubles[name] ?? answer(500), { from, times: 2 }));
      expect({ exit, out: untimed(out) }).toEqual({ exit: wanted.exit, out: untimed(wanted.out) });
      expect(err).toMatch(/^the account (answered \d+ to|did not answer) GET \S+: it is asked again in \d+ s$/m);
    }
  });
  it('and what goes on ends the line, after three times more', async () => {
    const before = world.emulator.control.requests().length;
    const ran = await typed('get', inTrouble(answer(503), { from: 1, times: 100 }));
    expect(ran).toMatchObject({ exit: 4, out: '' });
    expect(ran.err.match(/it is asked again/g)).toHaveLength(3);
    expect(world.emulator.control.requests().length).toBe(before);
  });
  it('but not what is refused', async () => {
    const { exit, err } = await typed('get', inTrouble(answer(401), { from: 1, times: 1 }));
    expect(exit).toBe(4);
    expect(err).not.toContain('asked again');
  });
  it('nor what asks for more patience than a person has', async () => {
    const { exit, err } = await typed('get', inTrouble(answer(503, { 'retry-after': '7200' }), { from: 1, times: 1 }));
    expect(exit).toBe(4);
    expect(err).not.toContain('asked again');
  });
  it('and Ctrl-C ends the wait', async () => {
    const before = world.clock.now();
    const { begin } = await import('../../../support/plugin/cloud-cli.ts');
    const run = begin(world, lineOf('get'), { betweenAccount: inTrouble(troubles['429'] ?? answer(429), { from: 1, times: 1 }) });
    await world.clock.advance(1000);
    run.interrupt();
    expect((await run.ended()).exit).toBe(130);
    expect(world.clock.now() - before).toBeLessThan(3000);
  });
});

describe('a line leaves room for others', () => {
  it('has four requests under way at most', async () => {
    let [underWay, most] = [0, 0];
    const counted = (server: Backend): Backend => ({
      handle: async (request) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await sleep(world.clock, 100);
        underWay -= 1;
        return server.handle(request);
      },
    });
    // It asks for the number of six sorts of things.
    expect(await cloud(world, `${lineOf('account')} --dry-run`, { betweenAccount: counted })).toMatchObject({ exit: 0 });
    expect(most).toBe(4);
  });

  it('takes a fifth of the rate window and says that it waits, or as much as it is told to', async () => {
    for (let count = 0; count < 60; count += 1) {
      const body = { domain: `of-${count}.example`, type: 'master', soa_email: 'a@example.org' };
      await world.emulator.control.actAs({ username: 'admin', method: 'POST', path: '/v4/domains', body });
    }
    world.emulator.control.setKnobs({ rateProfile: 'published-2026' });
    // The records of each are a list of their own, and 200 lists a minute are allowed.
    const taken = async (more: string): Promise<Ran & { readonly time: number }> => {
      await world.clock.advance(120_000);
      const before = world.clock.now();
      const ran = await cloud(world, `${lineOf('orphans')} --kinds crec${more}`, { limit: 600_000 });
      return { ...ran, time: world.clock.now() - before };
    };
    const usual = await taken('');
    expect(usual).toMatchObject({ exit: 0, err: expect.stringContaining('at most 20 % of it are taken') as string });
    expect(usual.time).toBeGreaterThan(30_000);
    const most = await taken(' --share 80');
    expect(most).toMatchObject({ exit: 0, out: usual.out, err: expect.not.stringContaining('rate window') as string });
    expect(most.time).toBeLessThan(5000);
  });
  it.each(['0', '101', 'half'])('%s is no share', async (share) => {
    expect(await cloud(world, `${lineOf('get')} --share ${share}`)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('--share') as string,
    });
  });
});
