import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.namespace('team-b');
  await world.secret('root', { password: 'Canary-Horse-9-Battery' }, 'team-b');
});
const accountRef = { name: 'default', namespace: 'team-a' };
const machine = { accountRef, region: 'eu-central', type: 'g6-nanode-1' };
const deployed = { ...machine, image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };
const onDisk = { accountRef, instanceRef: { name: 'web' }, sizeMB: 1500, rootPasswordSecretRef: deployed.rootPasswordSecretRef };
const access = (adopt: 'None' | 'Any') => ({ access: [{ namespaces: ['team-b'], adopt }] });
const vlan = (label: string) => [{ purpose: 'public' }, { purpose: 'vlan', label }];

/** What a tenant could name of another team's in the same account, by the field that names it. */
const literals: readonly (readonly [field: string, kind: string, spec: Record<string, unknown>])[] = [
  ['spec.backupId', 'CloudInstance', { ...machine, backupId: 424242 }],
  ['spec.stackscriptId', 'CloudInstance', { ...deployed, stackscriptId: 424242 }],
  ['spec.image', 'CloudInstance', { ...deployed, image: 'private/12' }],
  ['spec.image', 'CloudInstance', { ...deployed, image: 'shared/12' }],
  ['spec.imageRef', 'CloudInstance', { ...deployed, image: undefined, imageRef: { external: 'private/12' } }],
  ['spec.imageRef', 'CloudDisk', { ...onDisk, imageRef: { external: 'private/12' } }],
  ['spec.interfaces[1].label', 'CloudInstance', { ...deployed, interfaces: vlan('backend') }],
  ['spec.instanceRef', 'CloudDisk', { accountRef, instanceRef: { external: 424242 }, sizeMB: 1500 }],
  ['spec.image', 'CloudDisk', { ...onDisk, image: 'private/12' }],
  ['spec.stackscriptId', 'CloudDisk', { ...onDisk, image: 'vm/debian11', stackscriptId: 424242 }],
  ['spec.stackscriptRef', 'CloudDisk', { ...onDisk, image: 'vm/debian11', stackscriptRef: { external: 424242 } }],
  ['spec.bootConfigRef', 'CloudInstance', { ...machine, bootConfigRef: { external: 424242 } }],
  ['spec.stackscriptRef', 'CloudInstance', { ...deployed, stackscriptRef: { external: 424242 } }],
  [
    'spec.devices.sda.diskRef',
    'CloudInstanceConfig',
    { accountRef, instanceRef: { name: 'web' }, label: 'main', devices: { sda: { diskRef: { external: 424242 } } } },
  ],
  ['spec.capture.diskRef', 'CloudImage', { accountRef, capture: { diskRef: { external: 424242 } } }],
  ['spec.databaseRef', 'CloudDatabaseBackup', { accountRef, databaseRef: { external: 'mysql/424242' } }],
  ['spec.configId', 'CloudVolume', { accountRef, instanceRef: { name: 'web' }, configId: 424242 }],
  ['spec.instanceRef', 'CloudVolume', { accountRef, instanceRef: { external: 424242 } }],
  ['spec.instanceRef', 'CloudIPAddress', { accountRef, type: 'IPv4', instanceRef: { external: 424242 } }],
  [
    'spec.addresses[0].addressRef',
    'CloudIPShare',
    { accountRef, instanceRef: { name: 'web' }, addresses: [{ addressRef: { external: '203.0.113.7' } }] },
  ],
  ['spec.addresses[0].address', 'CloudIPShare', { accountRef, instanceRef: { name: 'web' }, addresses: [{ address: '203.0.113.7' }] }],
  ['spec.domainRef', 'CloudDomainRecord', { accountRef, domainRef: { external: 424242 }, type: 'A', target: '192.0.2.1' }],
];

describe('an id of the account in a spec of another namespace', () => {
  it.each(literals)('in %s of a %s is refused, and nothing is asked or sent', async (field, kind, spec) => {
    await world.account(access('None'));
    await world.start();
    await world.ready('CloudAccount', 'default');
    await world.apply('CloudInstance', 'web', machine, 'team-b');
    await world.ready('CloudInstance', 'web', 60_000, 'team-b');
    const before = changesOf(world).length;
    await world.apply(kind, 'thief', spec, 'team-b');
    const { message } = await world.reason(kind, 'thief', 'ReferenceNotReady', 60_000, 'team-b');
    expect(message).toContain(`${field}: `);
    expect(message).toContain('The owner of CloudAccount team-a/default must set spec.access[].adopt: Any for namespace team-b');
    expect(changesOf(world)).toHaveLength(before);
    const asked = world.emulator.control.requests().map(({ path }) => path);
    expect(asked.filter((path) => path.includes('424242') || path.includes('stackscripts'))).toEqual([]);
  });
  it('is used where the account lets that namespace adopt, and at once when it comes to', async () => {
    await world.account(access('None'));
    await world.start();
    await world.ready('CloudAccount', 'default');
    await world.apply('CloudInstance', 'web', { ...deployed, interfaces: vlan('backend') }, 'team-b');
    await world.reason('CloudInstance', 'web', 'ReferenceNotReady', 60_000, 'team-b');
    await world.patch('CloudAccount', 'default', { spec: access('Any') });
    await world.ready('CloudInstance', 'web', 120_000, 'team-b');
  });
  it('that everybody may use is none: images of the provider, regions, types', async () => {
    await world.account(access('None'));
    await world.start();
    await world.apply('CloudInstance', 'web', deployed, 'team-b');
    await world.ready('CloudInstance', 'web', 120_000, 'team-b');
  });
});

it('the namespace of the account uses what the account has', async () => {
  await world.account();
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.start();
  const { accountRef: _theirs, ...spec } = deployed;
  await world.apply('CloudInstance', 'web', { ...spec, interfaces: vlan('backend') });
  await world.ready('CloudInstance', 'web');
});
