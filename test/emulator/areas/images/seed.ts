import type { Image } from '../../records/images.ts';

/** id, label, vendor, size in MB, note. */
const rows = [
  'almalinux8 | AlmaLinux 8 | AlmaLinux | 1700 |',
  'alpine3.16 | Alpine 3.16 | Alpine | 400 |',
  'arch | Arch Linux | Arch | 1500 | rolling',
  'centos7 | CentOS 7 | CentOS | 2800 |',
  'debian10 | Debian 10 | Debian | 1500 |',
  'debian11 | Debian 11 | Debian | 1300 |',
  'fedora36 | Fedora 36 | Fedora | 1600 |',
  'opensuse15.4 | openSUSE Leap 15.4 | openSUSE | 1550 |',
  'rocky8 | Rocky Linux 8 | Rocky | 2300 |',
  'ubuntu20.04 | Ubuntu 20.04 LTS | Ubuntu | 2000 |',
  'ubuntu22.04 | Ubuntu 22.04 LTS | Ubuntu | 3500 |',
  'centos8 | CentOS 8 | CentOS | 2300 | deprecated',
  'ubuntu21.04 | Ubuntu 21.04 | Ubuntu | 3500 | deprecated',
  'debian11-kube-v1.23.6 | Kubernetes 1.23.6 on Debian 11 | Debian | 3500 |',
];

export function publicImages(): readonly Image[] {
  return rows.map((row) => {
    const [name = '', label = '', vendor = '', size = '', note = ''] = row.split('|').map((cell) => cell.trim());
    return {
      id: `vm/${name}`,
      label,
      description: '',
      created: '2021-08-14T22:44:02',
      updated: '2021-08-14T22:44:02',
      created_by: 'vm',
      deprecated: note === 'deprecated',
      is_public: true,
      size: Number(size),
      type: 'manual',
      expiry: null,
      eol: note === 'rolling' ? null : '2026-07-01T04:00:00',
      vendor,
      status: 'available',
    };
  });
}
