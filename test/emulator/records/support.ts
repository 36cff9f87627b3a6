import { defineCollection } from '../contract/collection.ts';
import type { EntityRef } from '../contract/event.ts';

export interface Ticket {
  readonly id: number;
  readonly summary: string;
  readonly description: string;
  readonly status: 'new' | 'open' | 'closed';
  readonly closable: boolean;
  readonly entity: EntityRef | null;
  /** File names. */
  readonly attachments: readonly string[];
  readonly gravatar_id: string;
  readonly opened: string;
  readonly opened_by: string;
  readonly closed: string | null;
  readonly updated: string;
  readonly updated_by: string | null;
}

export const tickets = defineCollection<Ticket>({ name: 'tickets' });

export interface TicketReply {
  readonly id: number;
  readonly description: string;
  readonly created: string;
  readonly created_by: string;
  readonly from_vm: boolean;
  readonly gravatar_id: string;
  /** Not shown. */
  readonly ticket_id: number;
}

export const ticketReplies = defineCollection<TicketReply>({
  name: 'ticket replies',
  indexes: ['ticket_id'],
  view: ({ ticket_id: _ticket, ...shown }) => shown,
});
