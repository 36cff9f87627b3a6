import type { AccountSpec } from '../../emulator/core/accounts.ts';
import { defaultAccounts } from '../../emulator/core/accounts.ts';
import type { Corner } from '../scenario/corner.ts';
import { tokenCanary } from '../scenario/scenario.ts';

/** The usual accounts; the operator's token is of an unrestricted user, or at that corner of a restricted one. */
export function accountsOf({ restricted }: Corner): readonly AccountSpec[] {
  const [first, ...others] = defaultAccounts;
  if (first === undefined) return [];
  const globalGrants = [
    'add_vms',
    'add_volumes',
    'add_domains',
    'add_firewalls',
    'add_images',
    'add_stackscripts',
    'add_longview',
    'longview_subscription',
  ] as const;
  const limited = { username: 'limited', restricted: true, accountAccess: 'read_only' as const, globalGrants };
  const username = restricted === true ? 'limited' : 'admin';
  return [
    {
      ...first,
      users: [...first.users.filter((user) => user.username !== 'limited'), limited],
      tokens: [...first.tokens, { token: tokenCanary, username, scopes: '*' }],
    },
    ...others,
  ];
}
