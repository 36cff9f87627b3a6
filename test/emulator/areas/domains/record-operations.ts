import type { Context } from '../../contract/context.ts';
import { integer, nullable, oneOf, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { DomainRecord } from '../../records/domain-records.ts';
import { recordTypes, records } from '../../records/domain-records.ts';
import type { Domain } from '../../records/domains.ts';
import { domains } from '../../records/domains.ts';
import { domainRef } from '../shared/entity-refs.ts';
import { conflicts, recordProblems, serviceProblems } from './record-checks.ts';
import { normalised } from './record-names.ts';
import type { Draft, RecordBody } from './record-rows.ts';
import { draftOf, insertRecord, lookups } from './record-rows.ts';
import { nearest } from './seconds.ts';

/** Active records per domain (document 1, Limits). */
const mostRecords = 12_000;

const fields = {
  name: nullable(string({ max: 100 })),
  target: nullable(string({ max: 65_535 })),
  priority: nullable(integer({ min: 0, max: 255 })),
  weight: nullable(integer({ min: 0, max: 65_535 })),
  port: nullable(integer({ min: 0, max: 65_535 })),
  service: nullable(string()),
  protocol: nullable(string()),
  ttl_sec: nullable(integer({ min: 0 })),
  tag: nullable(oneOf(['issue', 'issuewild', 'iodef'])),
};

function checked(ctx: Context<unknown>, domain: Domain, draft: Draft, self?: number): Draft {
  const row = normalised({ ...draft, ttl_sec: nearest(draft.ttl_sec) }, domain.domain);
  ctx.refuseIfAny(recordProblems(row));
  const others = ctx
    .store(records)
    .by('domain_id', domain.id)
    .filter((other) => other.id !== self);
  ctx.refuseIfAny(conflicts(row, others));
  return row;
}

const described = (record: DomainRecord): string => `${record.type} ${record.name} ${record.target}`.replaceAll(/\s+/g, ' ');

function ownRecord(ctx: Context<unknown>): DomainRecord {
  const record = ctx.load(records, 'recordId');
  if (record.domain_id !== ctx.load(domains, 'domainId').id) throw notFound();
  return record;
}

function create(ctx: Context<unknown>, domain: Domain, body: RecordBody & Pick<DomainRecord, 'type'>): DomainRecord {
  if (body.type === 'SRV') ctx.refuseIfAny(serviceProblems(body));
  const row = checked(ctx, domain, draftOf(body.type, body));
  if (ctx.store(records).count('domain_id', domain.id) >= mostRecords) throw refusal(400, `Must be 0-${mostRecords} records`);
  const record = insertRecord(ctx, domain.id, row);
  ctx.emit({ action: 'domain_record_create', entity: domainRef(domain), message: described(record) });
  return record;
}

const base = '/domains/{domainId}/records';
const read = { method: 'GET', scopes: ['domains:read_only'], grant: [{ on: 'domain', param: 'domainId', need: 'read_only' }] } as const;
const write = { scopes: ['domains:read_write'], grant: [{ on: 'domain', param: 'domainId', need: 'read_write' }] } as const;

export const recordOperations = [
  operation({
    ...read,
    path: base,
    filterable: ['type', 'name', 'target', 'tag'],
    handler: (ctx) => ctx.page(records, { from: { domain_id: ctx.load(domains, 'domainId').id } }),
  }),
  operation({
    ...write,
    method: 'POST',
    path: base,
    body: { ...fields, type: required(oneOf(recordTypes)) },
    handler: (ctx) => ctx.show(records, create(ctx, ctx.load(domains, 'domainId'), ctx.body)),
  }),
  operation({ ...read, path: `${base}/{recordId}`, handler: (ctx) => ctx.show(records, ownRecord(ctx)) }),
  operation({
    ...write,
    method: 'PUT',
    path: `${base}/{recordId}`,
    body: fields,
    handler: (ctx) => {
      const domain = ctx.load(domains, 'domainId');
      const before = ownRecord(ctx);
      const row = checked(ctx, domain, draftOf(before.type, ctx.body, before), before.id);
      const after = ctx.store(records).update(before, { ...row, ...lookups(domain.id, row), updated: ctx.timestamp() });
      ctx.emit({ action: 'domain_record_update', entity: domainRef(domain), message: described(after) });
      return ctx.show(records, after);
    },
  }),
  operation({
    ...write,
    method: 'DELETE',
    path: `${base}/{recordId}`,
    acceptedScopes: 'domains:read_only',
    handler: (ctx) => {
      const record = ownRecord(ctx);
      ctx.store(records).remove(record);
      ctx.emit({ action: 'domain_record_delete', entity: domainRef(ctx.load(domains, 'domainId')) });
    },
  }),
];
