import { beforeEach, describe, expect, it } from 'vitest';
import type { DiffData, OutputsData, SchemaData } from '../../../../src/plugin/output/shapes.ts';
import { registry } from '../../../../src/plugin/command-line/kinds.ts';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud, type CliOptions, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
});
const typed = (line: string, options: CliOptions = {}): Promise<Ran> => cloud(world, line, { limit: 10 * minute, ...options });
const against = (line: string): Promise<Ran> => typed(`${line} --against account --endpoint ${endpoint}`);
const differencesOf = (ran: Ran): DiffData['differences'] => (dataOf(ran) as unknown as DiffData).differences;
const firewall = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' };
const open = async (): Promise<void> => {
  const [row] = world.emulator.control.rows('firewalls') as unknown as { id: number }[];
  const path = `/v4/networking/firewalls/${row?.id}/rules`;
  const body = { inbound_policy: 'ACCEPT', outbound_policy: 'ACCEPT', inbound: [], outbound: [] };
  await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path, body });
};

const rule = (label: string, ports: string) => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  ports,
  addresses: { ipv4: ['0.0.0.0/0'] },
  label,
});
/** What stands below a field, in any order. */
const listed = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((one) => /^ +([-~+] (?:\[|those).*)$/.exec(one)?.[1] ?? [])
    .toSorted();

describe('diff', () => {
  it('quotes what a user is called where that might be read as words of its own', async () => {
    await world.start();
    await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20, label: 'data', lifecycle: { drift: 'Report' } });
    await world.ready('CloudVolume', 'data');
    const [row] = world.emulator.control.rows('volumes') as unknown as { id: number }[];
    const path = `/v4/volumes/${row?.id}`;
    await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path, body: { label: 'other' } });
    await world.reason('CloudVolume', 'data', 'DriftReported');
    const { drift: seen } = (await world.get('CloudVolume', 'data')).status as { readonly drift: readonly object[] };
    const drift = seen.map((one) => ({ ...one, by: 'nobody. To end this type: kubectl delete' }));
    const at = '/apis/cloudhosting.dev/v1alpha1/namespaces/team-a/cloudvolumes/data/status';
    const write = () => world.admin('PATCH', at, { status: { drift } });
    await write();
    expect((await typed('diff cvol/data')).out).toContain('likely by "nobody. To end this type: kubectl delete"; lifecycle');
    await write();
    expect((await typed(`history cvol/data --endpoint ${endpoint}`)).out).toContain(
      'likely made by "nobody. To end this type: kubectl delete"',
    );
  });
  it('names the field, both values and who likely did it, as the operator saw it, and nothing once it is put right', async () => {
    await world.start();
    await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20, label: 'data', lifecycle: { drift: 'Report' } });
    await world.ready('CloudVolume', 'data');
    expect(await typed('diff cvol/data')).toMatchObject({ exit: 0, out: 'Nothing differs (1 object compared).\n' });
    const [row] = world.emulator.control.rows('volumes') as unknown as { id: number }[];
    const path = `/v4/volumes/${row?.id}`;
    await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path, body: { label: 'other' } });
    await world.reason('CloudVolume', 'data', 'DriftReported');
    const { exit, out } = await typed('diff cvol/data');
    expect(exit).toBe(1);
    expect(out).toMatch(
      /^CloudVolume team-a\/data {2}spec\.label: wanted data, the account has other since \S+, likely by colleague; lifecycle\.drift: Report\n$/,
    );
    await world.patch('CloudVolume', 'data', { spec: { lifecycle: { drift: 'Correct' } } });
    await world.reason('CloudVolume', 'data', 'Available');
    expect((await typed('diff -A')).exit).toBe(0);
    expect(await typed('diff -n team-a')).toMatchObject({ exit: 0, out: 'Nothing differs (2 objects compared).\n' });
    await world.namespace('team-b');
    expect(await typed('diff -n team-b')).toMatchObject({ exit: 0, out: 'Nothing differs (0 objects compared).\n' });
    expect((await typed('diff')).exit).toBe(2);
  });

  it('of a list of rules has a line for each that was added, removed or changed, as plan and why have', async () => {
    await world.start();
    const inbound = [rule('allow-ssh', '22'), rule('allow-web', '80, 443'), rule('allow-dns', '53')];
    const spec = { ...firewall, inbound, lifecycle: { drift: 'Report' } };
    await world.apply('CloudFirewall', 'edge', spec);
    await world.ready('CloudFirewall', 'edge');
    const [row] = world.emulator.control.rows('firewalls') as unknown as { id: number }[];
    const theirs = [rule('allow-web', '80,8443'), rule('allow-ssh', '22'), { ...rule('', '3306'), label: undefined }];
    const body = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT', inbound: theirs, outbound: [] };
    await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path: `/v4/networking/firewalls/${row?.id}/rules`, body });
    await world.reason('CloudFirewall', 'edge', 'DriftReported');
    const told = [
      '- [2] {action: ACCEPT, addresses: {ipv4: [0.0.0.0/0]}, ports: 3306, protocol: TCP}',
      '~ [1] allow-web: ports: 80,8443 -> 80, 443',
      '+ [2] allow-dns: {action: ACCEPT, addresses: {ipv4: [0.0.0.0/0]}, ports: 53, protocol: TCP}',
      '~ those that stay stand in another order',
    ];
    for (const line of ['diff cfw/edge', 'why cfw/edge --against account --endpoint ' + endpoint]) {
      const { out } = await typed(line);
      expect(listed(out)).toEqual(told.toSorted());
      expect(out).toContain('spec.inbound: the account has (-), wanted (+)');
    }
    const manifest = {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudFirewall',
      metadata: { name: 'edge' },
      spec: { ...spec, lifecycle: {} },
    };
    const planned = await typed(`plan -f edge.yaml --against account --endpoint ${endpoint}`, {
      files: { 'edge.yaml': JSON.stringify(manifest) },
    });
    expect(listed(planned.out)).toEqual(told.toSorted());
    expect(planned.out).toContain('  ~ inbound:\n    - [2]');
  });

  it('says of files that it compares what is there, and not them', async () => {
    await world.start();
    await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20 });
    await world.ready('CloudVolume', 'data');
    const edited = { region: 'us-east', sizeGiB: 40 };
    const manifest = { apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudVolume', metadata: { name: 'data' }, spec: edited };
    const told = 'what else is in these files is not compared: kubectl cloud plan -f';
    expect((await typed('diff -f data.yaml', { files: { 'data.yaml': JSON.stringify(manifest) } })).err).toContain(told);
    expect((await typed('diff cvol/data')).err).not.toContain(told);
  });

  it('of a folder compares what is there, and names what is not in the cluster yet', async () => {
    await world.start();
    const spec = { region: 'us-east', sizeGiB: 20 };
    await world.apply('CloudVolume', 'data', spec);
    await world.ready('CloudVolume', 'data');
    const manifest = (name: string): string =>
      JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudVolume', metadata: { name, namespace: 'team-a' }, spec });
    const files = { 'a/new.yaml': manifest('new'), 'a/data.yaml': manifest('data') };
    for (const line of ['diff -f a', `diff -f a --against account --endpoint ${endpoint}`]) {
      const { exit, out } = await typed(line, { files });
      expect([exit, out]).toEqual([
        1,
        'CloudVolume team-a/new  not known: it is not in the cluster: kubectl cloud plan -f says what applying it does\n',
      ]);
    }
    expect(differencesOf(await typed('diff -f a -o json', { files }))).toEqual([]);
    expect(dataOf(await typed('diff -f a -o json', { files }))).toMatchObject({
      unknown: [{ object: 'CloudVolume team-a/new', reason: 'NotFound' }],
    });
  });

  it('against the status has what waits for a yes, what is not there yet, and names what nobody has looked at', async () => {
    const operator = await world.start();
    await world.apply('CloudInstance', 'web', { region: 'us-east', type: 'g6-nanode-1' });
    await world.ready('CloudInstance', 'web');
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const ran = await typed('diff cinst/web -o json');
    expect([ran.exit, differencesOf(ran)]).toEqual([
      1,
      [{ object: 'CloudInstance team-a/web', field: 'spec.type', want: 'g6-standard-1', have: 'g6-nanode-1', policy: 'Correct' }],
    ]);
    expect((await typed('diff cinst/web --show drift')).exit).toBe(0);
    await world.apply('CloudVolume', 'data', { instanceRef: { name: 'none' }, sizeGiB: 20 });
    await world.reason('CloudVolume', 'data', 'ReferenceNotReady');
    expect(await typed('diff cvol/data')).toMatchObject({
      exit: 1,
      out: expect.stringContaining(
        'CloudVolume team-a/data: wanted, but not in the account: ReferenceNotReady: spec.instanceRef: CloudInstance none is not found',
      ) as string,
    });
    expect(differencesOf(await typed('diff cvol/data -o json'))).toMatchObject([{ field: 'spec', reason: 'ReferenceNotReady' }]);
    await world.apply('CloudVolume', 'odd', { region: 'us-east', sizeGiB: 20, volumeRef: { name: 'odd' } });
    await world.reason('CloudVolume', 'odd', 'InvalidSpec');
    expect((await typed('diff cvol/odd')).out).toMatch(
      /^CloudVolume team-a\/odd: wanted, but not in the account: InvalidSpec: spec\.\S+ .+\n$/,
    );
    operator.kill();
    await world.apply('CloudVolume', 'young', { region: 'us-east', sizeGiB: 20 });
    const untold = await typed('diff cvol/young');
    expect([untold.exit, untold.out]).toEqual([
      1,
      expect.stringMatching(
        /^CloudVolume team-a\/young {2}not known: no operator has looked .* kubectl cloud why -n team-a cvol\/young\n$/,
      ),
    ]);
    expect(dataOf(await typed('diff cvol/young -o json'))).toEqual({
      differences: [],
      unknown: [{ object: 'CloudVolume team-a/young', reason: 'NotLookedAt' }],
    });
  });

  it('against the status says of what was deleted in the account that it is not there, and of what is refused that it is not as wanted', async () => {
    await world.start();
    await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20 });
    await world.ready('CloudVolume', 'data');
    const [row] = world.emulator.control.rows('volumes') as unknown as { id: number }[];
    await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4/volumes/${row?.id}` });
    await world.reason('CloudVolume', 'data', 'RemoteMissing');
    const lost = { object: 'CloudVolume team-a/data', field: 'spec', want: 'there', have: 'not there', policy: 'Correct' };
    for (const line of ['diff cvol/data -o json', 'diff cvol/data --show drift -o json'])
      expect([(await typed(line)).exit, differencesOf(await typed(line))]).toEqual([1, [lost]]);
    await world.apply('CloudVolume', 'other', { region: 'us-east', sizeGiB: 20 });
    await world.ready('CloudVolume', 'other');
    const body = JSON.stringify({ errors: [{ reason: 'is not allowed' }] });
    world.emulator.control.addFault({ match: { method: 'PUT' }, effect: { kind: 'answer', status: 400, body } });
    await world.patch('CloudVolume', 'other', { spec: { label: 'of-another-name' } });
    await world.reason('CloudVolume', 'other', 'Rejected');
    expect(await typed('diff cvol/other')).toMatchObject({
      exit: 1,
      out: expect.stringMatching(
        /^CloudVolume team-a\/other {2}not as wanted, and what differs only the account tells \(--against account\): Rejected: /,
      ) as string,
    });
  });

  it('against the account is told with no operator running, and also of what is paused', async () => {
    const operator = await world.start();
    await world.apply('CloudFirewall', 'edge', firewall);
    await world.ready('CloudFirewall', 'edge');
    await world.patch('CloudFirewall', 'edge', { metadata: { annotations: { 'cloudhosting.dev/pause': 'until=2030-01-01T00:00:00Z' } } });
    await world.reason('CloudFirewall', 'edge', 'Paused');
    operator.kill();
    expect(differencesOf(await against('diff cfw/edge -o json'))).toEqual([]);
    await open();
    const before = world.emulator.control.requests().length;
    const ran = await against('diff cfw/edge -o json');
    expect(ran.exit).toBe(1);
    expect(differencesOf(ran)).toEqual([
      { object: 'CloudFirewall team-a/edge', field: 'spec.inboundPolicy', want: 'DROP', have: 'ACCEPT', policy: 'Correct' },
    ]);
    const sent = world.emulator.control.requests().slice(before);
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(await typed('diff cfw/edge')).toMatchObject({ exit: 0 });
  });

  it('says of what was never made that it is not there, and needs to be told of what', async () => {
    await world.apply('CloudFirewall', 'edge', firewall);
    const ran = await against('diff cfw/edge');
    expect(ran.exit).toBe(1);
    expect(ran.out).toContain('CloudFirewall team-a/edge: wanted, but not in the account\n');
    expect(await against('diff')).toMatchObject({
      exit: 2,
      err: `kubectl cloud diff: diff of what? Of all objects of namespace team-a: kubectl cloud diff --against account --endpoint '${endpoint}' -n team-a\nOf all namespaces: -A instead of -n. Of some: KIND/NAME, or their manifests with -f\n`,
    });
  });
});

const pod = (name: string, spec: object): object => ({ metadata: { name }, spec: { containers: [{}], ...spec } });

describe('outputs', () => {
  it('of several objects names the line for the first', async () => {
    for (const name of ['a', 'b']) await world.apply('CloudVolume', name, { region: 'us-east', sizeGiB: 20 });
    expect(await typed('outputs cvol/a cvol/b')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('outputs shows one object at a time. Of the first: kubectl cloud outputs -n team-a cvol/a') as string,
    });
  });
  beforeEach(async () => {
    await world.start();
    await world.apply('CloudLongviewClient', 'web', { label: 'web' });
    await world.ready('CloudLongviewClient', 'web');
  });

  it('says of what is told once that it never comes where the object adopted what tells it', async () => {
    const { id } = (await new CloudUser(world).post('/object-storage/keys', { label: 'by-hand' })) as { id: number };
    await world.apply('CloudObjectKey', 'uploads', { label: 'by-hand', bucketAccess: [], adopt: { id } });
    await world.clock.advance(5 * 60_000);
    const { out } = await typed('outputs cokey/uploads');
    expect(out).toContain(
      `\nAWS_SECRET_ACCESS_KEY will never be there for this one: it was told once, to whoever made /object-storage/keys/${id}, and this object adopted that. To have it renewed: kubectl cloud rotate -n team-a cokey/uploads\n`,
    );
    expect((await typed('outputs clv/web')).out).not.toContain('never');
  });
  it('names Secrets and keys, and shows a value to a person on a terminal alone', async () => {
    const { out } = await typed('outputs clv/web');
    expect(out).toMatch(/^KIND +NAME +KEYS +NOT THERE YET +PODS THAT TAKE IT\nSecret +web-clv +api-key, install-code/);
    const [row] = world.emulator.control.rows('longview clients') as unknown as { api_key: string }[];
    expect(row?.api_key.length).toBeGreaterThan(20);
    for (const line of ['outputs clv/web', 'outputs clv/web -o json']) {
      const ran = await typed(line);
      expect(ran.out + ran.err).not.toContain(row?.api_key);
    }
    expect((dataOf(await typed('outputs clv/web -o json')) as unknown as OutputsData).outputs).toEqual([
      { kind: 'Secret', name: 'web-clv', keys: ['api-key', 'install-code'], missing: [] },
    ]);
    const piped = await typed('outputs clv/web --reveal api-key');
    expect(piped).toMatchObject({ exit: 3, out: '' });
    const json = await typed('outputs clv/web --reveal api-key -o json', { answers: [] });
    expect(json.exit).toBe(3);
    expect(json.out).not.toContain(row?.api_key);
    expect((await typed('outputs clv/web --reveal api-key', { answers: [] })).out).toBe(`${row?.api_key}\n`);
    expect((await typed('outputs clv/web --reveal constructor', { answers: [] })).exit).toBe(4);
  });

  it('names the pods that take them, however they do, and says so where they may not be listed', async () => {
    const secretRef = { name: 'web-clv' };
    const pages: Readonly<Record<string, object>> = {
      '': {
        metadata: { continue: 'more' },
        items: [
          pod('volume', { volumes: [{ secret: { secretName: 'web-clv' } }] }),
          pod('projected', { volumes: [{ projected: { sources: [{ secret: secretRef }] } }] }),
          pod('other', { volumes: [{ secret: { secretName: 'other' } }, { configMap: { name: 'web-clv' } }] }),
        ],
      },
      '&continue=more': {
        items: [
          pod('key', { containers: [{ env: [{ name: 'A' }, { valueFrom: { secretKeyRef: { ...secretRef, key: 'api-key' } } }] }] }),
          pod('all', { initContainers: [{ envFrom: [{ secretRef }, { secretRef }] }] }),
        ],
      },
    };
    const at = '/api/v1/namespaces/team-a/pods?limit=500';
    const cluster = (server: Backend): Backend => ({
      handle: (request) =>
        request.path.startsWith(at)
          ? Promise.resolve({
              status: 200,
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(pages[request.path.slice(at.length)]),
            })
          : server.handle(request),
    });
    expect((await typed('outputs clv/web', { between: cluster })).out).toMatch(/ volume, projected, key, 1 more\n$/);
    const [told] = (dataOf(await typed('outputs clv/web -o json', { between: cluster })) as unknown as OutputsData).outputs;
    expect(told?.usedBy).toEqual(['volume', 'projected', 'key', 'all']);
    const forbidden = (server: Backend): Backend => ({
      handle: (request) =>
        request.path.startsWith(at)
          ? Promise.resolve({
              status: 403,
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden' }),
            })
          : server.handle(request),
    });
    expect(await typed('outputs clv/web', { between: forbidden })).toMatchObject({
      exit: 0,
      out: expect.stringContaining('? (you may not list pods)') as string,
    });
  });

  it('says that there is nothing, or which object', async () => {
    await world.apply('CloudFirewall', 'edge', firewall);
    expect((await typed('outputs cfw/edge')).out).toContain('gives nothing out');
    expect((await typed('outputs')).exit).toBe(2);
  });
});

describe('schema', () => {
  it('shows all kinds, or the fields of one with what a change does', async () => {
    expect((await typed('schema')).out).toMatch(/^CloudVolume \(cvol\)$/m);
    const { out } = await typed('schema cvol');
    expect(out).toMatch(/\n +sizeGiB +integer; a change is InPlace, only to a greater value/);
    const { kinds } = dataOf(await typed('schema CloudInstance -o json')) as unknown as SchemaData;
    expect(kinds[0]?.fields.find(({ path }) => path === 'type')?.change).toBe('Reboot');
    expect((await typed('schema volume')).exit).toBe(2);
  });
  it('has lifecycle, outputs and status too', async () => {
    const { out } = await typed('schema cokey');
    for (const field of ['lifecycle.protect  boolean', 'AWS_SECRET_ACCESS_KEY  secret', 'rotatesAt  time', 'rotation.everyDays  integer'])
      expect(out).toContain(`\n  ${field}\n`);
    const { kinds } = dataOf(await typed('schema cokey -o json')) as unknown as SchemaData;
    expect(kinds[0]?.outputs?.filter(({ secret }) => secret).map(({ name }) => name)).toEqual(['AWS_SECRET_ACCESS_KEY']);
    expect(kinds[0]?.common?.map(({ path }) => path)).toContain('lifecycle.onDelete');
    expect(kinds[0]?.status?.map(({ path }) => path)).toContain('renewedAt');
  });
  it.each(['', ...registry.kinds.map(({ kind }) => kind)])('schema %s is read on 100 columns', async (kind) => {
    const { out } = await typed(`schema ${kind}`.trim());
    // A pattern or a name of a field is one word, and is not cut.
    expect(out.split('\n').filter((line) => line.length > 100 && line.trim().includes(' '))).toEqual([]);
  });
});
