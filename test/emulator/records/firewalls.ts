import { defineCollection } from '../contract/collection.ts';

/** Rules are kept and shown exactly as sent. */
export type FirewallRules = Readonly<Record<string, unknown>>;

export interface Firewall {
  readonly id: number;
  readonly label: string;
  readonly status: 'enabled' | 'disabled';
  readonly rules: FirewallRules;
  readonly tags: readonly string[];
  readonly created: string;
  readonly updated: string;
}

export const firewalls = defineCollection<Firewall>({ name: 'firewalls', grant: 'firewall', indexes: ['label'] });

export interface FirewallDevice {
  readonly id: number;
  readonly created: string;
  readonly updated: string;
  readonly entity: { readonly id: number; readonly type: 'vm'; readonly label: string; readonly url: string };
  /** Not shown. */
  readonly firewall_id: number;
  readonly vm_id: number;
}

export const firewallDevices = defineCollection<FirewallDevice>({
  name: 'firewall devices',
  indexes: ['firewall_id', 'vm_id'],
  view: ({ firewall_id: _firewall, vm_id: _vm, ...shown }) => shown,
});
