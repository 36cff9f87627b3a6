import { Answer } from '../../contract/answer.ts';
import type { Area } from '../../contract/area.ts';
import type { Context } from '../../contract/context.ts';
import { boolean, pick, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { OAuthClient } from '../../records/oauth-clients.ts';
import { oauthClients } from '../../records/oauth-clients.ts';
import { oauthClientRef } from '../shared/account-refs.ts';

const base = '/account/oauth-clients';
const one = `${base}/{clientId}`;
const read = { method: 'GET', scopes: ['account:read_only'] } as const;
const write = { scopes: ['account:read_write'] } as const;

const label = string({ min: 1, max: 512 });
/** An absolute address; further rules are not known. */
const redirectUri = string({ pattern: /^[a-z][a-z0-9+.-]*:\/\/[^\s/]\S*$/i });

/** Ids are hex and may look like numbers. */
function own(ctx: Context<unknown>): OAuthClient {
  const client = ctx.store(oauthClients).get(ctx.params['clientId'] ?? '');
  if (client === undefined) throw notFound();
  return client;
}

function withSecret({ thumbnail: _thumbnail, ...shown }: OAuthClient): object {
  return shown;
}

interface NewClient {
  readonly label: string;
  readonly redirect_uri: string;
  readonly public?: boolean;
}

function create(ctx: Context<unknown>, body: NewClient): object {
  const client = ctx.store(oauthClients).insert(() => ({
    id: ctx.rng.hex(20),
    label: body.label,
    redirect_uri: body.redirect_uri,
    public: body.public ?? false,
    status: 'active',
    secret: ctx.rng.hex(64),
    thumbnail_url: null,
    thumbnail: null,
  }));
  ctx.emit({ action: 'oauth_client_create', entity: oauthClientRef(client) });
  return withSecret(client);
}

function resetSecret(ctx: Context<unknown>): object {
  const after = ctx.store(oauthClients).update(own(ctx), { secret: ctx.rng.hex(64) });
  ctx.emit({ action: 'oauth_client_secret_reset', entity: oauthClientRef(after) });
  return withSecret(after);
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** PNG only; the text is assumed, no event follows. */
function putThumbnail(ctx: Context<unknown>): void {
  const client = own(ctx);
  const isPng = ctx.headers['content-type'] === 'image/png' && ctx.raw.subarray(0, signature.length).equals(signature);
  if (!isPng) throw refusal(400, 'Thumbnail must be a PNG image.');
  ctx.store(oauthClients).update(client, { thumbnail: ctx.raw, thumbnail_url: `${ctx.origin}/v4${base}/${client.id}/thumbnail` });
}

/** Public: the client of any account. */
function getThumbnail(ctx: Context<unknown>): Answer {
  const id = ctx.params['clientId'] ?? '';
  const image = ctx
    .everywhere(oauthClients)
    .map((collection) => collection.get(id)?.thumbnail ?? undefined)
    .find((thumbnail) => thumbnail !== undefined);
  if (image === undefined) throw notFound();
  return new Answer(200, image, { 'content-type': 'image/png' });
}

export const oauthArea: Area = {
  name: 'oauth clients',
  operations: [
    operation({
      ...read,
      path: base,
      grant: [{ account: 'read_only' }],
      filterable: ['label', 'public'],
      handler: (ctx) => ctx.page(oauthClients),
    }),
    operation({
      ...write,
      method: 'POST',
      path: base,
      body: { label: required(label), redirect_uri: required(redirectUri), public: boolean() },
      handler: (ctx) => create(ctx, ctx.body),
    }),
    operation({ ...read, path: one, handler: (ctx) => ctx.show(oauthClients, own(ctx)) }),
    operation({
      ...write,
      method: 'PUT',
      path: one,
      body: { label, redirect_uri: redirectUri, public: boolean() },
      handler: (ctx) => {
        const after = ctx.store(oauthClients).update(own(ctx), pick(ctx.body, 'label', 'redirect_uri', 'public'));
        ctx.emit({ action: 'oauth_client_update', entity: oauthClientRef(after) });
        return ctx.show(oauthClients, after);
      },
    }),
    operation({
      ...write,
      method: 'DELETE',
      path: one,
      handler: (ctx) => {
        const client = own(ctx);
        ctx.store(oauthClients).remove(client);
        ctx.emit({ action: 'oauth_client_delete', entity: oauthClientRef(client) });
      },
    }),
    operation({ ...write, method: 'POST', path: `${one}/reset-secret`, handler: resetSecret }),
    operation({ method: 'GET', path: `${one}/thumbnail`, auth: 'none', handler: getThumbnail }),
    operation({ ...write, method: 'PUT', path: `${one}/thumbnail`, raw: true, handler: putThumbnail }),
  ],
};
