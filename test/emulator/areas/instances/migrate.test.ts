import { expect, test } from 'vitest';
import { emptyInstance, password, runningInstance, testAccount } from '../test-account.ts';

test('POST /vm/instances/{vmId}/migrate: to another region with other addresses, and without volumes', async () => {
  const api = testAccount();
  const id = await runningInstance(api, { private_ip: true });
  const path = `/vm/instances/${id}`;
  const before = await api.seen(path);
  const migrate = async (region: string) => (await api.post(`${path}/migrate`, { region })).errors;
  expect(await migrate('us-east')).toEqual(['region: region is not valid']);
  expect(await migrate('nowhere')).toEqual(['region: region is not valid']);
  const volume = await api.made('/volumes', { label: 'data', region: 'us-east', vm_id: id });
  api.seconds(30);
  expect(await migrate('us-west')).toEqual(['Volumes must be detached before a migration to another region.']);
  await api.post(`/volumes/${String(volume['id'])}/detach`);
  api.seconds(30);
  expect(await migrate('us-west')).toEqual([]);
  expect(await migrate('us-west')).toEqual(['Linode busy.']);
  api.seconds(5);
  expect(await api.seen(path)).toMatchObject({ status: 'migrating', region: 'us-east' });
  api.seconds(600);
  const after = await api.seen(path);
  expect(after).toMatchObject({ status: 'running', region: 'us-west' });
  expect(after['ipv4']).toHaveLength(2);
  expect((before['ipv4'] as string[]).filter((one) => (after['ipv4'] as string[]).includes(one))).toEqual([]);
  expect((await api.get('/networking/ips')).data.every((row) => row['region'] === 'us-west')).toBe(true);
  expect((await api.log()).slice(-2)).toEqual(['vm_migrate_datacenter_create notification', 'vm_migrate_datacenter finished']);
});

test('a migration to another host is begun where one is announced', async () => {
  const api = testAccount();
  const id = await emptyInstance(api);
  const migrate = async () => (await api.post(`/vm/instances/${id}/migrate`)).errors;
  expect(await migrate()).toEqual(['There is no pending migration for this Linode.']);
  const entity = { id, type: 'vm', label: 'web', url: `/v4/vm/instances/${id}` };
  const row = { type: 'migration_pending', label: 'Migration', message: 'Soon.', body: null, severity: 'major', when: null, until: null };
  api.emulator.control.edit({ collection: 'notifications', row: { ...row, entity } });
  expect(await migrate()).toEqual([]);
  api.seconds(5);
  expect(await api.seen(`/vm/instances/${id}`)).toMatchObject({ status: 'migrating' });
  api.seconds(300);
  expect(await api.seen(`/vm/instances/${id}`)).toMatchObject({ status: 'offline', region: 'us-east' });
  expect((await api.get('/account/notifications')).data).toEqual([]);
  expect(await api.event('vm_migrate')).toMatchObject({ status: 'finished', entity: { id } });
});

test('POST /vm/instances/{vmId}/mutate: the plan becomes its successor, where it has one', async () => {
  const api = testAccount();
  const id = await runningInstance(api);
  const mutate = async () => (await api.post(`/vm/instances/${id}/mutate`)).errors;
  expect(await mutate()).toEqual(['There is no upgrade available for this Linode.']);
  api.emulator.control.edit({ collection: 'types', key: 'g6-standard-2', row: { successor: 'g6-standard-4' } });
  expect(await mutate()).toEqual([]);
  expect(await mutate()).toEqual(['Linode busy.']);
  api.seconds(120);
  expect(await api.seen(`/vm/instances/${id}`)).toMatchObject({ type: 'g6-standard-4', status: 'running', specs: { vcpus: 4 } });
  expect((await api.get(`/vm/instances/${id}/disks`)).data).toMatchObject([{ size: 163_840 - 512 }, { size: 512 }]);
  expect((await api.log()).slice(-2)).toEqual(['vm_mutate_create notification', 'vm_mutate finished']);
});

test('POST /vm/instances/{vmId}/rescue boots with the disks that are named', async () => {
  const api = testAccount();
  const id = await runningInstance(api);
  const path = `/vm/instances/${id}`;
  const [disk] = (await api.get(`${path}/disks`)).data;
  const rescue = async (devices: object) => (await api.post(`${path}/rescue`, { devices })).errors;
  expect(await rescue({ sda: { disk_id: 7 } })).toEqual(['devices.sda.disk_id: disk_id is not valid']);
  expect(await rescue({ sdh: { disk_id: disk?.['id'] } })).toEqual(['devices.sdh: sdh is not valid']);
  expect(await rescue({ sda: { disk_id: disk?.['id'] } })).toEqual([]);
  api.seconds(5);
  expect(await api.seen(path)).toMatchObject({ status: 'rebooting' });
  expect(await rescue({})).toEqual(['Linode busy.']);
  api.seconds(60);
  expect(await api.seen(path)).toMatchObject({ status: 'running' });
  expect((await api.log()).slice(-1)).toEqual(['vm_reboot finished']);
});

test('POST /vm/instances/{vmId}/password: all disks of an instance that is off have another one', async () => {
  const api = testAccount();
  const id = await runningInstance(api);
  const reset = async (more = {}) => (await api.post(`/vm/instances/${id}/password`, { root_pass: 'other-Horse-8', ...more })).errors;
  expect(await reset({ root_pass: 'Short-1' })).toEqual(['root_pass: Length must be 11-128 characters']);
  expect(await reset()).toEqual(['Linode must be powered off to reset its root password.']);
  await api.post(`/vm/instances/${id}/shutdown`);
  expect(await reset()).toEqual(['Linode busy.']);
  api.seconds(60);
  const passwords = (): readonly unknown[] =>
    (api.emulator.control.rows('disks') as { readonly access: { readonly password: unknown } }[]).map(({ access }) => access.password);
  expect(passwords()).toEqual([password, null]);
  expect(await reset()).toEqual([]);
  api.seconds(30);
  expect(passwords()).toEqual(['other-Horse-8', null]);
  expect(await api.event('password_reset')).toMatchObject({ status: 'finished', entity: { id } });
});
