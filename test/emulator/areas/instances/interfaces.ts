import type { Field } from '../../contract/fields.ts';
import { array, json, nullable, object, oneOf, required, string } from '../../contract/fields.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { regions } from '../../records/catalogue.ts';
import type { NetworkInterface } from '../../records/configs.ts';
import { vlansOf } from '../networking/vlans.ts';
import { isIpv4Network } from '../shared/addresses-of-text.ts';

export interface SentInterface {
  readonly purpose: 'public' | 'vlan';
  readonly label?: string | null;
  readonly ipam_address?: string | null;
}

export const interfacesField = (): Field<readonly SentInterface[] | null> =>
  nullable(
    array(
      object({
        purpose: required(oneOf(['public', 'vlan'])),
        label: nullable(string({ max: 64 })),
        ipam_address: nullable(
          json<string>((value, path, report) => {
            if (value !== '' && (typeof value !== 'string' || !isIpv4Network(value))) report('ipam_address is not valid', path);
          }),
        ),
      }),
      { max: 3 },
    ),
  );

const sent = (value: string | null | undefined): value is string => typeof value === 'string' && value !== '';

function* oneProblem(row: SentInterface, index: number, all: readonly SentInterface[]): Iterable<ErrorItem> {
  const path = `interfaces[${index}]`;
  const earlier = all.slice(0, index);
  if (row.purpose === 'public') {
    if (earlier.some((other) => other.purpose === 'public')) {
      yield { reason: 'Only one public interface per config is allowed.', field: 'interfaces' };
    }
    if (sent(row.label)) yield { reason: 'label is not valid', field: `${path}.label` };
    if (sent(row.ipam_address)) yield { reason: 'ipam_address is not valid', field: `${path}.ipam_address` };
    return;
  }
  if (!sent(row.label)) yield { reason: 'label is required', field: `${path}.label` };
  else if (!/^[a-zA-Z0-9-]+$/.test(row.label) || earlier.some((other) => other.label === row.label)) {
    yield { reason: 'label is not valid', field: `${path}.label` };
  }
  if (sent(row.ipam_address) && earlier.some((other) => other.ipam_address === row.ipam_address)) {
    yield { reason: 'ipam_address is not valid', field: `${path}.ipam_address` };
  }
}

/** The rules between interfaces, and whether the region has VLANs. */
export function interfaceProblems(world: World, region: string, list: readonly SentInterface[]): readonly ErrorItem[] {
  const found = list.flatMap((row, index) => [...oneProblem(row, index, list)]);
  const vlans = list.some((row) => row.purpose === 'vlan');
  if (vlans && world.store(regions).get(region)?.capabilities.includes('Vlans') !== true) {
    found.push({ reason: "This Linode's region does not support VLANs at this time.", field: 'interfaces' });
  }
  return [...found, ...vlanLimit(world, region, list)];
}

const mostVlans = 10;

/** At most 10 VLANs in a region; the text is generic. */
function vlanLimit(world: World, region: string, list: readonly SentInterface[]): readonly ErrorItem[] {
  if (list.every((row) => row.purpose !== 'vlan')) return [];
  const known = new Set(
    vlansOf(world)
      .filter((vlan) => vlan.region === region)
      .map((vlan) => vlan.label),
  );
  const added = list.filter((row) => row.purpose === 'vlan' && sent(row.label) && !known.has(row.label));
  return added.length > 0 && known.size + added.length > mostVlans ? [{ reason: `Must be 0-${mostVlans} VLANs`, field: 'interfaces' }] : [];
}

/** As the service shows them: a public one has neither label nor address. */
export function storedInterfaces(list: readonly SentInterface[] | null | undefined): readonly NetworkInterface[] {
  return (list ?? []).map((row) => ({
    purpose: row.purpose,
    label: row.purpose === 'public' ? null : (row.label ?? null),
    ipam_address: row.purpose === 'public' ? null : (row.ipam_address ?? null),
  }));
}
