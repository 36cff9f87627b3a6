import { defineCollection } from '../contract/collection.ts';
import type { EntityRef } from '../contract/event.ts';

/** The contact and billing data of an account; one row. */
export interface AccountRow {
  readonly euuid: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly company: string;
  readonly email: string;
  readonly phone: string;
  readonly address_1: string;
  readonly address_2: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  readonly zip: string;
  readonly tax_id: string;
  readonly active_since: string;
  readonly active_promotions: readonly unknown[];
  readonly balance: number;
  readonly balance_uninvoiced: number;
  readonly billing_source: string;
  readonly capabilities: readonly string[];
  readonly credit_card: { readonly last_four: string | null; readonly expiry: string | null };
}

export interface AccountSettings {
  readonly euuid: string;
  readonly managed: boolean;
  readonly longview_subscription: string | null;
  readonly network_helper: boolean;
  readonly backups_enabled: boolean;
  readonly object_storage: 'disabled' | 'suspended' | 'active';
}

/** `id` is not shown. */
export interface Notification {
  readonly id: number;
  readonly entity: EntityRef | null;
  readonly label: string;
  readonly message: string;
  readonly body: string | null;
  readonly type: string;
  readonly severity: 'minor' | 'major' | 'critical';
  readonly when: string | null;
  readonly until: string | null;
}

/** `id` is not shown. */
export interface Maintenance {
  readonly id: number;
  readonly type: 'reboot' | 'cold_migration' | 'live_migration';
  readonly status: 'completed' | 'pending' | 'started';
  readonly reason: string;
  readonly when: string;
  readonly entity: EntityRef;
}

const withoutId = ({ id: _id, ...shown }: { readonly id: number }): unknown => shown;

export const accountRows = defineCollection<AccountRow>({ name: 'account', key: (row) => row.euuid });
/** The row of an account by its euuid. */
export const accountSettings = defineCollection<AccountSettings>({
  name: 'account_settings',
  key: (row) => row.euuid,
  view: ({ euuid: _euuid, ...shown }) => shown,
});
export const notifications = defineCollection<Notification>({ name: 'notifications', view: withoutId });
export const maintenance = defineCollection<Maintenance>({ name: 'maintenance', view: withoutId });
