import type { StackScript } from '../../records/stackscripts.ts';
import { userDefinedFields } from './udf.ts';

const webServer = `#!/bin/bash
# <UDF name="hostname" label="The host name" example="web-1" />
# <UDF name="flavour" label="Which server" oneOf="nginx,apache" default="nginx" />
apt-get install -y "$FLAVOUR"
`;

const database = `#!/bin/bash
# <UDF name="db_password" label="Password of the database user" />
apt-get install -y mariadb-server
`;

function community(label: string, images: readonly string[], script: string): Omit<StackScript, 'id'> {
  return {
    username: 'community',
    user_gravatar_id: 'a445b305abda30ebc766bc7fda037c37',
    label,
    description: `${label} for everybody`,
    images,
    deployments_total: 150,
    deployments_active: 12,
    is_public: true,
    created: '2022-03-01T10:00:00',
    updated: '2022-03-01T10:00:00',
    rev_note: '',
    script,
    user_defined_fields: userDefinedFields(script),
    logo_url: '',
    ordinal: 0,
    owner: '',
  };
}

/** Two public scripts of somebody else. */
export function communityScripts(): readonly Omit<StackScript, 'id'>[] {
  return [community('web-server', ['vm/debian11', 'vm/debian10'], webServer), community('database-server', ['any/all'], database)];
}
