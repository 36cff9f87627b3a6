import type { Area } from '../../contract/area.ts';
import type { Context } from '../../contract/context.ts';
import { nullable, oneOf, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { accountSettings } from '../../records/account.ts';
import type { LongviewClient } from '../../records/longview.ts';
import { longviewClients, longviewSubscriptions } from '../../records/longview.ts';
import { longviewRef } from '../shared/account-refs.ts';
import { taken } from '../shared/taken.ts';

const base = '/longview/clients';
const one = `${base}/{clientId}`;
const read = { method: 'GET', scopes: ['longview:read_only'] } as const;
const write = { scopes: ['longview:read_write'] } as const;
const onClient = (need: 'read_only' | 'read_write') => [{ on: 'longview', param: 'clientId', need }] as const;

const label = string({ min: 3, max: 32, pattern: /^[a-zA-Z0-9_-]*$/ });

/** Clients that the free plan takes (assumed). */
const freeClients = 10;

/** Upper-case hex, 8-4-4-16. */
function guid(world: World): string {
  return [8, 4, 4, 16].map((digits) => world.rng.hex(digits).toUpperCase()).join('-');
}

function planOf(world: World): string | null {
  return world.store(accountSettings).get(world.euuid)?.longview_subscription ?? null;
}

/** The whole text is assumed; clients look for `subscription` in it. */
function requireRoom(world: World): void {
  const plan = planOf(world);
  const room = plan === null ? freeClients : (world.store(longviewSubscriptions).get(plan)?.clients_included ?? freeClients);
  if (world.store(longviewClients).size >= room) {
    throw refusal(400, 'Your Longview subscription has no more clients available. Please upgrade your subscription.');
  }
}

function requireFreeLabel(world: World, wanted: string | undefined, own?: LongviewClient): void {
  const others = wanted === undefined ? [] : world.store(longviewClients).by('label', wanted);
  if (others.some((other) => other.id !== own?.id)) throw taken(world, 'label');
}

function create(ctx: Context<unknown>, wanted: string | undefined): LongviewClient {
  requireFreeLabel(ctx, wanted);
  requireRoom(ctx);
  const now = ctx.timestamp();
  const client = ctx.store(longviewClients).insert((id) => ({
    id,
    label: wanted ?? `longview${id}`,
    api_key: guid(ctx),
    install_code: guid(ctx),
    apps: { apache: false, nginx: false, mysql: false },
    created: now,
    updated: now,
  }));
  ctx.emit({ action: 'longviewclient_create', entity: longviewRef(client) });
  return client;
}

/** Only the answer to a create counts them as 0 and 1, as recorded. */
const created = ({ apps, ...client }: LongviewClient): object => ({
  ...client,
  apps: Object.fromEntries(Object.entries(apps).map(([app, isThere]) => [app, isThere ? 1 : 0])),
});

function update(ctx: Context<unknown>, wanted: string | undefined): LongviewClient {
  const client = ctx.load(longviewClients, 'clientId');
  requireFreeLabel(ctx, wanted, client);
  const after = ctx.store(longviewClients).update(client, { label: wanted ?? client.label, updated: ctx.timestamp() });
  ctx.emit({ action: 'longviewclient_update', entity: longviewRef(after) });
  return after;
}

function remove(ctx: Context<unknown>): void {
  const client = ctx.load(longviewClients, 'clientId');
  ctx.store(longviewClients).remove(client);
  ctx.emit({ action: 'longviewclient_delete', entity: longviewRef(client) });
}

/** Any one of these grants lets a restricted user see the plan (document 2, Longview). */
function requirePlanRight(ctx: Context<unknown>): void {
  const grants = ctx.actor?.grants;
  if (grants === undefined || grants.account_access !== null) return;
  if (!grants.global.has('longview_subscription') && !grants.global.has('add_longview')) throw refusal(403, 'Unauthorized');
}

/** `{}` is the free plan. */
function shownPlan(world: World): object {
  return world.store(longviewSubscriptions).get(planOf(world) ?? '') ?? {};
}

const plans = ['longview-3', 'longview-10', 'longview-40', 'longview-100'] as const;

const planOperations = [
  operation({
    ...read,
    path: '/longview/plan',
    handler: (ctx) => {
      requirePlanRight(ctx);
      return shownPlan(ctx);
    },
  }),
  operation({
    ...write,
    method: 'PUT',
    path: '/longview/plan',
    grant: [{ global: 'longview_subscription' }],
    // An empty string selects the free plan too, as recorded.
    body: { longview_subscription: nullable(required(oneOf([...plans, '']))) },
    handler: (ctx) => {
      const settings = ctx.store(accountSettings).get(ctx.euuid);
      const wanted = ctx.body.longview_subscription;
      if (settings !== undefined) ctx.store(accountSettings).update(settings, { longview_subscription: wanted === '' ? null : wanted });
      return shownPlan(ctx);
    },
  }),
];

/** Dollars per hour and month. */
const prices = { 'longview-3': [0.03, 20], 'longview-10': [0.06, 40], 'longview-40': [0.15, 100], 'longview-100': [0.3, 200] } as const;

export const longviewArea: Area = {
  name: 'longview',
  operations: [
    operation({ ...read, path: base, filterable: ['label'], handler: (ctx) => ctx.page(longviewClients) }),
    operation({
      ...write,
      method: 'POST',
      path: base,
      grant: [{ global: 'add_longview' }],
      body: { label },
      handler: (ctx) => created(create(ctx, ctx.body.label)),
    }),
    operation({ ...read, path: one, grant: onClient('read_only'), handler: (ctx) => ctx.load(longviewClients, 'clientId') }),
    operation({
      ...write,
      method: 'PUT',
      path: one,
      grant: onClient('read_write'),
      body: { label },
      handler: (ctx) => update(ctx, ctx.body.label),
    }),
    operation({ ...write, method: 'DELETE', path: one, grant: onClient('read_write'), handler: remove }),
    ...planOperations,
    operation({
      method: 'GET',
      path: '/longview/subscriptions',
      auth: 'none',
      filterable: [],
      handler: (ctx) => ctx.page(longviewSubscriptions),
    }),
    operation({
      method: 'GET',
      path: '/longview/subscriptions/{subscriptionId}',
      auth: 'none',
      handler: (ctx) => ctx.load(longviewSubscriptions, 'subscriptionId'),
    }),
  ],
  seedPlatform: (world) => {
    for (const id of plans) {
      const [hourly, monthly] = prices[id];
      const count = Number(id.slice('longview-'.length));
      const row = { id, label: `Longview Pro ${count} pack`, clients_included: count, price: { hourly, monthly } };
      world.store(longviewSubscriptions).insert(() => row);
    }
  },
};
