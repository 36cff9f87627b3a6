import type { Row } from '../../../resource/index.ts';
import type { AccountReader } from '../../account/account-reader.ts';

/** Why the service would not let an instance go to another account, as far as it shows; NodeBalancers and monitoring it judges alone. */
export async function obstacles(account: AccountReader, instance: string): Promise<readonly string[]> {
  const [firewalls, volumes, configs, addresses] = await Promise.all([
    account.rows(`${instance}/firewalls`),
    account.rows(`${instance}/volumes`),
    account.rows(`${instance}/configs`),
    account.record(`${instance}/ips`),
  ]);
  return [
    ...firewalls.map(({ label }) => `${instance} is behind firewall ${String(label)}`),
    ...volumes.map(({ label }) => `${instance} has volume ${String(label)}`),
    ...(configs.some(isInVlan) ? [`${instance} is in a VLAN`] : []),
    ...shared(addresses).map((address) => `${instance} shares address ${address}`),
  ];
}

const isInVlan = ({ interfaces }: Row): boolean => Array.isArray(interfaces) && interfaces.some(({ purpose }: Row) => purpose === 'vlan');

function shared({ ipv4 }: Row): readonly string[] {
  const those = (ipv4 as Row | undefined)?.['shared'];
  return Array.isArray(those) ? those.map(({ address }: Row) => String(address)) : [];
}
