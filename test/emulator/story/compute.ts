import { expect } from 'vitest';
import type { Narrator, Row } from './narrator.ts';

const idOf = (row: Row | undefined): number => Number(row?.['id']);

/** A key, a script, and an instance on which both are used. */
export async function createInstance(api: Narrator): Promise<string> {
  const { word } = api;
  await api.done('POST', '/profile/sshkeys', {
    label: 'laptop',
    ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGFiY2RlZmdoaWprbG1ub3A= founder',
  });
  const script = await api.done('POST', `/${word}/stackscripts`, {
    label: 'first-boot',
    images: [`${word}/debian11`],
    script: '#!/bin/bash\n# <UDF name="hostname" label="Host name" />\nhostnamectl set-hostname "$HOSTNAME"\n',
  });
  const made = await api.done('POST', `/${word}/instances`, {
    label: 'web-1',
    region: 'eu-west',
    type: 'g6-standard-2',
    image: `${word}/debian11`,
    root_pass: 'correct-Horse-7',
    authorized_users: ['founder'],
    stackscript_id: idOf(script),
    stackscript_data: { hostname: 'web-1' },
    backups_enabled: true,
    tags: ['production'],
  });
  expect(made['status']).toBe('provisioning');
  const path = `/${word}/instances/${idOf(made)}`;
  await api.until(path, (row) => row['status'] === 'running');
  return path;
}

/** Room is made on the first disk, a second one and a config with both come, and the instance boots from it. */
export async function addDisk(api: Narrator, vm: string): Promise<string> {
  await api.done('POST', `${vm}/shutdown`);
  const busy = await api.call('POST', `${vm}/reboot`);
  expect([busy.status, busy.body]).toEqual([400, { errors: [{ reason: 'Linode busy.' }] }]);
  await api.until(vm, (row) => row['status'] === 'offline');
  const [main, swap] = await api.rows(`${vm}/disks`);
  await api.done('POST', `${vm}/disks/${idOf(main)}/resize`, { size: 40_000 });
  await api.until(`${vm}/disks/${idOf(main)}`, (row) => row['size'] === 40_000 && row['status'] === 'ready');
  const data = await api.done('POST', `${vm}/disks`, { label: 'data', size: 20_000, filesystem: 'ext4' });
  await api.until(`${vm}/disks/${idOf(data)}`, (row) => row['status'] === 'ready');
  const slots = { sda: { disk_id: idOf(main) }, sdb: { disk_id: idOf(swap) }, sdc: { disk_id: idOf(data) } };
  const config = await api.done('POST', `${vm}/configs`, { label: 'with data', kernel: `${api.word}/grub2`, devices: slots });
  await api.done('POST', `${vm}/boot`, { config_id: idOf(config) });
  await api.until(vm, (row) => row['status'] === 'running');
  expect((await api.rows(`${vm}/disks`)).map((row) => row['label'])).toEqual(['Debian 11 Disk', '512 MB Swap Image', 'data']);
  return `${vm}/configs/${idOf(config)}`;
}

/** A volume that the running instance gets into the config it was booted with. */
export async function attachVolume(api: Narrator, vm: string, config: string): Promise<string> {
  const path = `/volumes/${idOf(await api.done('POST', '/volumes', { label: 'uploads', size: 20, region: 'eu-west', tags: ['production'] }))}`;
  await api.until(path, (row) => row['status'] === 'active');
  await api.done('POST', `${path}/attach`, { [`${api.word}_id`]: Number(vm.split('/').at(-1)) });
  await api.until(path, (row) => row[`${api.word}_id`] !== null);
  const { devices } = (await api.done('GET', config)) as { devices: Record<string, Row | null> };
  expect(Object.values(devices).map((one) => one?.['volume_id'])).toContain(Number(path.split('/').at(-1)));
  return path;
}

export async function protect(api: Narrator, vm: string): Promise<string> {
  const open = {
    protocol: 'TCP',
    ports: '22, 80, 443',
    addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] },
    action: 'ACCEPT',
    label: 'public',
  };
  const made = await api.done('POST', '/networking/firewalls', {
    label: 'web',
    rules: { inbound: [open], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' },
    devices: { [`${api.word}s`]: [Number(vm.split('/').at(-1))] },
  });
  expect((await api.rows(`${vm}/firewalls`)).map(idOf)).toEqual([idOf(made)]);
  return `/networking/firewalls/${idOf(made)}`;
}

/** A zone with a record of every use, all of them in the zone file once it is rendered. */
export async function nameIt(api: Narrator, vm: string): Promise<string> {
  const domain = `/domains/${idOf(await api.done('POST', '/domains', { type: 'master', domain: 'story.example', soa_email: 'dns@story.example' }))}`;
  const [address] = (await api.done('GET', vm))['ipv4'] as string[];
  const record = (body: object) => api.done('POST', `${domain}/records`, body);
  await record({ type: 'A', name: '', target: address });
  await record({ type: 'CNAME', name: 'www.story.example', target: 'story.example' });
  await record({ type: 'MX', name: '', target: 'mail.story.example', priority: 10 });
  await record({ type: 'TXT', name: '', target: 'v=spf1 -all' });
  await record({ type: 'SRV', service: 'sip', protocol: 'tcp', target: 'sip.story.example', priority: 1, weight: 1, port: 5060 });
  await record({ type: 'CAA', name: '', tag: 'issue', target: 'ca.example' });
  expect((await api.rows(`${domain}/records`)).map((row) => row['name'])).toEqual(['', 'www', '', '', '_sip._tcp', '']);
  const zone = await api.until(`${domain}/zone-file`, (row) => (row['zone_file'] as string[]).length > 0);
  expect((zone['zone_file'] as string[]).join('\n')).toContain(address);
  return domain;
}
