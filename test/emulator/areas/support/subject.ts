import type { Context } from '../../contract/context.ts';
import type { Key } from '../../contract/collection.ts';
import type { EntityRef } from '../../contract/event.ts';
import { integer, nullable } from '../../contract/fields.ts';
import type { GrantEntity } from '../../contract/grants.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { clusters } from '../../records/clusters.ts';
import { databases } from '../../records/databases.ts';
import { domains } from '../../records/domains.ts';
import { firewalls } from '../../records/firewalls.ts';
import { instances } from '../../records/instances.ts';
import { longviewClients } from '../../records/longview.ts';
import { nodeBalancers } from '../../records/nodebalancers.ts';
import { volumes } from '../../records/volumes.ts';
import { clusterRef, databaseRef, domainRef, firewallRef, volumeRef, vmRef } from '../shared/entity-refs.ts';
import { longviewRef, nodeBalancerRef } from '../shared/account-refs.ts';

/** The fields of which a ticket may carry one. */
export const subjectFields = {
  vm_id: nullable(integer()),
  domain_id: nullable(integer()),
  firewall_id: nullable(integer()),
  volume_id: nullable(integer()),
  database_id: nullable(integer()),
  lkecluster_id: nullable(integer()),
  longviewclient_id: nullable(integer()),
  nodebalancer_id: nullable(integer()),
};

type SubjectField = keyof typeof subjectFields;
export type SubjectIds = { readonly [F in SubjectField]?: number | null };

interface Kind {
  readonly grant: GrantEntity;
  readonly noun: string;
  readonly find: (world: World, id: Key) => EntityRef | undefined;
}

function found<Row>(row: Row | undefined, ref: (row: Row) => EntityRef): EntityRef | undefined {
  return row === undefined ? undefined : ref(row);
}

const kinds: Readonly<Record<SubjectField, Kind>> = {
  vm_id: { grant: 'vm', noun: 'Linode', find: (world, id) => found(world.store(instances).get(id), vmRef) },
  domain_id: { grant: 'domain', noun: 'domain', find: (world, id) => found(world.store(domains).get(id), domainRef) },
  firewall_id: { grant: 'firewall', noun: 'firewall', find: (world, id) => found(world.store(firewalls).get(id), firewallRef) },
  volume_id: { grant: 'volume', noun: 'volume', find: (world, id) => found(world.store(volumes).get(id), volumeRef) },
  database_id: { grant: 'database', noun: 'database', find: (world, id) => found(world.store(databases).get(id), databaseRef) },
  lkecluster_id: { grant: 'lkecluster', noun: 'cluster', find: (world, id) => found(world.store(clusters).get(id), clusterRef) },
  longviewclient_id: {
    grant: 'longview',
    noun: 'Longview client',
    find: (world, id) => found(world.store(longviewClients).get(id), longviewRef),
  },
  nodebalancer_id: {
    grant: 'nodebalancer',
    noun: 'NodeBalancer',
    find: (world, id) => found(world.store(nodeBalancers).get(id), nodeBalancerRef),
  },
};

const named = (ids: SubjectIds): readonly SubjectField[] =>
  (Object.keys(kinds) as SubjectField[]).filter((field) => typeof ids[field] === 'number');

/** Only one id may be set (document 2, Ticket rules); the text is assumed. */
export function subjectProblems(ids: SubjectIds): readonly ErrorItem[] {
  return named(ids)
    .slice(1)
    .map((field) => ({ reason: 'Only one entity may be given for a ticket.', field }));
}

/** What the ticket is about; a restricted user needs read_write on it. */
export function subjectOf(ctx: Context<unknown>, ids: SubjectIds): EntityRef | null {
  const [field] = named(ids);
  const id = field === undefined ? undefined : ids[field];
  if (field === undefined || typeof id !== 'number') return null;
  const { grant, noun, find } = kinds[field];
  const entity = find(ctx, id);
  if (entity === undefined) throw refusal(400, `A valid ${noun} by that ID was not found`, field);
  if (!ctx.may(grant, id, 'read_write')) throw refusal(403, 'Unauthorized', field);
  return entity;
}

/** Has a restricted user this right on what a ticket is about? */
export function mayOnSubject(ctx: Context<unknown>, entity: EntityRef, need: 'read_only' | 'read_write'): boolean {
  const kind = Object.values(kinds).find((one) => one.grant === (entity.type as GrantEntity));
  return kind !== undefined && ctx.may(kind.grant, entity.id, need);
}
