import { beforeEach, expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

let world: World;
const minute = 60_000;
const volume = { region: 'us-east', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } };
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
});
const why = async (line: string): Promise<string> => (await cloud(world, `why ${line}`, { limit: 10 * minute })).out;
/** The JSON of the line that patches this. */
function patchIn(out: string, what: string): Record<string, unknown> {
  const [, patch = ''] = new RegExp(`kubectl -n team-a patch ${what} --type=merge -p '(.*)'`).exec(out) ?? [];
  return JSON.parse(patch) as Record<string, unknown>;
}

it('an account that is read-only is let manage by the line that is told', async () => {
  await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
  await world.apply('CloudVolume', 'data', volume);
  await world.reason('CloudVolume', 'data', 'ReadOnly');
  const out = await why('cvol/data');
  expect(out).toContain('Have CloudAccount team-a/default manage');
  await world.patch('CloudAccount', 'default', patchIn(out, 'cloudaccount default'));
  await world.ready('CloudVolume', 'data');
});

it('an account that is paused is resumed', async () => {
  await world.ready('CloudAccount', 'default');
  expect((await cloud(world, 'pause cacc/default')).exit).toBe(0);
  await world.apply('CloudVolume', 'data', volume);
  await world.reason('CloudVolume', 'data', 'ReadOnly');
  expect(await why('cvol/data')).toContain('\n  kubectl cloud resume -n team-a cacc/default');
  await cloud(world, 'resume -n team-a cacc/default --yes');
  await world.ready('CloudVolume', 'data');
});

it('what an edit waits for in an account that is paused is no mode, which that has already', async () => {
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
  expect((await cloud(world, 'pause cacc/default')).exit).toBe(0);
  await world.clock.advance(minute);
  await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
  await world.reason('CloudVolume', 'data', 'ReadOnly');
  const out = await why('cvol/data');
  expect(out).toContain('\n  kubectl cloud resume -n team-a cacc/default\n');
  expect(out).not.toContain('"mode":"Manage"');
});

it('a password that is too short is in its Secret, and not in the spec', async () => {
  await world.secret('root', { password: 'short' });
  await world.apply('CloudInstance', 'web', {
    region: 'us-east',
    type: 'g6-nanode-1',
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'root', key: 'password' },
  });
  await world.reason('CloudInstance', 'web', 'Rejected');
  const out = await why('cinst/web');
  expect(out).toContain('Put another value into key password of Secret root');
  expect(out).toContain(
    'kubectl create secret generic root --from-literal=password="$PASSWORD" --dry-run=client -o json | kubectl -n team-a patch secret root --type=merge --patch-file=/dev/stdin\n',
  );
  expect(out).not.toContain(' edit ');
  expect(out).toContain('kubectl cloud reconcile -n team-a cinst/web');
});

it('an operation that is wrong is deleted and made anew, and one that came too late can go', async () => {
  const operation = { action: 'RebootInstance', target: { name: 'none' }, notAfter: '2026-01-01T01:00:00Z' };
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
  await world.apply('CloudOperation', 'late', operation);
  await world.reason('CloudOperation', 'late', 'Expired', 3 * 60 * minute);
  const late = await why('cop/late');
  expect(late).toContain('make another one with a later spec.notAfter');
  expect(late).toContain('\n  kubectl -n team-a delete cloudoperation late\n');
});

it('what another has made under the name of a Secret is looked at, and another name is given', async () => {
  await world.secret('web-clv', { other: 'x' });
  await world.apply('CloudLongviewClient', 'web', { secretName: 'web-clv' });
  await world.reason('CloudLongviewClient', 'web', 'AlreadyExists');
  const out = await why('clv/web');
  expect(out).toContain('See what Secret web-clv is for');
  expect(out).toContain('\n  kubectl -n team-a describe secret web-clv\n  kubectl -n team-a edit cloudlongviewclient web\n');
});

it('a key whose Secret is lost is rotated', async () => {
  await world.apply('CloudObjectKey', 'uploads', { bucketAccess: [] });
  await world.ready('CloudObjectKey', 'uploads');
  await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/uploads-cokey');
  await world.clock.runUntil(
    async () => (await world.condition('CloudObjectKey', 'uploads', 'Ready'))?.reason === 'RemoteFailed',
    60 * minute,
  );
  expect(await why('cokey/uploads')).toContain('\n  kubectl cloud rotate -n team-a cokey/uploads\n');
  expect((await cloud(world, 'rotate -n team-a cokey/uploads --confirm uploads', { limit: 10 * minute })).exit).toBe(0);
  await world.ready('CloudObjectKey', 'uploads');
});

it('an account that does not admit is told by name, with what its owner must do', async () => {
  await world.namespace('team-b');
  await world.apply('CloudVolume', 'data', { ...volume, accountRef: { namespace: 'team-a', name: 'default' } }, 'team-b');
  await world.clock.runUntil(
    async () => (await world.condition('CloudVolume', 'data', 'Synced', 'team-b'))?.reason === 'AccountNotReady',
    10 * minute,
  );
  const out = await why('-n team-b cvol/data');
  expect(out).toContain('The owner of CloudAccount team-a/default must list kind CloudVolume for namespace team-b in its spec.access');
  expect(out).toContain('\n  kubectl -n team-a edit cloudaccount default\n');
});

it('a field that is set once is replaced where something is there, and its object goes where nothing is', async () => {
  await world.apply('CloudVolume', 'none', { ...volume, region: 'mars' });
  await world.reason('CloudVolume', 'none', 'InvalidSpec');
  const none = await why('cvol/none');
  expect(none).toContain('spec.region cannot be changed in this object, and nothing was made for it');
  expect(none).toContain('\n  kubectl -n team-a delete cloudvolume none\n');
});

it('what adopts something that is not there takes the wish out by the line that is told, and doctor says which would wait so', async () => {
  const record = { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' };
  await world.apply('CloudDomain', 'zone', { ...record, adopt: { id: 4711 } });
  await world.reason('CloudDomain', 'zone', 'RemoteMissing');
  const out = await why('cdom/zone');
  expect(out).toContain('What spec.adopt names is not in the account');
  expect(out).not.toContain('recreate');
  await world.patch('CloudDomain', 'zone', patchIn(out, 'clouddomain zone'));
  const { status } = await world.ready('CloudDomain', 'zone');
  await world.patch('CloudDomain', 'zone', { spec: { adopt: { id: 4711 } } });
  await world.clock.advance(minute);
  const told = await cloud(world, 'doctor -A --recovery');
  expect(told.out).toContain(`has ${String(status?.['id'])}, and its spec.adopt names 4711`);
});

it('an address that is adopted by another spelling of it is the one that is adopted', async () => {
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
  await world.ready('CloudInstance', 'web');
  await world.apply('CloudIPAddress', 'net', { type: 'IPv6Range', prefixLength: 64, instanceRef: { name: 'web' } });
  const { status } = await world.ready('CloudIPAddress', 'net');
  const spelt = `${String(status?.['id']).toUpperCase()}/64`;
  await world.patch('CloudIPAddress', 'net', { spec: { adopt: { id: spelt } } });
  await world.clock.advance(minute);
  expect((await world.get('CloudIPAddress', 'net')).spec['adopt']).toEqual({ id: spelt });
  expect((await cloud(world, 'doctor -A --recovery')).out).not.toContain('its spec.adopt names');
});
