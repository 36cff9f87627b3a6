import { describe, expect, it } from 'vitest';
import { type AnyKind, asCollection, type Row } from '../../src/resource/index.ts';
import { CloudUser } from '../support/world/cloud-user.ts';
import type { World } from '../support/world/world.ts';
import { named } from './case.ts';
import { begin } from './operated.ts';

/** Nothing that the account shows of a row tells when it was made, or by whom. */
const undated = named.filter(([, { kind }]) => {
  const made = asCollection(kind);
  return made !== undefined && made.createdAt === undefined && made.createdBy === undefined;
});
const labelled = ({ label }: AnyKind): Row => (label === undefined ? {} : { [label.field]: 'called-the-same' });

/** What the operator sent to the account that changes it, from then on. */
function changesFrom(world: World) {
  const { control } = world.emulator;
  const from = control.requests().length;
  return () =>
    control
      .requests()
      .slice(from)
      .filter(({ username, method }) => username === 'admin' && method !== 'GET');
}

describe('after a create whose request was lost', () => {
  it('of some kinds nobody can tell what it made', () => expect(undated.length).toBeGreaterThan(0));

  it.each(undated)(
    '%s: what a colleague made alike in that minute is neither changed nor deleted',
    { timeout: 120_000 },
    async (name, one) => {
      const { world } = await begin(one.fixture);
      const changes = changesFrom(world);
      world.emulator.control.addFault({ match: { method: 'POST', username: 'admin' }, times: 1, effect: { kind: 'lose-request' } });
      await world.apply(name, 'mine', { ...one.fixture.sample.spec, ...labelled(one.kind) });
      await world.clock.runUntil(() => Promise.resolve(changes().length > 0), 60_000);
      await world.clock.advance(5000);
      const { path, body } = { path: '', body: '', ...changes()[0] };
      const colleague = new CloudUser(world);
      // What a label ends in besides, where it is sent with a nonce, nobody else can know.
      const made = await colleague.post(path, { ...(JSON.parse(body) as Row), ...(one.kind.label?.nonce === true && labelled(one.kind)) });
      const theirs = `${path}/${String(one.kind.id?.(made) ?? made['id'])}`;
      // What comes up with it does so by itself.
      await world.clock.advance(300_000);
      const before = await colleague.get(theirs);
      await world.clock.advance(3_600_000);
      await world.delete(name, 'mine');
      await world.clock.advance(3_600_000);
      expect(await colleague.get(theirs)).toEqual(before);
      expect(changes().filter(({ method }) => method !== 'POST')).toEqual([]);
      expect(world.panics).toEqual([]);
    },
  );
});
