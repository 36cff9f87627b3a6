import * as z from 'zod';
import { openEnum } from '../../resource/index.ts';

/** The fields of `GET /support/tickets/{id}` that this operator reads. */
export const Ticket = z.object({
  id: z.number(),
  summary: z.string(),
  description: z.string(),
  status: openEnum('new', 'open', 'closed'),
  closable: z.boolean(),
  attachments: z.array(z.string()),
  opened: z.string(),
  opened_by: z.string(),
  updated: z.string(),
});
export const Replies = z.array(z.object({ created: z.string(), created_by: z.string(), description: z.string(), from_vm: z.boolean() }));
export type Ticket = z.output<typeof Ticket> & { readonly replies?: z.output<typeof Replies> };
