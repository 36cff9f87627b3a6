import {
  computed,
  field,
  further,
  integerIn,
  isRecord,
  type Instead,
  later,
  listOf,
  type ObjectRule,
  ofProvider,
  type Rules,
  secret,
  tell,
  type TypeRule,
  unlessEmpty,
  atCreation,
  block,
  integer,
} from './rule.ts';

const s3 = 'it is reached by the S3 interface alone, which this operator does not speak; it is left as it is';
export const bucket: TypeRule = {
  is: 'object',
  kind: 'CloudBucket',
  id: ({ cluster, label }) =>
    typeof cluster === 'string' && cluster !== '' && typeof label === 'string' ? `${cluster}/${label}` : undefined,
  // Later providers name the region alone, of which the account has one cluster or more.
  like: ({ cluster, region, label }) =>
    (cluster === null || cluster === undefined || cluster === '') && typeof region === 'string' && typeof label === 'string'
      ? {
          called: `${region}/${label}`,
          fits: (row) =>
            row['label'] === label && new RegExp(`^${region.replaceAll(/[^a-z0-9-]/g, '')}-\\d+$`).test(String(row['cluster'])),
          lacks: (row) => ({ cluster: row['cluster'] }),
        }
      : undefined,
  rules: {
    label: field('label'),
    cluster: field('cluster'),
    acl: field('acl', (value) =>
      value === 'custom' ? undefined : unlessEmpty(value, {}, { resource: () => undefined, asks: () => false }),
    ),
    cors_enabled: field('corsEnabled'),
    cert: secret,
    access_key: secret,
    secret_key: secret,
    lifecycle_rule: tell(s3),
    versioning: tell(s3),
    region: tell('buckets are found by their cluster in this release', () => false),
    ...computed('id', 'hostname', 'endpoint', 's3_endpoint', 'endpoint_type'),
  },
};

export const objectKey: TypeRule = {
  is: 'object',
  kind: 'CloudObjectKey',
  id: integerIn('id'),
  rules: {
    label: field('label'),
    bucket_access: field('bucketAccess', (value) => {
      const all = listOf(value).filter(isRecord);
      if (all.length === 0) return undefined;
      return all.map(({ bucket_name: name, cluster, permissions }) => ({ bucketRef: `${String(cluster)}/${String(name)}`, permissions }));
    }),
    limited: field('unlimited', (value) => (value === false ? true : undefined)),
    access_key: secret,
    secret_key: secret,
    regions: tell('keys for regions are not in this release; it is left as it is'),
    ...computed('id', 'regions_details'),
  },
};

const isText = (word: unknown): word is string => typeof word === 'string' && word !== '';
/** Who may use an object of a bucket; its data stays. */
export const objectAcl: Instead = {
  asked: '--with-object-acls',
  stays: 'it keeps the data of the object; take acl out of it, or have ignore_changes name it, as the operator sets that from now on',
  rule: {
    is: 'object',
    kind: 'CloudObjectACL',
    id: ({ bucket: label, cluster, key }) => (isText(label) && isText(cluster) && isText(key) ? `${cluster}/${label}/${key}` : undefined),
    not: ({ acl, cluster }) => {
      if (!isText(cluster)) return 'the state does not name the cluster of its bucket, by which this release finds objects';
      return acl === 'custom' ? 'its access is custom, which no spec can say' : undefined;
    },
    rules: {
      bucket: field('bucketRef', (label, { cluster }) => `${String(cluster)}/${String(label)}`),
      key: field('object'),
      acl: field('acl'),
      ...Object.fromEntries(['access_key', 'secret_key', 'content', 'content_base64'].map((name) => [name, secret])),
      ...computed('id', 'cluster', 'region', 'endpoint', 'etag', 'version_id'),
      ...ofProvider('source', 'force_destroy', 'content_type', 'content_language', 'content_disposition', 'content_encoding'),
      ...ofProvider('cache_control', 'metadata', 'website_redirect'),
    },
  },
};

/** The longest day has the lowest number. */
const days: Readonly<Record<string, number>> = { monday: 1, tuesday: 2, wednesday: 3, thursday: 4, friday: 5, saturday: 6, sunday: 7 };
const database = (rules: Rules): ObjectRule => ({
  is: 'object',
  kind: 'CloudDatabase',
  id: ({ id }) => integer(id),
  rules: {
    engine_id: field('engine'),
    label: field('label'),
    region: field('region'),
    type: field('type'),
    cluster_size: field('clusterSize'),
    replication_type: field('replicationType'),
    encrypted: field('encrypted'),
    ssl_connection: field('sslConnection'),
    allow_list: field('allowList'),
    updates: block('maintenance', {
      day_of_week: field('dayOfWeek', (value) => days[String(value).toLowerCase()]),
      duration: field('durationHours'),
      frequency: field('frequency'),
      hour_of_day: field('hourOfDay'),
      week_of_month: field('weekOfMonth'),
    }),
    root_username: secret,
    root_password: secret,
    ca_cert: secret,
    ...computed('id', 'host_primary', 'host_secondary', 'status', 'version', 'engine', 'created', 'updated'),
    ...ofProvider('timeouts'),
    ...rules,
  },
});
export const mysql = database({});
export const mongodb = database({
  ...atCreation('compression_type', 'storage_engine'),
  ...computed('peers', 'port', 'replica_set'),
});
/** Its account may show it where those of the first generation are, and then it is compared with that. */
export const laterMysql: Instead = {
  asked: '--read-as linode_database_mysql_v2=linode_database_mysql',
  stays: 'it is of a later generation of the service, of which this release knows a part: its object is only observed, and must stay so',
  observed: true,
  rule: mysql,
};
export const accessControls: TypeRule = {
  is: 'part',
  kind: 'CloudDatabase',
  id: integerIn('database_id'),
  rules: { allow_list: field('allowList'), ...computed('id', 'database_id', 'database_type') },
};

export const accountSettings: TypeRule = {
  is: 'only further',
  rules: {
    longview_subscription: further((value) => [{ type: 'longview_subscription', attributes: { plan: value }, called: 'longview' }]),
    ...computed('id', 'object_storage', 'managed'),
    ...later('backups_enabled', 'network_helper', 'interfaces_for_new_linodes', 'maintenance_policy'),
  },
};
/** No type of the provider: what an account's settings say of it. */
export const longviewPlan: TypeRule = {
  is: 'object',
  kind: 'CloudLongviewPlan',
  id: () => 'plan',
  rules: { plan: field('plan') },
};
