import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudDomain';
const ways = {
  clone: { spec: { domain: 'copied.example.org', cloneFrom: { name: 'source' } }, template: '/domains/{domainId}/clone' },
  import: { spec: { domain: 'copied.example.org', importFrom: { nameServer: 'ns1.example.net' } }, template: '/domains/import' },
} as const;

let world: World;
const domains = () =>
  world.emulator.control.rows('domains') as readonly { readonly id: number; readonly domain: string; readonly tags: string[] }[];
const made = () => changesOf(world).filter((call) => /\/(clone|import)$/.test(call)).length;
const lose = (template: string, effect: 'lose-answer' | 'lose-request') =>
  world.emulator.control.addFault({ match: { method: 'POST', template, username: 'admin' }, times: 1, effect: { kind: effect } });

describe.each(Object.entries(ways))('a zone that is made by %s', (_, { spec, template }) => {
  beforeEach(async () => {
    world = await World.create();
    await world.account();
    await world.start();
    await world.apply(kind, 'source', { domain: 'example.com', type: 'master', soaEmail: 'a@example.com' });
    await world.ready(kind, 'source');
    await world.clock.advance(120_000);
  });

  it('is made once, and brought to its own spec', async () => {
    await world.apply(kind, 'copy', { ...spec, description: 'a copy', tags: ['prod'] });
    await world.ready(kind, 'copy', 1_800_000);
    expect(domains().at(-1)).toMatchObject({
      domain: 'copied.example.org',
      description: 'a copy',
      tags: expect.arrayContaining(['prod']) as string[],
    });
    expect([domains().length, made()]).toEqual([2, 1]);
  });
  it('is found where the answer was lost', async () => {
    lose(template, 'lose-answer');
    await world.apply(kind, 'copy', { ...spec, lifecycle: { onDelete: 'Delete' } });
    await world.ready(kind, 'copy', 1_800_000);
    expect([domains().length, made()]).toEqual([2, 1]);
    await world.delete(kind, 'copy');
    await world.gone(kind, 'copy', 1_800_000);
    expect(domains().map(({ domain }) => domain)).toEqual(['example.com']);
  });
  it('is made where the request was lost', async () => {
    lose(template, 'lose-request');
    await world.apply(kind, 'copy', spec);
    await world.ready(kind, 'copy', 1_800_000);
    expect([domains().length, made()]).toEqual([2, 2]);
  });
  it.each([
    ['a colleague made', 'token-colleague'],
    ['our own user made by hand', 'token-admin'],
  ])('is none that %s of that name at that moment', async (_, token) => {
    lose(template, 'lose-request');
    await world.apply(kind, 'copy', { ...spec, lifecycle: { onDelete: 'Delete' } });
    await world.clock.advance(3000);
    await new CloudUser(world, token).post('/domains', { domain: 'copied.example.org', type: 'master', soa_email: 'b@example.com' });
    await world.reason(kind, 'copy', 'AlreadyExists', 1_800_000);
    await world.delete(kind, 'copy');
    await world.gone(kind, 'copy', 1_800_000);
    expect(domains()).toHaveLength(2);
  });
});
