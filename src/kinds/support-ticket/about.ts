import type { Body, RemoteId } from '../../resource/index.ts';

/** The one thing that a ticket is about. */
interface About {
  readonly instanceRef?: RemoteId | undefined;
  readonly volumeRef?: RemoteId | undefined;
  readonly domainRef?: RemoteId | undefined;
  readonly firewallRef?: RemoteId | undefined;
  readonly nodeBalancerId?: number | undefined;
  readonly vlan?: { readonly label: string; readonly region: string } | undefined;
  readonly managedIssue?: boolean | undefined;
}
/** Its fields in the body of a create. */
export const subject = (about: About = {}): Body => ({
  vm_id: about.instanceRef,
  volume_id: about.volumeRef,
  domain_id: about.domainRef,
  firewall_id: about.firewallRef,
  nodebalancer_id: about.nodeBalancerId,
  vlan: about.vlan?.label,
  region: about.vlan?.region,
  managed_issue: about.managedIssue,
});
