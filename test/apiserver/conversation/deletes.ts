import { widget } from './step.ts';
import type { Conversation } from './step.ts';

export const deletes: Conversation = {
  name: 'deletes',
  steps: [
    { send: 'POST @widgets', body: widget('a', { size: 3 }, { finalizers: ['e.test/f', 'e.test/g'] }), as: 'a' },
    { send: 'DELETE @widgets/a', body: { preconditions: { uid: 'zzz' } } },
    { send: 'DELETE @widgets/a', body: { preconditions: { resourceVersion: '1' } } },
    { send: 'DELETE @widgets/a', body: { preconditions: { uid: '{a.uid}', resourceVersion: '{a.resourceVersion}' } }, as: 'a' },
    { send: 'DELETE @widgets/a' },
    { send: 'PATCH @widgets/a', body: { metadata: { finalizers: ['e.test/f', 'e.test/new'] } } },
    { send: 'PATCH @widgets/a', body: { metadata: { deletionTimestamp: null, annotations: { a: 'b' } } } },
    { send: 'PATCH @widgets/a', body: { spec: { size: 9 } } },
    { send: 'PATCH @widgets/a/status', body: { status: { phase: 'Deleting' } } },
    { send: 'PATCH @widgets/a', body: { metadata: { finalizers: ['e.test/g'] } } },
    { send: 'POST @widgets', body: widget('a', { size: 3 }) },
    { send: 'PATCH @widgets/a', body: { metadata: { finalizers: null } } },
    { send: 'GET @widgets/a' },
    { send: 'DELETE @widgets/a' },
    { send: 'POST @widgets', body: widget('plain', { size: 3 }) },
    { send: 'DELETE @widgets/plain?propagationPolicy=Background' },
    { send: 'POST @widgets', body: widget('one', { size: 3 }, { labels: { sweep: 'yes' } }) },
    { send: 'POST @widgets', body: widget('two', { size: 3 }) },
    { send: 'DELETE @widgets?labelSelector=sweep%3Dyes' },
    { send: 'GET @widgets' },
    { send: 'POST @serviceaccounts', body: { metadata: { name: 'sa' } } },
    { send: 'DELETE @serviceaccounts/sa' },
  ],
};

const owned = (name: string, owners: unknown[]): unknown => ({ metadata: { name, ownerReferences: owners }, data: {} });
const owner = (of: string, more: Record<string, unknown> = {}): unknown => ({
  apiVersion: 'apiserver.test/v1',
  kind: 'Widget',
  name: `{${of}.name}`,
  uid: `{${of}.uid}`,
  ...more,
});
const withFinalizers = "the time between the collector's two writes is not the same";

/** Needs the controller manager. */
export const garbage: Conversation = {
  name: 'garbage',
  steps: [
    { send: 'POST @widgets', body: widget('one', { size: 1 }), as: 'one' },
    { send: 'POST @widgets', body: widget('two', { size: 1 }), as: 'two' },
    { send: 'POST @configmaps', body: owned('of-one', [owner('one')]) },
    { send: 'POST @configmaps', body: owned('of-both', [owner('one'), owner('two')]) },
    {
      send: 'POST @configmaps',
      body: owned('of-nobody', [
        { apiVersion: 'apiserver.test/v1', kind: 'Widget', name: 'one', uid: 'e5b2a1f0-0000-4000-a000-000000000000' },
      ]),
    },
    { send: 'GET @configmaps/of-nobody', until: 404 },
    { send: 'GET @configmaps/of-one' },
    { send: 'DELETE @widgets/one' },
    { send: 'GET @configmaps/of-one', until: 404 },
    { send: 'GET @configmaps/of-both', differs: withFinalizers },
    { send: 'DELETE @widgets/two?propagationPolicy=Orphan', differs: withFinalizers },
    { send: 'GET @widgets/two', until: 404 },
    { send: 'GET @configmaps/of-both', differs: withFinalizers },
    { send: 'POST @widgets', body: widget('three', { size: 1 }), as: 'three' },
    { send: 'POST @configmaps', body: owned('held', [owner('three', { blockOwnerDeletion: true })]) },
    { send: 'PATCH @configmaps/held', body: { metadata: { finalizers: ['e.test/f'] } } },
    { send: 'DELETE @widgets/three', body: { propagationPolicy: 'Foreground' } },
    { send: 'GET @widgets/three' },
    { send: 'PATCH @configmaps/held', body: { metadata: { finalizers: null } }, differs: withFinalizers },
    { send: 'GET @widgets/three', until: 404 },
  ],
};

/** Needs the controller manager. */
export const namespaces: Conversation = {
  name: 'namespaces',
  steps: [
    { send: 'POST @widgets', body: widget('held', { size: 1 }, { finalizers: ['e.test/f'] }) },
    { send: 'POST @secrets', body: { metadata: { name: 's' } } },
    { send: 'DELETE /api/v1/namespaces/default' },
    { send: 'DELETE /api/v1/namespaces/{ns}' },
    { send: 'POST @secrets', body: { metadata: { name: 'late' } } },
    { send: 'GET @secrets/s', until: 404 },
    // Kinds are emptied in an order of their own: only what is being deleted goes with its last finalizer.
    {
      send: 'PATCH @widgets/held',
      type: 'json',
      body: [{ op: 'test', path: '/metadata/deletionGracePeriodSeconds', value: 0 }],
      until: 200,
      differs: 'the time of the deletion is another',
    },
    { send: 'GET @widgets/held', differs: 'the time of the deletion is another' },
    { send: 'PATCH @widgets/held', body: { metadata: { finalizers: null } } },
    { send: 'GET /api/v1/namespaces/{ns}', until: 404 },
    { send: 'POST @secrets', body: { metadata: { name: 'later' } } },
  ],
};
