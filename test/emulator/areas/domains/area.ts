import type { Area } from '../../contract/area.ts';
import { reaction } from '../../contract/area.ts';
import { required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { notifications } from '../../records/account.ts';
import { records } from '../../records/domain-records.ts';
import { domains } from '../../records/domains.ts';
import { instances } from '../../records/instances.ts';
import { domainRef } from '../shared/entity-refs.ts';
import { domainFields, domainName, newDomain, requireFreeDomain, storedChange, typeProblems } from './domain-rows.ts';
import { recordOperations } from './record-operations.ts';
import { insertRecord } from './record-rows.ts';
import { zoneFile } from './zone-file.ts';

const read = { method: 'GET', scopes: ['domains:read_only'], grant: [{ on: 'domain', param: 'domainId', need: 'read_only' }] } as const;
const write = { scopes: ['domains:read_write'], grant: [{ on: 'domain', param: 'domainId', need: 'read_write' }] } as const;

const basics = [
  operation({
    method: 'GET',
    path: '/domains',
    scopes: ['domains:read_only'],
    filterable: ['domain', 'group', 'tags'],
    handler: (ctx) => ctx.page(domains),
  }),
  operation({
    method: 'POST',
    path: '/domains',
    scopes: ['domains:read_write'],
    grant: [{ global: 'add_domains' }],
    body: { ...domainFields, type: required(domainFields.type), domain: required(domainFields.domain) },
    handler: (ctx) => {
      const { type, domain } = ctx.body;
      const wanted = newDomain(ctx, { ...storedChange(ctx, ctx.body), type, domain });
      ctx.refuseIfAny(typeProblems(wanted));
      requireFreeDomain(ctx, domain);
      const row = ctx.store(domains).insert((id) => ({ id, ...wanted }));
      ctx.emit({ action: 'domain_create', entity: domainRef(row) });
      return row;
    },
  }),
  operation({ ...read, path: '/domains/{domainId}', handler: (ctx) => ctx.load(domains, 'domainId') }),
  operation({
    ...write,
    method: 'PUT',
    path: '/domains/{domainId}',
    body: domainFields,
    handler: (ctx) => {
      const before = ctx.load(domains, 'domainId');
      const change = { ...storedChange(ctx, ctx.body, before), updated: ctx.timestamp() };
      ctx.refuseIfAny(typeProblems({ ...before, ...change }));
      if (change.domain !== undefined) requireFreeDomain(ctx, change.domain, before.id);
      const after = ctx.store(domains).update(before, change);
      ctx.emit({ action: 'domain_update', entity: domainRef(after) });
      return after;
    },
  }),
  operation({
    ...write,
    method: 'DELETE',
    path: '/domains/{domainId}',
    handler: (ctx) => {
      const row = ctx.load(domains, 'domainId');
      for (const record of ctx.store(records).by('domain_id', row.id)) ctx.store(records).remove(record);
      ctx.store(domains).remove(row);
      ctx.emit({ action: 'domain_delete', entity: domainRef(row) });
    },
  }),
  operation({ ...read, path: '/domains/{domainId}/zone-file', handler: (ctx) => zoneFile(ctx, ctx.load(domains, 'domainId')) }),
];

/** Name servers whose name begins so refuse the transfer. */
const closed = /^closed\./;

const copies = [
  operation({
    method: 'POST',
    path: '/domains/import',
    scopes: ['domains:read_write'],
    // Whether it is a job, and what becomes of SOA and NS, is not established: at once, with two plain records.
    body: { domain: required(domainName()), remote_nameserver: required(string({ min: 1, pattern: /^[a-zA-Z0-9:._-]+$/ })) },
    handler: (ctx) => {
      const { domain, remote_nameserver: server } = ctx.body;
      requireFreeDomain(ctx, domain);
      if (closed.test(server)) throw refusal(400, 'remote_nameserver is not valid', 'remote_nameserver');
      const wanted = newDomain(ctx, { type: 'master', domain, soa_email: `hostmaster@${domain}` });
      const row = ctx.store(domains).insert((id) => ({ id, ...wanted }));
      insertRecord(ctx, row.id, { type: 'A', name: '', target: '192.0.2.10' });
      insertRecord(ctx, row.id, { type: 'CNAME', name: 'www', target: domain });
      ctx.emit({ action: 'domain_import', entity: domainRef(row) });
      return row;
    },
  }),
  operation({
    ...write,
    method: 'POST',
    path: '/domains/{domainId}/clone',
    body: { domain: required(domainName()) },
    handler: (ctx) => {
      const source = ctx.load(domains, 'domainId');
      requireFreeDomain(ctx, ctx.body.domain);
      const row = ctx.store(domains).insert((id) => ({ ...newDomain(ctx, { ...source, domain: ctx.body.domain }), id }));
      for (const record of ctx.store(records).by('domain_id', source.id)) insertRecord(ctx, row.id, record);
      // Whether this event follows is not established.
      ctx.emit({ action: 'domain_create', entity: domainRef(row) });
      return row;
    },
  }),
];

const notServed = 'Your domains are not being served.';

/** Stands as soon as the account has domains but no instance. */
function noteWhetherServed(world: World): void {
  const store = world.store(notifications);
  const standing = [...store.values()].find((row) => row.label === notServed);
  const due = world.store(domains).size > 0 && world.store(instances).size === 0;
  if (standing !== undefined && !due) store.remove(standing);
  if (standing !== undefined || !due) return;
  const message = 'Your domains are not being served because this account has no instances.';
  store.insert((id) => ({
    id,
    entity: null,
    label: notServed,
    message,
    body: null,
    type: 'notice',
    severity: 'major',
    when: null,
    until: null,
  }));
}

export const domainsArea: Area = {
  name: 'domains',
  operations: [...basics, ...copies, ...recordOperations],
  reactions: [
    reaction('insert', domains, noteWhetherServed),
    reaction('remove', domains, noteWhetherServed),
    reaction('insert', instances, noteWhetherServed),
    reaction('remove', instances, noteWhetherServed),
  ],
};
