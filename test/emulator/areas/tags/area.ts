import type { Area } from '../../contract/area.ts';
import type { Context } from '../../contract/context.ts';
import { array, integer, nullable, required, sortedTags, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { Tag } from '../../records/tags.ts';
import { tagRows } from '../../records/tags.ts';
import { tagRef } from '../shared/entity-refs.ts';
import { taken } from '../shared/taken.ts';
import type { TaggedKind, TaggedRow } from './tagged.ts';
import { taggedKinds, tagReactions } from './tagged.ts';

const ids = nullable(array(integer()));

type Sent = Partial<Record<'vms' | 'domains' | 'volumes' | 'nodebalancers', readonly number[] | null>>;

interface Target {
  readonly kind: TaggedKind;
  readonly row: TaggedRow;
}

/** Every listed object must be there and writable, or no tag is made (document 2, Tags). */
function targets(ctx: Context<unknown>, sent: Sent): readonly Target[] {
  return taggedKinds.flatMap((kind) => {
    const { field, entity } = kind;
    const wanted = field === undefined ? [] : (sent[field] ?? []);
    return wanted.map((id) => {
      const row = ctx.store(kind.collection).get(id);
      if (row === undefined || entity === undefined || !ctx.may(entity, id, 'read_write'))
        throw refusal(400, `${field} is not valid`, field);
      return { kind, row };
    });
  });
}

function create(ctx: Context<unknown>, label: string, sent: Sent): Tag {
  if (ctx.store(tagRows).get(label) !== undefined) throw taken(ctx, 'label');
  const found = targets(ctx, sent);
  const tag = ctx.store(tagRows).insert(() => ({ label }));
  for (const { kind, row } of found) ctx.store(kind.collection).update(row, { tags: sortedTags([...row.tags, label]) });
  ctx.emit({ action: 'tag_create', entity: tagRef(tag) });
  return tag;
}

function ownTag(ctx: Context<unknown>): Tag {
  const tag = ctx.store(tagRows).get(ctx.params['label'] ?? '');
  if (tag === undefined) throw notFound();
  return tag;
}

function carriers(ctx: Context<unknown>, kind: TaggedKind, label: string): readonly TaggedRow[] {
  return [...ctx.store(kind.collection).values()].filter((row) => row.tags.includes(label));
}

function tagged(ctx: Context<unknown>, { label }: Tag): readonly object[] {
  return taggedKinds.flatMap((kind) => {
    const { field, entity } = kind;
    if (field === undefined || entity === undefined) return [];
    const rows = carriers(ctx, kind, label).filter((row) => ctx.may(entity, row.id, 'read_only'));
    return rows.map((row) => ({ type: entity, data: ctx.show(kind.collection, row) }));
  });
}

export const tagsArea: Area = {
  name: 'tags',
  operations: [
    operation({ method: 'GET', path: '/tags', scopes: ['account:read_only'], filterable: ['label'], handler: (ctx) => ctx.page(tagRows) }),
    operation({
      method: 'POST',
      path: '/tags',
      scopes: ['account:read_write'],
      grant: [{ unrestricted: true }],
      body: { label: required(string({ min: 3, max: 50 })), vms: ids, domains: ids, volumes: ids, nodebalancers: ids },
      handler: (ctx) => create(ctx, ctx.body.label, ctx.body),
    }),
    operation({
      method: 'GET',
      path: '/tags/{label}',
      scopes: ['account:read_only'],
      filterable: [],
      handler: (ctx) => ctx.pageOf(tagged(ctx, ownTag(ctx))),
    }),
    operation({
      method: 'DELETE',
      path: '/tags/{label}',
      scopes: ['account:read_write'],
      grant: [{ unrestricted: true }],
      handler: (ctx) => {
        const tag = ownTag(ctx);
        for (const kind of taggedKinds) {
          for (const row of carriers(ctx, kind, tag.label)) {
            ctx.store(kind.collection).update(row, { tags: row.tags.filter((one) => one !== tag.label) });
          }
        }
        ctx.store(tagRows).remove(tag);
        ctx.emit({ action: 'tag_delete', entity: tagRef(tag) });
      },
    }),
  ],
  reactions: tagReactions,
};
