import type { EntityRef } from '../../contract/event.ts';

interface Labelled<Id extends number | string = number> {
  readonly id: Id;
  readonly label: string;
}

/** What events about the account's own things point at. */
export const longviewRef = ({ id, label }: Labelled): EntityRef => ({ id, label, type: 'longview', url: `/v4/longview/clients/${id}` });

export const ticketRef = ({ id, summary }: { readonly id: number; readonly summary: string }): EntityRef => ({
  id,
  label: summary,
  type: 'ticket',
  url: `/v4/support/tickets/${id}`,
});

export const oauthClientRef = ({ id, label }: Labelled<string>): EntityRef => ({
  id,
  label,
  type: 'oauth_client',
  url: `/v4/account/oauth-clients/${id}`,
});

export const managedServiceRef = ({ id, label }: Labelled): EntityRef => ({
  id,
  label,
  type: 'managed_service',
  url: `/v4/managed/services/${id}`,
});

export const nodeBalancerRef = ({ id, label }: Labelled): EntityRef => ({
  id,
  label,
  type: 'nodebalancer',
  url: `/v4/nodebalancers/${id}`,
});
