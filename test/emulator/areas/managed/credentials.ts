import type { Context } from '../../contract/context.ts';
import { nullable, required, string } from '../../contract/fields.ts';
import { notFound } from '../../contract/refusal.ts';
import type { ManagedCredential } from '../../records/managed.ts';
import { managedCredentials, managedKeys, managedServices } from '../../records/managed.ts';
import { taken } from '../shared/taken.ts';
import { managedOperation, read, write } from './managed.ts';

const base = '/managed/credentials';
const one = `${base}/{credentialId}`;

const label = string({ min: 2, max: 75, pattern: /^[a-zA-Z0-9 ._-]*$/ });
const secrets = { username: nullable(string({ max: 5000 })), password: required(string({ max: 5000 })) };

function requireFreeLabel(ctx: Context<unknown>, wanted: string | undefined, own?: ManagedCredential): void {
  const others = wanted === undefined ? [] : ctx.store(managedCredentials).by('label', wanted);
  if (others.some((other) => other.id !== own?.id)) throw taken(ctx, 'label');
}

/** Support staff lose access: services no longer name it. */
function remove(ctx: Context<unknown>): void {
  const credential = ctx.load(managedCredentials, 'credentialId');
  for (const service of ctx.store(managedServices).values()) {
    if (!service.credentials.includes(credential.id)) continue;
    ctx.store(managedServices).update(service, { credentials: service.credentials.filter((id) => id !== credential.id) });
  }
  ctx.store(managedCredentials).remove(credential);
}

export const credentialOperations = [
  managedOperation({ ...read, path: base, filterable: [], handler: (ctx) => ctx.page(managedCredentials) }),
  managedOperation({
    ...write,
    method: 'POST',
    path: base,
    body: { label: required(label), ...secrets },
    handler: (ctx) => {
      const { label, username = null, password } = ctx.body;
      requireFreeLabel(ctx, label);
      const row = ctx.store(managedCredentials).insert((id) => ({ id, label, last_decrypted: null, username, password }));
      return ctx.show(managedCredentials, row);
    },
  }),
  managedOperation({
    ...read,
    path: `${base}/sshkey`,
    handler: (ctx) => {
      const key = ctx.store(managedKeys).get(ctx.euuid);
      if (key === undefined) throw notFound();
      return ctx.show(managedKeys, key);
    },
  }),
  managedOperation({
    ...write,
    method: 'GET',
    path: one,
    handler: (ctx) => ctx.show(managedCredentials, ctx.load(managedCredentials, 'credentialId')),
  }),
  managedOperation({
    ...write,
    method: 'PUT',
    path: one,
    body: { label },
    handler: (ctx) => {
      const credential = ctx.load(managedCredentials, 'credentialId');
      requireFreeLabel(ctx, ctx.body.label, credential);
      const after = ctx.store(managedCredentials).update(credential, { label: ctx.body.label ?? credential.label });
      return ctx.show(managedCredentials, after);
    },
  }),
  managedOperation({
    ...write,
    method: 'POST',
    path: `${one}/update`,
    body: secrets,
    handler: (ctx) => {
      const credential = ctx.load(managedCredentials, 'credentialId');
      const { username = credential.username, password } = ctx.body;
      ctx.store(managedCredentials).update(credential, { username, password });
    },
  }),
  // The documents say DELETE, the service's description says revoke: both are served.
  managedOperation({ ...write, method: 'DELETE', path: one, handler: remove }),
  managedOperation({ ...write, method: 'POST', path: `${one}/revoke`, handler: remove }),
];
