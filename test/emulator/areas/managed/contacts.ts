import { nullable, object, pick, string } from '../../contract/fields.ts';
import { managedContacts } from '../../records/managed.ts';
import { managedOperation, read, write } from './managed.ts';

const base = '/managed/contacts';
const one = `${base}/{contactId}`;

const body = {
  name: string({ min: 2, max: 64, pattern: /^[a-zA-Z0-9 _-]*$/ }),
  email: string({ min: 6, max: 100, pattern: /^[^@\s]+@[^@\s]+$/ }),
  phone: object({ primary: nullable(string()), secondary: nullable(string()) }),
  group: nullable(string({ min: 2, max: 50 })),
};

const noPhone = { primary: null, secondary: null };

export const contactOperations = [
  managedOperation({ ...read, path: base, filterable: ['group'], handler: (ctx) => ctx.page(managedContacts) }),
  managedOperation({
    ...write,
    method: 'POST',
    path: base,
    body,
    handler: (ctx) => {
      const { name = '', email = '', phone, group = null } = ctx.body;
      const row = { name, email, phone: { ...noPhone, ...phone }, group, updated: ctx.timestamp() };
      return ctx.store(managedContacts).insert((id) => ({ id, ...row }));
    },
  }),
  managedOperation({ ...write, method: 'GET', path: one, handler: (ctx) => ctx.load(managedContacts, 'contactId') }),
  managedOperation({
    ...write,
    method: 'PUT',
    path: one,
    body,
    handler: (ctx) => {
      const contact = ctx.load(managedContacts, 'contactId');
      const phone = { ...contact.phone, ...ctx.body.phone };
      return ctx.store(managedContacts).update(contact, { ...pick(ctx.body, 'name', 'email', 'group'), phone, updated: ctx.timestamp() });
    },
  }),
  managedOperation({
    ...write,
    method: 'DELETE',
    path: one,
    handler: (ctx) => ctx.store(managedContacts).remove(ctx.load(managedContacts, 'contactId')),
  }),
];
