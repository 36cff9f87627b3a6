import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createEmulator } from './emulator.ts';
import { testClock } from './test-clock.ts';

/** The 225 operations of documents 1 to 3: method, path, area, scope. */
const documented = readFileSync(new URL('areas/operations.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
  .map(([method = '', path = '', area = '']) => ({ method, path, area }));

/** Documented operations that the emulator does not serve, each with the reason; one that is served again must leave the list. */
const missing: Readonly<Record<string, string>> = {};

/** What the documents leave out and a product on this API needs all the same. */
const needed = `
GET /regions/{regionId}
GET /vm/types/{typeId}
GET /vm/kernels
GET /vm/kernels/{kernelId}
GET /profile
GET /profile/grants
GET /profile/sshkeys
GET /profile/sshkeys/{sshKeyId}
PUT /profile/sshkeys/{sshKeyId}
DELETE /profile/sshkeys/{sshKeyId}
GET /tags
POST /vm/instances/{vmId}/shutdown
POST /vm/instances/{vmId}/reboot
POST /vm/instances/{vmId}/rebuild
POST /vm/instances/{vmId}/migrate
POST /vm/instances/{vmId}/mutate
POST /vm/instances/{vmId}/rescue
POST /vm/instances/{vmId}/password
POST /vm/instances/{vmId}/configs
GET /vm/instances/{vmId}/configs/{configId}
PUT /vm/instances/{vmId}/configs/{configId}
DELETE /vm/instances/{vmId}/configs/{configId}
POST /vm/instances/{vmId}/backups
GET /vm/instances/{vmId}/backups/{backupId}
POST /vm/instances/{vmId}/backups/enable
POST /vm/instances/{vmId}/backups/cancel
POST /vm/instances/{vmId}/backups/{backupId}/restore
GET /object-storage/buckets/{clusterId}/{bucket}/access
POST /networking/ipv6/ranges
GET /databases/types
GET /databases/mysql/instances/{instanceId}/backups/{backupId}
DELETE /databases/mysql/instances/{instanceId}/backups/{backupId}
POST /databases/mysql/instances/{instanceId}/backups/{backupId}/restore
GET /databases/mysql/instances/{instanceId}/credentials
POST /databases/mysql/instances/{instanceId}/credentials/reset
GET /databases/mysql/instances/{instanceId}/ssl
POST /databases/mysql/instances/{instanceId}/patch
POST /managed/credentials/{credentialId}/revoke
GET /managed/services/{serviceId}
PUT /managed/services/{serviceId}
DELETE /managed/services/{serviceId}
POST /managed/services/{serviceId}/enable
POST /managed/services/{serviceId}/disable
GET /account/settings
PUT /account/settings
POST /account/settings/managed-enable
GET /account/service-transfers/{token}
DELETE /account/service-transfers/{token}
POST /account/service-transfers/{token}/accept
GET /nodebalancers
GET /nodebalancers/{nodebalancerId}
GET /nodebalancers/{nodebalancerId}/configs
GET /nodebalancers/{nodebalancerId}/configs/{configId}
GET /nodebalancers/{nodebalancerId}/configs/{configId}/nodes
GET /nodebalancers/{nodebalancerId}/configs/{configId}/nodes/{nodeId}
GET /vm/instances/{vmId}/nodebalancers
`;

const betaOnly = '/v4beta';

const emulator = createEmulator({ clock: testClock(), knobs: { rateProfile: 'none' } });

/** Asks as a client would; the ledger tells which operation took the request, if any. */
async function served(method: string, path: string, segment: string): Promise<boolean> {
  await emulator.handle({ method, path: segment + path.replaceAll(/\{\w+\}/g, '1') });
  return emulator.control.requests().at(-1)?.template !== '';
}

test('every documented operation is served, under both version segments; sharing under the beta one only', async () => {
  const table = new Map<string, { known: number; served: number }>();
  const unserved: string[] = [];
  for (const { method, path, area } of documented) {
    const beta = path.startsWith(betaOnly);
    const bare = beta ? path.slice(betaOnly.length) : path;
    const there = (await served(method, bare, '/v4beta')) && (beta || (await served(method, bare, '/v4')));
    const row = table.get(area) ?? { known: 0, served: 0 };
    table.set(area, { known: row.known + 1, served: row.served + Number(there) });
    if (!there) unserved.push(`${method} ${path}`);
  }
  const lines = [...table].map(([area, row]) => `${area}: ${row.served} of ${row.known}`);
  process.stdout.write(`${lines.join('\n')}\nserved: ${documented.length - unserved.length} of the documented ${documented.length}\n`);
  expect(documented).toHaveLength(225);
  expect(unserved).toEqual(Object.keys(missing));
  expect(await served('POST', '/networking/ips/share', '/v4')).toBe(false);
});

test('what is needed beyond the documents is served too', async () => {
  const lines = needed.trim().split('\n');
  const unserved: string[] = [];
  for (const line of lines) {
    const [method = '', path = ''] = line.split(' ');
    if (!(await served(method, path, '/v4'))) unserved.push(line);
  }
  process.stdout.write(`served: ${lines.length - unserved.length} of ${lines.length} beyond the documents\n`);
  expect(unserved).toEqual([]);
});

test('what is not there is told from what is', async () => {
  expect(await served('GET', '/nothing', '/v4')).toBe(false);
  expect(await served('PUT', '/volumes', '/v4')).toBe(false);
  expect(await served('DELETE', '/databases/engines', '/v4')).toBe(false);
});
