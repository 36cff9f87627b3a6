import * as z from 'zod';
import { type Body, optional } from '../../resource/index.ts';

/** Of `GET /account/settings` what a spec can ask for, and whether the provider's Managed service is bought. */
export const Settings = z.object({
  network_helper: z.boolean().optional(),
  backups_enabled: z.boolean().optional(),
  managed: z.boolean().optional(),
});
type Settings = z.output<typeof Settings>;

/** What new instances of the whole account get. */
export const settingsField = () =>
  optional(
    z.object({
      networkHelper: optional(
        z.boolean(),
        'Whether configuration profiles that are made from now on configure their network by themselves. Absent: left alone.',
      ),
      backupsEnabled: optional(
        z.boolean(),
        'True enrolls every instance that is made from now on in backups, which are paid for each, by whomever it is made. Absent: left alone.',
      ),
    }),
    'Settings of the account itself, for example `{networkHelper: true}`; needs the scope account:read_write. Absent: left alone.',
  );

interface Wanted {
  readonly networkHelper?: boolean | undefined;
  readonly backupsEnabled?: boolean | undefined;
}

/** What the account does not show gives no verdict. */
export const settingsOf = ({ network_helper: networkHelper, backups_enabled: backupsEnabled }: Settings) => ({
  ...(networkHelper !== undefined && { networkHelper }),
  ...(backupsEnabled !== undefined && { backupsEnabled }),
});

/** Only what is asked for, so that the rest stays as it is. */
export const settingsBody = ({ networkHelper, backupsEnabled }: Wanted): Body => ({
  ...(networkHelper !== undefined && { network_helper: networkHelper }),
  ...(backupsEnabled !== undefined && { backups_enabled: backupsEnabled }),
});

/** As status shows them. */
export const shownSettings = z
  .object({
    networkHelper: z.boolean().optional().describe('Whether new configuration profiles configure their network by themselves.'),
    backupsEnabled: z.boolean().optional().describe('Whether every new instance is enrolled in backups.'),
  })
  .describe('Settings of the account as they were read last.');
