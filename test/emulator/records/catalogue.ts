import { defineCollection } from '../contract/collection.ts';

export interface Price {
  readonly hourly: number | null;
  readonly monthly: number | null;
}

export interface VmType {
  readonly id: string;
  readonly label: string;
  readonly class: string;
  readonly disk: number;
  readonly memory: number;
  readonly vcpus: number;
  readonly gpus: number;
  readonly transfer: number;
  readonly network_out: number;
  readonly price: Price;
  readonly addons: { readonly backups: { readonly price: Price } };
  readonly successor: string | null;
}

export interface Region {
  readonly id: string;
  readonly label: string;
  readonly country: string;
  readonly capabilities: readonly string[];
  readonly status: 'ok' | 'outage';
  readonly resolvers: { readonly ipv4: string; readonly ipv6: string };
}

export interface Kernel {
  readonly id: string;
  readonly label: string;
  readonly version: string;
  readonly kvm: boolean;
  readonly architecture: 'x86_64' | 'i386';
  readonly pvops: boolean;
  readonly deprecated: boolean;
  readonly built: string | null;
}

export const vmTypes = defineCollection<VmType>({ name: 'types', scope: 'platform' });
export const regions = defineCollection<Region>({ name: 'regions', scope: 'platform' });
export const kernels = defineCollection<Kernel>({ name: 'kernels', scope: 'platform' });
