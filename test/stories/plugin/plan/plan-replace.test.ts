import { beforeEach, describe, expect, it } from 'vitest';
import { cloud, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
const lifecycle = { replace: 'Allow' };
const machine = { region: 'us-southeast', type: 'g6-standard-1', lifecycle };
const disk = { instanceRef: { name: 'web' }, sizeMB: 1024, filesystem: 'ext4', lifecycle };
let world: World;
beforeEach(async () => {
  ({ world } = await connectedWorld());
  await world.secret('root', { password: 'correct-Horse-7-battery' });
  await world.apply('CloudInstance', 'web', machine);
  await world.apply('CloudDisk', 'root', disk);
  await world.apply('CloudInstanceConfig', 'boot', { instanceRef: { name: 'web' }, devices: { sda: { diskRef: { name: 'root' } } } });
  await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' }, sizeGiB: 20 });
  await world.apply('CloudFirewall', 'wall', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs: [{ name: 'web' }] });
  await world.clock.advance(10 * minute);
});
async function plan(kind: string, name: string, spec: object, flags = ''): Promise<string> {
  const manifest = JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name }, spec });
  return (await cloud(world, `plan -f a.yaml --endpoint ${endpoint}${flags}`, { files: { 'a.yaml': manifest }, limit: 10 * minute })).out;
}
const left =
  'these need a person then: CloudDisk team-a/root (RemoteMissing, until it is made anew, empty: kubectl cloud recreate), CloudVolume team-a/data (InvalidSpec: it is in region us-southeast)';

describe('plan of what deletes a thing and makes another', () => {
  it.each(['', ' --against cluster'])('says before its approval that the data is lost, and who is left behind%s', async (flags) => {
    const out = await plan('CloudInstance', 'web', { ...machine, region: 'eu-central' }, flags);
    const [before = '', after] = out.split('Approve with the change');
    expect(after).toBeDefined();
    expect(before).toContain('  it is deleted and another is made: its data, its id and its addresses are lost; ');
    expect(before).toContain(left);
    await world.patch('CloudInstance', 'web', { spec: { region: 'eu-central' } });
    await world.clock.advance(minute);
    const asked = await cloud(world, 'approve cinst/web --yes --confirm web', { limit: 10 * minute });
    expect(asked.err).toContain(left);
    await world.clock.advance(15 * minute);
    await world.reason('CloudDisk', 'root', 'RemoteMissing');
    await world.reason('CloudVolume', 'data', 'InvalidSpec');
    const { out: status } = await cloud(world, 'status', { limit: 10 * minute });
    expect([...status.matchAll(/^Cloud\w+ \S+, not as wanted .*: (RemoteMissing|InvalidSpec)$/gm)]).toHaveLength(2);
  });
  it('says the same of a disk, and of none that what names it is left behind', async () => {
    const out = await plan('CloudDisk', 'root', { ...disk, filesystem: 'ext3' });
    expect(out).toMatch(/ {2}it is deleted and another is made: its data and its id are lost\n[^]*Approve with the change/);
    expect(out).not.toContain('need a person');
  });
  it('says of what is made anew in its place that its disks are lost', async () => {
    const spec = { ...machine, label: 'dep', image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };
    await world.apply('CloudInstance', 'dep', spec);
    await world.ready('CloudInstance', 'dep');
    const out = await plan('CloudInstance', 'dep', { ...spec, image: 'vm/debian10' });
    expect(out).toMatch(
      / {2}it is made anew in its place, .*: what that holds is lost, be it data on disks or backups\n[^]*Approve with the change/,
    );
    expect(await plan('CloudInstance', 'dep', { ...spec, type: 'g6-standard-2' })).not.toContain('lost');
  });
});
