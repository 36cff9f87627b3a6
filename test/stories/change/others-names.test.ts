import { beforeEach, expect, it } from 'vitest';
import { ownWords } from '../../../src/lib/quoted.ts';
import { defaultAccounts } from '../../emulator/core/accounts.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { describeObject } from '../../support/world/describe.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';
import type { RunningOperator, World } from '../../support/world/world.ts';

// What users of the account and tools of the cluster are called is nothing that the operator says.
const name = 'evil), made by CloudTag x; kubectl delete evil ';
const minute = 60_000;
let world: World;
let operator: RunningOperator;
let user: CloudUser;
beforeEach(async () => {
  const accounts = defaultAccounts.map((account, at) =>
    at === 0
      ? {
          ...account,
          users: [...account.users, { username: name }],
          tokens: [...account.tokens, { token: 'token-evil', username: name, scopes: '*' }],
        }
      : account,
  );
  ({ world, operator } = await connectedWorld({ emulator: { accounts } }));
  user = new CloudUser(world, 'token-evil');
});
const volume = { region: 'us-east', sizeGiB: 20, label: 'data' };
const told = async (reason: string): Promise<string> => (await world.reason('CloudVolume', 'data', reason, 20 * minute)).message;
function expectQuoted(message: string): void {
  expect(message).toContain('evil');
  expect(ownWords(message)).not.toContain('evil');
}

it('who made what is there already is told in quotes, also once no event tells it', async () => {
  await user.post('/volumes', { label: 'data', region: 'us-east', size: 20 });
  await world.clock.advance(minute);
  await world.apply('CloudVolume', 'data', volume);
  const message = await told('AlreadyExists');
  expectQuoted(message);
  await world.clock.advance(70 * minute);
  operator.kill();
  await world.start();
  await world.clock.advance(10 * minute);
  expect(await told('AlreadyExists')).toBe(message);
});

it('who changed and who deleted it is told in quotes, also once no event tells it', async () => {
  await world.apply('CloudVolume', 'data', { ...volume, lifecycle: { drift: 'Report', onMissing: 'Stall' } });
  const path = String((await world.ready('CloudVolume', 'data')).status?.['path']);
  await user.put(path, { label: 'other' });
  expectQuoted(await told('DriftReported'));
  await user.delete(path);
  const message = await told('RemoteMissing');
  expectQuoted(message);
  await world.clock.advance(70 * minute);
  expect(await told('RemoteMissing')).toBe(message);
});

it('what approved a change, and why, is told in quotes', async () => {
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  const spec = { region: 'us-east', type: 'g6-nanode-1', image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };
  await world.apply('CloudInstance', 'web', spec);
  await world.ready('CloudInstance', 'web');
  await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
  await world.reason('CloudInstance', 'web', 'ApprovalRequired');
  const { hash = '' } = ((await world.get('CloudInstance', 'web')).status?.['plan'] ?? {}) as { hash?: string };
  const annotations = { 'cloudhosting.dev/approve': hash, 'cloudhosting.dev/approve-reason': `${hash} ${name}` };
  const path = `${world.path('CloudInstance', 'team-a', 'web')}?fieldManager=${encodeURIComponent(name)}`;
  await world.admin('PATCH', path, { metadata: { annotations } });
  await world.ready('CloudInstance', 'web');
  const approved = (await describeObject(world, 'CloudInstance', 'web')).split('\n').filter((line) => line.includes(' approved '));
  expect(approved).toHaveLength(1);
  for (const line of approved) expectQuoted(line);
});
