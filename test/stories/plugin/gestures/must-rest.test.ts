import { beforeEach, expect, it } from 'vitest';
import { cloud, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
const approve = ['InPlace', 'Reboot', 'Rebuild', 'Replace'];
beforeEach(async () => {
  ({ world } = await connectedWorld());
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
  const { status: web } = await world.ready('CloudInstance', 'web');
  const lifecycle = { onDelete: 'Delete', replace: 'Allow', approve };
  await world.apply('CloudDisk', 'data', { instanceRef: { name: 'web' }, label: 'data', sizeMB: 1000, filesystem: 'ext4', lifecycle });
  const { status } = await world.ready('CloudDisk', 'data');
  const user = new CloudUser(world);
  await user.post(`${String(web?.['path'])}/configs`, { label: 'main', devices: { sda: { disk_id: Number(status?.['id']) } } });
  await world.patch('CloudInstance', 'web', { spec: { power: 'On' } });
  await world.clock.runUntil(() => Promise.resolve(isRunning()), 10 * minute);
});
const isRunning = (): boolean => (world.emulator.control.rows('instances') as { status?: string }[])[0]?.status === 'running';
const out = async (line: string): Promise<string> => (await cloud(world, line, { limit: 10 * minute })).out;

const off = `kubectl -n team-a patch cloudinstance web --type=merge -p '{"spec":{"power":"Off"}}'`;
const power = (value: string) => world.patch('CloudInstance', 'web', { spec: { power: value } });

it('a disk that is replaced waits for a person while its machine runs, who is told what to set, by status and wait too', async () => {
  await world.patch('CloudDisk', 'data', { spec: { filesystem: 'ext3' } });
  await world.clock.advance(5 * minute);
  const status = await out('status');
  expect(status).toMatch(/^team-a\/default .* 1$/m);
  expect(status).toContain('(5 min): Updating\n  kubectl cloud why -n team-a cdisk/data\n');
  const why = await out('why cdisk/data');
  expect(why).toContain('\nWhat to do: Waiting is not enough: nobody but you stops CloudInstance team-a/web. To keep what is there, ');
  expect(why).toContain('The second sets spec.power: Off in CloudInstance team-a/web, which shuts it down ');
  expect(why).toContain('what this object has is deleted then, at once, for good, and made anew, empty.');
  expect(why).toContain(`\n  kubectl -n team-a edit clouddisk data\n  ${off}\n`);
  expect(await cloud(world, 'wait cdisk/data --timeout=5m', { limit: 10 * minute })).toMatchObject({
    exit: 1,
    out: expect.stringContaining('needs a person: Updating: ') as string,
  });
  await power('Off');
  expect((await cloud(world, 'wait cdisk/data --timeout=15m', { limit: 20 * minute })).exit).toBe(0);
  expect(world.emulator.control.rows('disks')).toMatchObject([{ filesystem: 'ext3' }]);
});

it('a disk that grows, or is deleted, has lines of its own, of which the one that deletes is the last', async () => {
  await world.patch('CloudDisk', 'data', { spec: { sizeMB: 2000 } });
  await world.clock.advance(5 * minute);
  expect(await out('why cdisk/data')).toMatch(/: the change is made then\. .*\n {2}kubectl -n team-a patch cloudinstance web .*"Off"/);
  await world.delete('CloudDisk', 'data');
  await world.clock.advance(5 * minute);
  const why = await out('why cdisk/data');
  expect(why).toContain(`"onDelete":"Retain"}}}'\n  ${off}\n`);
  expect(why).toContain('what it has is deleted then, at once, for good.');
  expect(await out('status')).toMatch(/^team-a\/default .* 1$/m);
  await power('Off');
  await world.clock.advance(1000);
  expect(await out('status')).toMatch(/^team-a\/default .* 0$/m);
  await world.gone('CloudDisk', 'data', 20 * minute);
});

const planOf = async (kind: string, name: string, spec: object): Promise<string> => {
  const manifest = { apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name }, spec };
  const line = `plan -f one.yaml --endpoint ${endpoint}`;
  return (await cloud(world, line, { limit: 10 * minute, files: { 'one.yaml': JSON.stringify(manifest) } })).out;
};
it('what is done by a reboot says in its plan, and where it is approved, who shuts down what', async () => {
  const grown = { instanceRef: { name: 'web' }, label: 'data', sizeMB: 1200, filesystem: 'ext4', lifecycle: { approve } };
  const rests = 'what spec.instanceRef names must be off meanwhile, and is neither shut down nor started for it: you do both';
  const bigger = await planOf('CloudInstance', 'web', { region: 'eu-central', type: 'g6-standard-1', power: 'On' });
  expect(bigger).toMatch(/ change +Reboot, needs approval[^]*\n {2}it is shut down and started again, as soon as that is approved[;\n]/);
  await world.patch('CloudDisk', 'data', { spec: { sizeMB: 1100, lifecycle: { approve: ['InPlace'] } } });
  await world.clock.advance(5 * minute);
  expect((await cloud(world, 'approve cdisk/data --dry-run')).err).toContain(`CloudDisk team-a/data: Reboot: ${rests}\n`);
  await power('Off');
  await world.ready('CloudDisk', 'data', 20 * minute);
  await world.clock.advance(10 * minute);
  expect(await planOf('CloudDisk', 'data', grown)).toMatch(new RegExp(` change +Reboot\\n[^]*\\n  ${rests}\\n`));
});
