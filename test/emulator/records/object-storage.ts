import { defineCollection } from '../contract/collection.ts';
import type { World } from '../contract/world.ts';

export interface ObjectCluster {
  readonly id: string;
  readonly domain: string;
  readonly status: 'available' | 'unavailable';
  readonly region: string;
  readonly static_site_domain: string;
}

export const objectClusters = defineCollection<ObjectCluster>({ name: 'object clusters', scope: 'platform' });

export type Acl = 'private' | 'public-read' | 'authenticated-read' | 'public-read-write' | 'custom';

export interface Bucket {
  readonly label: string;
  readonly cluster: string;
  readonly created: string;
  readonly hostname: string;
  /** Not shown: access, certificate, and who owns it on the data side. */
  readonly acl: Acl;
  readonly cors: boolean;
  readonly certificate: string | null;
  readonly owner: string;
}

export const bucketKey = (cluster: string, label: string): string => `${cluster}/${label}`;

export const buckets = defineCollection<Bucket>({
  name: 'buckets',
  key: (row) => bucketKey(row.cluster, row.label),
  indexes: ['cluster'],
});

export interface StoredObject {
  readonly name: string;
  readonly etag: string;
  readonly last_modified: string;
  readonly owner: string;
  readonly size: number;
  /** Not shown. */
  readonly bucket: string;
  readonly acl: Acl;
  readonly contentType: string;
  readonly data: Buffer;
  /** By knob `bucketsHold`. */
  readonly planted?: boolean;
}

export const storedObjects = defineCollection<StoredObject>({
  name: 'objects',
  key: (row) => `${row.bucket}/${row.name}`,
  indexes: ['bucket'],
  view: ({ name, etag, last_modified, owner, size }) => ({ name, etag, last_modified, owner, size }),
});

export interface BucketGrant {
  readonly cluster: string;
  readonly bucket_name: string;
  readonly permissions: 'read_write' | 'read_only';
}

export interface ObjectKey {
  readonly id: number;
  readonly label: string;
  readonly access_key: string;
  readonly secret_key: string;
  readonly limited: boolean;
  readonly bucket_access: readonly BucketGrant[] | null;
}

/** The secret is shown once, by the create answer. */
export const objectKeys = defineCollection<ObjectKey>({
  name: 'object keys',
  view: (row) => ({ ...row, secret_key: '[REDACTED]' }),
});

/** A pre-signed URL; `id` is its signature. */
export interface SignedUrl {
  readonly id: string;
  readonly method: string;
  readonly bucket: string;
  readonly name: string;
  readonly contentType: string | null;
  /** Epoch milliseconds. */
  readonly expires: number;
  /** The account that signed it: it is used without a credential. */
  readonly world: World;
}

export const signedUrls = defineCollection<SignedUrl>({ name: 'signed urls', scope: 'platform', unlisted: true });

/** Bytes that left the buckets. */
export interface ObjectTransfer {
  readonly euuid: string;
  readonly used: number;
}

export const objectTransfers = defineCollection<ObjectTransfer>({ name: 'object transfer', key: (row) => row.euuid, unlisted: true });
