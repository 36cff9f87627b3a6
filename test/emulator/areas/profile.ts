import { Answer } from '../contract/answer.ts';
import type { Area } from '../contract/area.ts';
import type { Context } from '../contract/context.ts';
import type { GlobalGrant, GrantEntity, Grants } from '../contract/grants.ts';
import { operation } from '../contract/operation.ts';

const scopes = ['account:read_only'];

function profile(ctx: Context): unknown {
  const username = ctx.actor?.username ?? '';
  return {
    uid: 1000 + username.length,
    username,
    email: `${username}@example.org`,
    verified_phone_number: null,
    timezone: 'US/Eastern',
    email_notifications: true,
    referrals: {
      code: '871be32f49c1411b14f29f618aaf0c14637fb8d3',
      url: 'https://www.example.org/?r=871be32f49',
      total: 0,
      completed: 0,
      pending: 0,
      credit: 0,
    },
    ip_whitelist_enabled: false,
    lish_auth_method: 'keys_only',
    authorized_keys: null,
    two_factor_auth: false,
    restricted: ctx.actor?.grants !== undefined,
    authentication_type: 'password',
  };
}

const globals: readonly GlobalGrant[] = [
  'add_vms',
  'add_longview',
  'longview_subscription',
  'cancel_account',
  'add_domains',
  'add_stackscripts',
  'add_nodebalancers',
  'add_images',
  'add_volumes',
  'add_firewalls',
  'add_databases',
];
const entities: readonly GrantEntity[] = ['vm', 'database', 'domain', 'nodebalancer', 'image', 'longview', 'stackscript', 'volume'];

function objectGrants(grants: Grants, entity: GrantEntity): readonly unknown[] {
  return [...grants.objects]
    .filter(([key]) => key.startsWith(`${entity}:`))
    .map(([key, permissions]) => ({ id: Number(key.slice(entity.length + 1)), permissions, label: null }));
}

/** 204 for an unrestricted user. */
function grantsOf(ctx: Context): unknown {
  const grants = ctx.actor?.grants;
  if (grants === undefined) return new Answer(204, '');
  const global = Object.fromEntries(globals.map((name) => [name, grants.global.has(name)]));
  return {
    global: { ...global, account_access: grants.account_access },
    ...Object.fromEntries(entities.map((entity) => [entity, objectGrants(grants, entity)])),
  };
}

export const profileArea: Area = {
  name: 'profile',
  operations: [
    operation({ method: 'GET', path: '/profile', scopes, handler: profile }),
    operation({ method: 'GET', path: '/profile/grants', scopes, handler: grantsOf }),
  ],
};
