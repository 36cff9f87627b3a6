import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { BundleData } from '../../../../src/plugin/output/shapes.ts';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud, type CliOptions, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
const text = (body: string) => Promise.resolve({ status: 200, headers: { 'content-type': 'text/plain' }, body });
const json = (body: unknown) => text(JSON.stringify(body));
const pod = { metadata: { namespace: 'cloud-operator', name: 'operator-canary-7c9' }, status: { phase: 'Running', podIP: '10.42.0.17' } };
const log =
  '{"msg":"CanaryVolume team-canary/canary-data: connected to 203.0.113.77 as canary@example.org","host":"db.canary-corp.example"}\n';

/** What the API server in memory does not serve. */
const withPods = (server: Backend): Backend => ({
  handle: (request) => {
    if (request.path.startsWith('/api/v1/pods?')) return json({ items: [pod] });
    if (request.path.includes('/pods/operator-canary-7c9/log?')) return text(log);
    if (request.path.startsWith('/api/v1/nodes')) return json({ items: [{ status: { nodeInfo: { kubeletVersion: 'v1.36.3' } } }] });
    return server.handle(request);
  },
});

let world: World;
let files: Record<string, string>;
beforeEach(async () => {
  files = {};
  world = await World.create();
  await world.account();
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.start();
  await world.apply('CloudVolume', 'canary-data', { region: 'us-east', sizeGiB: 20, tags: ['canary-tag'] });
  await world.apply('CloudDomain', 'canary-zone', {
    domain: 'canary-corp.example',
    type: 'master',
    soaEmail: 'canary@canary-corp.example',
  });
  await world.apply('CloudInstance', 'canary-web', {
    region: 'us-east',
    type: 'g6-nanode-1',
    label: 'canary-label',
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'root', key: 'password' },
  });
  await world.apply('CloudStackScript', 'canary-script', {
    label: 'setup',
    images: ['vm/debian11'],
    script: '#!/bin/sh\necho Canary-In-Script\n',
  });
  for (const [kind, name] of [['CloudVolume', 'canary-data'] as const, ['CloudInstance', 'canary-web'] as const])
    await world.ready(kind, name);
});
const typed = (line: string, options: CliOptions = {}) => cloud(world, line, { files, between: withPods, limit: 10 * minute, ...options });
const written = (): string => Object.entries(files).flat().join('\n');

