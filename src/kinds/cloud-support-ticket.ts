import * as z from 'zod';
import { defineCollection, digest, path, post, ready, type Refusal, unknownStatus, upload } from '../resource/index.ts';
import { subject } from './support-ticket/about.ts';
import { Replies, Ticket } from './support-ticket/remote.ts';
import { firstUnsent, lastOf, plain, type Recalled, sent } from './support-ticket/replies.ts';
import { spec } from './support-ticket/spec.ts';

const isClosed = ({ status }: Ticket): boolean => status === 'closed';
const wasClosed = (ticket: Ticket, closed: boolean | undefined, { recalled }: Recalled): boolean =>
  recalled?.closed === true || (closed === true && isClosed(ticket));

const isAttached =
  ({ attachments }: Ticket, { recalled }: Recalled) =>
  ({ fileName }: { readonly fileName: string }): boolean =>
    attachments.includes(fileName) || recalled?.attachments?.includes(fileName) === true;

const closedAlready: Refusal = {
  text: /closed/i,
  says: 'the ticket is closed and takes nothing more: take this away again, and open another CloudSupportTicket',
};

export default defineCollection({
  kind: 'CloudSupportTicket',
  summary:
    "A support ticket: opened once, answered and closed. Nothing that was written to the provider's staff can be taken back. Where one of the same summary and description is in the account, be it closed long ago, another is opened only once annotation `cloudhosting.dev/recreate` asks for it; what the deletion of an object has closed may be applied again.",
  shortName: 'ctick',

  spec,
  status: z.object({
    state: z.string().describe('`new`, `open` or `closed`.'),
    closable: z.boolean().describe('Whether the provider lets it be closed.'),
    updated: z.iso.datetime().describe('When something was last written or done to it.'),
    replies: z.array(z.string().max(63)).max(100).describe('Ids of the replies of the spec that were sent.'),
    attachments: z.array(z.string().max(100)).max(32).describe('File names of the attachments of the spec that were sent.'),
    closed: z.boolean().describe('Whether `spec.closed` was carried out.'),
    repliesListed: z.int().describe('How many replies the ticket has, from both sides.'),
    lastReply: z
      .object({
        at: z.iso.datetime().describe('When it was written.'),
        by: z.string().describe('Who wrote it.'),
        fromProvider: z.boolean().describe('Whether that was staff of the provider.'),
      })
      .nullable()
      .describe('The newest reply; absent while there is none. Its text is to be read in the account.'),
  }),
  remote: Ticket,

  path: '/support/tickets',
  parts: { replies: { path: (at) => `${at}/replies`, paged: true, schema: Replies, for: 'drift' } },
  // Nothing refuses a second one, and nothing in a ticket says for which object it was opened. So one of the same words, open or closed,
  // stands in the way of another until a person adopts it or asks for one more, however long ago it was and whatever the new object is
  // called. Only where the deletion of an object closed it, before the eyes of this process, is another opened at once.
  // A process that began later asks: the account tells who closed a ticket, and not for which object, so that nothing shows it from one
  // that a cluster before this one had closed. What a replacement opens has other words, and nothing in its way; but once its attempt is
  // noted it may have been sent in the moment in which a process ended, and no close proves that it was not.
  // The digest keeps what is noted of a create short.
  key: {
    enforced: 'counted',
    names: true,
    of: (want) => ({ summary: want.summary, description: digest(plain(want.description)) }),
    row: (row) => ({ summary: row['summary'], description: digest(plain(row['description'])) }),
  },
  createdAt: 'opened',
  createdBy: 'opened_by',
  attempts: 1,
  recalls: ['replies', 'attachments', 'closed'],
  // As much as the files that it may have: it is for the account's own namespace alone.
  mostNamed: 2 ** 25,

  create: (want) => ({ summary: want.summary, description: want.description, ...subject(want.about) }),
  fields: {
    summary: { read: (ticket) => ticket.summary, immutable: true, as: plain },
    description: { read: (ticket) => ticket.description, immutable: true, as: plain },
    // What the service shows of it follows the thing: once that is gone or made anew it is another, and the ticket is as it was.
    about: {
      immutable: true,
      errors: ['vm_id', 'volume_id', 'domain_id', 'firewall_id', 'nodebalancer_id', 'vlan', 'region', 'managed_issue'],
      inner: {
        vm_id: 'instanceRef',
        volume_id: 'volumeRef',
        domain_id: 'domainRef',
        firewall_id: 'firewallRef',
        nodebalancer_id: 'nodeBalancerId',
        vlan: 'vlan.label',
        region: 'vlan.region',
        managed_issue: 'managedIssue',
      },
    },
    replies: {
      read: (ticket, want) => sent(want.replies ?? [], ticket, want),
      call: (replies, ticket, want) => {
        const next = firstUnsent(replies ?? [], ticket, want);
        return next && post(path`/support/tickets/${ticket.id}/replies`, { description: next.text });
      },
      notes: (replies, ticket, want) => {
        const next = firstUnsent(replies, ticket, want);
        return { replies: [...sent(replies, ticket, want), ...(next ? [next] : [])].map(({ id }) => id) };
      },
      once: true,
      part: 'replies',
      only: 'grows',
      errors: ['description'],
      refusals: [closedAlready],
    },
    attachments: {
      read: (ticket, want) => want.attachments?.filter(isAttached(ticket, want)),
      call: (attachments, ticket, want) => {
        const next = attachments?.find((one) => !isAttached(ticket, want)(one));
        const at = path`/support/tickets/${ticket.id}/attachments`;
        return next && upload(at, 'file', { fileName: next.fileName, data: next.from.secretKeyRef ?? next.from.configMapKeyRef });
      },
      notes: (attachments, ticket, want) => {
        const next = attachments.find((one) => !isAttached(ticket, want)(one));
        return { attachments: attachments.filter((one) => one === next || isAttached(ticket, want)(one)).map(({ fileName }) => fileName) };
      },
      once: true,
      only: 'grows',
      errors: ['file'],
      refusals: [closedAlready],
    },
    closed: {
      read: (ticket, want) => (want.closed === true ? wasClosed(ticket, true, want) : undefined),
      call: (_, ticket) => post(path`/support/tickets/${ticket.id}/close`),
      notes: () => ({ closed: true }),
      only: 'grows',
    },
  },
  health: ({ status }) => (status === 'unknown' ? unknownStatus : ready),
  observe: (ticket, want) => ({
    state: ticket.status,
    closable: ticket.closable,
    updated: `${ticket.updated}Z`,
    replies: sent(want.replies ?? [], ticket, want).map(({ id }) => id),
    attachments: (want.attachments ?? []).filter(isAttached(ticket, want)).map(({ fileName }) => fileName),
    closed: wasClosed(ticket, want.closed, want),
    ...(ticket.replies !== undefined && { repliesListed: ticket.replies.length, lastReply: lastOf(ticket.replies) }),
  }),
  deletion: {
    call: ({ id }) => post(path`/support/tickets/${id}/close`),
    ended: isClosed,
    keeps: ({ closable }) => (closable ? undefined : 'the provider does not let this ticket be closed'),
  },

  sweep: { by: 'list' },
  events: [{ entity: 'ticket', actions: ['ticket_'], creates: ['ticket_create'] }],
  windows: { 'POST /support/tickets': 'ticket' },
  scopes: { read: ['account:read_only'], write: ['account:read_write'] },
  accountLevel: true,
  defaults: { onDelete: 'Delete', onMissing: 'Stall' },
  columns: { State: '.status.state', Replies: '.status.repliesListed', Updated: '.status.updated' },
});
