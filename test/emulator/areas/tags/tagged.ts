import type { Reaction } from '../../contract/area.ts';
import { reaction } from '../../contract/area.ts';
import type { CollectionDefinition } from '../../contract/collection.ts';
import type { GrantEntity } from '../../contract/grants.ts';
import type { World } from '../../contract/world.ts';
import { clusters, pools } from '../../records/clusters.ts';
import { domains } from '../../records/domains.ts';
import { firewalls } from '../../records/firewalls.ts';
import { instances } from '../../records/instances.ts';
import { nodeBalancers } from '../../records/nodebalancers.ts';
import { tagRows } from '../../records/tags.ts';
import { volumes } from '../../records/volumes.ts';

export interface TaggedRow {
  readonly id: number;
  readonly tags: readonly string[];
}

export interface TaggedKind {
  /** Field of the create body, and word of the tagged-objects list; the other kinds are in neither. */
  readonly field?: 'vms' | 'domains' | 'volumes' | 'nodebalancers';
  readonly entity?: GrantEntity;
  readonly collection: CollectionDefinition<TaggedRow>;
}

const kind = <Row extends TaggedRow>(collection: CollectionDefinition<Row>, more: Omit<TaggedKind, 'collection'> = {}): TaggedKind => ({
  ...more,
  collection: collection as unknown as CollectionDefinition<TaggedRow>,
});

export const taggedKinds: readonly TaggedKind[] = [
  kind(instances, { field: 'vms', entity: 'vm' }),
  kind(domains, { field: 'domains', entity: 'domain' }),
  kind(volumes, { field: 'volumes', entity: 'volume' }),
  kind(nodeBalancers, { field: 'nodebalancers', entity: 'nodebalancer' }),
  kind(firewalls),
  kind(clusters),
  kind(pools),
];

/** What is on an object is a tag of the account. */
function note(world: World, row: TaggedRow): void {
  for (const label of (row as Partial<TaggedRow>).tags ?? []) {
    if (world.store(tagRows).get(label) === undefined) world.store(tagRows).insert(() => ({ label, carried: true }));
  }
}

export const tagReactions: readonly Reaction[] = taggedKinds.flatMap(({ collection }) => [
  reaction('insert', collection, note),
  reaction('update', collection, (world, row, before) => {
    if (row.tags !== before.tags) note(world, row);
  }),
]);
