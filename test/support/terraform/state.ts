/** Versions of the provider whose schemas are told apart here. */
export const versions = ['1.30', '2.0', '2.41', '3.13'] as const;
export type Version = (typeof versions)[number];

export type Attributes = Readonly<Record<string, unknown>>;
export interface Resource {
  readonly type: string;
  readonly name: string;
  readonly module?: string;
  readonly alias?: string;
  readonly instances: readonly Instance[];
}
export interface Instance {
  readonly attributes: Attributes;
  readonly index_key?: string | number;
  readonly status?: 'tainted';
  readonly deposed?: string;
  readonly schema_version?: number;
  /** Names of top-level attributes. */
  readonly sensitive?: readonly string[];
}

/** When an attribute came into the schema of its type, or went out of it; the others were there all the time. */
const since: Readonly<Record<string, Readonly<Record<string, readonly [from: Version, until?: Version]>>>> = {
  linode_instance: {
    migration_type: ['2.0'],
    has_user_data: ['2.41'],
    metadata: ['2.41'],
    firewall_id: ['2.41'],
    placement_group: ['2.41'],
    placement_group_externally_managed: ['2.41'],
    capabilities: ['2.41'],
    disk_encryption: ['2.41'],
    lke_cluster_id: ['2.41'],
    locks: ['3.13'],
    maintenance_policy: ['3.13'],
    network_helper: ['3.13'],
    interface_generation: ['3.13'],
  },
  linode_volume: { source_volume_id: ['2.0'], encryption: ['2.41'], io_ready: ['3.13'] },
  linode_firewall: { created: ['2.0'], updated: ['2.0'], interfaces: ['3.13'] },
  linode_instance_disk: { read_only: ['1.30', '1.30'], created: ['2.0'], updated: ['2.0'], disk_encryption: ['2.41'] },
  linode_instance_config: { device: ['2.41'] },
  linode_object_storage_bucket: { region: ['2.41'], endpoint: ['2.41'], s3_endpoint: ['2.41'], endpoint_type: ['2.41'] },
  linode_object_storage_key: { regions: ['2.41'], regions_details: ['2.41'] },
  linode_image: {
    cloud_init: ['2.0'],
    tags: ['2.41'],
    total_size: ['2.41'],
    replica_regions: ['2.41'],
    replications: ['2.41'],
    wait_for_replications: ['2.41'],
    is_shared: ['3.13'],
  },
  linode_domain_record: { created: ['2.0', '2.0'], updated: ['2.0', '2.0'] },
};

const isIn = (version: Version, [from, until = '3.13']: readonly [Version, Version?]): boolean =>
  versions.indexOf(version) >= versions.indexOf(from) && versions.indexOf(version) <= versions.indexOf(until);

/** What the schema of this version has of these attributes. */
export const ofVersion = (version: Version, type: string, attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => isIn(version, since[type]?.[name] ?? ['1.30'])));

/** As `terraform state pull` writes it; the values of other providers and of data sources are in it too. */
export function stateText(version: Version, resources: readonly Resource[]): string {
  const registry = 'registry.terraform.io/linode/linode';
  return JSON.stringify({
    version: 4,
    terraform_version: '1.9.8',
    serial: 412,
    lineage: '8f1e0a52-6a0d-4f6d-9d0c-5a1c9e1b7f10',
    outputs: { password: { value: 'Marked-Output', type: 'string', sensitive: true } },
    resources: [
      ...resources.map(({ type, name, module, alias, instances }) => ({
        ...(module !== undefined && { module }),
        mode: 'managed',
        type,
        name,
        provider: `provider["${registry}"]${alias === undefined ? '' : `.${alias}`}`,
        instances: instances.map(({ sensitive = [], attributes, ...instance }) => ({
          schema_version: 0,
          ...instance,
          attributes: ofVersion(version, type, attributes),
          sensitive_attributes: sensitive.map((value) => [{ type: 'get_attr', value }]),
          private: 'TWFya2VkLVByaXZhdGU=',
        })),
      })),
      data(registry, 'linode_regions'),
      { ...data('registry.terraform.io/hashicorp/random', 'random_password'), mode: 'managed' },
    ],
    check_results: null,
  });
}

const data = (provider: string, type: string) => ({
  mode: 'data',
  type,
  name: 'all',
  provider: `provider["${provider}"]`,
  instances: [{ schema_version: 0, attributes: { id: 'all', result: 'Marked-Elsewhere' }, sensitive_attributes: [] }],
});

/** The same as `terraform show -json` writes it. */
export function shownText(version: Version, resources: readonly Resource[]): string {
  const modules = Map.groupBy(resources, ({ module = '' }) => module);
  const inModule = (module: string) => ({
    ...(module !== '' && { address: module }),
    resources: (modules.get(module) ?? []).flatMap(({ type, name, instances }) =>
      instances.map(({ attributes, index_key: index, status, deposed, sensitive = [], schema_version = 0 }) => ({
        address: `${module === '' ? '' : `${module}.`}${type}.${name}${index === undefined ? '' : `[${JSON.stringify(index)}]`}`,
        mode: 'managed',
        type,
        name,
        ...(index !== undefined && { index }),
        ...(deposed !== undefined && { deposed_key: deposed }),
        ...(status === 'tainted' && { tainted: true }),
        provider_name: 'registry.terraform.io/linode/linode',
        schema_version,
        values: ofVersion(version, type, attributes),
        sensitive_values: Object.fromEntries(sensitive.map((one, at) => [one, at % 2 === 0 ? true : [{ inner: true }]])),
      })),
    ),
  });
  const elsewhere = { mode: 'managed', type: 'random_password', name: 'all', provider_name: 'registry.terraform.io/hashicorp/random' };
  const regions = { mode: 'data', type: 'linode_regions', name: 'all', provider_name: 'registry.terraform.io/linode/linode' };
  const root = inModule('');
  return JSON.stringify({
    format_version: '1.0',
    terraform_version: '1.9.8',
    values: {
      outputs: { password: { sensitive: true, value: 'Marked-Output' } },
      root_module: {
        resources: [...root.resources, { ...elsewhere, values: { result: 'Marked-Elsewhere' } }, { ...regions, values: { id: 'all' } }],
        child_modules: [...modules.keys()].filter((name) => name !== '').map(inModule),
      },
    },
  });
}
