import type { Kernel, Region, VmType } from '../records/catalogue.ts';

/** id, label, class, disk, memory, vcpus, gpus, transfer, network_out, price hourly and monthly, backups hourly and monthly. */
const typeRows = [
  'g6-nanode-1 | Nanode 1GB | nanode | 25600 | 1024 | 1 | 0 | 1000 | 1000 | 0.0075 | 5 | 0.003 | 2',
  'g6-standard-1 | Linode 2GB | standard | 51200 | 2048 | 1 | 0 | 2000 | 2000 | 0.015 | 10 | 0.004 | 2.5',
  'g6-standard-2 | Linode 4GB | standard | 81920 | 4096 | 2 | 0 | 4000 | 4000 | 0.03 | 20 | 0.008 | 5',
  'g6-standard-4 | Linode 8GB | standard | 163840 | 8192 | 4 | 0 | 5000 | 5000 | 0.06 | 40 | 0.015 | 10',
  'g6-standard-6 | Linode 16GB | standard | 327680 | 16384 | 6 | 0 | 8000 | 6000 | 0.12 | 80 | 0.03 | 20',
  'g6-standard-8 | Linode 32GB | standard | 655360 | 32768 | 8 | 0 | 16000 | 7000 | 0.24 | 160 | 0.06 | 40',
  'g6-standard-16 | Linode 64GB | standard | 1310720 | 65536 | 16 | 0 | 20000 | 9000 | 0.48 | 320 | 0.12 | 80',
  'g6-standard-20 | Linode 96GB | standard | 1966080 | 98304 | 20 | 0 | 20000 | 10000 | 0.72 | 480 | 0.18 | 120',
  'g6-standard-24 | Linode 128GB | standard | 2621440 | 131072 | 24 | 0 | 20000 | 11000 | 0.96 | 640 | 0.24 | 160',
  'g6-standard-32 | Linode 192GB | standard | 3932160 | 196608 | 32 | 0 | 20000 | 12000 | 1.44 | 960 | 0.36 | 240',
  'g6-dedicated-2 | Dedicated 4GB | dedicated | 81920 | 4096 | 2 | 0 | 4000 | 4000 | 0.045 | 30 | 0.008 | 5',
  'g6-dedicated-4 | Dedicated 8GB | dedicated | 163840 | 8192 | 4 | 0 | 5000 | 5000 | 0.09 | 60 | 0.015 | 10',
  'g6-dedicated-8 | Dedicated 16GB | dedicated | 327680 | 16384 | 8 | 0 | 6000 | 6000 | 0.18 | 120 | 0.03 | 20',
  'g6-dedicated-16 | Dedicated 32GB | dedicated | 655360 | 32768 | 16 | 0 | 7000 | 7000 | 0.36 | 240 | 0.06 | 40',
  'g6-dedicated-32 | Dedicated 64GB | dedicated | 1310720 | 65536 | 32 | 0 | 8000 | 8000 | 0.72 | 480 | 0.12 | 80',
  'g6-dedicated-48 | Dedicated 96GB | dedicated | 1966080 | 98304 | 48 | 0 | 9000 | 9000 | 1.08 | 720 | 0.18 | 120',
  'g6-dedicated-50 | Dedicated 128GB | dedicated | 2560000 | 131072 | 50 | 0 | 10000 | 10000 | 1.44 | 960 | 0.24 | 160',
  'g6-dedicated-56 | Dedicated 256GB | dedicated | 5120000 | 262144 | 56 | 0 | 11000 | 11000 | 2.88 | 1920 | 0.3 | 200',
  'g7-highmem-1 | Linode 24GB | highmem | 20480 | 24576 | 2 | 0 | 5000 | 5000 | 0.09 | 60 | 0.0075 | 5',
  'g1-gpu-rtx6000-1 | Dedicated 32GB + RTX6000 GPU x1 | gpu | 655360 | 32768 | 8 | 1 | 16000 | 10000 | 1.5 | 1000 | 0.06 | 40',
];

/** id, country, label, further capabilities. */
const regionRows = [
  'ap-west | in | Mumbai, IN | Vlans, GPU Linodes',
  'ca-central | ca | Toronto, CA | Vlans',
  'ap-southeast | au | Sydney, AU | Vlans',
  'us-central | us | Dallas, TX, USA | ',
  'us-west | us | Fremont, CA, USA | ',
  'us-southeast | us | Atlanta, GA, USA | Vlans, Object Storage, GPU Linodes',
  'us-east | us | Newark, NJ, USA | Object Storage, GPU Linodes, Bare Metal',
  'eu-west | uk | London, UK | Vlans',
  'ap-south | sg | Singapore, SG | Vlans, Object Storage, GPU Linodes',
  'eu-central | de | Frankfurt, DE | Vlans, Object Storage, GPU Linodes',
  'ap-northeast | jp | Tokyo, JP | ',
];

const everywhere = [
  'Linodes',
  'NodeBalancers',
  'Block Storage',
  'Kubernetes',
  'Cloud Firewall',
  'Block Storage Migrations',
  'Managed Databases',
];

const cells = (row: string): readonly string[] => row.split('|').map((cell) => cell.trim());

export function typeSeed(): readonly VmType[] {
  return typeRows.map((row) => {
    const [id = '', label = '', kind = '', ...numbers] = cells(row);
    const at = (index: number): number => Number(numbers[index]);
    return {
      id,
      label,
      class: kind,
      disk: at(0),
      memory: at(1),
      vcpus: at(2),
      gpus: at(3),
      transfer: at(4),
      network_out: at(5),
      price: { hourly: at(6), monthly: at(7) },
      addons: { backups: { price: { hourly: at(8), monthly: at(9) } } },
      successor: null,
    };
  });
}

export function regionSeed(): readonly Region[] {
  return regionRows.map((row) => {
    const [id = '', country = '', label = '', further = ''] = cells(row);
    const capabilities = [...everywhere, ...further.split(',').map((name) => name.trim())].filter((name) => name !== '');
    return { id, label, country, capabilities, status: 'ok', resolvers: { ipv4: '192.0.2.2,192.0.2.3', ipv6: '2001:db8::2,2001:db8::3' } };
  });
}

const kernel = (id: string, label: string, version: string, deprecated = false): Kernel => ({
  id: `vm/${id}`,
  label,
  version,
  kvm: true,
  architecture: id.endsWith('32bit') ? 'i386' : 'x86_64',
  pvops: true,
  deprecated,
  built: version === '' ? null : '2023-01-30T15:31:23',
});

export function kernelSeed(): readonly Kernel[] {
  return [
    kernel('latest-64bit', 'Latest 64 bit (6.1.10-x86_64-linode159)', '6.1.10'),
    kernel('latest-32bit', 'Latest 32 bit (6.1.10-x86-linode179)', '6.1.10'),
    kernel('grub2', 'GRUB 2', ''),
    kernel('direct-disk', 'Direct Disk', ''),
    kernel('6.1.10-x86_64-linode159', '6.1.10-x86_64-linode159', '6.1.10'),
    kernel('4.9.15-x86_64-linode81', '4.9.15-x86_64-linode81', '4.9.15', true),
  ];
}
