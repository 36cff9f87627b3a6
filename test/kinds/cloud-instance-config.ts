import CloudInstanceConfig from '../../src/kinds/cloud-instance-config.ts';
import type { Fixture } from '../conformance/fixture.ts';

const kernels = ['vm/latest-64bit', 'vm/grub2', 'vm/direct-disk'].map((id) => ({ id }));
const nothing = { sda: null, sdb: null, sdc: null, sdd: null, sde: null, sdf: null, sdg: null, sdh: null };
const volume = (id: unknown) => ({ disk_id: null, volume_id: id });
const disk = (id: unknown) => ({ disk_id: id, volume_id: null });
const helpers = { updatedb_disabled: true, distro: true, modules_dep: true, network: true, devtmpfs_automount: true };
const vlan = { purpose: 'vlan', label: 'backend', ipamAddress: '10.0.0.1/24' } as const;

export default {
  kind: CloudInstanceConfig,
  sample: {
    name: 'repair',
    // What it boots is put into its slots when it is needed, also by hand: those that are not named stay as they are found.
    spec: {
      instanceRef: { name: 'web' },
      kernel: 'vm/grub2',
      runLevel: 'single',
      comments: 'for one who repairs the system of another disk',
      devices: {},
    },
  },
  needs: {
    web: { kind: 'CloudInstance' },
    'db-data': { kind: 'CloudVolume' },
    'web-2': { kind: 'CloudInstance', spec: { label: 'web-2' } },
  },
  want: {
    name: 'repair-abcdefgh',
    instanceRef: '$web',
    kernel: 'vm/grub2',
    runLevel: 'single',
    comments: 'for one who repairs the system of another disk',
    devices: {},
  },
  wants: {
    'nothing but its slots': { kernel: undefined, comments: undefined, runLevel: undefined },
    'the system that is on a volume': { devices: { sda: { volumeRef: '$db-data' } } },
    'a slot that is to be empty': { devices: { sda: { empty: true } } },
    'a machine of its own kind': {
      label: 'rescue',
      memoryLimitMB: 512,
      rootDevice: '/dev/sdb',
      runLevel: 'default',
      virtMode: 'fullvirt',
      helpers: { network: false, distro: false },
    },
    'no interface in particular': { interfaces: [] },
    'a public interface': { interfaces: [{ purpose: 'public' }] },
  },
  remote: {
    id: 23_456,
    label: 'repair-abcdefgh',
    kernel: 'vm/grub2',
    comments: 'for one who repairs the system of another disk',
    memory_limit: 0,
    root_device: '/dev/sda',
    run_level: 'single',
    virt_mode: 'paravirt',
    initrd: null,
    helpers,
    devices: nothing,
    interfaces: [],
    created: '2023-03-06T10:00:00',
    updated: '2023-03-06T10:00:00',
  },

  rejects: {
    'no instance': [{ instanceRef: undefined }, 'instanceRef'],
    'an instance by a name that no object can have': [{ instanceRef: { name: '../web' } }, 'a name has lower-case'],
    'an instance by an id that leads elsewhere': [{ instanceRef: { external: '../volumes/7' } }, 'an id is a number'],
    'no devices at all': [{ devices: undefined }, 'devices'],
    'a slot with nothing said': [{ devices: { sda: {} } }, 'exactly one of diskRef, volumeRef and empty'],
    'a slot with two things': [{ devices: { sda: { volumeRef: { name: 'db-data' }, empty: true } } }, 'a slot holds one thing'],
    'a disk by a path': [{ devices: { sda: { diskRef: { external: '7/../8' } } } }, 'external'],
    'an empty label': [{ label: '' }, 'label'],
    'a label that is too long': [{ label: 'a'.repeat(49) }, 'label'],
    'a kernel that is no id': [{ kernel: 'vm/latest 64bit' }, 'kernel'],
    'a negative limit': [{ memoryLimitMB: -1 }, 'memoryLimitMB'],
    'a root device with a space': [{ rootDevice: '/dev/sda 1' }, 'rootDevice'],
    'a run level that there is not': [{ runLevel: 'multi' }, 'runLevel'],
    'a mode that there is not': [{ virtMode: 'kvm' }, 'virtMode'],
    'two public interfaces': [{ interfaces: [{ purpose: 'public' }, { purpose: 'public' }] }, 'at most one interface is public'],
    'a VLAN without a name': [{ interfaces: [{ purpose: 'vlan' }] }, 'needs a label'],
  },
  edits: [
    { field: 'instanceRef', to: '$web-2', spec: { name: 'web-2' }, refused: true, admissionOnly: true },
    {
      field: 'devices',
      to: { sdb: { volumeRef: '$db-data' } },
      spec: { sdb: { volumeRef: { name: 'db-data' } } },
      calls: ['PUT {item}'],
      body: { devices: { ...nothing, sdb: { volume_id: '$db-data' } }, interfaces: [] },
    },
    { field: 'devices', to: { sda: { empty: true } } },
    { field: 'helpers', to: { network: false }, calls: ['PUT {item}'], body: { helpers: { ...helpers, network: false } } },
    { field: 'interfaces', to: [{ purpose: 'public' }] },
    { field: 'label', to: 'main', calls: ['PUT {item}'], body: { label: 'main', interfaces: [] } },
    { field: 'kernel', to: 'vm/latest-64bit', calls: ['PUT {item}'], body: { kernel: 'vm/latest-64bit' } },
    { field: 'kernel', to: undefined },
    { field: 'memoryLimitMB', to: 1024, calls: ['PUT {item}'], body: { memory_limit: 1024 } },
    { field: 'rootDevice', to: '/dev/sdb', calls: ['PUT {item}'], body: { root_device: '/dev/sdb' } },
    { field: 'runLevel', to: 'binbash', calls: ['PUT {item}'], body: { run_level: 'binbash' } },
    { field: 'virtMode', to: 'fullvirt', calls: ['PUT {item}'], body: { virt_mode: 'fullvirt' } },
    { field: 'comments', to: '', calls: ['PUT {item}'], body: { comments: '' } },
    { field: 'comments', to: 'a note', calls: ['PUT {item}'], body: { comments: 'a note' } },
  ],
  plans: [
    {
      name: 'what somebody put into a slot that the spec does not name is sent along',
      want: { devices: { sda: { empty: true } } },
      remote: {
        devices: { ...nothing, sda: volume(7), sdb: disk(8), sdc: volume(9) },
        interfaces: [{ purpose: 'public', label: null, ipam_address: null }],
      },
      step: {
        do: 'update',
        call: {
          body: {
            devices: { ...nothing, sda: null, sdb: { disk_id: 8 }, sdc: { volume_id: 9 } },
            interfaces: [{ purpose: 'public', label: '', ipam_address: '' }],
          },
        },
      },
    },
    {
      name: 'interfaces that the spec leaves alone go along with any other change',
      want: { runLevel: 'binbash' },
      remote: { interfaces: [{ purpose: 'vlan', label: 'backend', ipam_address: '10.0.0.1/24' }] },
      step: {
        do: 'update',
        call: { body: { run_level: 'binbash', interfaces: [{ purpose: 'vlan', label: 'backend', ipam_address: '10.0.0.1/24' }] } },
      },
    },
    {
      name: 'interfaces of a purpose that is not known here are not sent, so that they stay',
      want: { runLevel: 'binbash' },
      remote: { interfaces: [{ purpose: 'vpc', subnet_id: 3 }] },
      step: { do: 'update', call: { body: { run_level: 'binbash' } } },
    },
    {
      name: 'another VLAN is drift',
      want: { interfaces: [vlan] },
      remote: { interfaces: [{ purpose: 'vlan', label: 'frontend', ipam_address: null }] },
      step: { do: 'update', call: { body: { interfaces: [{ purpose: 'vlan', label: 'backend', ipam_address: '10.0.0.1/24' }] } } },
    },
    {
      name: 'an address in the VLAN that nobody asked for is drift',
      want: { interfaces: [{ purpose: 'vlan', label: 'backend' }] },
      remote: { interfaces: [{ purpose: 'vlan', label: 'backend', ipam_address: '10.0.0.9/24' }] },
      step: { do: 'update', call: { body: { interfaces: [{ purpose: 'vlan', label: 'backend', ipam_address: '' }] } } },
    },
    {
      name: 'a public interface as the service shows it is no drift',
      want: { interfaces: [{ purpose: 'public' }] },
      remote: { interfaces: [{ purpose: 'public', label: null, ipam_address: null }] },
      step: { do: 'nothing' },
    },
    {
      name: 'a disk in place of the volume is drift',
      want: { devices: { sda: { volumeRef: 102 } } },
      remote: { devices: { ...nothing, sda: disk(5) } },
      step: { do: 'update', call: { body: { devices: { ...nothing, sda: { volume_id: 102 } } } } },
    },
    {
      name: 'a kernel that the service does not have is refused before anything is sent',
      want: { kernel: 'vm/2.6-plan9' },
      context: { catalogue: (path) => (path === '/vm/kernels' ? kernels : undefined) },
      step: { do: 'refuse', reason: 'InvalidSpec' },
    },
  ],
} satisfies Fixture<typeof CloudInstanceConfig>;
