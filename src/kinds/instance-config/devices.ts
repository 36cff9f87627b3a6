import * as z from 'zod';
import { alsoNaming, type BodyValue, inSameRegion, optional, ref, type RemoteId } from '../../resource/index.ts';
import { type Devices, type Slot, slots } from './remote.ts';

const device = (slot: Slot) =>
  optional(
    z
      .object({
        diskRef: optional(ref('CloudDisk'), 'A disk of this instance. Absent: volumeRef or empty is used.'),
        volumeRef: optional(
          alsoNaming('instanceRef', inSameRegion(ref('CloudVolume'))),
          'A volume, in the region of the instance, whose own instanceRef names that instance. Absent: diskRef or empty is used.',
        ),
        empty: optional(z.literal(true), 'Nothing: whatever is in the slot is taken out of it. Absent: diskRef or volumeRef is used.'),
      })
      .meta({
        'x-kubernetes-validations': [
          {
            rule: '[has(self.diskRef), has(self.volumeRef), has(self.empty)].exists_one(one, one)',
            message: 'a slot holds one thing: set exactly one of diskRef, volumeRef and empty, or leave the slot out',
          },
        ],
      }),
    `What is in slot \`${slot}\`, for example \`{volumeRef: {name: db-data}}\`. Absent: left as found, and empty at creation.`,
  );

/** The slots, each with what is to be in it. */
export const devicesField = () =>
  z.object({
    sda: device('sda'),
    sdb: device('sdb'),
    sdc: device('sdc'),
    sdd: device('sdd'),
    sde: device('sde'),
    sdf: device('sdf'),
    sdg: device('sdg'),
    sdh: device('sdh'),
  });

interface Wanted {
  readonly diskRef?: RemoteId | undefined;
  readonly volumeRef?: RemoteId | undefined;
  readonly empty?: true | undefined;
}
type WantedDevices = { readonly [S in Slot]?: Wanted | undefined };

const bodyOf = ({ diskRef, volumeRef }: Wanted): BodyValue => {
  if (diskRef !== undefined) return { disk_id: diskRef };
  return volumeRef === undefined ? null : { volume_id: volumeRef };
};

function foundIn(device: Devices[Slot]): Wanted {
  const { disk_id: disk, volume_id: volume } = device ?? {};
  if (typeof disk === 'number') return { diskRef: disk };
  return typeof volume === 'number' ? { volumeRef: volume } : { empty: true };
}

/** All slots, as requests carry them: those of the spec, and the others as they were found, without a volume that the spec has in a slot of its own. */
export function devicesBody(wanted: WantedDevices, found: Devices | null | undefined) {
  const placed = new Set(slots.flatMap((slot) => wanted[slot]?.volumeRef ?? []).map(String));
  const kept = (slot: Slot): Wanted => {
    const there = foundIn(found?.[slot]);
    return placed.has(String(there.volumeRef)) ? { empty: true } : there;
  };
  return Object.fromEntries(slots.map((slot) => [slot, bodyOf(wanted[slot] ?? kept(slot))]));
}

/** In the words of the spec. Of a slot that it does not name, only what is in there: that nothing is would be no wish to write down, as what is attached later goes there. */
export const foundDevices = (found: Devices | null | undefined, named: WantedDevices = {}): WantedDevices =>
  Object.fromEntries(
    slots.flatMap((slot) => {
      const there = foundIn(found?.[slot]);
      return there.empty === true && named[slot] === undefined ? [] : [[slot, there]];
    }),
  );
