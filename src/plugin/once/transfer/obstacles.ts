import { path, type Row } from '../../../resource/index.ts';
import type { AccountReader } from '../../account/account-reader.ts';
import { PathRefused } from '../../account/told.ts';

/** What the account has that stands in the way of instances, whichever these are. */
interface Shared {
  /** Each with the instances that it leads to. */
  readonly ranges: readonly Row[];
  readonly services: readonly Row[];
  readonly offers: readonly Row[];
}

/** Why the service would not let these instances go to another account, as far as it shows; NodeBalancers it judges alone. */
export async function obstacles(account: AccountReader, instances: readonly string[]): Promise<readonly string[]> {
  const [ranges, services, offers] = await Promise.all([
    account.rows('/networking/ipv6/ranges'),
    // Only an account with the managed service has such.
    account.rows('/managed/services').catch(noneWhereRefused),
    account.rows('/account/service-transfers'),
  ]);
  const led = await Promise.all(ranges.map(({ range }) => account.record(path`/networking/ipv6/ranges/${String(range)}`)));
  const each = await Promise.all(instances.map((instance) => ofOne(account, instance, { ranges: led, services, offers })));
  return each.flat();
}

function noneWhereRefused(error: unknown): readonly Row[] {
  if (error instanceof PathRefused) return [];
  throw error;
}

async function ofOne(account: AccountReader, instance: string, { ranges, services, offers }: Shared): Promise<readonly string[]> {
  const id = Number(instance.slice(instance.lastIndexOf('/') + 1));
  const [firewalls, volumes, configs, addresses, { ipv4 }] = await Promise.all([
    account.rows(`${instance}/firewalls`),
    account.rows(`${instance}/volumes`),
    account.rows(`${instance}/configs`),
    account.record(`${instance}/ips`),
    account.record(instance),
  ]);
  const own = Array.isArray(ipv4) ? ipv4.map(String) : [];
  return [
    ...firewalls.map(({ label }) => `${instance} is behind firewall ${String(label)}`),
    ...volumes.map(({ label }) => `${instance} has volume ${String(label)}`),
    ...(configs.some(isInVlan) ? [`${instance} is in a VLAN`] : []),
    ...shared(addresses).map((address) => `${instance} shares address ${address}`),
    ...ranges.filter(({ vms }) => holds(vms, id)).map(({ range }) => `${instance} has IPv6 range ${String(range)}`),
    ...services
      .filter(({ address }) => own.some((one) => String(address).includes(one)))
      .map(({ label }) => `${instance} is watched by managed service ${String(label)}`),
    ...offers
      .filter(({ status, is_sender: isOurs, entities }) => isOurs === true && status === 'pending' && holds((entities as Row)['vms'], id))
      .map(({ token }) => `${instance} is offered already: kubectl cloud transfer cancel ${String(token)}`),
  ];
}

const holds = (ids: unknown, id: number): boolean => Array.isArray(ids) && ids.includes(id);

const isInVlan = ({ interfaces }: Row): boolean => Array.isArray(interfaces) && interfaces.some(({ purpose }: Row) => purpose === 'vlan');

function shared({ ipv4 }: Row): readonly string[] {
  const those = (ipv4 as Row | undefined)?.['shared'];
  return Array.isArray(those) ? those.map(({ address }: Row) => String(address)) : [];
}
