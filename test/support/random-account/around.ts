import type { Draw } from './draw.ts';
import { type Act, create, createBy, idOf, made, onAny, type Row } from './estate.ts';
import { regions } from './machines.ts';

const volume: Act = (estate) => {
  const { draw } = estate;
  const machine = draw.chance(0.4) ? estate.any('machine') : undefined;
  return create('volume', '/volumes', {
    label: draw.name(32, '-_'),
    ...(machine === undefined ? { region: draw.pick(regions) } : { vm_id: idOf(machine) }),
    ...draw.maybe({ size: () => draw.from(10, 10_240), tags: () => draw.tags() }),
  });
};
const volumeWork: Act = onAny('volume', (thing, estate) => {
  const { draw } = estate;
  const { path, row } = thing;
  const near = estate.all('machine').find((machine) => machine.row['region'] === row['region']);
  return draw.pick([
    { method: 'PUT' as const, path, body: draw.maybe({ label: () => draw.name(32, '-_'), tags: () => draw.tags() }) },
    { method: 'POST' as const, path: `${path}/resize`, body: { size: draw.from(10, 10_240) } },
    createBy('volume', `${path}/clone`, { label: draw.name(32, '-_') }, '/volumes'),
    {
      method: 'POST' as const,
      path: `${path}/attach`,
      body: { vm_id: near === undefined ? 0 : idOf(near), ...draw.maybe({ persist_across_boots: () => draw.chance(0.5) }) },
    },
    { method: 'POST' as const, path: `${path}/detach` },
    { method: 'DELETE' as const, path, removes: thing },
  ]);
});

const protocols = ['TCP', 'UDP', 'ICMP', 'IPENCAP'];
const networks = {
  ipv4: ['0.0.0.0/0', '192.0.2.1', '198.51.100.0/24', '203.0.113.77/32', '10.1.2.3/8'],
  ipv6: ['::/0', '2001:db8::1', '2001:DB8::/32', '2001:db8:0:0:0:0:0:5/128', 'fd00::aBcD/64'],
};
function rule(draw: Draw): Row {
  const protocol = draw.pick(protocols);
  const ports =
    protocol === 'TCP' || protocol === 'UDP'
      ? draw.pick(['22', '80, 443', '1-65535', '22-24,80,443', '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15'])
      : '';
  return {
    protocol,
    action: draw.pick(['ACCEPT', 'DROP']),
    addresses: draw.maybe({ ipv4: () => draw.pick([draw.some(networks.ipv4), null]), ipv6: () => draw.some(networks.ipv6) }),
    ...(ports === '' ? draw.maybe({ ports: () => draw.pick(['', null]) }) : { ports }),
    ...draw.maybe({ label: () => draw.text(3, 32), description: () => draw.pick([draw.text(1, 100), null]) }),
  };
}
const rules = (draw: Draw): Row => ({
  inbound_policy: draw.pick(['ACCEPT', 'DROP']),
  outbound_policy: draw.pick(['ACCEPT', 'DROP']),
  ...draw.maybe({
    inbound: () => draw.pick([draw.times(0, 12, () => rule(draw)), null]),
    outbound: () => draw.times(0, 13, () => rule(draw)),
  }),
});
const firewall: Act = (estate) => {
  const { draw } = estate;
  const vms = draw.some(estate.all('machine')).map(idOf);
  return create('firewall', '/networking/firewalls', {
    label: draw.name(32, '-._'),
    rules: rules(draw),
    ...draw.maybe({ tags: () => draw.tags(), devices: () => ({ vms }) }),
  });
};
const firewallWork: Act = onAny('firewall', ({ path }, estate) => {
  const { draw } = estate;
  const machine = estate.any('machine');
  return draw.pick([
    { method: 'PUT' as const, path, body: draw.maybe({ status: () => draw.pick(['enabled', 'disabled']), tags: () => draw.tags() }) },
    { method: 'PUT' as const, path: `${path}/rules`, body: rules(draw) },
    { method: 'POST' as const, path: `${path}/devices`, body: { type: 'vm', id: machine === undefined ? 0 : idOf(machine) } },
  ]);
});

const address: Act = onAny('machine', (machine, { draw }) => ({
  method: 'POST',
  path: draw.chance(0.5) ? '/networking/ips' : `${machine.path}/ips`,
  body: { vm_id: idOf(machine), type: 'ipv4', public: draw.chance(0.8) },
  makes: made('address', (row) => `/networking/ips/${String(row['address'])}`, machine),
}));
const addressWork: Act = onAny('address', (thing, estate) => {
  const { draw } = estate;
  const machine = estate.any('machine');
  const region = thing.row['region'];
  return draw.pick([
    { method: 'PUT' as const, path: thing.path, body: { rdns: null } },
    { method: 'DELETE' as const, path: `${thing.within?.path ?? ''}/ips/${String(thing.row['address'])}`, removes: thing },
    {
      method: 'POST' as const,
      path: draw.pick(['/networking/ips/assign', '/networking/ipv4/assign']),
      body: { region, assignments: [{ address: thing.row['address'], vm_id: machine === undefined ? 0 : idOf(machine) }] },
    },
  ]);
});
/** With a name that a zone of the program knows by then. */
const reverse: Act = onAny('record', ({ row, within }, estate) => {
  const found = estate.all('address').find((one) => one.row['address'] === row['target']);
  return (
    found && {
      method: 'PUT',
      path: found.path,
      body: { rdns: [row['name'], within?.row['domain']].filter((part) => part !== '').join('.') },
    }
  );
});
const forward: Act = onAny('zone', (zone, estate) => {
  const found = estate.any('address');
  const path = `${zone.path}/records`;
  return found && create('record', path, { type: 'A', name: estate.draw.pick(['', 'web', 'mail']), target: found.row['address'] }, zone);
});
const range: Act = onAny('machine', (machine, { draw }) => ({
  method: 'POST',
  path: '/networking/ipv6/ranges',
  body: { vm_id: idOf(machine), prefix_length: draw.pick([56, 64]) },
  makes: made('range', (row) => `/networking/ipv6/ranges/${String(row['range']).split('/')[0] ?? ''}`),
}));
const share: Act = onAny('address', ({ row }, estate) => {
  const machine = estate.any('machine');
  return machine && { method: 'POST', path: 'beta/networking/ips/share', body: { vm_id: idOf(machine), ips: [row['address']] } };
});

/** What is around machines: disks that move, walls, addresses. */
export const aroundActs: readonly Act[] = [
  volume,
  volume,
  volume,
  volumeWork,
  volumeWork,
  firewall,
  firewall,
  firewallWork,
  firewallWork,
  address,
  addressWork,
  forward,
  reverse,
  range,
  share,
];
export const newVolume = volume;
export const newFirewall = firewall;
