import * as z from 'zod';
import { mostConfigs } from './remote.ts';

/** What the user reads. */
export const status = z.object({
  state: z.string().describe('What the service says of the instance, for example `running` or `offline`.'),
  publicIPv4: z.string().nullable().describe('First public IPv4 address.'),
  privateIPv4: z.string().nullable().describe('Private IPv4 address.'),
  ipv6: z.string().nullable().describe('Public IPv6 address (SLAAC), without prefix length.'),
  region: z.string().describe('Region of the instance.'),
  type: z.string().nullable().describe('Plan of the instance.'),
  image: z.string().nullable().describe('Image that was deployed last.'),
  vcpus: z.int().describe('Number of cores.'),
  memoryMB: z.int().describe('Memory in MB.'),
  diskMB: z.int().describe('Disk space of the plan in MB.'),
  transferGB: z.int().describe('Network transfer of a month in GB.'),
  hostUUID: z.string().nullable().describe('Host machine.'),
  backupsEnabled: z.boolean().describe('Whether backups are taken.'),
  lastBackup: z.string().nullable().describe('When the last backup succeeded.'),
  snapshot: z.string().nullable().describe('Label and state of the manual snapshot.'),
  backups: z
    .array(
      z.object({
        id: z.int().describe('Id, by which `spec.backupId` of another instance in the region names it.'),
        type: z.string().describe('`auto`, or `snapshot` for one that somebody asked for.'),
        label: z.string().nullable().describe('Label of a snapshot.'),
        state: z.string().describe('What the service says of it: only a `successful` one can be restored.'),
        created: z.string().describe('When it was taken, UTC.'),
      }),
    )
    .describe('Backups that there are, those that the service takes by itself first.'),
  configs: z
    .array(
      z.object({
        id: z.int().describe('Id, by which `spec.adopt` of a CloudInstanceConfig names it.'),
        label: z.string().describe('Its name.'),
      }),
    )
    .max(mostConfigs)
    .describe(`Configurations that it may boot with, the first ${mostConfigs} of them; read at least every few minutes.`),
  bootedConfigId: z
    .int()
    .nullable()
    .describe(
      'Id of the configuration with which it was booted last, as far as events tell (those of boots by the provider name none); it may have been deleted since. Absent: not known.',
    ),
  firewallIds: z.array(z.int()).describe('Ids of the firewalls that the instance is assigned to.'),
  reverseDNS: z.array(z.string()).describe('Public IPv4 addresses and their names, and the IPv6 address where it has one.'),
});
