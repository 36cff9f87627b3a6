import type { Area } from '../../contract/area.ts';
import type { Context } from '../../contract/context.ts';
import { boolean, nullable, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { TicketReply } from '../../records/support.ts';
import { ticketReplies, tickets } from '../../records/support.ts';
import { ticketRef } from '../shared/account-refs.ts';
import { uploadedFiles } from '../shared/multipart.ts';
import { subjectFields } from './subject.ts';
import { createTicket, gravatarOf, loadTicket, openFirst, openTicket, touch, visibleTicket, writableTicket } from './tickets.ts';

const base = '/support/tickets';
const one = `${base}/{ticketId}`;
const read = { method: 'GET', scopes: ['account:read_only'] } as const;
const write = { method: 'POST', scopes: ['account:read_write'] } as const;
const extension = /\.(gif|jpe?g|pjpe?g|tiff?|png|pdf|txt)$/i;

/** The part is called `file`; the texts are assumed. */
function attach(ctx: Context<unknown>): void {
  const ticket = openTicket(ctx);
  const file = uploadedFiles(ctx.headers['content-type'] ?? '', ctx.raw).find((part) => part.name === 'file');
  if (file === undefined) throw refusal(400, 'file is required', 'file');
  if (!extension.test(file.fileName)) throw refusal(400, 'file is not valid', 'file');
  touch(ctx, ticket, { attachments: [...ticket.attachments, file.fileName] });
  ctx.emit({ action: 'ticket_attachment_upload', entity: ticketRef(ticket) });
}

/** Closing twice is taken; what the provider holds open is not closed (the text is assumed). */
function close(ctx: Context<unknown>): void {
  const ticket = writableTicket(ctx);
  if (ticket.status === 'closed') return;
  if (!ticket.closable) throw refusal(400, 'This ticket cannot be closed.');
  touch(ctx, ticket, { status: 'closed', closed: ctx.timestamp() });
  ctx.emit({ action: 'ticket_update', entity: ticketRef(ticket) });
}

function reply(ctx: Context<unknown>, description: string): TicketReply {
  const ticket = openTicket(ctx);
  const row = ctx.store(ticketReplies).insert((id) => ({
    id,
    description,
    created: ctx.timestamp(),
    created_by: ctx.actor?.username ?? '',
    from_vm: false,
    gravatar_id: gravatarOf(ctx),
    ticket_id: ticket.id,
  }));
  touch(ctx, ticket, { status: 'open' });
  ctx.emit({ action: 'ticket_update', entity: ticketRef(ticket) });
  return row;
}

export const supportArea: Area = {
  name: 'support',
  operations: [
    operation({
      ...read,
      path: base,
      filterable: ['closed', 'opened', 'updated'],
      handler: (ctx) => ctx.page(tickets, { where: visibleTicket(ctx), compare: openFirst }),
    }),
    operation({
      ...write,
      path: base,
      rate: 'ticket',
      body: {
        summary: required(string({ min: 1, max: 64 })),
        description: required(string({ min: 1, max: 65_000 })),
        ...subjectFields,
        managed_issue: nullable(boolean()),
        vlan: nullable(string()),
        region: nullable(string()),
      },
      handler: (ctx) => createTicket(ctx, ctx.body),
    }),
    operation({ ...read, path: one, handler: loadTicket }),
    operation({ ...write, path: `${one}/attachments`, raw: true, handler: attach }),
    operation({ ...write, path: `${one}/close`, handler: close }),
    operation({
      ...read,
      path: `${one}/replies`,
      filterable: [],
      handler: (ctx) => ctx.page(ticketReplies, { from: { ticket_id: loadTicket(ctx).id } }),
    }),
    operation({
      ...write,
      path: `${one}/replies`,
      body: { description: required(string({ min: 1, max: 65_535 })) },
      handler: (ctx) => ctx.show(ticketReplies, reply(ctx, ctx.body.description)),
    }),
  ],
};
