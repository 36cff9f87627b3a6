import { beforeEach, describe, expect, it } from 'vitest';
import { AccountScene, type Manifest, minute, type Row } from '../../../support/plugin/account-scene.ts';

let scene: AccountScene;
let nodes: readonly Row[];
let volume: Row;
let firewall: Row;
beforeEach(async () => {
  scene = await AccountScene.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  const pools = [{ type: 'g6-standard-2', count: 2 }];
  await scene.as('POST', '/lke/clusters', { label: 'prod', region: 'eu-central', k8s_version: '1.24', node_pools: pools });
  await scene.world.clock.advance(60 * minute);
  nodes = await scene.rows('/vm/instances');
  const [first] = nodes;
  // As the service makes one with each node, and the emulator does not.
  for (const { id } of nodes) await scene.as('POST', `/vm/instances/${String(id)}/configs`, { label: 'boot', devices: {} });
  volume = await scene.as('POST', '/volumes', { label: 'pvc-1', size: 20, vm_id: first?.['id'] });
  const rules = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' };
  firewall = await scene.as('POST', '/networking/firewalls', { label: 'edge', rules, devices: { vms: [first?.['id']] } });
  await scene.world.clock.advance(minute);
});
const of = (kind: string): Manifest | undefined => scene.manifests().find((one) => one.kind === kind);
const applied = async (): Promise<void> => {
  const { world } = scene;
  await world.start();
  for (const { kind, metadata, spec } of scene.manifests()) await world.apply(kind, metadata.name, spec);
  for (const { kind, metadata } of scene.manifests()) await world.ready(kind, metadata.name);
};
const attachedTo = async (): Promise<unknown> => (await scene.as('GET', `/volumes/${String(volume['id'])}`))['vm_id'];

describe('what is at a node of a cluster', () => {
  it('stays where the cluster puts it, as its manifest leaves that alone', async () => {
    const { out } = await scene.typed('export --to fleet --kinds cvol,cfw --management Manage');
    for (const [kind, field] of [
      ['CloudVolume', 'instanceRef'],
      ['CloudFirewall', 'instanceRefs'],
    ] as const) {
      expect(of(kind)?.spec).toMatchObject({ lifecycle: { ignoreFields: [field] } });
      expect(of(kind)?.spec).not.toHaveProperty(field);
      for (const text of [out, scene.files['fleet/REPORT.md']])
        expect(text).toContain(`${field} is left out and left alone (lifecycle.ignoreFields), as it names a part of something else`);
    }
    await applied();
    const [, second] = nodes;
    await scene.as('POST', `/volumes/${String(volume['id'])}/detach`);
    await scene.world.clock.advance(minute);
    await scene.as('POST', `/volumes/${String(volume['id'])}/attach`, { vm_id: second?.['id'] });
    await scene.as('POST', `/networking/firewalls/${String(firewall['id'])}/devices`, { type: 'vm', id: second?.['id'] });
    await scene.world.clock.advance(60 * minute);
    expect(await attachedTo()).toBe(second?.['id']);
    expect(await scene.rows(`/networking/firewalls/${String(firewall['id'])}/devices`)).toHaveLength(2);
    for (const { kind, metadata } of scene.manifests()) await scene.world.ready(kind, metadata.name);
  });

  it('is no reason to leave alone what is at a machine of one’s own', async () => {
    const own = await scene.as('POST', '/vm/instances', { region: 'eu-central', type: 'g6-nanode-1', label: 'web' });
    await scene.world.clock.advance(10 * minute);
    await scene.as('POST', `/vm/instances/${String(own['id'])}/configs`, { label: 'boot', devices: {} });
    await scene.as('POST', `/volumes/${String(volume['id'])}/detach`);
    await scene.world.clock.advance(minute);
    await scene.as('POST', `/volumes/${String(volume['id'])}/attach`, { vm_id: own['id'] });
    await scene.world.clock.advance(minute);
    await scene.typed('export --to fleet --kinds cvol');
    expect(of('CloudVolume')?.spec).toMatchObject({ instanceRef: { external: own['id'] }, lifecycle: { management: 'Observe' } });
    expect(of('CloudVolume')?.spec).not.toHaveProperty('lifecycle.ignoreFields');
  });
});
