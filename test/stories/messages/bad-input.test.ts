import { plural } from '../../../src/generate/names.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
});
const instance = (ref: Record<string, unknown>, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  region: 'eu-central',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: ref,
  ...more,
});
const volume = (more: Record<string, unknown>): Record<string, unknown> => ({ region: 'eu-central', ...more });

describe('admission refuses', () => {
  const climbing = ['a/b', '..', '.', 'a%2Fb', 'a/../../pods', 'a b', 'Web', '-a', 'a..b', 'ä'];
  const record = { domainRef: { name: 'example' }, type: 'A', target: '192.0.2.1' };
  const places: readonly (readonly [field: string, kind: string, spec: (name: string) => Record<string, unknown>])[] = [
    ['rootPasswordSecretRef.name', 'CloudInstance', (name) => instance({ name, key: 'password' })],
    ['tokenSecretRef.name', 'CloudAccount', (name) => ({ endpoint: 'main', tokenSecretRef: { name, key: 'token' } })],
    ['instanceRef.name', 'CloudVolume', (name) => volume({ instanceRef: { name } })],
    ['accountRef.name', 'CloudVolume', (name) => volume({ accountRef: { name } })],
    ['accountRef.namespace', 'CloudVolume', (namespace) => volume({ accountRef: { name: 'default', namespace } })],
    ['domainRef.name', 'CloudDomainRecord', (name) => ({ ...record, domainRef: { name } })],
    ['domainRef.namespace', 'CloudDomainRecord', (namespace) => ({ ...record, domainRef: { name: 'example', namespace } })],
  ];
  it.each(places)('in %s what is no name of Kubernetes, and says what one looks like', async (field, kind, spec) => {
    for (const name of climbing)
      await expect(world.apply(kind, 'sample', spec(name))).rejects.toThrow(new RegExp(`spec[.]${field}.*a name has lower-case`));
    await expect(world.apply(kind, 'sample', spec('web-1'))).resolves.toBeDefined();
  });
  it.each(['.', '..', '..data', 'a/b', 'a b', 'ä'])('%j as a key of a Secret', async (key) => {
    await expect(world.apply('CloudInstance', 'web', instance({ name: 'root', key }))).rejects.toThrow(/a key of a Secret has letters/);
  });

  const ids = ['..', '.', '0', '-1', '1/..', '../vm/instances/1002', '1%2F2', 'private/12', '01', ' 1', '1e3'];
  it.each(ids)('%j as the id of something that has a number', async (id) => {
    await expect(world.apply('CloudVolume', 'data', volume({ adopt: { id } }))).rejects.toThrow(/spec.adopt.id/);
    await expect(world.apply('CloudVolume', 'data', { instanceRef: { external: id } })).rejects.toThrow(/spec.instanceRef.external/);
    await expect(world.apply('CloudDomainRecord', 'www', { ...record, domainRef: { external: id } })).rejects.toThrow(
      /spec.domainRef.external/,
    );
  });
  it.each([5, 'eu-central-1', '../volumes', 'eu-central-1/..', 'a/b/c'])('%j as the id of a bucket', async (id) => {
    await expect(world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1', adopt: { id } })).rejects.toThrow(/spec.adopt.id/);
  });
  it.each(['eu/../..', 'eu/central', '..'])('%j as a region or a cluster', async (slug) => {
    await expect(world.apply('CloudVolume', 'data', volume({ region: slug }))).rejects.toThrow(/spec.region/);
    await expect(world.apply('CloudBucket', 'assets', { cluster: slug })).rejects.toThrow(/spec.cluster/);
  });
  it.each(['vm/../..', 'a/b/c', 'vm/', '/vm'])('%j as an image', async (image) => {
    await expect(world.apply('CloudInstance', 'web', instance({ name: 'root', key: 'password' }, { image }))).rejects.toThrow(/spec.image/);
  });
  it('no id for being a number that is written as text', async () => {
    await expect(world.apply('CloudVolume', 'data', volume({ adopt: { id: '12' } }))).resolves.toBeDefined();
    await expect(world.apply('CloudVolume', 'more', volume({ adopt: { id: 12 } }))).resolves.toBeDefined();
  });
});

describe('a key of a Secret', () => {
  it.each(['constructor', '__proto__', 'toString'])('%s that is not in it is awaited like any other', async (key) => {
    await world.start();
    await world.ready('CloudAccount', 'default');
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.apply('CloudInstance', 'web', instance({ name: 'root', key }));
    const condition = await world.reason('CloudInstance', 'web', 'ReferenceNotReady');
    expect(condition.message).toContain(`has no key ${key}`);
    await world.apply('CloudAccount', 'odd', { endpoint: 'main', tokenSecretRef: { name: 'cloud-token', key } });
    expect((await world.reason('CloudAccount', 'odd', 'AccountNotReady')).message).toContain(key);
    expect(changesOf(world)).toEqual([]);
    expect(world.panics).toEqual([]);
  });
  it('__proto__ that is in it is used', async () => {
    await world.start();
    await world.admin('POST', '/api/v1/namespaces/team-a/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'root', namespace: 'team-a' },
      data: JSON.parse(`{"__proto__": "${Buffer.from('Canary-Horse-9-Battery').toString('base64')}"}`) as object,
    });
    await world.apply('CloudInstance', 'web', instance({ name: 'root', key: '__proto__' }));
    await world.ready('CloudInstance', 'web');
  });
});

