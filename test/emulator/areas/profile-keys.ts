import type { Area } from '../contract/area.ts';
import type { Context } from '../contract/context.ts';
import { pick, required, string } from '../contract/fields.ts';
import { operation } from '../contract/operation.ts';
import { notFound } from '../contract/refusal.ts';
import type { SshKey } from '../records/ssh-keys.ts';
import { sshKeys } from '../records/ssh-keys.ts';

/** The key types that the service takes. */
const publicKey = /^(ssh-dss|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|ssh-ed25519|sk-ecdsa-sha2-nistp256\S*) [A-Za-z0-9+/]+={0,3}(\s.*)?$/;

const label = string({ min: 0, max: 64 });
const read = { method: 'GET', scopes: ['account:read_only'] } as const;
const write = { scopes: ['account:read_write'] } as const;
const base = '/profile/sshkeys';

/** Keys are the user's own; another's answers like none. */
function ownKey(ctx: Context<unknown>): SshKey {
  const key = ctx.load(sshKeys, 'sshKeyId');
  if (key.username !== ctx.actor?.username) throw notFound();
  return key;
}

export const profileKeysArea: Area = {
  name: 'profile keys',
  operations: [
    operation({
      ...read,
      path: base,
      filterable: [],
      handler: (ctx) => ctx.page(sshKeys, { from: { username: ctx.actor?.username ?? '' } }),
    }),
    operation({
      ...write,
      method: 'POST',
      path: base,
      body: { label: required(label), ssh_key: required(string({ pattern: publicKey })) },
      handler: (ctx) => {
        const { body } = ctx;
        const username = ctx.actor?.username ?? '';
        const key = ctx
          .store(sshKeys)
          .insert((id) => ({ id, label: body.label, ssh_key: body.ssh_key.trim(), created: ctx.timestamp(), username }));
        ctx.emit({ action: 'user_ssh_key_add' });
        return ctx.show(sshKeys, key);
      },
    }),
    operation({ ...read, path: `${base}/{sshKeyId}`, handler: (ctx) => ctx.show(sshKeys, ownKey(ctx)) }),
    operation({
      ...write,
      method: 'PUT',
      path: `${base}/{sshKeyId}`,
      body: { label },
      handler: (ctx) => {
        const after = ctx.store(sshKeys).update(ownKey(ctx), pick(ctx.body, 'label'));
        ctx.emit({ action: 'user_ssh_key_update' });
        return ctx.show(sshKeys, after);
      },
    }),
    operation({
      ...write,
      method: 'DELETE',
      path: `${base}/{sshKeyId}`,
      handler: (ctx) => {
        ctx.store(sshKeys).remove(ownKey(ctx));
        ctx.emit({ action: 'user_ssh_key_delete' });
      },
    }),
  ],
};
