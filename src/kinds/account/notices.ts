import * as z from 'zod';
import { quoted, wordOrQuoted } from '../../lib/quoted.ts';
import type { Notice } from '../../resource/index.ts';

const anything = z.unknown().optional();
/** Notifications or maintenance as the service sends them; nothing in them is certain. */
export const Announcements = z.array(
  z.object({
    label: anything,
    type: anything,
    severity: anything,
    message: anything,
    status: anything,
    reason: anything,
    when: anything,
    entity: z.object({ id: anything, label: anything, type: anything }).nullish(),
  }),
);
type Announcement = z.output<typeof Announcements>[number];

const shown = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
/** What status keeps of a notification or of a maintenance. */
export const noticeOf = ({ label, type, severity, message, status, reason, when, entity }: Announcement) => ({
  type: shown(type),
  text: shown(message) || shown(reason) || shown(label),
  ...(shown(severity) && { severity: shown(severity) }),
  ...(shown(status) && { state: shown(status) }),
  ...(shown(when) && { when: shown(when) }),
  ...(entity && { about: aboutOf(shown(entity.type).toLowerCase(), shown(entity.label) || shown(entity.id)) }),
});
const aboutOf = (type: string, name: string): string =>
  [type, name]
    .filter((text) => text !== '')
    .map(wordOrQuoted)
    .join(' ');
/** What the object of an instance is told of its maintenance, in each of its states. */
export function maintenanceOf({ type, status, reason, when, entity }: Announcement): readonly Notice[] {
  const { type: of, id } = entity ?? {};
  if (typeof of !== 'string' || (typeof id !== 'number' && typeof id !== 'string')) return [];
  const time = shown(when) && ` (${shown(when)} UTC)`;
  const why = shown(reason) && `: ${quoted(shown(reason))}`;
  const message = `maintenance of the provider, ${wordOrQuoted(shown(type))}, is ${wordOrQuoted(shown(status))}${time}${why}. It needs no action; the operator waits until it is over`;
  return [{ about: { entity: of.toLowerCase(), id }, reason: 'Maintenance', warning: status !== 'completed', message }];
}

/** The field of the status that lists them. */
export const notices = (what: string) =>
  z
    .array(
      z.object({
        type: z.string().describe('Kind of the notice, for example `outage` or `reboot`.'),
        text: z.string().describe('What the provider says.'),
        severity: z.string().optional().describe('`minor`, `major` or `critical`.'),
        state: z.string().optional().describe('`pending`, `started` or `completed`.'),
        when: z.string().optional().describe('When it happens, UTC.'),
        about: z.string().optional().describe('What it concerns.'),
      }),
    )
    .describe(what);
