import type { Area } from '../contract/area.ts';
import { defineCollection } from '../contract/collection.ts';
import type { EntityRef } from '../contract/event.ts';
import { array, integer, nullable, object, oneOf, pick, required, sortedTags, string, tags } from '../contract/fields.ts';
import { operation } from '../contract/operation.ts';
import { account } from '../areas/account.ts';
import { eventArea } from '../areas/events.ts';
import { profileArea } from '../areas/profile.ts';

/** A made-up kind on which the core is tested without the real areas. */
interface Probe {
  readonly id: number;
  readonly label: string;
  readonly size: number;
  readonly status: string;
  readonly vm_id: number | null;
  readonly image: string | null;
  readonly tags: readonly string[];
  readonly created: string;
  readonly filesystem_path: string;
  readonly secret: string;
}

export const probes = defineCollection<Probe>({
  name: 'probes',
  grant: 'volume',
  firstId: 1,
  ascending: true,
  indexes: ['label'],
  view: ({ secret: _secret, ...shown }) => shown,
});

const refOf = (probe: Probe): EntityRef => ({ id: probe.id, label: probe.label, type: 'vm', url: `/v4/vm/probes/${probe.id}` });

const fields = {
  label: required(string({ min: 3, max: 10, pattern: /^[a-z]/, reason: 'Must begin with a letter' })),
  size: integer({ min: 10, max: 100 }),
  vm_id: nullable(integer()),
  image: string(),
  tags: tags(),
  mode: oneOf(['a', 'b']),
  rule: object({ ports: array(string({ max: 5 })), policy: required(string()) }, { closed: true }),
};

const one = { path: '/vm/probes/{probeId}' } as const;
const readable = [{ on: 'volume', param: 'probeId', need: 'read_only' }] as const;
const writable = [{ on: 'volume', param: 'probeId', need: 'read_write' }] as const;

const probeArea: Area = {
  name: 'probe',
  operations: [
    operation({
      method: 'GET',
      path: '/vm/probes',
      scopes: ['vms:read_only'],
      filterable: ['id', 'label', 'size', 'tags', 'vm_id', 'image', 'created', 'status'],
      notOrderable: ['status'],
      handler: (ctx) => ctx.page(probes),
    }),
    operation({
      method: 'POST',
      path: '/vm/probes',
      scopes: ['vms:read_write', 'volumes:read_write'],
      grant: [{ global: 'add_volumes' }],
      rate: 'volume_create',
      body: fields,
      handler: (ctx) => {
        const { label, size = 20, vm_id = null, image = null } = ctx.body;
        const row = ctx.store(probes).insert((id) => ({
          id,
          label,
          size,
          status: 'creating',
          vm_id,
          image,
          tags: sortedTags(ctx.body.tags),
          created: ctx.timestamp(),
          filesystem_path: `/dev/disk/by-id/scsi-0Vm_Volume_${label}`,
          secret: ctx.rng.hex(8),
        }));
        ctx.job({
          action: 'vm_create',
          entity: refOf(row),
          seconds: 10,
          serialKey: `probe:${row.id}`,
          onFinish: (world) => {
            const now = world.store(probes).get(row.id);
            if (now !== undefined) world.store(probes).update(now, { status: 'active' });
          },
        });
        return ctx.show(probes, row);
      },
    }),
    operation({
      ...one,
      method: 'GET',
      scopes: ['vms:read_only'],
      grant: readable,
      handler: (ctx) => ctx.show(probes, ctx.load(probes, 'probeId')),
    }),
    operation({
      ...one,
      method: 'PUT',
      scopes: ['vms:read_write'],
      grant: writable,
      body: { label: string({ min: 3, max: 10 }), tags: tags() },
      handler: (ctx) =>
        ctx.show(
          probes,
          ctx.store(probes).update(ctx.load(probes, 'probeId'), {
            ...pick(ctx.body, 'label'),
            ...(ctx.body.tags === undefined ? {} : { tags: sortedTags(ctx.body.tags) }),
          }),
        ),
    }),
    operation({
      ...one,
      method: 'DELETE',
      scopes: ['vms:read_write'],
      grant: writable,
      handler: (ctx) => {
        const row = ctx.load(probes, 'probeId');
        ctx.requireFree(`probe:${row.id}`);
        ctx.store(probes).remove(row);
        ctx.emit({ action: 'vm_delete', entity: refOf(row) });
      },
    }),
    operation({
      method: 'GET',
      path: '/vm/only-beta',
      segments: 'v4beta',
      auth: 'optional',
      handler: (ctx) => ({ username: ctx.actor?.username ?? null }),
    }),
    operation({
      method: 'GET',
      path: '/vm/defect',
      handler: () => {
        throw new TypeError('a mistake in an area');
      },
    }),
    operation({ method: 'POST', path: '/vm/writes', scopes: [], rate: 'object_write', handler: () => undefined }),
    operation({ method: 'POST', path: '/vm/boots/{name*}', scopes: [], rate: 'object', handler: (ctx) => ({ name: ctx.params['name'] }) }),
  ],
};

export const probeAreas: readonly Area[] = [account, profileArea, eventArea, probeArea];
