import { expect, it } from 'vitest';
import { campaign } from './campaign.ts';
import { optionsFrom } from './options.ts';

it('has its seconds for cases, however long the plan of them took', { timeout: 60_000 }, async () => {
  let now = 500;
  const options = optionsFrom(['--kind', 'CloudLongviewPlan', '--family', 'F13', '--seconds', '15']);
  const { verdicts } = await campaign(
    options,
    () => (now += 10),
    () => undefined,
  );
  expect(verdicts).toHaveLength(1);
});
