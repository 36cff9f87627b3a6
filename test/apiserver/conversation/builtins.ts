import type { Conversation } from './step.ts';

const lease = (name: string, spec: unknown, metadata: Record<string, unknown> = {}) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, ...metadata },
  spec,
});

export const leases: Conversation = {
  name: 'leases',
  steps: [
    { send: 'POST @leases', body: lease('l', { holderIdentity: 'a', renewTime: '2026-01-01T00:00:00.123Z' }) },
    {
      send: 'POST @leases',
      body: lease('l', { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.123000Z', bogus: 1 }),
      as: 'l',
    },
    { send: 'POST @leases', body: lease('l2', { leaseDurationSeconds: 0, leaseTransitions: -1 }) },
    { send: 'PUT @leases/l', body: lease('l', { holderIdentity: 'b' }) },
    {
      send: 'PUT @leases/l',
      body: lease('l', { holderIdentity: 'b', leaseDurationSeconds: 15 }, { resourceVersion: '{l.resourceVersion}' }),
    },
    { send: 'PUT @leases/l', body: lease('l', { holderIdentity: 'c' }, { resourceVersion: '{l.resourceVersion}' }) },
    { send: 'PUT @leases/new', body: lease('new', { holderIdentity: 'b' }) },
    { send: 'PATCH @leases/l', body: { spec: { holderIdentity: null, renewTime: null } } },
    { send: 'DELETE @leases/new' },
  ],
};

const secret = (name: string, more: Record<string, unknown>) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...more });

export const secrets: Conversation = {
  name: 'secrets',
  steps: [
    {
      send: 'POST @secrets',
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { generateName: 'gen-' }, stringData: { a: 'b' }, foo: 1 },
    },
    { send: 'POST @secrets', body: secret('s', { data: { a: 'not base64!' } }) },
    { send: 'POST @secrets', body: secret('s', { data: { 'a b': 'YQ==' } }) },
    { send: 'POST @secrets', body: { metadata: { name: 's' }, data: { a: 'YQ==' } }, as: 's' },
    { send: 'PUT @secrets/s', body: secret('s', { data: { a: 'Yg==' } }) },
    { send: 'PATCH @secrets/s', body: { stringData: { z: 'y' }, data: { a: null } } },
    { send: 'PATCH @secrets/s', body: { type: 'x/y' } },
    { send: 'PATCH @secrets/s', body: { metadata: { uid: 'zzz' } } },
    { send: 'PATCH @secrets/s', body: { metadata: { resourceVersion: '1' } } },
    { send: 'PATCH @secrets/s', body: { immutable: true } },
    { send: 'PATCH @secrets/s', body: { data: { a: 'YQ==' } }, differs: 'the value is hidden in another way' },
    { send: 'PUT @secrets', body: {} },
    { send: 'DELETE @secrets/s' },
    { send: 'POST @configmaps', body: { metadata: { name: 'c' }, data: { a: 1 } } },
    { send: 'POST @configmaps', body: { metadata: { name: 'c' }, data: { a: '1' } } },
    { send: 'PATCH @configmaps/c', body: { data: { a: null } } },
    { send: 'POST @serviceaccounts', body: { metadata: { name: 'sa' } } },
  ],
};

const event = {
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'c/d',
  reportingInstance: 'i',
  action: 'Create',
  reason: 'Created',
  type: 'Normal',
  note: 'hello',
};
const regarding = { kind: 'Widget', namespace: '{ns}', name: 'a', apiVersion: 'apiserver.test/v1', uid: 'u' };

export const events: Conversation = {
  name: 'events',
  steps: [
    { send: 'POST @newevents', body: { apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'e1' }, ...event, regarding } },
    { send: 'GET @events/e1' },
    { send: 'GET @newevents/e1' },
    { send: 'POST @newevents', body: { metadata: { name: 'e2' }, ...event } },
    { send: 'POST @newevents', body: { metadata: { name: 'e2' }, reason: 'x', regarding } },
    { send: 'POST @events', body: { metadata: { name: 'e3' }, reason: 'x' } },
    {
      send: 'POST @events',
      body: {
        metadata: { name: 'e3' },
        reason: 'x',
        message: 'm',
        type: 'Normal',
        involvedObject: regarding,
        firstTimestamp: '2026-01-01T00:00:00.123Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        count: 1,
        source: { component: 'x' },
      },
    },
    { send: 'GET @newevents/e3' },
    { send: 'PATCH @newevents/e1', body: { series: { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' } } },
    { send: 'PATCH @newevents/e1', body: { note: 'changed' } },
    { send: 'PATCH @events/e3', body: { count: 2 } },
    { send: 'DELETE @newevents/e3' },
  ],
};
