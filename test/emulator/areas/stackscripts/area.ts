import { Answer } from '../../contract/answer.ts';
import type { Area } from '../../contract/area.ts';
import type { Context } from '../../contract/context.ts';
import type { Field } from '../../contract/fields.ts';
import { array, boolean, nullable, pick, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { images } from '../../records/images.ts';
import type { StackScript } from '../../records/stackscripts.ts';
import { stackscripts } from '../../records/stackscripts.ts';
import { scriptRef } from '../shared/entity-refs.ts';
import { communityScripts } from './seed.ts';
import { scriptProblem, userDefinedFields } from './udf.ts';

/** Public ones, and one's own as far as grants go. */
function visible(ctx: Context<unknown>, row: StackScript): boolean {
  if (row.is_public) return true;
  return ctx.actor !== undefined && row.owner === ctx.euuid && ctx.may('stackscript', row.id, 'read_only');
}

function shown(ctx: Context<unknown>, row: StackScript): object {
  const { owner, ...fields } = row;
  return { ...fields, mine: ctx.actor !== undefined && owner === ctx.euuid };
}

function visibleScript(ctx: Context<unknown>): StackScript {
  const row = ctx.load(stackscripts, 'stackscriptId');
  if (!visible(ctx, row)) throw notFound();
  return row;
}

/** Only one's own can be changed; somebody else's public one answers 403 (text assumed). */
function ownScript(ctx: Context<unknown>): StackScript {
  const row = visibleScript(ctx);
  if (row.owner !== ctx.euuid || !ctx.may('stackscript', row.id, 'read_write')) throw refusal(403, 'Unauthorized');
  return row;
}

function checkImages(world: World, given: readonly string[]): void {
  const unknown = given.some((id) => id !== 'any/all' && world.store(images).get(id) === undefined);
  if (unknown) throw refusal(400, 'images is not valid', 'images');
  if (given.length === 0) throw refusal(400, 'StackScripts must be associated with at least one image or distro', 'images');
}

const script = (): Field<string> => string({ min: 1, max: 65_535, also: scriptProblem });
const fields = {
  description: nullable(string()),
  is_public: boolean(),
  rev_note: nullable(string()),
};

function create(
  ctx: Context<unknown>,
  wanted: Pick<StackScript, 'label' | 'images' | 'script' | 'description' | 'is_public' | 'rev_note'>,
): StackScript {
  const now = ctx.timestamp();
  const row = ctx.store(stackscripts).insert((id) => ({
    ...wanted,
    id,
    username: ctx.actor?.username ?? '',
    user_gravatar_id: 'd41d8cd98f00b204e9800998ecf8427e',
    deployments_total: 0,
    deployments_active: 0,
    created: now,
    updated: now,
    user_defined_fields: userDefinedFields(wanted.script),
    logo_url: '',
    ordinal: 0,
    owner: ctx.euuid,
  }));
  // The collection itself asks for no grant: public scripts are everybody's.
  ctx.actor?.grants?.objects.set(`stackscript:${row.id}`, 'read_write');
  return row;
}

interface UpdateBody {
  readonly label?: string;
  readonly images?: readonly string[];
  readonly script?: string;
  readonly description?: string | null;
  readonly is_public?: boolean;
  readonly rev_note?: string | null;
}

/** Publishing, a new script and anything else have an event of their own kind. */
function actionOf(before: StackScript, body: UpdateBody): string {
  if (body.is_public === true && !before.is_public) return 'stackscript_publicize';
  return body.script !== undefined && body.script !== before.script ? 'stackscript_revise' : 'stackscript_update';
}

function update(ctx: Context<unknown>, before: StackScript, body: UpdateBody): StackScript {
  if (body.images !== undefined) checkImages(ctx, body.images);
  // The text is assumed.
  if (before.is_public && body.is_public === false) throw refusal(400, 'A public StackScript cannot be made private.', 'is_public');
  const after = ctx.store(stackscripts).update(before, {
    ...pick(body, 'label', 'images', 'is_public'),
    description: body.description === undefined ? before.description : (body.description ?? ''),
    rev_note: body.rev_note === undefined ? before.rev_note : (body.rev_note ?? ''),
    ...(body.script === undefined ? {} : { script: body.script, user_defined_fields: userDefinedFields(body.script) }),
    updated: ctx.timestamp(),
  });
  ctx.emit({ action: actionOf(before, body), entity: scriptRef(after) });
  return after;
}

const write = { scopes: ['stackscripts:read_write'] } as const;

export const stackscriptsArea: Area = {
  name: 'stackscripts',
  operations: [
    operation({
      method: 'GET',
      path: '/vm/stackscripts',
      auth: 'optional',
      scopes: ['stackscripts:read_only'],
      rate: 'stackscript_list',
      filterable: ['label', 'description', 'deployments_total', 'is_public', 'rev_note', 'mine'],
      handler: (ctx) => {
        const asksMine = /"mine"\s*:\s*true/.test(ctx.headers['x-filter'] ?? '');
        if (asksMine && ctx.actor === undefined) throw refusal(401, 'You must be authenticated to find your StackScripts.');
        const mine = (row: StackScript): boolean => ctx.actor !== undefined && row.owner === ctx.euuid;
        const page = ctx.page(stackscripts, {
          where: (row) => visible(ctx, row),
          view: (row) => shown(ctx, row),
          columns: (row) => ({ mine: mine(row) }),
        });
        return asksMine ? new Answer(200, page, { warning: '299 - "mine" filter is deprecated' }) : page;
      },
    }),
    operation({
      ...write,
      method: 'POST',
      path: '/vm/stackscripts',
      grant: [{ global: 'add_stackscripts' }],
      body: {
        ...fields,
        label: required(string({ min: 3, max: 128 })),
        images: required(array(string())),
        script: required(script()),
      },
      handler: (ctx) => {
        const { body } = ctx;
        checkImages(ctx, body.images);
        const row = create(ctx, {
          ...pick(body, 'label', 'images', 'script'),
          label: body.label,
          images: body.images,
          script: body.script,
          description: body.description ?? '',
          is_public: body.is_public ?? false,
          rev_note: body.rev_note ?? '',
        });
        ctx.emit({ action: 'stackscript_create', entity: scriptRef(row) });
        return shown(ctx, row);
      },
    }),
    operation({
      method: 'GET',
      path: '/vm/stackscripts/{stackscriptId}',
      scopes: ['stackscripts:read_only'],
      handler: (ctx) => shown(ctx, visibleScript(ctx)),
    }),
    operation({
      ...write,
      method: 'PUT',
      path: '/vm/stackscripts/{stackscriptId}',
      body: { ...fields, label: string({ min: 3, max: 128 }), images: array(string()), script: script() },
      handler: (ctx) => shown(ctx, update(ctx, ownScript(ctx), ctx.body)),
    }),
    operation({
      ...write,
      method: 'DELETE',
      path: '/vm/stackscripts/{stackscriptId}',
      handler: (ctx) => {
        const row = ownScript(ctx);
        // The text is assumed.
        if (row.is_public) throw refusal(400, 'A public StackScript cannot be deleted.');
        ctx.store(stackscripts).remove(row);
        ctx.emit({ action: 'stackscript_delete', entity: scriptRef(row) });
      },
    }),
  ],
  seedPlatform: (world) => {
    for (const row of communityScripts()) world.store(stackscripts).insert((id) => ({ ...row, id }));
  },
};
