import { defineCollection } from '../contract/collection.ts';
import type { EntityRef } from '../contract/event.ts';

export interface ManagedContact {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly phone: { readonly primary: string | null; readonly secondary: string | null };
  readonly group: string | null;
  readonly updated: string;
}

export const managedContacts = defineCollection<ManagedContact>({ name: 'managed contacts' });

export interface ManagedCredential {
  readonly id: number;
  readonly label: string;
  readonly last_decrypted: string | null;
  /** Not shown. */
  readonly username: string | null;
  readonly password: string;
}

export const managedCredentials = defineCollection<ManagedCredential>({
  name: 'managed credentials',
  indexes: ['label'],
  view: ({ username: _username, password: _password, ...shown }) => shown,
});

/** The key of the account's managed service; one row. */
export interface ManagedKey {
  readonly euuid: string;
  readonly ssh_key: string;
}

export const managedKeys = defineCollection<ManagedKey>({
  name: 'managed ssh keys',
  key: (row) => row.euuid,
  view: ({ euuid: _euuid, ...shown }) => shown,
});

export interface ManagedService {
  readonly id: number;
  readonly label: string;
  readonly service_type: 'url' | 'tcp';
  readonly address: string;
  readonly timeout: number;
  readonly body: string | null;
  readonly consultation_group: string;
  readonly credentials: readonly number[];
  readonly notes: string | null;
  readonly region: string | null;
  readonly status: 'disabled' | 'pending' | 'ok' | 'problem';
  readonly created: string;
  readonly updated: string;
}

export const managedServices = defineCollection<ManagedService>({ name: 'managed services' });

export interface ManagedSsh {
  readonly access: boolean;
  readonly user: string | null;
  /** An address of the instance, or `any`. */
  readonly ip: string;
  readonly port: number | null;
}

/** Settings that differ from the defaults; `id` is the instance's. */
export interface ManagedSettings {
  readonly id: number;
  readonly ssh: ManagedSsh;
}

export const managedSettings = defineCollection<ManagedSettings>({ name: 'managed vm-settings' });

/** Made by the provider only. */
export interface ManagedIssue {
  readonly id: number;
  readonly created: string;
  readonly services: readonly number[];
  readonly entity: EntityRef;
}

export const managedIssues = defineCollection<ManagedIssue>({ name: 'managed issues' });
