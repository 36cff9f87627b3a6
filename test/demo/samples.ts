import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { kinds } from '../../src/generated/kinds.ts';
import { fixtures } from '../conformance/case.ts';
import { inTime } from '../support/samples/in-time.ts';
import { canGo } from '../support/samples/whole-lifecycle.ts';

interface Sample {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

const folder = fileURLToPath(new URL('../../deploy/samples', import.meta.url));

/** `cloudvolumes.yaml`; in the names of others, which these refer to, there is a dash. A disk needs an instance with room left, which no image leaves. */
export const onePerKind = /^([a-z]+|cloudinstances-bare)\.yaml$/;

/** Where a sample stands for any team and the demo needs its own; everything else is applied as it is in deploy/samples. */
const own: Readonly<Record<string, (spec: Sample['spec']) => Sample['spec']>> = {
  CloudAccount: () => ({ endpoint: 'main', tokenSecretRef: { name: 'cloud', key: 'token' }, installation: 'demo' }),
  // Its own instance is none of those.
  CloudIPShare: (spec) => ({ ...spec, instanceRef: { name: 'web' }, addresses: [] }),
  CloudDomainRecord: ({ target: _address, ...spec }) => ({ ...spec, targetFrom: { instanceRef: { name: 'web' }, address: 'PublicIPv4' } }),
};

/** What a shop needs first, so that the demo is over within a minute. */
const first = /^cloud(accounts|buckets|domains|domainrecords|firewalls|instances|sshkeys|volumes)\.yaml$/;

/**
 * `deploy/samples`, with records that follow the instance's addresses, and with everything deleted together with its object that
 * can be: one of every kind, or the first kinds alone.
 */
export async function samples(which: 'all' | 'first' = 'all'): Promise<readonly Sample[]> {
  const shown = which === 'all' ? onePerKind : first;
  const files = (await readdir(folder)).filter((file) => shown.test(file)).toSorted();
  const read = await Promise.all(files.map(async (file) => parse(await readFile(join(folder, file), 'utf8')) as Sample));
  const adapted = read.map((sample) => ({
    ...sample,
    spec: deleting(sample.kind, own[sample.kind]?.(sample.spec) ?? inTime(sample.spec)),
  }));
  const record = adapted.find(({ kind }) => kind === 'CloudDomainRecord');
  if (record === undefined) return adapted;
  const spec = { ...record.spec, type: 'AAAA', targetFrom: { instanceRef: { name: 'web' }, address: 'IPv6' } };
  return [...adapted, { ...record, metadata: { name: `${record.metadata.name}-v6` }, spec }];
}

/** Those of them that these samples name. */
export const namedIn = <Of extends readonly [name: string, data: unknown]>(specs: readonly Sample[], data: readonly Of[]): readonly Of[] =>
  data.filter(([name]) => JSON.stringify(specs).includes(`"name":"${name}"`));

/** The Secrets that samples name. */
export const secrets = fixtures.flatMap((fixture) => Object.entries(fixture.secrets ?? {}));

/** The ConfigMaps that samples name. */
export const configMaps = fixtures.flatMap((fixture) => Object.entries(fixture.configMaps ?? {}));

const deleting = (kind: string, spec: Sample['spec']): Sample['spec'] =>
  kinds.some((one) => one.kind === kind && canGo(one))
    ? { ...spec, lifecycle: { ...(spec['lifecycle'] as object | undefined), onDelete: 'Delete' } }
    : spec;
