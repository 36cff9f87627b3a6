import CloudInstance from '../../src/kinds/cloud-instance.ts';
import { Sensitive } from '../../src/resource/index.ts';
import type { Fixture } from '../conformance/fixture.ts';

const password = new Sensitive('correct-horse-Battery-9-staple');

const listed: Readonly<Record<string, readonly string[]>> = {
  '/vm/types': ['g6-nanode-1', 'g6-standard-1', 'g6-standard-2'],
  '/regions': ['us-southeast', 'eu-central'],
  '/images': ['vm/debian10', 'vm/debian11', 'private/11'],
};
const offers = (path: string) => listed[path]?.map((id) => ({ id }));

const plans = (path: string) => (path === '/vm/types' ? [{ id: 'g6-nanode-1', disk: 25_600 }] : undefined);
const ofDisks = (...disks: readonly (readonly [size: number, filesystem: string, status?: string])[]) => ({
  disks: disks.map(([size, filesystem, status = 'ready'], index) => ({ id: 20 + index, label: `d${index}`, size, filesystem, status })),
});

const booting = (created: string) =>
  ({ id: 1, action: 'vm_boot', status: 'scheduled', percent: 0, message: '', user: null, created }) as const;

const namesAre = (rdns: string) => ({
  ipv4: { public: [{ address: '172.16.0.2', rdns }] },
  ipv6: { slaac: { address: '2600:3c06::f03c:91ff:fe24:3a2f', rdns: null } },
});

