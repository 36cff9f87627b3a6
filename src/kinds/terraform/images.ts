import {
  asked,
  atCreation,
  computed,
  field,
  integer,
  integerIn,
  later,
  listOf,
  ofProvider,
  onlyTrue,
  type TypeRule,
  unlessEmpty,
} from './rule.ts';

export const image: TypeRule = {
  is: 'object',
  kind: 'CloudImage',
  id: ({ id }) => (typeof id === 'string' && /^private\/\d+$/.test(id) ? id : undefined),
  whole: true,
  rules: {
    label: field('label'),
    description: field('description', unlessEmpty),
    ...later('cloud_init', 'replica_regions', 'wait_for_replications', 'tags', 'region'),
    disk_id: asked('with-create-fields', 'capture', (value) => {
      const diskRef = integer(value);
      return diskRef === undefined ? undefined : { diskRef };
    }),
    ...atCreation('linode_id', 'file_path', 'file_hash'),
    ...computed(
      'id',
      'capabilities',
      'created',
      'created_by',
      'deprecated',
      'expiry',
      'is_public',
      'is_shared',
      'size',
      'status',
      'total_size',
      'type',
      'vendor',
      'replications',
    ),
    ...ofProvider('timeouts'),
  },
};

export const stackScript: TypeRule = {
  is: 'object',
  kind: 'CloudStackScript',
  id: integerIn('id'),
  rules: {
    label: field('label'),
    script: field('script'),
    description: field('description', unlessEmpty),
    images: field('images', (value) => listOf(value).map((one) => String(one).replace(/^linode\//, 'vm/'))),
    is_public: field('public', onlyTrue),
    rev_note: field('revisionNote', unlessEmpty),
    ...computed(
      'id',
      'deployments_active',
      'deployments_total',
      'username',
      'user_gravatar_id',
      'user_defined_fields',
      'created',
      'updated',
    ),
  },
};

export const sshKey: TypeRule = {
  is: 'object',
  kind: 'CloudSSHKey',
  id: integerIn('id'),
  rules: { label: field('label'), ssh_key: field('publicKey'), ...computed('id', 'created') },
};
