import { defineCollection } from '../contract/collection.ts';

export interface SshKey {
  readonly id: number;
  readonly label: string;
  readonly ssh_key: string;
  readonly created: string;
  /** Not shown: keys belong to a user. */
  readonly username: string;
}

export const sshKeys = defineCollection<SshKey>({
  name: 'ssh keys',
  indexes: ['username'],
  view: ({ username: _user, ...shown }) => shown,
});
