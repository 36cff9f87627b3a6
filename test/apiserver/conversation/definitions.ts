import type { Conversation } from './step.ts';

const schema = (spec: unknown): unknown => ({ openAPIV3Schema: { type: 'object', properties: { spec } } });

const crd = (spec: unknown, more: Record<string, unknown> = {}): unknown => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gizmos.{ns}.test' },
  spec: {
    group: '{ns}.test',
    scope: 'Namespaced',
    names: { plural: 'gizmos', kind: 'Gizmo', ...more },
    versions: [{ name: 'v1', served: true, storage: true, schema: schema(spec) }],
  },
});

const gizmos = '/apis/{ns}.test/v1/namespaces/{ns}/gizmos';
const gizmo = { apiVersion: '{ns}.test/v1', kind: 'Gizmo', metadata: { name: 'g' }, spec: { a: 'x' } };
const asynchronous = 'its status is filled in a moment later';

export const definitions: Conversation = {
  name: 'definitions',
  steps: [
    {
      send: 'POST @crds',
      body: { ...(crd({}) as object), metadata: { name: 'wrong.{ns}.test' } },
      differs: 'the real server finds more faults',
    },
    {
      send: 'POST @crds',
      body: crd({
        type: 'object',
        properties: { a: { type: 'string', maxLength: 9 } },
        'x-kubernetes-validations': [{ rule: 'self.a.nonsense()' }],
      }),
      differs: 'the compiler words its errors differently',
    },
    { send: `POST ${gizmos}`, body: gizmo },
    {
      send: 'POST @crds',
      body: crd({ type: 'object', properties: { a: { type: 'string', maxLength: 9 } } }, { shortNames: ['gz'], categories: ['cloud'] }),
      differs: asynchronous,
    },
    { send: `POST ${gizmos}`, body: gizmo, until: 201, as: 'g' },
    { send: `PATCH ${gizmos}/g`, body: { status: { phase: 'x' } } },
    { send: `PATCH ${gizmos}/g/status`, body: { status: { phase: 'x' } } },
    {
      send: 'PATCH @crds/gizmos.{ns}.test',
      type: 'json',
      body: [
        { op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/b', value: { type: 'integer', default: 5 } },
      ],
      differs: asynchronous,
    },
    {
      send: `PUT ${gizmos}/g`,
      body: { ...gizmo, metadata: { name: 'g', resourceVersion: '{g.resourceVersion}', finalizers: ['e.test/f'] }, spec: { a: 'x', b: 6 } },
      differs: 'the new schema is served a moment later',
    },
    { send: 'DELETE @crds/gizmos.{ns}.test', differs: asynchronous },
    { send: `PATCH ${gizmos}/g`, body: { metadata: { finalizers: null } }, differs: 'whether the deletion has begun' },
    { send: 'GET @crds/gizmos.{ns}.test', until: 404 },
    { send: `GET ${gizmos}`, until: 404 },
  ],
};
