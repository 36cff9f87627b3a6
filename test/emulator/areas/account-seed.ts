import type { World } from '../contract/world.ts';
import { accountRows, accountSettings } from '../records/account.ts';

const capabilities = [
  'Linodes',
  'NodeBalancers',
  'Block Storage',
  'Object Storage',
  'Kubernetes',
  'Cloud Firewall',
  'Vlans',
  'LKE HA Control Planes',
  'Machine Images',
  'Managed Databases',
];

/** Young enough for a promo code, old enough to have been billed. */
const age = 30 * 86_400;

/** The account record; settings as most recordings show them. */
export function accountSeed(world: World): void {
  const { euuid } = world;
  world.store(accountRows).insert(() => ({
    euuid,
    first_name: 'John',
    last_name: 'Smith',
    company: 'Example LLC',
    email: 'john.smith@example.org',
    phone: '215-555-1212',
    address_1: '123 Main Street',
    address_2: 'Suite A',
    city: 'Philadelphia',
    state: 'PA',
    country: 'US',
    zip: '19102-1234',
    tax_id: '',
    active_since: world.timestamp(-age),
    active_promotions: [],
    balance: 0,
    balance_uninvoiced: 0,
    billing_source: 'vm',
    capabilities,
    credit_card: { last_four: '1111', expiry: '11/2030' },
  }));
  world.store(accountSettings).insert(() => ({
    euuid,
    managed: false,
    longview_subscription: null,
    network_helper: true,
    backups_enabled: false,
    object_storage: 'disabled',
  }));
}
