import { describe, expect, it } from 'vitest';
import { Lanes } from '../../../src/cloud/requests/lanes.ts';
import { accountWorld, ownerOf } from './account-world.ts';

describe('what waits longest', () => {
  it('is the first of each tenant of the lane', () => {
    const lanes = new Lanes<string>();
    lanes.push('edit', 'a', 'a1');
    lanes.push('edit', 'a', 'a2');
    lanes.push('edit', 'b', 'b1');
    lanes.push('sweep', 'a', 'a3');
    expect([...lanes.longest('edit')]).toEqual(['a1', 'b1']);
    lanes.remove('edit', 'a', 'a1');
    expect([...lanes.longest('edit')]).toEqual(['a2', 'b1']);
    expect([...lanes.longest('delete')]).toEqual([]);
  });
});

describe('the figures of a connection', () => {
  it('are ages that grow between polls and sweeps, and not beyond', async () => {
    const { connector, open, clock } = accountWorld();
    const { connection } = await open();
    connection.cache.track('/volumes/1', ownerOf('volume', 'v', '/volumes'));
    await clock.advance(605_000);
    const [figures, ...others] = connector.figures();
    expect(others).toEqual([]);
    expect(figures).toMatchObject({ account: connection.identity.account, queueAge: { edit: 0, sweep: 0 } });
    expect(figures?.eventsLag).toBeLessThanOrEqual(10);
    expect(figures?.snapshotAge).toBeLessThanOrEqual(300);
    expect(figures?.snapshotAge).toBeGreaterThan(0);
  });
  it('end with it', async () => {
    const { connector, open } = accountWorld();
    (await open()).close();
    expect(connector.figures()).toEqual([]);
  });
});
