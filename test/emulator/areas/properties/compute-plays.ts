import { password } from '../test-account.ts';
import type { Play } from './player.ts';
import { numberOf } from './player.ts';

const rules = { inbound_policy: 'DROP', outbound_policy: 'DROP' };
const vms = '/vm/instances';
const from = <T>(choices: readonly [T, ...T[]], at: number): T => choices[at % choices.length] ?? choices[0];
const label = (at: number): string => `name-${at % 12}`;

/** Instances with what belongs to them, volumes, firewalls and addresses. */
export const computePlays: readonly Play[] = [
  async (_some, a) => ['POST', vms, { region: 'us-east', type: 'g6-nanode-1', label: label(a), tags: ['dev'] }],
  async (_some, a, b) => [
    'POST',
    vms,
    { region: 'us-east', type: 'g6-standard-1', label: label(a), image: 'vm/debian11', root_pass: password, backups_enabled: b % 2 === 0 },
  ],
  async (some, a) => ['DELETE', await some(vms, a)],
  async (some, a, b) => ['POST', `${await some(vms, a)}/${from(['boot', 'shutdown', 'reboot'], b)}`],
  async (some, a, b) => ['POST', `${await some(vms, a)}/resize`, { type: from(['g6-standard-1', 'g6-standard-2'], b) }],
  async (some, a) => ['POST', `${await some(vms, a)}/rebuild`, { image: 'vm/debian10', root_pass: password }],
  async (some, a) => ['POST', `${await some(vms, a)}/clone`, { region: 'us-east', type: 'g6-standard-4' }],
  async (some, a, b) => ['PUT', await some(vms, a), { label: label(b), tags: from([[], ['dev'], ['test']], b) }],
  async (some, a) => ['POST', `${await some(vms, a)}/disks`, { label: 'data', size: 500 }],
  async (some, a, b) => ['PUT', await some(`${await some(vms, a)}/disks`, b), { label: 'renamed' }],
  async (some, a, b) => ['DELETE', await some(`${await some(vms, a)}/disks`, b)],
  async (some, a, b) => ['POST', `${await some(`${await some(vms, a)}/disks`, b)}/clone`],
  async (some, a, b) => ['POST', `${await some(`${await some(vms, a)}/disks`, b)}/resize`, { size: 400 + (b % 200) }],
  async (some, a, b) => {
    const vm = await some(vms, a);
    return ['POST', `${vm}/configs`, { label: 'more', devices: { sda: { disk_id: numberOf(await some(`${vm}/disks`, b)) } } }];
  },
  async (some, a, b) => ['PUT', await some(`${await some(vms, a)}/configs`, b), { comments: 'looked at' }],
  async (some, a, b) => ['DELETE', await some(`${await some(vms, a)}/configs`, b)],
  async (some, a) => ['POST', `${await some(vms, a)}/backups`, { label: 'snap' }],
  async (some, a, b) => ['POST', `${await some(vms, a)}/backups/${from(['enable', 'cancel'], b)}`],
  async (some, a, b) => ['POST', `${await some(vms, a)}/ips`, { type: 'ipv4', public: b % 2 === 1 }],
  async (some, a, b) => ['DELETE', await some(`${await some(vms, a)}/ips`, b)],
  async (_some, a) => ['POST', '/volumes', { region: 'us-east', label: label(a), tags: ['dev'] }],
  async (some, a) => ['POST', '/volumes', { label: 'born-attached', vm_id: numberOf(await some(vms, a)) }],
  async (some, a, b) => ['POST', `${await some('/volumes', a)}/attach`, { vm_id: numberOf(await some(vms, b)) }],
  async (some, a) => ['POST', `${await some('/volumes', a)}/detach`],
  async (some, a, b) => ['POST', `${await some('/volumes', a)}/resize`, { size: 10 + (b % 50) }],
  async (some, a, b) => ['POST', `${await some('/volumes', a)}/clone`, { label: label(b) }],
  async (some, a, b) => ['PUT', await some('/volumes', a), { label: label(b) }],
  async (some, a) => ['DELETE', await some('/volumes', a)],
  async (_some, a) => ['POST', '/networking/firewalls', { label: label(a), rules }],
  async (some, a, b) => ['POST', `${await some('/networking/firewalls', a)}/devices`, { type: 'vm', id: numberOf(await some(vms, b)) }],
  async (some, a, b) => ['DELETE', await some(`${await some('/networking/firewalls', a)}/devices`, b)],
  async (some, a, b) => ['PUT', await some('/networking/firewalls', a), { status: from(['enabled', 'disabled'], b) }],
  async (some, a) => ['PUT', `${await some('/networking/firewalls', a)}/rules`, { ...rules, inbound: [], outbound: [] }],
  async (some, a) => ['DELETE', await some('/networking/firewalls', a)],
  async (some, a) => ['POST', '/networking/ipv6/ranges', { prefix_length: 64, vm_id: numberOf(await some(vms, a)) }],
  async (some, a, b) => ['POST', '/images', { disk_id: numberOf(await some(`${await some(vms, a)}/disks`, b)), label: 'golden' }],
];
