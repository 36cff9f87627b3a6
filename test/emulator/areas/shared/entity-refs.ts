import type { EntityRef } from '../../contract/event.ts';

interface Labelled {
  readonly id: number;
  readonly label: string;
}

/** What events point at: relative addresses with the version segment. */
export const vmRef = ({ id, label }: Labelled): EntityRef => ({ id, label, type: 'vm', url: `/v4/vm/instances/${id}` });

export const volumeRef = ({ id, label }: Labelled): EntityRef => ({ id, label, type: 'volume', url: `/v4/volumes/${id}` });

export const diskRef = ({ id, label, vm_id }: Labelled & { readonly vm_id: number }): EntityRef => ({
  id,
  label,
  type: 'disk',
  url: `/v4/vm/instances/${vm_id}/disks/${id}`,
});

export const configRef = ({ id, label, vm_id }: Labelled & { readonly vm_id: number }): EntityRef => ({
  id,
  label,
  type: 'vm_config',
  url: `/v4/vm/instances/${vm_id}/configs/${id}`,
});

/** Private images carry their number without the prefix, public ones their id. */
export const imageRef = ({ id, label }: { readonly id: string; readonly label: string }): EntityRef => ({
  id: id.startsWith('private/') ? Number(id.slice('private/'.length)) : id,
  label,
  type: 'image',
  url: `/v4/images/${id}`,
});

export const firewallRef = ({ id, label }: Labelled): EntityRef => ({ id, label, type: 'firewall', url: `/v4/networking/firewalls/${id}` });

export const scriptRef = ({ id, label }: Labelled): EntityRef => ({ id, label, type: 'stackscript', url: `/v4/vm/stackscripts/${id}` });

export const domainRef = ({ id, domain }: { readonly id: number; readonly domain: string }): EntityRef => ({
  id,
  label: domain,
  type: 'domain',
  url: `/v4/domains/${id}`,
});

export const clusterRef = ({ id, label }: Labelled): EntityRef => ({ id, label, type: 'lkecluster', url: `/v4/lke/clusters/${id}` });

/** Tag events carry the tag's name as id. */
export const tagRef = ({ label }: { readonly label: string }): EntityRef => ({
  id: label,
  label,
  type: 'tag',
  url: `/v4/tags/${encodeURIComponent(label)}`,
});

export const databaseRef = ({ id, label, engine }: Labelled & { readonly engine: string }): EntityRef => ({
  id,
  label,
  type: 'database',
  url: `/v4/databases/${engine}/instances/${id}`,
});
