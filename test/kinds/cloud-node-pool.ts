import CloudNodePool from '../../src/kinds/cloud-node-pool.ts';
import type { Fixture } from '../conformance/fixture.ts';

const node = (id: string, instance: number | null, status = 'ready') => ({ id, instance_id: instance, status });
const mark = 'pool=batch-hgfedcba';

export default {
  kind: CloudNodePool,
  sample: {
    name: 'batch',
    spec: { clusterRef: { name: 'prod' }, type: 'g6-standard-4', count: 1, autoscaler: { enabled: true, min: 1, max: 8 } },
  },
  needs: { prod: { kind: 'CloudKubernetesCluster' } },
  leftToService: ['count'],
  want: {
    name: 'batch-hgfedcba',
    clusterRef: '$prod',
    type: 'g6-standard-4',
    count: 1,
    autoscaler: { enabled: true, min: 1, max: 8 },
    marks: { keys: ['hgfedcba'], mayTag: true },
  },
  wants: {
    'a number of its own': { count: 2, autoscaler: undefined },
    'with tags': { tags: ['batch'] },
    'with partitions': { disks: [{ sizeMB: 1024, type: 'raw' }] },
    'no limits of the autoscaler': { autoscaler: { enabled: false } },
  },
  remote: {
    id: 457,
    type: 'g6-standard-4',
    count: 1,
    autoscaler: { enabled: true, min: 1, max: 8 },
    disks: [],
    tags: [mark],
    nodes: [node('457-63483a5f4cb1', 801)],
  },

  unmanaged: { tags: [] },

  rejects: {
    'no cluster': [{ clusterRef: undefined }, 'clusterRef'],
    'a cluster that is no name': [{ clusterRef: { name: '../prod' } }, 'a name has lower-case'],
    'a cluster with name and id': [{ clusterRef: { name: 'prod', external: 5 } }, 'exactly one of name and external'],
    'no plan': [{ type: undefined }, 'type'],
    'no nodes': [{ count: 0 }, 'count'],
    'too many nodes': [{ count: 101 }, 'count'],
    'a fraction of a node': [{ count: 1.5 }, 'count'],
    'max without min': [{ autoscaler: { enabled: true, max: 8 } }, 'write both'],
    'min above max': [{ autoscaler: { enabled: true, min: 8, max: 1 } }, 'min is greater than max'],
    'an autoscaler that is neither on nor off': [{ autoscaler: { min: 1, max: 8 } }, 'enabled'],
    'a partition without size': [{ disks: [{ sizeMB: 0, type: 'raw' }] }, 'sizeMB'],
    'the mark of another pool': [{ tags: ['pool=base-abcdefgh'] }, 'tell the operator whose a pool is'],
    "a tag of the operator's": [{ tags: ['co-abcdefgh'] }, 'belong to the operator'],
    'a tag that is too short': [{ tags: ['ab'] }, 'tags'],
  },
  edits: [
    { field: 'clusterRef', to: 999, spec: { name: 'another' }, refused: true, admissionOnly: true },
    { field: 'type', to: 'g6-standard-6', refused: true },
    {
      field: 'count',
      to: 3,
      with: { autoscaler: { enabled: false, min: 1, max: 8 } },
      calls: ['PUT {item}'],
      body: { count: 3, autoscaler: { enabled: false, min: 1, max: 8 } },
    },
    {
      field: 'autoscaler',
      to: { enabled: true, min: 2, max: 10 },
      calls: ['PUT {item}'],
      body: { autoscaler: { enabled: true, min: 2, max: 10 } },
    },
    { field: 'disks', to: [{ sizeMB: 1024, type: 'raw' }], refused: true },
    { field: 'tags', to: ['batch'], calls: ['PUT {item}'], body: { tags: ['batch', mark] } },
  ],
  plans: [
    {
      name: 'fewer nodes ask first',
      want: { autoscaler: undefined },
      remote: { count: 4, autoscaler: { enabled: false, min: 4, max: 4 } },
      step: { do: 'approve', plan: { effect: 'Rebuild' } },
    },
    {
      name: 'more nodes do not',
      want: { autoscaler: undefined, count: 6 },
      remote: { count: 4, autoscaler: { enabled: false, min: 4, max: 4 } },
      step: { do: 'update', call: { method: 'PUT', body: { count: 6 } } },
    },
    {
      name: 'an autoscaler that takes nodes away asks first',
      want: { autoscaler: { enabled: true, min: 1, max: 2 } },
      remote: { count: 5, nodes: [1, 2, 3, 4, 5].map((one) => node(`457-63483a5f4cb${one}`, 800 + one)) },
      step: { do: 'approve', plan: { effect: 'Rebuild' } },
    },
    { name: 'the count is not compared while the autoscaler is on', want: { count: 4 }, step: { do: 'nothing' } },
    { name: 'waits for its nodes', remote: { nodes: [node('457-63483a5f4cb1', null, 'not_ready')] }, step: { do: 'wait' } },
    {
      name: 'a node that never comes does not stand in the way of an edit',
      want: { autoscaler: undefined, count: 2 },
      remote: { autoscaler: { enabled: false, min: 1, max: 1 }, nodes: [node('457-63483a5f4cb1', null, 'not_ready')] },
      step: { do: 'update', call: { method: 'PUT', body: { count: 2 } } },
    },
    {
      name: 'one that bears the mark of another object is not touched',
      want: { tags: ['batch'] },
      remote: { tags: ['pool=base-abcdefgh'] },
      step: { do: 'refuse', reason: 'RemoteFailed' },
    },
    {
      name: 'one that bears the mark of who had it before is its own',
      want: { tags: ['batch'], marks: { keys: ['abcdefgh'], mayTag: true, former: ['zzzzzzzz'] } },
      remote: { tags: ['pool=old-zzzzzzzz'] },
      step: { do: 'update', call: { method: 'PUT', body: { tags: ['batch', 'pool=old-zzzzzzzz'] } } },
    },
    {
      name: 'one whose mark status remembers is its own, also under another key',
      want: { tags: ['batch'], recalled: { mark: 'pool=batch-zzzzzzzz' } },
      remote: { tags: ['pool=batch-zzzzzzzz'] },
      step: { do: 'update', call: { method: 'PUT', body: { tags: ['batch', 'pool=batch-zzzzzzzz'] } } },
    },
    {
      name: 'one that bears the mark of another object is not deleted',
      deleting: true,
      remote: { tags: ['pool=base-abcdefgh'], all: [{ id: 456 }, { id: 457 }] },
      step: { do: 'refuse' },
    },
    { name: 'the last pool of a cluster is for a person', deleting: true, remote: { all: [{ id: 457 }] }, step: { do: 'refuse' } },
    { name: 'one of several goes', deleting: true, remote: { all: [{ id: 456 }, { id: 457 }] }, step: { do: 'delete' } },
  ],
} satisfies Fixture<typeof CloudNodePool>;
