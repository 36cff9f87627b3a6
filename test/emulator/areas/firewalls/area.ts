import type { Area } from '../../contract/area.ts';
import { reaction } from '../../contract/area.ts';
import type { Context } from '../../contract/context.ts';
import type { Field } from '../../contract/fields.ts';
import { array, integer, json, nullable, object, oneOf, pick, required, tags } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Firewall, FirewallRules } from '../../records/firewalls.ts';
import { firewallDevices, firewalls } from '../../records/firewalls.ts';
import { instances } from '../../records/instances.ts';
import { firewallRef } from '../shared/entity-refs.ts';
import { dottedLabel } from '../shared/labels.ts';
import { namedInstance } from '../shared/named-instance.ts';
import { tagsFor } from '../shared/tag-rights.ts';
import { requireNoOtherActive } from './active.ts';
import { deviceOperations, insertDevice } from './devices.ts';
import { checkRules } from './rule-checks.ts';

const base = '/networking/firewalls';
const read = {
  method: 'GET',
  scopes: ['firewall:read_only'],
  grant: [{ on: 'firewall', param: 'firewallId', need: 'read_only' }],
} as const;
const write = { scopes: ['firewall:read_write'], grant: [{ on: 'firewall', param: 'firewallId', need: 'read_write' }] } as const;

const rulesField = (): Field<FirewallRules> => json((value, _path, report) => checkRules(value, true, report));

function checkLabel(world: World, label: string | undefined, except?: number): void {
  if (label === undefined) return;
  if (world.knobs.firewallLabelBeginsWithLetter && !/^[a-zA-Z]/.test(label)) throw refusal(400, 'Must begin with a letter', 'label');
  const holders = world.store(firewalls).by('label', label);
  if (holders.some((row) => row.id !== except)) throw refusal(400, 'Label must be unique among your Cloud Firewalls', 'label');
}

interface CreateBody {
  readonly label: string;
  readonly rules: FirewallRules;
  readonly devices?: { readonly vms?: readonly number[] | null } | null;
  readonly tags?: readonly string[] | null;
}

function create(ctx: Context<unknown>, body: CreateBody): Firewall {
  checkLabel(ctx, body.label);
  const assigned = [...new Set(body.devices?.vms)].map((id) => namedInstance(ctx, id, 'devices.vms'));
  for (const vm of assigned) requireNoOtherActive(ctx, vm, undefined, 'devices.vms');
  const wanted = { label: body.label, rules: body.rules, tags: tagsFor(ctx, body.tags) };
  const now = ctx.timestamp();
  const firewall = ctx.store(firewalls).insert((id) => ({ id, status: 'enabled', ...wanted, created: now, updated: now }));
  for (const vm of assigned) insertDevice(ctx, firewall, vm);
  ctx.emit({ action: 'firewall_create', entity: firewallRef(firewall) });
  return firewall;
}

interface UpdateBody {
  readonly label?: string;
  readonly status?: 'enabled' | 'disabled';
  readonly tags?: readonly string[] | null;
}

function update(ctx: Context<unknown>, before: Firewall, body: UpdateBody): Firewall {
  checkLabel(ctx, body.label, before.id);
  const turned = body.status !== undefined && body.status !== before.status;
  if (turned && body.status === 'enabled') {
    for (const device of ctx.store(firewallDevices).by('firewall_id', before.id)) {
      requireNoOtherActive(ctx, device.entity, before.id, 'status');
    }
  }
  const change = { ...pick(body, 'label', 'status'), tags: tagsFor(ctx, body.tags, before.tags), updated: ctx.timestamp() };
  const after = ctx.store(firewalls).update(before, change);
  if (turned) ctx.emit({ action: after.status === 'enabled' ? 'firewall_enable' : 'firewall_disable', entity: firewallRef(after) });
  if (!turned || body.label !== undefined || body.tags !== undefined) ctx.emit({ action: 'firewall_update', entity: firewallRef(after) });
  return after;
}

/** Whole directions are replaced; what the body leaves out stays. */
function replaceRules(ctx: Context<unknown>, before: Firewall, sent: FirewallRules): FirewallRules {
  const found: ErrorItem[] = [];
  checkRules(sent, false, (reason, field) => found.push({ reason, field }));
  ctx.refuseIfAny(found);
  const after = ctx.store(firewalls).update(before, { rules: { ...before.rules, ...sent }, updated: ctx.timestamp() });
  ctx.emit({ action: 'firewall_update', entity: firewallRef(after) });
  return after.rules;
}

const basics = [
  operation({
    method: 'GET',
    path: base,
    scopes: ['firewall:read_only'],
    filterable: ['id', 'label', 'created', 'updated', 'tags'],
    handler: (ctx) => ctx.page(firewalls),
  }),
  operation({
    method: 'POST',
    path: base,
    scopes: ['firewall:read_write'],
    grant: [{ global: 'add_firewalls' }],
    body: {
      label: required(dottedLabel(3, 32)),
      rules: required(rulesField()),
      devices: nullable(object({ vms: nullable(array(integer())) })),
      tags: tags(),
    },
    handler: (ctx) => create(ctx, ctx.body),
  }),
  operation({ ...read, path: `${base}/{firewallId}`, handler: (ctx) => ctx.load(firewalls, 'firewallId') }),
  operation({
    ...write,
    method: 'PUT',
    path: `${base}/{firewallId}`,
    body: { label: dottedLabel(3, 32), status: oneOf(['enabled', 'disabled']), tags: tags() },
    handler: (ctx) => update(ctx, ctx.load(firewalls, 'firewallId'), ctx.body),
  }),
  operation({
    ...write,
    method: 'DELETE',
    path: `${base}/{firewallId}`,
    handler: (ctx) => {
      const firewall = ctx.load(firewalls, 'firewallId');
      for (const device of ctx.store(firewallDevices).by('firewall_id', firewall.id)) ctx.store(firewallDevices).remove(device);
      ctx.store(firewalls).remove(firewall);
      ctx.emit({ action: 'firewall_delete', entity: firewallRef(firewall) });
    },
  }),
  operation({ ...read, path: `${base}/{firewallId}/rules`, handler: (ctx) => ctx.load(firewalls, 'firewallId').rules }),
  operation({
    ...write,
    method: 'PUT',
    path: `${base}/{firewallId}/rules`,
    handler: (ctx) => replaceRules(ctx, ctx.load(firewalls, 'firewallId'), ctx.body),
  }),
];

export const firewallsArea: Area = {
  name: 'firewalls',
  operations: [...basics, ...deviceOperations],
  reactions: [
    reaction('remove', instances, (world, vm) => {
      for (const device of world.store(firewallDevices).by('vm_id', vm.id)) world.store(firewallDevices).remove(device);
    }),
    reaction('update', instances, (world, vm, before) => {
      if (vm.label === before.label) return;
      for (const device of world.store(firewallDevices).by('vm_id', vm.id)) {
        world.store(firewallDevices).update(device, { entity: { ...device.entity, label: vm.label } });
      }
    }),
  ],
};
