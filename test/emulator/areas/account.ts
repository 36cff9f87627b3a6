import type { Area } from '../contract/area.ts';
import { boolean, json, pick, string } from '../contract/fields.ts';
import { operation } from '../contract/operation.ts';
import type { ErrorItem } from '../contract/refusal.ts';
import { notFound, refusal } from '../contract/refusal.ts';
import type { World } from '../contract/world.ts';
import type { AccountRow, AccountSettings } from '../records/account.ts';
import { accountRows, accountSettings, maintenance, notifications } from '../records/account.ts';
import { accountSeed } from './account-seed.ts';
import { countryReason } from './countries.ts';

const reads = { scopes: ['account:read_only'], grant: [{ account: 'read_only' }] } as const;
const writes = { scopes: ['account:read_write'], grant: [{ account: 'read_write' }] } as const;

/** At most 9 letters and digits, with spaces and hyphens between (document 3, Account and billing). */
const zipReason = (zip: string): string | undefined =>
  /^[A-Za-z0-9 -]*$/.test(zip) && zip.replaceAll(/[ -]/g, '').length <= 9 ? undefined : 'zip is not valid';

const contact = {
  first_name: string({ max: 50 }),
  last_name: string({ max: 50 }),
  company: string({ max: 128 }),
  email: string({ max: 128, pattern: /^(?:[^@\s]+@[^@\s]+)?$/ }),
  phone: string({ max: 32 }),
  address_1: string({ max: 64 }),
  address_2: string({ max: 64 }),
  city: string({ max: 24 }),
  state: string({ max: 24 }),
  country: string({ also: countryReason }),
  zip: string({ also: zipReason }),
  tax_id: string({ max: 25 }),
};

/** US and CA states are two letters; elsewhere the province. */
function stateProblems(account: AccountRow): readonly ErrorItem[] {
  const coded = ['US', 'CA'].includes(account.country.toUpperCase());
  return coded && !/^(?:[A-Za-z]{2})?$/.test(account.state) ? [{ reason: 'state is not valid', field: 'state' }] : [];
}

function accountOf(world: World): AccountRow {
  const row = world.store(accountRows).get(world.euuid);
  if (row === undefined) throw notFound();
  return row;
}

function settingsOf(world: World): AccountSettings {
  const row = world.store(accountSettings).get(world.euuid);
  if (row === undefined) throw notFound();
  return row;
}

/** Begins as recorded; its end is assumed. */
const longviewMoved = 'longview_subscription editing at this location is no longer available. Use the Longview plan.';

export const account: Area = {
  name: 'account',
  operations: [
    operation({ ...reads, method: 'GET', path: '/account', handler: (ctx) => accountOf(ctx) }),
    operation({
      ...writes,
      method: 'PUT',
      path: '/account',
      body: contact,
      handler: (ctx) => {
        const before = accountOf(ctx);
        const change = pick(ctx.body, ...(Object.keys(contact) as (keyof typeof contact)[]));
        ctx.refuseIfAny(stateProblems({ ...before, ...change }));
        ctx.emit({ action: 'account_update' });
        return ctx.store(accountRows).update(before, change);
      },
    }),
    operation({ ...reads, method: 'GET', path: '/account/settings', handler: (ctx) => ctx.show(accountSettings, settingsOf(ctx)) }),
    operation({
      ...writes,
      method: 'PUT',
      path: '/account/settings',
      body: { network_helper: boolean(), backups_enabled: boolean(), longview_subscription: json() },
      handler: (ctx) => {
        if (ctx.body.longview_subscription !== undefined) throw refusal(400, longviewMoved, 'longview_subscription');
        const after = ctx.store(accountSettings).update(settingsOf(ctx), pick(ctx.body, 'network_helper', 'backups_enabled'));
        ctx.emit({ action: 'account_settings_update' });
        return ctx.show(accountSettings, after);
      },
    }),
    operation({ ...reads, method: 'GET', path: '/account/notifications', filterable: [], handler: (ctx) => ctx.page(notifications) }),
    operation({
      method: 'GET',
      path: '/account/maintenance',
      scopes: [],
      filterable: ['type', 'status', 'when'],
      handler: (ctx) => ctx.page(maintenance, { where: (row) => ctx.may('vm', row.entity.id, 'read_only') }),
    }),
  ],
  seedAccount: accountSeed,
};
