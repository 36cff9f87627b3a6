import { expect, it } from 'vitest';
import { AccountScene } from '../../../support/plugin/account-scene.ts';

it('an export into the folder of an earlier one names the files that are for the same under another name', async () => {
  const scene = await AccountScene.create();
  const first = await scene.as('POST', '/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'one', tags: ['legacy'] });
  await scene.as('POST', `/vm/instances/${String(first['id'])}/configs`, { label: 'main', devices: {} });
  await scene.world.clock.advance(60_000);
  const all = 'export --to fleet --kinds cinst,ccfg';
  expect((await scene.typed(`${all} --tag legacy`)).out).not.toContain('of an earlier export');
  expect((await scene.typed(all)).out).not.toContain('of an earlier export');
  const second = await scene.as('POST', '/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'two' });
  await scene.as('POST', `/vm/instances/${String(second['id'])}/configs`, { label: 'main', devices: {} });
  await scene.world.clock.advance(60_000);
  const { out } = await scene.typed(all);
  expect(out).toMatch(
    /\S+main\.yaml, of an earlier export or import, is for CloudInstanceConfig \d+, as \S+main-one\.yaml is: delete one of the two/,
  );
});
