import type { Config } from './remote.ts';

/** In the words of the spec. */
export const foundInterfaces = ({ interfaces }: Config) =>
  interfaces?.map(({ purpose, label, ipam_address: address }) => ({
    purpose,
    ...(typeof label === 'string' && label !== '' && { label }),
    ...(typeof address === 'string' && address !== '' && { ipamAddress: address }),
  }));

const none = { label: null, ipamAddress: null };
/** None is one public interface. */
export function sameInterfaces(list: unknown): unknown {
  const all: readonly unknown[] = Array.isArray(list) && list.length > 0 ? list : [{ purpose: 'public' }];
  return all.map((one) => ({ ...none, ...(typeof one === 'object' ? one : {}) }));
}

/** What every update carries: the interfaces as they were found. */
export function along({ interfaces: found }: Config) {
  const known = found?.every(({ purpose }) => purpose === 'public' || purpose === 'vlan') === true;
  // One of a purpose that is not known here would lose what else belongs to it; what is not sent stays.
  if (found === null || found === undefined || !known) return {};
  return {
    interfaces: found.map(({ purpose, label, ipam_address: address }) => ({ purpose, label: label ?? '', ipam_address: address ?? '' })),
  };
}
