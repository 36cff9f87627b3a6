import { digits, type Draw, letters } from './draw.ts';
import { type Act, create, type Estate, idOf, made, onAny, type Row, type Thing } from './estate.ts';

export const regions = ['us-southeast', 'us-east', 'eu-west', 'eu-central', 'ap-south', 'ap-northeast'];
const types = ['g6-nanode-1', 'g6-nanode-1', 'g6-standard-1', 'g6-standard-2', 'g6-dedicated-2', 'g7-highmem-1'];
const images = ['vm/debian11', 'vm/debian10', 'vm/ubuntu22.04', 'vm/alpine3.16'];
const password = 'correct-Horse-7-battery';
const vms = '/vm/instances';

const publicKey = (draw: Draw): string => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${draw.of(`${letters}${digits}+/`, 43)}`;

function interfaces(draw: Draw): readonly Row[] {
  const vlans = draw.some(['lan-1', 'lan-2', 'lan3'], 2).map((label) => ({
    purpose: 'vlan',
    label,
    ...draw.maybe({ ipam_address: () => draw.pick([`10.0.${draw.below(256)}.${draw.below(250)}/24`, '', null]) }),
  }));
  const all = draw.chance(0.6) ? [{ purpose: 'public' }, ...vlans] : [...vlans, { purpose: 'public', label: '', ipam_address: '' }];
  return draw.chance(0.2) ? vlans : all;
}

const machine: Act = ({ draw, ...estate }) => {
  const image = draw.chance(0.7) ? draw.pick(images) : undefined;
  return create('machine', vms, {
    region: draw.pick(regions),
    type: draw.pick(types),
    ...(draw.chance(0.9) && { label: draw.name(64, '-._') }),
    ...(image !== undefined && { image, root_pass: password }),
    ...draw.maybe({
      tags: () => draw.tags(),
      group: () => draw.pick(['old', 'x', 'Group of 2015']),
      booted: () => draw.chance(0.5),
      private_ip: () => draw.chance(0.5),
      backups_enabled: () => draw.chance(0.5),
      swap_size: () => draw.pick([0, 256, 512, 1024]),
      interfaces: () => interfaces(draw),
      ...(image !== undefined && { authorized_keys: () => [publicKey(draw)] }),
    }),
    ...script(draw, estate, image),
  });
};
/** One of the program's own that takes no answers. */
function script(draw: Draw, { things }: Pick<Estate, 'things'>, image: string | undefined): Row {
  const own = things.find(({ sort }) => sort === 'script');
  return own === undefined || image === undefined || draw.chance(0.5)
    ? {}
    : { stackscript_id: idOf(own), ...draw.maybe({ stackscript_data: () => ({ name: 'shop' }) }) };
}

const alerts = (draw: Draw): Row =>
  draw.maybe({
    cpu: () => draw.from(0, 180),
    io: () => draw.from(0, 20_000),
    network_in: () => draw.from(0, 100),
    network_out: () => draw.from(0, 100),
    transfer_quota: () => draw.from(0, 400),
  });
const settings: Act = onAny('machine', ({ path }, { draw }) => ({
  method: 'PUT',
  path,
  body: draw.maybe({
    label: () => draw.name(64, '-._'),
    tags: () => draw.tags(),
    watchdog_enabled: () => draw.chance(0.5),
    alerts: () => alerts(draw),
    backups: () => ({
      schedule: { day: draw.pick(['Scheduling', 'Sunday', 'Saturday', null]), window: draw.pick(['Scheduling', 'W0', 'W22', null]) },
    }),
  }),
}));

const power: Act = onAny('machine', ({ path }, { draw }) => ({
  method: 'POST',
  path: `${path}/${draw.pick(['shutdown', 'shutdown', 'boot', 'reboot'])}`,
}));
const backups: Act = onAny('machine', ({ path }, { draw }) => ({
  method: 'POST',
  path: `${path}/backups/${draw.pick(['enable', 'enable', 'cancel'])}`,
}));
const resize: Act = onAny('machine', ({ path }, { draw }) => ({
  method: 'POST',
  path: `${path}/resize`,
  body: { type: draw.pick(types), ...draw.maybe({ allow_auto_disk_resize: () => draw.chance(0.5) }) },
}));
const rebuild: Act = onAny('machine', ({ path }, { draw }) => ({
  method: 'POST',
  path: `${path}/rebuild`,
  body: { image: draw.pick(images), root_pass: password, ...draw.maybe({ booted: () => draw.chance(0.5) }) },
}));
const cloned: Act = onAny('machine', ({ path }, { draw }) => ({
  method: 'POST',
  path: `${path}/clone`,
  body: { region: draw.pick(regions), type: 'g6-standard-2', ...draw.maybe({ label: () => draw.name(64) }) },
  makes: made('machine', ({ id }) => `${vms}/${String(id)}`),
}));
const ended: Act = onAny('machine', (removes) => ({ method: 'DELETE', path: removes.path, removes }));
const snapshot: Act = onAny('machine', ({ path }, { draw }) => ({
  method: 'POST',
  path: `${path}/backups`,
  body: { label: draw.label(40) },
}));

const disk: Act = onAny('machine', (within, { draw }) =>
  create(
    'disk',
    `${within.path}/disks`,
    {
      label: draw.label(48),
      size: draw.pick([1, 256, 512, 1000, 4096]),
      ...draw.maybe({ filesystem: () => draw.pick(['raw', 'swap', 'ext3', 'ext4', 'initrd']) }),
    },
    within,
  ),
);
const deployed: Act = onAny('machine', (within, { draw }) =>
  create('disk', `${within.path}/disks`, { image: draw.pick(images), root_pass: password, size: draw.pick([3000, 6000]) }, within),
);
const diskWork: Act = onAny('disk', (thing, { draw }) =>
  draw.pick([
    { method: 'PUT' as const, path: thing.path, body: { label: draw.label(48) } },
    { method: 'POST' as const, path: `${thing.path}/resize`, body: { size: draw.pick([300, 600, 2000]) } },
    {
      method: 'POST' as const,
      path: `${thing.path}/clone`,
      makes: made('disk', ({ id }) => `${thing.within?.path ?? ''}/disks/${String(id)}`, thing.within),
    },
    { method: 'DELETE' as const, path: thing.path, removes: thing },
  ]),
);
const image: Act = onAny('disk', ({ row }, { draw }) =>
  create('image', '/images', {
    disk_id: row['id'],
    ...draw.maybe({ label: () => draw.label(50), description: () => draw.text(1, 200) }),
  }),
);
const imageWork: Act = onAny('image', ({ path }, { draw }) => ({
  method: 'PUT',
  path,
  body: draw.maybe({ label: () => draw.label(50), description: () => draw.pick([draw.text(1, 200), '']) }),
}));

const slots = ['sda', 'sdb', 'sdc', 'sdd', 'sde', 'sdf', 'sdg', 'sdh'];
function devices(estate: Estate, within: Thing): Row {
  const { draw } = estate;
  const volumes = estate.all('volume').filter(({ row }) => row['region'] === within.row['region']);
  const held = [
    ...draw.some(estate.all('disk', within)).map((one) => ({ disk_id: idOf(one) })),
    ...draw.some(volumes, 2).map((one) => ({ volume_id: idOf(one) })),
  ];
  const places = draw.some(slots, 8);
  return Object.fromEntries(places.map((slot, at) => [slot, held[at] ?? draw.pick([null, { disk_id: null, volume_id: null }])]));
}
const configBody = (draw: Draw): Row =>
  draw.maybe({
    kernel: () => draw.pick(['vm/latest-64bit', 'vm/grub2', 'vm/direct-disk', 'vm/4.9.15-x86_64-linode81']),
    comments: () => draw.pick([draw.text(0, 200), null, 'two\nlines']),
    memory_limit: () => draw.pick([0, 512, 1024, null]),
    root_device: () => draw.pick(['/dev/sda', '/dev/sdh', '/dev/sr0', '/dev/root-1']),
    run_level: () => draw.pick(['default', 'single', 'binbash']),
    virt_mode: () => draw.pick(['paravirt', 'fullvirt']),
    helpers: () =>
      draw.maybe({
        updatedb_disabled: () => draw.chance(0.5),
        distro: () => draw.chance(0.5),
        modules_dep: () => draw.chance(0.5),
        network: () => draw.chance(0.5),
        devtmpfs_automount: () => draw.chance(0.5),
      }),
    interfaces: () => interfaces(draw),
  });
const config: Act = onAny('machine', (within, estate) =>
  create(
    'config',
    `${within.path}/configs`,
    { label: estate.draw.label(48), devices: devices(estate, within), ...configBody(estate.draw) },
    within,
  ),
);
const configWork: Act = onAny('config', (thing, estate) => {
  const { draw } = estate;
  if (draw.chance(0.1)) return { method: 'DELETE', path: thing.path, removes: thing };
  if (draw.chance(0.3)) return { method: 'POST', path: `${thing.within?.path ?? ''}/boot`, body: { config_id: idOf(thing) } };
  const own = thing.within;
  const body = {
    ...configBody(draw),
    ...draw.maybe({ label: () => draw.label(48) }),
    ...(own && draw.chance(0.4) && { devices: devices(estate, own) }),
  };
  return { method: 'PUT', path: thing.path, body };
});

const rescue: Act = onAny('machine', ({ path }, estate) => {
  const held = estate.any('disk');
  return { method: 'POST', path: `${path}/rescue`, body: { devices: { sda: held === undefined ? null : { disk_id: idOf(held) } } } };
});
const migrate: Act = onAny('machine', ({ path }, { draw }) => ({
  method: 'POST',
  path: `${path}/migrate`,
  body: { region: draw.pick(regions) },
}));
/** To another account, whose owner has not accepted it yet. */
const transfer: Act = onAny('machine', (machine) => ({
  method: 'POST',
  path: '/account/service-transfers',
  body: { entities: { vms: [idOf(machine)] } },
}));

const managed: Act = onAny('machine', ({ row }, { draw }) => ({
  method: 'PUT',
  path: `/managed/vm-settings/${String(row['id'])}`,
  body: {
    ssh: draw.maybe({
      access: () => draw.chance(0.5),
      user: () => draw.pick(['root', null, 'x'.repeat(32)]),
      port: () => draw.pick([22, 65_535, null]),
    }),
  },
}));

/** Machines with what belongs to them. */
export const machineActs: readonly Act[] = [
  machine,
  settings,
  settings,
  power,
  backups,
  resize,
  rebuild,
  cloned,
  ended,
  snapshot,
  disk,
  disk,
  deployed,
  diskWork,
  diskWork,
  image,
  image,
  image,
  rescue,
  migrate,
  transfer,
  imageWork,
  config,
  config,
  configWork,
  configWork,
  managed,
];
export const newMachine = machine;
