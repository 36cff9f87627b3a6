import { expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

const volumes = 40;

/** Keys in the order in which this operator works on them from now on. */
function worked({ operator }: RunningOperator): readonly string[] {
  const keys: string[] = [];
  const { queue } = operator.engine ?? {};
  if (queue === undefined) throw new Error('the operator has not started');
  const next = queue.next.bind(queue);
  queue.next = async () => {
    const key = await next();
    if (key !== undefined) keys.push(key);
    return key;
  };
  return keys;
}

it('a new leader connects the account first, and then serves the edit that nobody has served yet, before all that is only looked at', async () => {
  const world = await World.create();
  await world.account();
  const leader = await world.start();
  for (let n = 0; n < volumes; n += 1) await world.apply('CloudVolume', `v${n}`, { region: 'eu-central', sizeGiB: 10 });
  for (let n = 0; n < volumes; n += 1) await world.ready('CloudVolume', `v${n}`);
  const standby = await world.start();
  const keys = worked(standby);
  leader.kill();
  await world.patch('CloudVolume', `v${volumes - 1}`, { spec: { sizeGiB: 20 } });
  await world.ready('CloudVolume', `v${volumes - 1}`);
  const [edited, account] = [`CloudVolume/team-a/v${volumes - 1}`, 'CloudAccount/team-a/default'];
  expect(keys[0]).toBe(account);
  const again = keys.filter((key, n) => key !== account && keys.indexOf(key) < n);
  expect(again[0]).toBe(edited);
});