it('a property that every object has is none of a cloud resource', async () => {
  const access = [{ namespaces: ['team-b'], adopt: 'Any' }];
  await world.patch('CloudAccount', 'default', { spec: { access } });
  await world.start();
  const body = { label: 'theirs', region: 'eu-central', size: 20 };
  await world.emulator.control.actAs({ username: 'colleague', method: 'POST', path: '/v4/volumes', body });
  await world.apply('CloudVolume', 'data', volume({ adopt: { match: { hasOwnProperty: String(Reflect.get({}, 'hasOwnProperty')) } } }));
  await world.reason('CloudVolume', 'data', 'RemoteMissing');
});

describe('an object that is older than the rules', () => {
  type Schema = { [key: string]: unknown };
  /** The schema as it was before: no grammar, no rules. */
  function loosened(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(loosened);
    if (typeof schema !== 'object' || schema === null) return schema;
    const kept = Object.entries(schema as Schema).filter(([key]) => key !== 'pattern' && key !== 'x-kubernetes-validations');
    return Object.fromEntries(kept.map(([key, value]) => [key, loosened(value)]));
  }
  async function loosen(plural: string): Promise<void> {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.cloudhosting.dev`;
    await world.admin('PUT', path, loosened(await world.admin('GET', path)));
  }
  const odd: readonly (readonly [what: string, kind: string, spec: Record<string, unknown>])[] = [
    ['a Secret', 'CloudInstance', instance({ name: '../configmaps/stolen', key: 'password' })],
    ['a key', 'CloudInstance', instance({ name: 'root', key: '../stolen' })],
    ['an external id', 'CloudDomainRecord', { domainRef: { external: '..' }, type: 'A', target: '192.0.2.1' }],
    [
      'an external id in a list',
      'CloudFirewall',
      { inboundPolicy: 'DROP', outboundPolicy: 'DROP', instanceRefs: [{ external: 'stolen' }] },
    ],
    ['an id to adopt', 'CloudVolume', volume({ adopt: { id: '../stolen/1002' } })],
    ['an id to adopt in a path of two parts', 'CloudBucket', { cluster: 'eu-central-1', label: 'assets', adopt: { id: '../stolen' } }],
    ['a cluster', 'CloudBucket', { cluster: 'eu/../../stolen', label: 'assets' }],
    ['an image', 'CloudInstance', instance({ name: 'root', key: 'password' }, { image: 'vm/../../stolen' })],
  ];
  it.each(odd)('and names %s of a %s that leads elsewhere is refused, nothing is read there, and it can go', async (_, kind, spec) => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.start();
    await world.ready('CloudAccount', 'default');
    await loosen(plural(kind));
    await world.apply(kind, 'old', spec);
    const { message } = await world.reason(kind, 'old', 'InvalidSpec', 60_000);
    expect(message).toContain('Correct the spec; nothing was sent');
    await world.delete(kind, 'old');
    await world.gone(kind, 'old');
    const asked = [...world.server.ledger.requests, ...world.emulator.control.requests()].map(({ path }) => path);
    expect(asked.filter((path) => path.includes('stolen') || path.includes('..'))).toEqual([]);
    expect(world.panics).toEqual([]);
  });
  it('and names the Secret of its token by a path has none', async () => {
    await world.start();
    await loosen('cloudaccounts');
    await world.apply('CloudAccount', 'old', { endpoint: 'main', tokenSecretRef: { name: '../configmaps/stolen', key: 'token' } });
    await world.reason('CloudAccount', 'old', 'AccountNotReady', 60_000);
    expect(world.server.ledger.requests.filter(({ path }) => path.includes('stolen'))).toEqual([]);
    expect(world.panics).toEqual([]);
  });
});
