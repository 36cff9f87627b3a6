import { describe, expect, it } from 'vitest';
import { customResourceDefinition, schemaHash, schemaHashAnnotation } from '../../../src/generate/crd.ts';
import { plural } from '../../../src/generate/names.ts';
import { schemaOf } from '../../../src/generate/schema/schema.ts';
import { schemaAt } from '../../../src/generate/schema/structural-schema.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import type { AnyKind } from '../../../src/resource/index.ts';
import { CloudAccess, CloudThing } from './sample-kind.ts';

const schema = schemaOf(CloudThing);
const names = (path: string, of = schema): readonly string[] => Object.keys(schemaAt(of, path)?.properties ?? {});

const columns = (kind: AnyKind) =>
  (
    customResourceDefinition(kind)['spec'] as { versions: { additionalPrinterColumns: { name: string; type: string }[] }[] }
  ).versions.flatMap((version) => version.additionalPrinterColumns.map(({ name, type }) => `${name} ${type}`));

describe('schema', () => {
  it('has the fields of the kind, then those of every kind', () =>
    expect(names('.spec')).toEqual([
      ...Object.keys(CloudThing.fields),
      'accountRef',
      'adopt',
      'lifecycle',
      'secretName',
      'outputs',
      'allowedRefs',
    ]));
  it('has what the engine writes, then what the kind observes', () =>
    expect(names('.status').slice(-2)).toEqual(['sizeGiB', 'attachedTo']));
  it('makes every unseen object older than its first generation', () => {
    expect(schema.properties?.['status']?.default).toEqual({ observedGeneration: -1 });
    expect(schemaAt(schema, '.status.observedGeneration')?.default).toBe(-1);
  });
  it('asks for nothing in a status, which is written in parts', () => expect(schema.properties?.['status']).not.toHaveProperty('required'));
  it('has conditions as a map by type', () =>
    expect(schemaAt(schema, '.status.conditions')).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    }));
  it('refuses tags of the operator', () =>
    expect(schemaAt(schema, '.spec.tags')?.items?.['x-kubernetes-validations']?.[0]?.rule).toBe("!self.startsWith('co-')"));
  it('ignores only fields that can be compared', () =>
    expect(schemaAt(schema, '.spec.lifecycle.ignoreFields')?.items?.enum).toEqual(['label', 'region', 'sizeGiB', 'tags', 'instanceRef']));
  it('has no adoption and no account of an account', () => {
    expect(names('.spec', schemaOf(CloudAccess))).toEqual(['endpoint', 'lifecycle']);
    expect(names('.spec.lifecycle', schemaOf(CloudAccess))).toEqual(['management', 'protect', 'drift', 'approve']);
  });
  it('refuses a kind whose field is everybody’s', () => {
    const twice = {
      ...CloudAccess,
      mode: 'collection',
      spec: CloudThing.spec.extend({ adopt: CloudThing.spec.shape['notes'] }),
    } as typeof CloudAccess;
    expect(() => schemaOf(twice)).toThrow(/adopt is a field that every kind has/);
  });
});

describe('custom resource definition', () => {
  it('shows the columns of the kind, then how it stands', () =>
    expect(columns(CloudThing)).toEqual([
      'Region string',
      'GiB integer',
      'Device string',
      'Ready string',
      'Synced string',
      'Age date',
      'Message string',
    ]));
  it('refuses a column that shows nothing', () =>
    expect(() => columns({ ...CloudThing, columns: { Nope: '.spec.nope' } })).toThrow(/column Nope shows \.spec\.nope/));
  // kubectl begins each row with these two, and prints every name in capitals.
  it.each(kinds)('of $kind has no two columns of one name', (kind) => {
    const names = ['NAMESPACE', 'NAME', ...columns(kind).map((column) => column.split(' ')[0]?.toUpperCase())];
    expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
  });
  it('carries the hash of its schema', () =>
    expect(customResourceDefinition(CloudThing).metadata['annotations']).toEqual({ [schemaHashAnnotation]: schemaHash(CloudThing) }));
  it('has another hash when the schema is another', () => {
    const other = { ...CloudThing, summary: 'Another thing.' };
    expect(schemaHash(other)).not.toBe(schemaHash(CloudThing));
  });
});

it.each([
  ['CloudVolume', 'cloudvolumes'],
  ['CloudIPAddress', 'cloudipaddresses'],
  ['CloudSSHKey', 'cloudsshkeys'],
  ['CloudIdentity', 'cloudidentities'],
  ['CloudKubernetesCluster', 'cloudkubernetesclusters'],
])('%s is found under %s', (kind, expected) => expect(plural(kind)).toBe(expected));