export default {
  kind: CloudInstance,
  sample: {
    name: 'web',
    spec: {
      region: 'us-southeast',
      type: 'g6-standard-1',
      image: 'vm/debian11',
      rootPasswordSecretRef: { name: 'web-root', key: 'password' },
      authorizedKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBbjRYFHjYFLAkGNUSQ2XQdx7BVvZQxbmUvxJYpeCJIZ ops'],
      power: 'On',
      tags: ['prod', 'shop'],
    },
  },
  needs: { golden: { kind: 'CloudInstance', spec: { label: 'golden' } } },
  secrets: { 'web-root': { password: 'correct-horse-Battery-9-staple' } },
  want: {
    name: 'web-abcdefgh',
    region: 'us-southeast',
    type: 'g6-standard-1',
    image: 'vm/debian11',
    rootPasswordSecretRef: password,
    authorizedKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBbjRYFHjYFLAkGNUSQ2XQdx7BVvZQxbmUvxJYpeCJIZ ops'],
    power: 'On',
    tags: ['prod', 'shop'],
  },
  wants: {
    'empty, so not booted': { image: undefined, rootPasswordSecretRef: undefined, authorizedKeys: undefined, power: undefined },
    'shut down at birth': { power: 'Off' },
    'with a private address and backups': { privateIp: true, backupsEnabled: true },
    'in a VLAN': { interfaces: [{ purpose: 'public' }, { purpose: 'vlan', label: 'backend', ipamAddress: '10.0.0.1/24' }] },
    'answers to a script': { stackscriptId: 1001, stackscriptData: [{ name: 'db_password', secretRef: password }] },
    'a copy': {
      cloneFrom: { instanceRef: '$golden' },
      image: undefined,
      rootPasswordSecretRef: undefined,
      authorizedKeys: undefined,
      power: undefined,
      tags: undefined,
    },
    'without swap': { swapSizeMB: 0, label: 'web.eu_1' },
  },
  remote: {
    id: 7,
    label: 'web-abcdefgh',
    group: '',
    region: 'us-southeast',
    type: 'g6-standard-1',
    image: 'vm/debian11',
    status: 'running',
    hypervisor: 'kvm',
    tags: ['prod', 'shop'],
    ipv4: ['172.16.0.2'],
    ipv6: '2600:3c06::f03c:91ff:fe24:3a2f/128',
    specs: { disk: 51_200, memory: 2048, vcpus: 1, gpus: 0, transfer: 2000 },
    alerts: { cpu: 90, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
    backups: { enabled: false, available: false, schedule: { day: null, window: null }, last_successful: null },
    watchdog_enabled: true,
    host_uuid: '3a3ddd59d9a78bb8de041391075df44de62bfec8',
    created: '2023-03-06T10:00:00',
    updated: '2023-03-06T10:00:00',
  },

  rejects: {
    'outputs through a filter that there is not': [
      { outputs: [{ secretName: 'web-env', keys: { URL: 'http://{ipv4:html}/' } }] },
      'filters: uri, base64, json',
    ],
    'outputs to nowhere': [{ outputs: [{ keys: { URL: 'ipv4' } }] }, 'exactly one of configMapName and secretName'],
    'outputs to two places at once': [
      { outputs: [{ secretName: 'web-env', configMapName: 'web-env', keys: { URL: 'ipv4' } }] },
      'exactly one of configMapName and secretName',
    ],
    'a Secret that no namespace can have': [{ rootPasswordSecretRef: { name: 'a/b', key: 'password' } }, 'a name has lower-case'],
    'a key that no Secret can have': [{ rootPasswordSecretRef: { name: 'web-root', key: '../token' } }, 'a key of a Secret'],
    'a region that leads elsewhere': [{ region: 'eu/../..' }, 'region'],
    'an image with a path of its own': [{ image: 'vm/../..' }, 'image'],
    'a label that is too short': [{ label: 'ab' }, 'label'],
    'a label that ends in a period': [{ label: 'web.' }, 'begins and ends with'],
    'two dashes in a row': [{ label: 'web--1' }, 'in a row'],
    'the label of a node': [{ label: 'lke4711-4712-0123456789ab' }, 'nodes of Kubernetes clusters'],
    'no type': [{ type: undefined }, 'type'],
    'an image without a password': [{ rootPasswordSecretRef: undefined }, 'needs rootPasswordSecretRef'],
    'a password without an image': [{ image: undefined, authorizedKeys: undefined }, 'only means something with an image'],
    'keys without an image': [{ image: undefined, rootPasswordSecretRef: undefined }, 'authorizedKeys only means something'],
    'swap without an image': [
      { image: undefined, rootPasswordSecretRef: undefined, authorizedKeys: undefined, swapSizeMB: 512 },
      'swapSizeMB only means something',
    ],
    'keys that are too long together': [
      { authorizedKeys: Array.from({ length: 9 }, (_, at) => `ssh-rsa ${'A'.repeat(8000)} user-${at}`) },
      'name users with authorizedUsers instead',
    ],
    'answers that are too long together': [
      { stackscriptId: 1001, stackscriptData: ['a', 'b'].map((name) => ({ name, value: 'x'.repeat(40_000) })) },
      'have the script download what is long',
    ],
    'answers without a script': [{ stackscriptData: [{ name: 'db', value: 'a' }] }, 'set stackscriptRef too'],
    'a script by its id and by its object': [{ stackscriptId: 1, stackscriptRef: { name: 'nginx' } }, 'at most one of'],
    'a script by an id that leads elsewhere': [{ stackscriptRef: { external: '../tags/x' } }, 'an id is a number'],
    'an answer in two places': [
      { stackscriptId: 1, stackscriptData: [{ name: 'db', value: 'a', secretRef: { name: 'x', key: 'y' } }] },
      'exactly one of value and secretRef',
    ],
    'an image by its id and by its object': [{ imageRef: { name: 'golden' } }, 'at most one of image and imageRef'],
    'an image by an id that leads elsewhere': [{ image: undefined, imageRef: { external: '../volumes/7' } }, 'begins with private/'],
    'an image of the provider by its object': [{ image: undefined, imageRef: { external: 'vm/debian11' } }, 'begins with private/'],
    "an object's image without a password": [
      { image: undefined, rootPasswordSecretRef: undefined, imageRef: { name: 'golden' } },
      'needs rootPasswordSecretRef',
    ],
    'a backup and an image': [{ backupId: 5 }, 'leave image and imageRef out'],
    'a copy with an image': [{ cloneFrom: { instanceRef: { name: 'golden' } } }, 'leave out image, imageRef, backupId, interfaces'],
    'a copy of what leads elsewhere': [
      {
        image: undefined,
        rootPasswordSecretRef: undefined,
        authorizedKeys: undefined,
        cloneFrom: { instanceRef: { external: '../../volumes/7' } },
      },
      'an id is a number',
    ],
    'a copy of nothing': [
      { image: undefined, rootPasswordSecretRef: undefined, authorizedKeys: undefined, cloneFrom: {} },
      'cloneFrom.instanceRef',
    ],
    'a schedule without backups': [{ backupsEnabled: false, backupSchedule: { day: 'Sunday' } }, 'backupSchedule needs backups'],
    'a day that does not exist': [{ backupSchedule: { day: 'Funday' } }, 'backupSchedule'],
    'a window that does not exist': [{ backupSchedule: { window: 'W1' } }, 'backupSchedule'],
    'four interfaces': [{ interfaces: ['a', 'b', 'c', 'd'].map((label) => ({ purpose: 'vlan', label })) }, 'interfaces'],
    'two public interfaces': [{ interfaces: [{ purpose: 'public' }, { purpose: 'public' }] }, 'at most one interface is public'],
    'a VLAN without a name': [{ interfaces: [{ purpose: 'vlan' }] }, 'needs a label'],
    'a public interface with a name': [{ interfaces: [{ purpose: 'public', label: 'eth0' }] }, 'neither label nor ipamAddress'],
    'a VLAN twice': [
      {
        interfaces: [
          { purpose: 'vlan', label: 'a' },
          { purpose: 'vlan', label: 'a' },
        ],
      },
      'only once',
    ],
    'an address twice': [
      {
        interfaces: [
          { purpose: 'vlan', label: 'a', ipamAddress: '10.0.0.1/24' },
          { purpose: 'vlan', label: 'b', ipamAddress: '10.0.0.1/24' },
        ],
      },
      'ipamAddress of its own',
    ],
    'an address without mask': [{ interfaces: [{ purpose: 'vlan', label: 'a', ipamAddress: '10.0.0.1' }] }, 'with its mask'],
    'a configuration by two ways': [{ bootConfigRef: { name: 'main', external: 9 } }, 'exactly one of name and external'],
    'a configuration by an id that leads elsewhere': [{ bootConfigRef: { external: '../../tags/x' } }, 'an id is a number'],
    'a name that is no host': [{ reverseDNS: { ipv4: 'web' } }, 'reverseDNS.ipv4 is a whole host name'],
    'a name with its final dot': [{ reverseDNS: { ipv6: 'web.example.org.' } }, 'reverseDNS.ipv6 is a whole host name'],
    'a negative threshold': [{ alerts: { cpuPercent: -1 } }, 'alerts'],
    'a power that does not exist': [{ power: 'on' }, 'power'],
    "a tag of the operator's": [{ tags: ['co-abcdefgh'] }, 'belong to the operator'],
  },
  exempt: {
    'edits reverseDNS': 'the name must lead to the address first, and which one that will be nobody knows before it is there',
  },
  edits: [
    { field: 'label', to: 'renamed', calls: ['PUT {item}'], body: { label: 'renamed' } },
    { field: 'bootConfigRef', to: 9, spec: { external: 9 } },
    { field: 'region', to: 'ap-west', refused: true },
    { field: 'type', to: 'g6-standard-2', calls: ['POST {item}/resize'], body: { type: 'g6-standard-2' } },
    { field: 'image', to: 'vm/debian10', calls: ['POST {item}/rebuild'], body: { image: 'vm/debian10' } },
    { field: 'power', to: 'Off', calls: ['POST {item}/shutdown'] },
    { field: 'power', to: undefined },
    { field: 'tags', to: ['prod'], calls: ['PUT {item}'], body: { tags: ['prod'] } },
    { field: 'group', to: 'shop', calls: ['PUT {item}'], body: { group: 'shop' } },
    { field: 'watchdogEnabled', to: false, calls: ['PUT {item}'], body: { watchdog_enabled: false } },
    {
      field: 'alerts',
      to: { cpuPercent: 180 },
      calls: ['PUT {item}'],
      body: { alerts: { cpu: 180, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 } },
    },
    { field: 'backupsEnabled', to: true, calls: ['POST {item}/backups/enable'] },
    { field: 'backupsEnabled', to: false },
    { field: 'backupSchedule', to: { day: 'Saturday', window: 'W22' } },
    { field: 'privateIp', to: true, calls: ['POST {item}/ips'], body: { type: 'ipv4', public: false } },
  ],
  plans: [
    {
      name: 'the image of an object is no difference, whatever is deployed',
      want: { image: undefined, imageRef: 'private/12' },
      remote: { image: 'private/11' },
      step: { do: 'nothing' },
    },
    { name: 'a change of type waits for approval', want: { type: 'g6-standard-2' }, step: { do: 'approve', plan: { effect: 'Reboot' } } },
    { name: 'another image waits for approval', want: { image: 'vm/debian10' }, step: { do: 'approve', plan: { effect: 'Rebuild' } } },
    {
      name: 'a type that the provider does not list is refused before anybody is asked, with what is like it',
      want: { type: 'g6-standrd-2' },
      context: { catalogue: offers },
      step: {
        do: 'refuse',
        reason: 'InvalidSpec',
        message:
          'spec.type: the provider lists no g6-standrd-2 (GET /vm/types, read every hour); most like it are g6-standard-2, g6-standard-1, g6-nanode-1. Correct the spec; nothing was sent',
      },
    },
    {
      name: 'a plan with less disk than the disks take is refused before anybody is asked, with the largest of them',
      want: { type: 'g6-nanode-1' },
      remote: ofDisks([100, 'raw'], [20_000, 'ext4'], [200, 'raw'], [6000, 'raw'], [300, 'raw'], [9000, 'raw', 'deleting']),
      context: { catalogue: plans },
      step: {
        do: 'refuse',
        reason: 'InvalidSpec',
        message:
          'spec.type: its disks take 26600 MB (21 d1: 20000 MB, 23 d3: 6000 MB, 24 d4: 300 MB, 22 d2: 200 MB, 1 more), and the plan g6-nanode-1 has 25600 MB. Delete disks or make them smaller, by 1000 MB in all, for which the instance must be off: the change goes on by itself then. Or name a plan with more disk, or put back g6-standard-1. Nothing of it was sent',
      },
    },
    {
      name: 'what is being deleted takes no room',
      want: { type: 'g6-nanode-1' },
      remote: ofDisks([20_000, 'ext4'], [5600, 'raw'], [9000, 'raw', 'deleting']),
      context: { catalogue: plans },
      step: { do: 'approve' },
    },
    {
      name: 'a single disk beside swap may fit: its files tell, which nobody shows',
      want: { type: 'g6-nanode-1' },
      remote: ofDisks([50_000, 'ext4'], [512, 'swap']),
      context: { catalogue: plans },
      step: { do: 'approve' },
    },
    {
      name: 'but not beside more swap than the plan has',
      want: { type: 'g6-nanode-1' },
      remote: ofDisks([20_000, 'ext4'], [30_000, 'swap']),
      context: { catalogue: plans },
      step: { do: 'refuse', reason: 'InvalidSpec' },
    },
    {
      name: 'region and image that the provider does not list are refused before creation',
      want: { region: 'us-southwest', image: 'vm/debian12' },
      context: { catalogue: offers },
      remote: null,
      step: { do: 'refuse', reason: 'InvalidSpec' },
    },
    {
      name: "one of the account's own images may be newer than the list",
      want: { image: 'private/12' },
      context: { catalogue: offers },
      remote: null,
      step: { do: 'create' },
    },
    {
      name: 'a type that the provider offers no more is kept',
      want: { type: 'g5-old-1' },
      remote: { type: 'g5-old-1' },
      context: { catalogue: offers },
      step: { do: 'nothing' },
    },
    { name: 'an image that was deleted since is no drift', remote: { image: null }, step: { do: 'nothing' } },
    {
      name: 'an instance that was switched off is booted again',
      remote: { status: 'offline' },
      step: { do: 'update', call: { method: 'POST', path: '/vm/instances/7/boot' } },
    },
    {
      name: 'it is booted with the configuration that is named',
      want: { bootConfigRef: 9 },
      remote: { status: 'offline' },
      step: { do: 'update', call: { method: 'POST', path: '/vm/instances/7/boot', body: { config_id: 9 } } },
    },
    {
      name: 'it is not booted with another one while that is not there',
      want: { awaited: ['bootConfigRef'] },
      remote: { status: 'offline' },
      step: { do: 'nothing' },
    },
    {
      name: 'and is shut down all the same',
      want: { awaited: ['bootConfigRef'], power: 'Off' },
      step: { do: 'update', call: { path: '/vm/instances/7/shutdown' } },
    },
    { name: 'another configuration reboots nothing', want: { bootConfigRef: 9 }, step: { do: 'nothing' } },
    {
      name: 'a boot that is under way is not asked for again',
      remote: { status: 'offline' },
      context: { jobs: [booting('2023-03-06T10:00:00')] },
      step: { do: 'wait', differs: true, message: 'spec.power waits for the running job vm_boot of the remote' },
    },
    {
      name: 'a job whose end was lost holds nothing up for ever',
      remote: { status: 'offline' },
      context: { jobs: [booting('2023-03-06T08:00:00')] },
      step: { do: 'update', call: { path: '/vm/instances/7/boot' } },
    },
    {
      name: 'a job does not hold up what is only written down',
      want: { tags: [] },
      context: { jobs: [booting('2023-03-06T10:00:00')] },
      step: { do: 'update', call: { method: 'PUT' } },
    },
    { name: 'power that nobody manages is left alone', want: { power: undefined }, remote: { status: 'offline' }, step: { do: 'nothing' } },
    { name: "the provider's maintenance is not fought", remote: { status: 'stopped' }, step: { do: 'wait', differs: false } },
    { name: 'a booting instance is left alone', want: { tags: [] }, remote: { status: 'booting' }, step: { do: 'wait', differs: true } },
    { name: 'an unknown status waits', remote: { status: 'dreaming' }, step: { do: 'wait' } },
    {
      name: 'turning backups on needs no approval',
      want: { backupsEnabled: true },
      step: { do: 'update', call: { path: '/vm/instances/7/backups/enable' } },
    },
    {
      name: 'turning backups off erases them, so it waits for approval',
      want: { backupsEnabled: false },
      remote: { backups: { enabled: true } },
      step: { do: 'approve', plan: { effect: 'Rebuild' } },
    },
    {
      name: 'the schedule of backups is set',
      want: { backupSchedule: { day: 'Saturday' } },
      remote: { backups: { enabled: true, schedule: { day: 'Scheduling', window: 'W22' } } },
      step: { do: 'update', call: { method: 'PUT', body: { backups: { schedule: { day: 'Saturday' } } } } },
    },
    {
      name: 'a window that the service chose is no drift',
      want: { backupSchedule: { day: 'Saturday' } },
      remote: { backups: { enabled: true, schedule: { day: 'Saturday', window: 'W22' } } },
      step: { do: 'nothing' },
    },
    {
      name: 'a private address that is there is no drift',
      want: { privateIp: true },
      remote: { ipv4: ['172.16.0.2', '192.168.130.4'] },
      step: { do: 'nothing' },
    },
    {
      name: 'one that is not wanted is given back',
      want: { privateIp: false },
      remote: { ipv4: ['172.16.0.2', '192.168.130.4'] },
      step: { do: 'update', call: { method: 'DELETE', path: '/vm/instances/7/ips/192.168.130.4' } },
    },
    {
      name: 'an address beside the private range is public',
      want: { privateIp: false },
      remote: { ipv4: ['192.168.127.4'] },
      step: { do: 'nothing' },
    },
    {
      name: 'names are read before they are compared',
      want: { reverseDNS: { ipv4: 'web.example.org' } },
      step: { do: 'read', part: 'names' },
    },
    { name: 'and by nobody who asks for none', step: { do: 'nothing' } },
    {
      name: 'an address gets its name',
      want: { reverseDNS: { ipv4: 'web.example.org' } },
      remote: { names: namesAre('172-16-0-2.ip.example.com') },
      step: { do: 'update', call: { method: 'PUT', path: '/networking/ips/172.16.0.2', body: { rdns: 'web.example.org' } } },
    },
    {
      name: 'case is no difference, and the other address is next',
      want: { reverseDNS: { ipv4: 'Web.example.org', ipv6: 'web.example.org' } },
      remote: { names: namesAre('web.example.org') },
      step: { do: 'update', call: { path: '/networking/ips/2600:3c06::f03c:91ff:fe24:3a2f', body: { rdns: 'web.example.org' } } },
    },
    {
      name: 'the name of an address that has an object is for that one to say',
      want: { reverseDNS: { ipv4: 'web.example.org' } },
      remote: { names: namesAre('vip.example.org') },
      context: { standsFor: (path) => (path === '/networking/ips/172.16.0.2' ? 'CloudIPAddress team-a/vip' : undefined) },
      step: {
        do: 'refuse',
        reason: 'InvalidSpec',
        message:
          'spec.reverseDNS: 172.16.0.2 is that of CloudIPAddress team-a/vip, which alone says so: set it there and take it out of this spec, or delete that object. Nothing of it was sent',
      },
    },
    {
      name: 'and holds nothing else up',
      want: { reverseDNS: { ipv4: 'web.example.org' }, watchdogEnabled: false },
      remote: { names: namesAre('vip.example.org') },
      context: { standsFor: () => 'CloudIPAddress team-a/vip' },
      step: { do: 'update', call: { method: 'PUT', path: '/vm/instances/7', body: { watchdog_enabled: false } } },
    },
    {
      name: 'where that one says the same nothing is wrong',
      want: { reverseDNS: { ipv4: 'web.example.org' } },
      remote: { names: namesAre('web.example.org') },
      context: { standsFor: () => 'CloudIPAddress team-a/vip' },
      step: { do: 'nothing' },
    },
    {
      name: 'an instance that shall be off is not booted at birth',
      want: { power: 'Off' },
      remote: null,
      step: { do: 'create', call: { body: { booted: false } } },
    },
    {
      name: 'interfaces are sent as the service names them',
      want: { interfaces: [{ purpose: 'vlan', label: 'backend', ipamAddress: '10.0.0.1/24' }] },
      remote: null,
      step: { do: 'create', call: { body: { interfaces: [{ purpose: 'vlan', label: 'backend', ipam_address: '10.0.0.1/24' }] } } },
    },
    {
      name: 'answers to a script become one object',
      want: { stackscriptId: 5, stackscriptData: [{ name: 'db', value: 'shop' }] },
      remote: null,
      step: { do: 'create', call: { body: { stackscript_id: 5, stackscript_data: { db: 'shop' } } } },
    },
    {
      name: 'a script that has an object is sent by its id',
      want: { stackscriptRef: 1010, stackscriptData: [{ name: 'hostname', value: 'web-1' }] },
      remote: null,
      step: { do: 'create', call: { body: { stackscript_id: 1010, stackscript_data: { hostname: 'web-1' } } } },
    },
    {
      name: 'a copy is made of its source, with what that call takes',
      want: {
        cloneFrom: { instanceRef: 9 },
        image: undefined,
        rootPasswordSecretRef: undefined,
        authorizedKeys: undefined,
        backupsEnabled: true,
        label: 'copied',
      },
      remote: null,
      step: {
        do: 'create',
        call: {
          path: '/vm/instances/9/clone',
          body: { label: 'copied', region: 'us-southeast', type: 'g6-standard-1', backups_enabled: true },
        },
      },
    },
    {
      name: 'a copy is booted once the job that copies has ended',
      want: { cloneFrom: { instanceRef: 9 }, image: undefined, rootPasswordSecretRef: undefined, authorizedKeys: undefined },
      remote: { status: 'offline' },
      context: { jobs: [{ ...booting('2023-03-06T10:00:00'), action: 'vm_clone' }] },
      step: { do: 'wait', differs: true, message: 'spec.power waits for the running job vm_clone of the remote' },
    },
    {
      name: 'an instance is not deleted while it restores a backup',
      remote: { status: 'restoring' },
      deleting: true,
      step: { do: 'wait' },
    },
    {
      name: 'it is deleted in any other state',
      remote: { status: 'provisioning' },
      deleting: true,
      step: { do: 'delete', call: { path: '/vm/instances/7' } },
    },
  ],
} satisfies Fixture<typeof CloudInstance>;
