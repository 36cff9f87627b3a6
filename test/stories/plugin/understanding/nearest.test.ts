import { beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  for (const name of ['data', 'date', 'else']) await world.apply('CloudVolume', name, { region: 'us-east', sizeGiB: 20 });
  for (const name of ['data', 'date', 'else']) await world.ready('CloudVolume', name);
  await world.apply('CloudVolume', 'copy', { sizeGiB: 20, volumeRef: { name: 'dat' } });
  await world.apply('CloudVolume', 'lost', { sizeGiB: 20, volumeRef: { name: 'backups-of-last-year' } });
  await world.clock.advance(minute);
});
const mayGet = (verbs: readonly string[]) => {
  world.server.addUser('reader', { name: 'reader' });
  world.server.setGrants([
    { to: 'reader', rules: [{ apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs }] },
    { to: 'reader', rules: [{ apiGroups: ['apiextensions.k8s.io'], resources: ['*'], verbs: ['get'] }] },
  ]);
};

/** How often volumes are listed for a line. */
const lists = async (line: string) => {
  let count = 0;
  const between = (server: Backend): Backend => ({
    handle: (request) => {
      if (request.method === 'GET' && /\/cloudvolumes\?(?!.*watch)/.test(request.path)) count += 1;
      return server.handle(request);
    },
  });
  await cloud(world, line, { limit: minute, between });
  return count;
};

describe('of a reference that names nothing, what is there and called nearly so is offered', () => {
  it('by tree', async () => {
    const { out } = await cloud(world, 'tree');
    expect(out).toMatch(/CloudVolume team-a\/dat +\(not found; did you mean cvol\/data, cvol\/date\?\) ●/);
    expect(out).toMatch(/CloudVolume team-a\/backups-of-last-year +\(not found\) ●/);
  });

  it('by wait, when its time ran out', async () => {
    const { exit, out } = await cloud(world, 'wait cvol/copy --timeout 5s', { limit: minute });
    expect(exit).toBe(6);
    expect(out).toContain('\nspec.volumeRef: CloudVolume team-a/dat is not found; did you mean cvol/data, cvol/date?\n');
    const lost = await cloud(world, 'wait cvol/lost --timeout 5s', { limit: minute });
    expect([lost.exit, lost.out]).toEqual([6, expect.not.stringContaining('did you mean')]);
  });

  it('by why, beside what else is to be done', async () => {
    const { exit, out } = await cloud(world, 'why cvol/copy');
    expect(exit).toBe(1);
    expect(out).toContain('CloudVolume team-a/dat: NotFound: it is not there; did you mean cvol/data, cvol/date?\n');
    expect((await cloud(world, 'why cvol/lost')).out).toContain('CloudVolume team-a/backups-of-last-year: NotFound: it is not there\n');
  });

  it('with one list of the kind, and with none where all is found', async () => {
    const [without, one] = [await lists('wait cvol/else --timeout 5s --for=Deleted'), await lists('wait cvol/copy --timeout 5s')];
    expect(one - without).toBe(1);
  });

  it('and nothing to who may not list them', async () => {
    mayGet(['get', 'watch']);
    const { exit, out } = await cloud(world, 'wait cvol/copy --timeout 5s', { limit: minute, token: 'reader' });
    expect([exit, out]).toEqual([6, expect.not.stringContaining('did you mean')]);
    mayGet(['get', 'watch', 'list']);
    const more = await cloud(world, 'wait cvol/copy --timeout 5s', { limit: minute, token: 'reader' });
    expect(more.out).toContain('did you mean');
  });
});

it.each(['get volumes --account defualt', 'pause --account defualt', 'cost --account defualt'])(
  '%s offers the account that is nearly so',
  async (line) => {
    const { exit, err } = await cloud(world, `${line} ${line.startsWith('pause') ? '' : `--endpoint ${endpoint}`}`.trim());
    expect([exit, err]).toEqual([4, expect.stringContaining('CloudAccount team-a/defualt is not found; did you mean cacc/default?')]);
  },
);

it('wait until something is deleted ends with 4 where whether it is there may not be read', async () => {
  mayGet(['list']);
  const { exit, err } = await cloud(world, 'wait cvol/gone --for=Deleted', { token: 'reader' });
  expect([exit, err]).toEqual([
    4,
    expect.stringContaining('The right that is missing: get cloudvolumes.cloudhosting.dev in namespace team-a'),
  ]);
});
