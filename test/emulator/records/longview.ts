import { defineCollection } from '../contract/collection.ts';

export interface LongviewClient {
  readonly id: number;
  readonly label: string;
  readonly api_key: string;
  readonly install_code: string;
  readonly apps: { readonly apache: boolean; readonly nginx: boolean; readonly mysql: boolean };
  readonly created: string;
  readonly updated: string;
}

export const longviewClients = defineCollection<LongviewClient>({ name: 'longview clients', grant: 'longview', indexes: ['label'] });

export interface LongviewSubscription {
  readonly id: string;
  readonly label: string;
  readonly clients_included: number;
  readonly price: { readonly hourly: number; readonly monthly: number };
}

export const longviewSubscriptions = defineCollection<LongviewSubscription>({ name: 'longview subscriptions', scope: 'platform' });
