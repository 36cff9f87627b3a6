import * as z from 'zod';
import { defineCollection, defineConnection, erase, output, post, ready, ref, secretKey, sharedRef } from '../../../src/resource/index.ts';

/** A kind that uses everything the generators read. It is no resource of the service. */
export const CloudThing = erase(
  defineCollection({
    kind: 'CloudThing',
    summary: 'A thing, for tests of the generators.',
    shortName: 'cthing',
    spec: z.object({
      label: z
        .string()
        .regex(/^[a-z-]{1,32}$/)
        .max(32)
        .optional()
        .describe('Name in the account. Absent: derived.'),
      region: z.string().min(1).max(64).describe('Region slug, for example `eu-central`.'),
      flavour: z.enum(['plain', 'fancy']).optional().describe('Chosen at creation. Absent: plain.'),
      sizeGiB: z.int().min(10).optional().describe('Capacity in GiB. Can grow, never shrink.'),
      tags: z.array(z.string().min(3).max(50)).max(100).optional().describe('Tags, compared as a set. Absent: left alone.'),
      instanceRef: ref('CloudInstance').optional().describe('Instance to attach to. Absent: none.'),
      domainRef: sharedRef('CloudDomain').optional().describe('Zone of its name. Absent: none.'),
      targetFrom: output('CloudInstance', {
        ref: 'instanceRef',
        selector: 'address',
        fields: { PublicIPv4: 'publicIPv4' },
        describe: 'Which address.',
      })
        .optional()
        .describe('Address to point at. Absent: none.'),
      passwordSecretRef: secretKey().optional().describe('Password. Absent: generated.'),
      notes: z.string().max(200).optional().describe('For people only.'),
    }),
    rules: [
      { rule: "!has(self.label) || self.label != 'default'", message: 'label default is taken: choose another', fieldPath: '.label' },
    ],
    status: z.object({
      devicePath: z.string().describe('Path of the device inside the instance.'),
      sizeGiB: z.int().describe('Capacity in GiB.'),
      attachedTo: z.int().nullable().describe('Id of the instance that holds it, or null.'),
    }),
    remote: z.object({
      id: z.int(),
      label: z.string(),
      region: z.string(),
      size: z.int(),
      tags: z.array(z.string()),
      vm_id: z.int().nullable(),
    }),
    path: '/things',
    key: { enforced: 'unique', names: true, of: (want) => ({ label: want.label ?? want.name }) },
    label: { field: 'label', max: 32 },
    tags: 'tags',
    create: (want) => ({ label: want.label ?? want.name, region: want.region }),
    fields: {
      label: { read: (thing) => thing.label, put: (label) => ({ label }) },
      region: { read: (thing) => thing.region, immutable: true },
      flavour: { immutable: true },
      sizeGiB: {
        read: (thing) => thing.size,
        call: (size, thing) => post(`/things/${thing.id}/resize`, { size }),
        only: 'grows',
        effect: 'Reboot',
      },
      tags: { read: (thing) => thing.tags, put: (tags) => ({ tags }), as: 'set' },
      instanceRef: { read: (thing) => thing.vm_id, put: (id) => ({ vm_id: id }), unset: 'clear' },
      domainRef: { immutable: true },
      targetFrom: { immutable: true },
      passwordSecretRef: {
        applied: true,
        call: (password, thing) => post(`/things/${thing.id}/password`, { password }),
        effect: 'Rebuild',
      },
      notes: { local: true },
    },
    health: () => ready,
    observe: (thing) => ({ attachedTo: thing.vm_id }),
    outputs: {
      address: { says: 'Address of the thing.', of: () => 'x' },
      password: { says: 'Password of the thing.', secret: true, of: () => 'x' },
    },
    sweep: { by: 'list' },
    events: [{ entity: 'thing', actions: ['thing_'] }],
    scopes: { read: ['things:read_only'], write: ['things:read_write'] },
    defaults: { onDelete: 'Retain', onMissing: 'Stall' },
    shareable: true,
    columns: { Region: '.spec.region', GiB: '.spec.sizeGiB', Device: '.status.devicePath' },
  }),
);

/** The one way to an account, as far as the generators tell it apart. */
export const CloudAccess = erase(
  defineConnection({
    kind: 'CloudAccess',
    summary: 'The way to an account, for tests of the generators.',
    shortName: 'cacs',
    spec: z.object({ endpoint: z.string().min(1).max(63).describe('Name of an endpoint that the administrator configured.') }),
    status: z.object({ user: z.string().describe('Whose token it is.') }),
    remote: z.object({ euuid: z.string() }),
    path: '/account',
    fields: { endpoint: { local: true } },
    health: () => ready,
    observe: () => ({}),
    events: [],
    scopes: { read: ['account:read_only'], write: ['account:read_write'] },
    accountLevel: true,
    columns: { Endpoint: '.spec.endpoint' },
  }),
);
