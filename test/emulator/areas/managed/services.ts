import { isIP } from 'node:net';
import type { Context } from '../../contract/context.ts';
import { array, integer, nullable, oneOf, pick, required, string } from '../../contract/fields.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { regions } from '../../records/catalogue.ts';
import type { ManagedService } from '../../records/managed.ts';
import { managedCredentials, managedServices } from '../../records/managed.ts';
import { managedServiceRef } from '../shared/account-refs.ts';
import { managedOperation, read, write } from './managed.ts';

const base = '/managed/services';
const one = `${base}/{serviceId}`;
/** Until the first check says that the service is up (assumed). */
const firstCheckSeconds = 60;

const body = {
  label: string({ min: 3, max: 64, pattern: /^[a-zA-Z0-9 ._-]*$/ }),
  service_type: oneOf(['url', 'tcp']),
  address: string({ min: 3, max: 100, pattern: /^\S*$/ }),
  timeout: integer({ min: 1, max: 255 }),
  body: nullable(string({ max: 100 })),
  consultation_group: string({ max: 50 }),
  credentials: array(integer()),
  notes: nullable(string()),
  region: nullable(string()),
};

const optional = ['body', 'consultation_group', 'credentials', 'notes', 'region'] as const;

function hostOf(address: string): string {
  const afterScheme = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  return afterScheme.replace(/^\[|[\]/?#].*$/g, '').replace(/:\d+$/, '');
}

function isPrivate(host: string): boolean {
  return isIP(host) === 4 && /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host);
}

type Settings = Pick<ManagedService, 'service_type' | 'address' | 'credentials' | 'region'>;

/** A region goes with a private address and only with it (document 2, Managed service). */
function regionProblems(world: World, { address, region }: Settings): readonly ErrorItem[] {
  if (!isPrivate(hostOf(address)))
    return region === null ? [] : [{ reason: 'region is only allowed for a private address', field: 'region' }];
  if (region === null) return [{ reason: 'region is required', field: 'region' }];
  return world.store(regions).get(region) === undefined ? [{ reason: 'region is not valid', field: 'region' }] : [];
}

function problems(world: World, settings: Settings): readonly ErrorItem[] {
  const { service_type: type, address, credentials } = settings;
  const isUrl = type !== 'url' || /^https?:\/\/[^/]/.test(address);
  const unknown = credentials.flatMap((id, index) => (world.store(managedCredentials).get(id) === undefined ? [index] : []));
  return [
    ...(isUrl ? [] : [{ reason: 'address is not valid', field: 'address' }]),
    ...unknown.map((index) => ({ reason: 'A valid credential by that ID was not found', field: `credentials[${index}]` })),
    ...regionProblems(world, settings),
  ];
}

/** Pending until the first check. */
function watch(world: World, id: number): void {
  world.after(firstCheckSeconds, (later) => {
    const row = later.store(managedServices).get(id);
    if (row?.status === 'pending') later.store(managedServices).update(row, { status: 'ok' });
  });
}

type NewService = Pick<ManagedService, 'label' | 'service_type' | 'address' | 'timeout'> &
  Partial<Pick<ManagedService, (typeof optional)[number]>>;

function create(ctx: Context<unknown>, sent: NewService): ManagedService {
  const defaults = { body: null, consultation_group: '', credentials: [], notes: null, region: null };
  const { label, service_type, address, timeout } = sent;
  const settings = { label, service_type, address, timeout, ...defaults, ...pick(sent, ...optional) };
  ctx.refuseIfAny(problems(ctx, settings));
  const now = ctx.timestamp();
  const service = ctx.store(managedServices).insert((id) => ({ id, ...settings, status: 'pending', created: now, updated: now }));
  watch(ctx, service.id);
  ctx.emit({ action: 'managed_service_create', entity: managedServiceRef(service) });
  return service;
}

function setStatus(ctx: Context<unknown>, status: 'pending' | 'disabled'): ManagedService {
  const service = ctx.load(managedServices, 'serviceId');
  if ((service.status === 'disabled') === (status === 'disabled')) return service;
  if (status === 'pending') watch(ctx, service.id);
  return ctx.store(managedServices).update(service, { status, updated: ctx.timestamp() });
}

export const serviceOperations = [
  managedOperation({ ...read, path: base, filterable: [], handler: (ctx) => ctx.page(managedServices) }),
  managedOperation({
    ...write,
    method: 'POST',
    path: base,
    body: {
      ...body,
      label: required(body.label),
      service_type: required(body.service_type),
      address: required(body.address),
      timeout: required(body.timeout),
    },
    handler: (ctx) => create(ctx, ctx.body),
  }),
  managedOperation({ ...read, path: one, handler: (ctx) => ctx.load(managedServices, 'serviceId') }),
  managedOperation({
    ...write,
    method: 'PUT',
    path: one,
    body,
    handler: (ctx) => {
      const service = ctx.load(managedServices, 'serviceId');
      const change = pick(ctx.body, 'label', 'service_type', 'address', 'timeout', ...optional);
      ctx.refuseIfAny(problems(ctx, { ...service, ...change }));
      return ctx.store(managedServices).update(service, { ...change, updated: ctx.timestamp() });
    },
  }),
  managedOperation({
    ...write,
    method: 'DELETE',
    path: one,
    handler: (ctx) => {
      const service = ctx.load(managedServices, 'serviceId');
      ctx.store(managedServices).remove(service);
      ctx.emit({ action: 'managed_service_delete', entity: managedServiceRef(service) });
    },
  }),
  managedOperation({ ...write, method: 'POST', path: `${one}/enable`, handler: (ctx) => setStatus(ctx, 'pending') }),
  managedOperation({ ...write, method: 'POST', path: `${one}/disable`, handler: (ctx) => setStatus(ctx, 'disabled') }),
];
