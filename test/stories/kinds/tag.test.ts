import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

let world: World;
let user: CloudUser;
beforeEach(async () => {
  world = await World.create();
  user = new CloudUser(world);
});
async function begin(spec: Record<string, unknown> = {}, token?: string): Promise<RunningOperator> {
  await world.account(spec, 'team-a', token);
  const operator = await world.start();
  await world.ready('CloudAccount', 'default');
  return operator;
}
const tags = (): readonly string[] =>
  (world.emulator.control.rows('tags') as unknown as { label: string }[])
    .map(({ label }) => label)
    .filter((label) => !label.startsWith('co-'));
const calls = (): readonly string[] =>
  world.changes.filter(({ kind }) => kind === 'CloudTag').map(({ method, path }) => `${method} ${path}`);

describe('a tag', () => {
  it('is made once with those that get it, counts who carries it, and stays when its object goes', async () => {
    await begin();
    const { id } = await user.post('/volumes', { label: 'theirs', region: 'us-east' });
    await world.apply('CloudTag', 'prod', { label: 'prod=true', initialMembers: { volumeIds: [id] } });
    await world.ready('CloudTag', 'prod');
    await world.clock.advance(600_000);
    expect((await world.get('CloudTag', 'prod')).status).toMatchObject({
      id: 'prod=true',
      carriers: 1,
      members: { volumes: 1, instances: 0 },
    });
    expect(calls()).toEqual(['POST /tags']);
    await world.delete('CloudTag', 'prod');
    await world.gone('CloudTag', 'prod');
    expect(tags()).toEqual(['prod=true']);
  });
  it('that exists is taken over as adopted, without a call, and kept though the account deletes by default', async () => {
    await begin({ defaults: { onDelete: 'Delete' } });
    await user.post('/volumes', { label: 'theirs', region: 'us-east', tags: ['prod'] });
    await world.apply('CloudTag', 'prod', { label: 'prod' });
    expect((await world.ready('CloudTag', 'prod')).status).toMatchObject({ origin: 'Adopted' });
    await world.delete('CloudTag', 'prod');
    await world.gone('CloudTag', 'prod');
    expect(tags()).toEqual(['prod']);
    expect(calls()).toEqual([]);
  });
  it('of which the answer was lost is found again, and not made a second time', async () => {
    await begin();
    world.emulator.control.addFault({ match: { method: 'POST', template: '/tags' }, times: 1, effect: { kind: 'lose-answer' } });
    await world.apply('CloudTag', 'prod', { label: 'prod' });
    expect((await world.ready('CloudTag', 'prod')).status).toMatchObject({ origin: 'Created' });
    expect(calls()).toEqual(['POST /tags']);
  });
  it('that a colleague made while an answer was lost is adopted, and kept though the account deletes by default', async () => {
    await begin({ defaults: { onDelete: 'Delete' } });
    world.emulator.control.addFault({ match: { method: 'POST', template: '/tags' }, times: 1, effect: { kind: 'lose-request' } });
    await world.apply('CloudTag', 'prod', { label: 'prod' });
    await world.reason('CloudTag', 'prod', 'UnknownOutcome');
    await user.post('/tags', { label: 'prod' });
    expect((await world.ready('CloudTag', 'prod')).status).toMatchObject({ origin: 'Adopted' });
    await world.delete('CloudTag', 'prod');
    await world.gone('CloudTag', 'prod');
    expect(tags()).toEqual(['prod']);
  });
  it('that somebody deletes is made anew; with onDelete Delete it is taken off everything', async () => {
    await begin();
    await world.apply('CloudTag', 'prod', { label: 'prod', lifecycle: { onDelete: 'Delete' } });
    await world.ready('CloudTag', 'prod');
    await user.delete('/tags/prod');
    await world.clock.runUntil(() => Promise.resolve(calls().length === 2), 600_000);
    await world.ready('CloudTag', 'prod');
    await world.delete('CloudTag', 'prod');
    await world.gone('CloudTag', 'prod');
    expect(tags()).toEqual([]);
  });
  it('whose deletion was carried out unseen is deleted once more at most while lists still show it', async () => {
    const first = await begin();
    await world.apply('CloudTag', 'prod', { label: 'prod', lifecycle: { onDelete: 'Delete' } });
    await world.ready('CloudTag', 'prod');
    world.emulator.control.setKnobs({ listLagSeconds: 55 });
    await world.clock.advance(60_000);
    world.emulator.control.addFault({ match: { method: 'DELETE', template: '/tags/{}' }, times: 1, effect: { kind: 'lose-answer' } });
    await world.delete('CloudTag', 'prod');
    await world.clock.runUntil(() => Promise.resolve(tags().length === 0), 60_000);
    first.kill();
    await world.start();
    await world.gone('CloudTag', 'prod');
    expect(calls().filter((call) => call.startsWith('DELETE'))).toHaveLength(2);
  });
  it('is Forbidden under a restricted user before anything is asked', async () => {
    await begin({}, 'token-limited');
    await world.apply('CloudTag', 'prod', { label: 'prod' });
    await world.reason('CloudTag', 'prod', 'Forbidden');
    expect(calls()).toEqual([]);
  });
  it('is of the account itself: a namespace that it admits neither makes nor takes one', async () => {
    await begin({ access: [{ namespaces: ['tenant'] }] });
    await world.namespace('tenant');
    await user.post('/tags', { label: 'prod' });
    for (const label of ['prod', 'mine'])
      await world.apply('CloudTag', label, { accountRef: { name: 'default', namespace: 'team-a' }, label }, 'tenant');
    await world.clock.advance(600_000);
    expect(tags()).toEqual(['prod']);
    for (const label of ['prod', 'mine']) expect((await world.condition('CloudTag', label, 'Ready', 'tenant'))?.status).not.toBe('True');
    expect(calls()).toEqual([]);
  });
});
