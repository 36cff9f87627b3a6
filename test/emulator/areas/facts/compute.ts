import { expect } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { emptyInstance, password, runningInstance } from '../test-account.ts';
import type { Fact, Row } from './fact.ts';

const image = { region: 'us-east', type: 'g6-standard-2', image: 'vm/debian11', root_pass: password };
const last = async (api: TestAccount, path: string): Promise<Row> => (await api.get(path)).data.at(-1) ?? {};
const running = async (api: TestAccount): Promise<string> => `/vm/instances/${await runningInstance(api, { label: 'host' })}`;

async function resizing(api: TestAccount): Promise<string> {
  const path = `/volumes/${String((await api.made('/volumes', { label: 'data', region: 'us-east' }))['id'])}`;
  api.seconds(60);
  await api.made(`${path}/resize`, { size: 30 });
  return path;
}

/** Sections 4, 7, 9, 10 and 11 of instances, volumes and images. */
export const factsOfCompute: readonly Fact[] = [
  ['7 create answers', (api) => api.made('/vm/instances', { region: 'us-east', type: 'g6-nanode-1' }), { status: 'provisioning' }],
  ['9a label', (api) => api.made('/vm/instances', { region: 'us-east', type: 'g6-nanode-1' }), { label: 'vm1000', group: '' }],
  [
    '9a alerts',
    async (api) => (await api.made('/vm/instances', image))['alerts'],
    { cpu: 180, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
  ],
  [
    '9a backups',
    async (api) => (await api.made('/vm/instances', image))['backups'],
    { enabled: false, available: false, schedule: { day: null, window: null }, last_successful: null },
  ],
  ['9a host', async (api) => /^[0-9a-f]{40}$/.test(String((await api.made('/vm/instances', image))['host_uuid'])), true],
  [
    '9a config',
    async (api) => last(api, `${await running(api)}/configs`),
    { label: 'My Debian 11 Disk Profile', kernel: 'vm/grub2', initrd: null },
  ],
  [
    '9a disks',
    async (api) => (await api.get(`${await running(api)}/disks`)).data.map((row) => [row['label'], row['filesystem'], row['size']]),
    [
      ['Debian 11 Disk', 'ext4', 81_408],
      ['512 MB Swap Image', 'swap', 512],
    ],
  ],
  [
    '9 config defaults',
    async (api) => api.made(`${await running(api)}/configs`, { label: 'c', devices: {} }),
    { kernel: 'vm/latest-64bit', root_device: '/dev/sda', comments: '', memory_limit: 0, run_level: 'default', virt_mode: 'paravirt' },
  ],
  [
    '6.5 two events of a create',
    async (api) => {
      await api.made('/vm/instances', image);
      api.seconds(1);
      return (await api.log()).slice(0, 2);
    },
    ['vm_create started', 'vm_boot scheduled'],
  ],
  [
    '6.4 a finished job',
    async (api) => {
      await running(api);
      return api.event('vm_boot');
    },
    {
      status: 'finished',
      percent_complete: 100,
      time_remaining: 0,
      entity: expect.objectContaining({ type: 'vm', url: '/v4/vm/instances/1000' }),
    },
  ],
  [
    '6.2 public image as secondary',
    async (api) => {
      await running(api);
      return api.event('vm_create');
    },
    { secondary_entity: expect.objectContaining({ id: 'vm/debian11' }) },
  ],
  [
    '6.11 config as secondary',
    async (api) => {
      await running(api);
      return api.event('vm_boot');
    },
    { secondary_entity: expect.objectContaining({ type: 'vm_config' }) },
  ],
  [
    '4 busy',
    async (api) => {
      const path = await running(api);
      await api.made(`${path}/shutdown`);
      return (await api.post(`${path}/reboot`)).errors;
    },
    ['Linode busy.'],
  ],
  [
    '11 Q5 gone at once',
    async (api) => {
      const path = `/vm/instances/${await emptyInstance(api, { label: 'web' })}`;
      await api.delete(path);
      return [(await api.get(path)).status, (await api.post('/vm/instances', { ...image, label: 'web' })).errors];
    },
    [404, ['label: Label must be unique among your linodes']],
  ],
  [
    '11 Q5 the label after the job',
    async (api) => {
      await api.delete(`/vm/instances/${await emptyInstance(api, { label: 'web' })}`);
      api.seconds(60);
      return (await api.post('/vm/instances', { ...image, label: 'web' })).status;
    },
    200,
  ],
  ['7 clone', async (api) => api.made(`${await running(api)}/clone`, { region: 'us-east', type: 'g6-standard-4' }), { status: 'offline' }],
  [
    '7 snapshot',
    async (api) => {
      const path = `/vm/instances/${await runningInstance(api, { backups_enabled: true })}`;
      return api.made(`${path}/backups`, { label: 'snap' });
    },
    { status: 'pending', finished: null, type: 'snapshot' },
  ],
  [
    '4 restore of a pending backup',
    async (api) => {
      const vm = await runningInstance(api, { backups_enabled: true });
      const { id } = await api.made(`/vm/instances/${vm}/backups`, { label: 'snap' });
      return (await api.post(`/vm/instances/${vm}/backups/${String(id)}/restore`, { vm_id: vm })).errors;
    },
    ['Unable to restore pending backups.'],
  ],
  [
    '7 captured image',
    async (api) => {
      const disk = (await api.get(`${await running(api)}/disks`)).data[1];
      return api.made('/images', { disk_id: disk?.['id'], label: 'golden' });
    },
    { status: 'creating', size: 512, vendor: null, eol: null, expiry: null, description: '' },
  ],
  [
    '7 failed capture',
    async (api) => {
      const disk = (await api.get(`${await running(api)}/disks`)).data[1];
      api.emulator.control.setKnobs({ jobFailureRate: 1 });
      const { id } = await api.made('/images', { disk_id: disk?.['id'], label: 'golden' });
      api.seconds(600);
      return [(await api.get(`/images/${String(id)}`)).status, (await api.event('disk_imagize'))['status']];
    },
    [404, 'failed'],
  ],
  ['7 new volume', (api) => api.made('/volumes', { label: 'data', region: 'us-east' }), { status: 'creating', size: 20 }],
  ['7 resize shows the new size', async (api) => api.seen(await resizing(api)), { status: 'resizing', size: 30 }],
  [
    '4 delete while resizing',
    async (api) => (await api.delete(await resizing(api))).errors,
    ['This volume is busy; please try again when the volume is active.'],
  ],
  [
    '7 attach right after create',
    async (api) => {
      const vm = await emptyInstance(api);
      await api.made(`/vm/instances/${vm}/configs`, { label: 'c', devices: {} });
      const { id } = await api.made('/volumes', { label: 'data', region: 'us-east' });
      return api.made(`/volumes/${String(id)}/attach`, { vm_id: vm });
    },
    { status: 'creating', vm_id: 1000 },
  ],
  [
    '11 Q4 no config to choose',
    async (api) => (await api.post('/volumes', { label: 'data', vm_id: await emptyInstance(api) })).errors,
    [
      "config_id: Couldn't choose a configuration profile to add this volume to. Please add this volume to the configuration profile you want.",
    ],
  ],
  [
    '9a a VLAN without instances',
    async (api) => {
      const interfaces = [{ purpose: 'vlan', label: 'lan' }];
      const vm = await emptyInstance(api, { region: 'eu-west', interfaces, image: 'vm/debian11', root_pass: password });
      const before = (await api.get('/networking/vlans')).body['results'];
      await api.delete(`/vm/instances/${vm}`);
      api.seconds(60);
      return [before, (await api.get('/networking/vlans')).body['results']];
    },
    [1, 0],
  ],
];
