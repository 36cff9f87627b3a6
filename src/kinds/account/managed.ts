import * as z from 'zod';
import type { Part, Row } from '../../resource/index.ts';
import { Settings } from './settings.ts';

/** Of `GET /managed/credentials/sshkey`. */
const SshKey = z.object({ ssh_key: z.string() });
/** Of `GET /managed/issues`. */
const Issues = z.array(
  z.object({
    id: z.number(),
    created: z.string(),
    services: z.array(z.number()),
    entity: z.object({ id: z.number(), type: z.string() }).nullish(),
  }),
);

/** Where Managed is not bought the service may refuse what belongs to it, for ever. */
const isManaged = (_: unknown, { settings }: Row): boolean => Settings.safeParse(settings).data?.managed === true;

export const managedParts = {
  managedKey: { path: () => '/managed/credentials/sshkey', paged: false, schema: SshKey, for: 'status', when: isManaged },
  managedIssues: { path: () => '/managed/issues', paged: true, schema: Issues, for: 'status', when: isManaged },
} as const satisfies Readonly<Record<string, Part<Row>>>;

/** An account has its issues for ever; a status has room for the last few, and for some of what one is about. */
const most = { issues: 10, services: 20 };

interface Shown {
  readonly settings?: z.output<typeof Settings>;
  readonly managedKey?: z.output<typeof SshKey>;
  readonly managedIssues?: z.output<typeof Issues>;
}
export const managedOf = ({ settings, managedKey, managedIssues }: Shown) => ({
  // What was bought may end.
  ...(settings?.managed === false && { managedSSHKey: null, managedIssues: null }),
  ...(managedKey && { managedSSHKey: managedKey.ssh_key.trim() }),
  ...(managedIssues && { managedIssues: { count: managedIssues.length, latest: latestOf(managedIssues) } }),
});

const latestOf = (issues: z.output<typeof Issues>) =>
  issues
    .toSorted((a, b) => b.id - a.id)
    .slice(0, most.issues)
    .map(({ id, created, services, entity }) => ({
      id,
      created,
      services: services.slice(0, most.services),
      ...(entity?.type === 'ticket' && { ticket: entity.id }),
    }));

/** What status shows while Managed is bought, and else not. */
export const managedStatus = {
  managedSSHKey: z
    .string()
    .nullable()
    .describe(
      'Public key with which the staff of the Managed service log in: it belongs into `authorizedKeys` of instances that they may mend. Shown while Managed is enabled.',
    ),
  managedIssues: z
    .object({
      count: z.int().describe('How many issues the account has, done ones included.'),
      latest: z
        .array(
          z.object({
            id: z.int().describe('Id, for `kubectl cloud get managed-issues ID`.'),
            created: z.string().describe('When it was opened, UTC.'),
            services: z.array(z.int()).describe(`Ids of the managed services that it is about, ${most.services} at most.`),
            ticket: z.int().optional().describe('Support ticket in which the staff say what they do.'),
          }),
        )
        .describe(`The ${most.issues} newest, newest first.`),
    })
    .nullable()
    .describe('Issues that the Managed service has opened. Shown while Managed is enabled.'),
};