describe('bundle', () => {
  it('has objects, findings, versions, Events and logs, and no secret', async () => {
    const ran = await typed('bundle --to b.tar.gz -o json');
    const data = dataOf(ran) as unknown as BundleData;
    const names = data.files.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['objects/cloudvolumes.yaml', 'doctor.yaml', 'versions.yaml', 'events.yaml', 'pods/1.log', 'README.txt']),
    );
    expect(data.missing).toEqual([]);
    expect(files['b.tar.gz!pods/1.log']).toBe(log);
    const [volume] = parse(files['b.tar.gz!objects/cloudvolumes.yaml'] ?? '') as readonly [
      { metadata: { annotations: object }; status: object; spec: object },
    ];
    expect(volume).toMatchObject({ spec: { sizeGiB: 20 }, status: { path: '/volumes/1000' } });
    expect(new Set(Object.values(volume.metadata.annotations))).toEqual(new Set(['(by the operator)']));
    expect(files['b.tar.gz!objects/cloudstackscripts.yaml']).toContain('script: "***"');
    for (const secret of ['Canary-Horse-9-Battery', 'token-admin', 'Canary-In-Script'])
      expect(written() + ran.out + ran.err).not.toContain(secret);
    const signed = (await world.get('CloudVolume', 'canary-data')).metadata.annotations?.['cloudhosting.dev/remote'] ?? '';
    expect(signed.length).toBeGreaterThan(20);
    expect(written()).not.toContain(signed);
  });

  it('has no names with --no-names, and yet says the same of the same', async () => {
    await world.apply('CloudInstance', 'canary-db', { region: 'nowhere-canary', type: 'g6-nanode-1' });
    await world.clock.advance(minute);
    const { exit } = await typed('bundle --to b.tar.gz --no-names -A');
    expect(exit).toBe(0);
    const whole = written();
    for (const name of [
      'anary-data',
      'anary-zone',
      'anary-corp',
      'anary-label',
      'anary-web',
      'anary-tag',
      'canary@',
      '203.0.113.77',
      'team-a',
      'operator-canary',
      'E1AF5EEC',
    ])
      expect(whole).not.toContain(name);
    const [volume] = parse(files['b.tar.gz!objects/cloudvolumes.yaml'] ?? '') as readonly [
      { metadata: { name: string; namespace: string } },
    ];
    expect(volume.metadata.name).toMatch(/^name-\d+$/);
    expect(files['b.tar.gz!events.yaml']).toContain(volume.metadata.name);
    expect(files['b.tar.gz!objects/cloudinstances.yaml']).toContain('type: g6-nanode-1');
    expect(files['b.tar.gz!objects/cloudinstances.yaml']).toContain('region: us-east');
    const { conditions } = (
      parse(files['b.tar.gz!objects/cloudvolumes.yaml'] ?? '') as readonly [{ status: { conditions: readonly { type: string }[] } }]
    )[0].status;
    expect(conditions.map(({ type }) => type)).toContain('Ready');
  });

  it('has no value that a person chose in the account either, neither while it differs nor after it was set back', async () => {
    const { id } = (await world.get('CloudInstance', 'canary-web')).status as { readonly id: number };
    const byHand = (body: object) =>
      world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path: `/v4/vm/instances/${id}`, body });
    await byHand({ label: 'renamed-by-hand' });
    await world.clock.advance(60 * minute);
    expect((await world.get('CloudInstance', 'canary-web')).status?.['drift']).toBeUndefined();
    await world.patch('CloudInstance', 'canary-web', { spec: { lifecycle: { drift: 'Report' } } });
    await world.clock.advance(minute);
    await byHand({ label: 'named-anew' });
    await world.clock.advance(60 * minute);
    expect((await world.get('CloudInstance', 'canary-web')).status?.['drift']).toHaveLength(1);
    await typed('bundle --to a.tar.gz -A --since 24h');
    for (const value of ['renamed-by-hand', 'named-anew', 'colleague']) expect(written()).toContain(value);
    files = {};
    await typed('bundle --to b.tar.gz -A --since 24h --no-names');
    for (const value of ['renamed-by-hand', 'named-anew', 'colleague', 'anary-label']) expect(written()).not.toContain(value);
    const [web] = parse(files['b.tar.gz!objects/cloudinstances.yaml'] ?? '') as readonly [
      { status: { drift: readonly { was: string; now: string }[]; conditions: readonly { message: string }[] } },
    ];
    const [{ was, now } = { was: '', now: '' }] = web.status.drift;
    expect(was).toMatch(/^name-\d+$/);
    expect(web.status.conditions.map(({ message }) => message).join('\n')).toContain(`spec.label: the account has ${now}, wanted ${was}`);
    expect(files['b.tar.gz!events.yaml']).toMatch(
      /corrected: spec\.label: the account has name-\d+, wanted name-\d+; likely changed by name-\d+ \(/,
    );
  });

  it('names what could not be read, goes back as far as it is told, and overwrites nothing', async () => {
    const { out } = await typed('bundle --to b.tar.gz', { between: (server) => server });
    expect(out).toContain('Not in it: Pods of the operator: NotFound');
    expect(files['b.tar.gz!README.txt']).toContain('Pods of the operator: NotFound');
    await world.clock.advance(10 * minute);
    await typed('bundle --to c.tar.gz --since 5m');
    expect(files['b.tar.gz!events.yaml']).toBeDefined();
    expect(files['c.tar.gz!events.yaml'] ?? '').not.toContain('Created');
    files['d.tar.gz'] = 'mine';
    expect(await typed('bundle --to d.tar.gz')).toMatchObject({ exit: 3 });
    expect(await typed('bundle --since yesterday')).toMatchObject({ exit: 2 });
    expect((await typed('bundle')).out).toMatch(/cloud-bundle-\d{8}T\d{6}Z\.tar\.gz is written, and sent nowhere/);
  });
});
