import * as z from 'zod';

export const slots = ['sda', 'sdb', 'sdc', 'sdd', 'sde', 'sdf', 'sdg', 'sdh'] as const;
export type Slot = (typeof slots)[number];

const device = z.object({ disk_id: z.number().nullish(), volume_id: z.number().nullish() }).nullish();
const Devices = z.object({
  sda: device,
  sdb: device,
  sdc: device,
  sdd: device,
  sde: device,
  sdf: device,
  sdg: device,
  sdh: device,
});
export type Devices = z.output<typeof Devices>;
/** Of one that is not known here whatever else it says is kept. */
const networkInterface = z.looseObject({ purpose: z.string(), label: z.string().nullish(), ipam_address: z.string().nullish() });

const Helpers = z.object({
  updatedb_disabled: z.boolean().optional(),
  distro: z.boolean().optional(),
  modules_dep: z.boolean().optional(),
  network: z.boolean().optional(),
  devtmpfs_automount: z.boolean().optional(),
});

/** The fields of `GET /vm/instances/{id}/configs/{id}` that this operator reads. */
export const Config = z.object({
  id: z.number(),
  label: z.string(),
  comments: z.string().nullish(),
  kernel: z.string(),
  memory_limit: z.number().nullish(),
  root_device: z.string(),
  run_level: z.string(),
  virt_mode: z.string(),
  devices: Devices.nullish(),
  helpers: Helpers.nullish(),
  interfaces: z.array(networkInterface).nullish(),
  created: z.string().nullish(),
  updated: z.string().nullish(),
});
export type Config = z.output<typeof Config>;

interface WantedHelpers {
  readonly updateDBDisabled?: boolean | undefined;
  readonly distro?: boolean | undefined;
  readonly modulesDep?: boolean | undefined;
  readonly network?: boolean | undefined;
  readonly devtmpfsAutomount?: boolean | undefined;
}
export const helpersBody = (helpers: WantedHelpers) => ({
  ...(helpers.updateDBDisabled !== undefined && { updatedb_disabled: helpers.updateDBDisabled }),
  ...(helpers.distro !== undefined && { distro: helpers.distro }),
  ...(helpers.modulesDep !== undefined && { modules_dep: helpers.modulesDep }),
  ...(helpers.network !== undefined && { network: helpers.network }),
  ...(helpers.devtmpfsAutomount !== undefined && { devtmpfs_automount: helpers.devtmpfsAutomount }),
});
export const foundHelpers = (helpers: Config['helpers']): WantedHelpers => ({
  updateDBDisabled: helpers?.updatedb_disabled,
  distro: helpers?.distro,
  modulesDep: helpers?.modules_dep,
  network: helpers?.network,
  devtmpfsAutomount: helpers?.devtmpfs_automount,
});

/** Those that hold something, for people. */
export const slotTexts = (devices: Config['devices']): string[] =>
  slots.flatMap((slot) => {
    const { disk_id: disk, volume_id: volume } = devices?.[slot] ?? {};
    if (typeof disk === 'number') return [`${slot} disk ${disk}`];
    return typeof volume === 'number' ? [`${slot} volume ${volume}`] : [];
  });

interface Recalled {
  readonly lastBoot?: string | null | undefined;
  readonly changed?: string | null | undefined;
  readonly pendingBoot?: boolean | null | undefined;
}
/**
 * Undefined: not known. Of one second the order of the events tells (`isOvertaken`), or what status had from them. Else a change may
 * have come too late for the boot; what was only made in that second was there, as the boot names it.
 */
export function isBootPending(
  { created, updated }: Pick<Config, 'created' | 'updated'>,
  recalled: Recalled,
  isOvertaken: boolean | undefined,
): boolean | undefined {
  const { lastBoot } = recalled;
  if (typeof updated !== 'string') return undefined;
  if (lastBoot === 'never') return true;
  const known = knownOf(updated, recalled);
  if (typeof lastBoot !== 'string') return typeof recalled.changed === 'string' && recalled.changed !== updated ? true : known;
  return updated === lastBoot ? (isOvertaken ?? (created !== updated && (known ?? true))) : updated > lastBoot;
}

/** What status says of it as it is now. */
const knownOf = (updated: string, { changed, pendingBoot }: Recalled): boolean | undefined =>
  changed === updated ? (pendingBoot ?? undefined) : undefined;
