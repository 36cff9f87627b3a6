import CloudKubernetesCluster from '../../src/kinds/cloud-kubernetes-cluster.ts';
import type { Fixture } from '../conformance/fixture.ts';

const base = { name: 'base', type: 'g6-standard-2', count: 3 };
const batch = { name: 'batch', type: 'g6-standard-4', count: 1 };
const node = (id: string, instance: number) => ({ id, instance_id: instance, status: 'ready' });
const pool = {
  id: 456,
  type: 'g6-standard-2',
  count: 3,
  autoscaler: { enabled: false, min: 3, max: 3 },
  disks: [],
  tags: ['pool=base-abcdefgh'],
  nodes: [node('456-63483a5f4cb1', 701), node('456-63483a5f4cb2', 702), node('456-63483a5f4cb3', 703)],
};
const foreign = { ...pool, id: 457, tags: ['pool=batch-zzzzzzzz'], nodes: [node('457-63483a5f4cb1', 801)], count: 1 };
const byHand = { ...foreign, id: 455, type: 'g6-dedicated-4', tags: [] };
const known = { nodePools: [{ name: 'base', id: 456, count: 3, ready: 3 }], endpoints: ['https://api.example.com:443'] };
const tookBase = [{ path: '/lke/clusters/1234/pools/456', by: 'CloudNodePool team-a/base' }];

export default {
  kind: CloudKubernetesCluster,
  sample: { name: 'prod', spec: { region: 'eu-central', k8sVersion: '1.24', tags: ['prod'], nodePools: [base] } },
  want: {
    name: 'prod-abcdefgh',
    region: 'eu-central',
    k8sVersion: '1.24',
    tags: ['prod'],
    nodePools: [base],
    marks: { keys: ['abcdefgh', 'hgfedcba'], mayTag: true },
  },
  wants: {
    'a label of its own': { label: 'production' },
    'a label outside of ASCII': { label: 'Küche' },
    'highly available': { highAvailability: true },
    'two pools': { nodePools: [base, batch] },
    'two pools of one kind': { nodePools: [base, { ...base, name: 'more' }] },
    'a pool that scales itself': { nodePools: [{ ...base, autoscaler: { enabled: true, min: 1, max: 8 } }] },
    'a pool with partitions and tags': {
      nodePools: [{ ...base, disks: [{ sizeMB: 1024, type: 'raw' }], tags: ['web-nodes'] }],
    },
  },
  remote: {
    id: 1234,
    label: 'prod-abcdefgh',
    region: 'eu-central',
    k8s_version: '1.24',
    control_plane: { high_availability: false },
    tags: ['prod'],
    status: 'ready',
    created: '2023-03-06T10:00:00',
    updated: '2023-03-06T10:00:00',
    pools: [pool],
    endpoints: [{ endpoint: 'https://5ac4b0f0.eu-central-1.vmlke.net:443' }],
    dashboard: { url: 'https://5ac4b0f0.dashboard.eu-central-1.vmlke.net' },
  },

  told: { kubeconfig: { kubeconfig: Buffer.from('apiVersion: v1\nkind: Config\n').toString('base64') } },

  unmanaged: { pools: [{ ...pool, tags: ['web-nodes'] }] },

  rejects: {
    'no version': [{ k8sVersion: undefined }, 'k8sVersion'],
    'a patch version': [{ k8sVersion: '1.24.3' }, 'the service chooses the patch'],
    'no pools': [{ nodePools: [] }, 'nodePools'],
    'a pool without a type': [{ nodePools: [{ name: 'base', count: 3 }] }, 'type'],
    'a pool without nodes': [{ nodePools: [{ ...base, count: 0 }] }, 'count'],
    'a pool with too many nodes': [{ nodePools: [{ ...base, count: 101 }] }, 'count'],
    'a pool whose name is no name': [{ nodePools: [{ ...base, name: 'Base Pool' }] }, 'write for example base'],
    'min without max': [{ nodePools: [{ ...base, autoscaler: { enabled: true, min: 1 } }] }, 'write both'],
    'min above max': [{ nodePools: [{ ...base, autoscaler: { enabled: true, min: 5, max: 2 } }] }, 'min is greater than max'],
    'eight partitions': [{ nodePools: [{ ...base, disks: Array.from({ length: 8 }, () => ({ sizeMB: 1024, type: 'raw' })) }] }, 'disks'],
    'a file system that there is not': [{ nodePools: [{ ...base, disks: [{ sizeMB: 1024, type: 'xfs' }] }] }, 'type'],
    'a mark among the tags of a pool': [{ nodePools: [{ ...base, tags: ['pool=base-abcdefgh'] }] }, 'tell the operator whose a pool is'],
    'a mark among the tags': [{ tags: ['pool=base-abcdefgh'] }, 'tell the operator whose a pool is'],
    "a tag of the operator's": [{ tags: ['co-abcdefgh'] }, 'belong to the operator'],
    'a label of blanks': [{ label: '   ' }, 'not blank'],
    'a label with an emoji': [{ label: 'prod 🚀' }, 'no characters of four bytes'],
    'a label that is too long': [{ label: 'p'.repeat(33) }, 'label'],
    'a region that is no slug': [{ region: 'EU central' }, 'region'],
  },
  edits: [
    { field: 'label', to: 'production', calls: ['PUT {item}'], body: { label: 'production' } },
    { field: 'region', to: 'us-east', refused: true },
    { field: 'k8sVersion', to: '1.25', calls: ['PUT {item}'], body: { k8s_version: '1.25' } },
    { field: 'k8sVersion', to: '1.23', refused: true },
    { field: 'highAvailability', to: true, calls: ['PUT {item}'], body: { control_plane: { high_availability: true } } },
    { field: 'tags', to: ['prod', 'shop'], calls: ['PUT {item}'], body: { tags: ['prod', 'shop'] } },
    { field: 'nodePools', to: [{ ...base, count: 5 }], calls: ['PUT {item}/pools/*'], body: { count: 5 } },
    { field: 'nodePools', to: [{ ...base, count: 2 }], calls: ['PUT {item}/pools/*'], body: { count: 2 } },
    {
      field: 'nodePools',
      to: [{ ...base, tags: ['web-nodes'] }],
      calls: ['PUT {item}/pools/*'],
      body: { tags: ['web-nodes', 'pool=base-abcdefgh'] },
    },
    {
      field: 'nodePools',
      to: [{ ...base, autoscaler: { enabled: true, min: 1, max: 8 } }],
      calls: ['PUT {item}/pools/*'],
      body: { autoscaler: { enabled: true, min: 1, max: 8 } },
    },
    {
      field: 'nodePools',
      to: [base, batch],
      calls: ['POST {item}/pools'],
      body: { type: 'g6-standard-4', count: 1, tags: ['pool=batch-abcdefgh'] },
    },
    { field: 'nodePools', to: [batch], calls: ['POST {item}/pools', 'DELETE {item}/pools/*'] },
  ],
  plans: [
    { name: 'a pool of another object is not touched', remote: { pools: [pool, foreign] }, step: { do: 'nothing' } },
    { name: 'a pool that was made by hand is not touched', remote: { pools: [byHand, pool] }, step: { do: 'nothing' } },
    {
      name: 'a copied mark makes no pool this object’s, while status knows its own',
      want: { recalled: known },
      remote: { pools: [{ ...pool, id: 400, count: 9 }, pool] },
      step: { do: 'nothing' },
    },
    {
      name: 'a mark on a pool of another plan says nothing',
      remote: { pools: [pool, { ...pool, id: 458, type: 'g6-dedicated-4' }] },
      step: { do: 'nothing' },
    },
    {
      name: 'one of another plan that bears its mark runs and is paid for, so no other one is made beside it',
      remote: { pools: [{ ...pool, type: 'g6-dedicated-4' }] },
      step: { do: 'refuse', reason: 'RemoteFailed' },
    },
    {
      name: 'one of another plan that bears its mark, and is that of another object, hinders nothing',
      want: { taken: tookBase },
      remote: { pools: [{ ...pool, type: 'g6-dedicated-4' }] },
      step: { do: 'update', call: { method: 'POST' } },
    },
    {
      name: 'two that bear its mark are for a person, where nothing tells which is its own',
      remote: { pools: [pool, { ...pool, id: 458 }] },
      step: { do: 'refuse', reason: 'RemoteFailed' },
    },
    {
      name: 'a pool that bears its mark and no member asks for stays, as long as status never knew it',
      remote: { pools: [pool, { ...pool, id: 458, tags: ['pool=old-abcdefgh'] }] },
      step: { do: 'nothing' },
    },
    {
      name: 'a member less is deleted once it was asked for',
      want: { recalled: { ...known, nodePools: [...known.nodePools, { name: 'old', id: 458, count: 3, ready: 3 }] } },
      remote: { pools: [pool, { ...pool, id: 458, tags: ['pool=old-abcdefgh'] }] },
      step: { do: 'approve', plan: { effect: 'Rebuild' } },
    },
    {
      name: 'a mark under an earlier key is its own, and is written anew',
      remote: { pools: [{ ...pool, tags: ['pool=base-hgfedcba'] }] },
      step: { do: 'nothing' },
    },
    {
      name: 'a mark that was taken off a known pool is put back',
      want: { recalled: known },
      remote: { pools: [{ ...pool, tags: ['mine'] }] },
      step: { do: 'update', call: { method: 'PUT', body: { tags: ['mine', 'pool=base-abcdefgh'] } } },
    },
    {
      name: 'marks that the create did not keep are put on while there are exactly the pools asked for',
      remote: { pools: [{ ...pool, tags: [] }] },
      step: { do: 'update', call: { method: 'PUT', body: { tags: ['pool=base-abcdefgh'] } } },
    },
    {
      name: 'a lost pool is made anew beside the others',
      want: { recalled: known },
      remote: { pools: [byHand, foreign] },
      step: { do: 'update', call: { method: 'POST', body: { type: 'g6-standard-2', count: 3, tags: ['pool=base-abcdefgh'] } } },
    },
    {
      name: 'one that may be the lost pool, and bears no mark, is for a person',
      want: { recalled: known },
      remote: { pools: [{ ...pool, id: 460, tags: [] }, foreign] },
      step: { do: 'refuse', reason: 'RemoteFailed' },
    },
    {
      name: 'one that bears its mark under a key that was lost is for a person',
      remote: { pools: [{ ...pool, tags: ['pool=base-zzzzzzzz'] }, foreign] },
      step: { do: 'refuse', reason: 'RemoteFailed' },
    },
    {
      name: 'one that bears the mark of who had the cluster before is its own, and is marked anew',
      want: { marks: { keys: ['abcdefgh'], mayTag: true, former: ['zzzzzzzz'] } },
      remote: { pools: [{ ...pool, tags: ['pool=base-zzzzzzzz'] }, foreign] },
      step: { do: 'update', call: { method: 'PUT', body: { tags: ['pool=base-abcdefgh'] } } },
    },
    {
      name: 'beside one that bears its own mark that of before is no second one',
      want: { marks: { keys: ['abcdefgh'], mayTag: true, former: ['zzzzzzzz'] } },
      remote: { pools: [{ ...pool, id: 499, tags: ['pool=base-zzzzzzzz'] }, pool] },
      step: { do: 'nothing' },
    },
    {
      name: 'one of another plan that bears the mark of who had the cluster before has no other one made beside it',
      want: { marks: { keys: ['abcdefgh'], mayTag: true, former: ['zzzzzzzz'] } },
      remote: { pools: [{ ...pool, type: 'g6-dedicated-4', tags: ['pool=base-zzzzzzzz'] }, foreign] },
      step: { do: 'refuse', reason: 'RemoteFailed' },
    },
    {
      name: 'one that status remembers is marked anew where its key was lost',
      want: { recalled: known },
      remote: { pools: [{ ...pool, tags: ['pool=base-zzzzzzzz'] }, foreign] },
      step: { do: 'update', call: { method: 'PUT', body: { tags: ['pool=base-abcdefgh'] } } },
    },
    {
      name: 'one that bears its mark under a lost key is taken while the account recovers, and not changed',
      want: { marks: { keys: ['abcdefgh'], mayTag: true, recovers: true } },
      remote: { pools: [{ ...pool, tags: ['pool=base-zzzzzzzz'] }, foreign] },
      step: { do: 'nothing' },
    },
    {
      name: 'one of two that bear its mark under lost keys is not guessed',
      want: { marks: { keys: ['abcdefgh'], mayTag: true, recovers: true } },
      remote: {
        pools: [
          { ...pool, tags: ['pool=base-zzzzzzzz'] },
          { ...pool, id: 499, tags: ['pool=base-yyyyyyyy'] },
        ],
      },
      step: { do: 'refuse', reason: 'RemoteFailed' },
    },
    {
      name: 'one that another object took is neither changed nor made again while it is named',
      want: { recalled: known, nodePools: [{ ...base, count: 5 }], taken: tookBase },
      step: { do: 'refuse', reason: 'RemoteFailed' },
    },
    {
      name: 'the same where its mark is gone',
      want: { recalled: known, taken: tookBase },
      remote: { pools: [{ ...pool, tags: [] }] },
      step: { do: 'refuse', reason: 'RemoteFailed' },
    },
    {
      name: 'one that another object took, and that is named no more, loses the mark and stays',
      want: { recalled: known, nodePools: [batch], taken: tookBase },
      remote: {
        pools: [
          { ...pool, tags: ['web-nodes', 'pool=base-abcdefgh'] },
          { ...foreign, type: batch.type, tags: ['pool=batch-abcdefgh'] },
        ],
      },
      step: { do: 'update', call: { method: 'PUT', path: tookBase[0]?.path, body: { tags: ['web-nodes'] } } },
    },
    {
      name: 'nothing is done to it without the mark',
      want: { recalled: known, nodePools: [batch], taken: tookBase },
      remote: {
        pools: [
          { ...pool, tags: [] },
          { ...foreign, type: batch.type, tags: ['pool=batch-abcdefgh'] },
        ],
      },
      step: { do: 'nothing' },
    },
    {
      name: 'an unmarked one of another object is not taken for a new member',
      want: {
        recalled: known,
        nodePools: [base, batch],
        taken: [{ path: '/lke/clusters/1234/pools/499', by: 'CloudNodePool team-a/more' }],
      },
      remote: { pools: [pool, { ...pool, id: 499, type: batch.type, count: batch.count, tags: [] }] },
      step: { do: 'update', call: { method: 'POST' } },
    },
    { name: 'fewer nodes ask first', remote: { pools: [{ ...pool, count: 5 }] }, step: { do: 'approve', plan: { effect: 'Rebuild' } } },
    { name: 'another version asks first', want: { k8sVersion: '1.25' }, step: { do: 'approve', plan: { effect: 'Reboot' } } },
    {
      name: 'high availability of a cluster that is there asks first',
      want: { highAvailability: true },
      step: { do: 'approve', plan: { effect: 'Rebuild' } },
    },
    {
      name: 'high availability is for good',
      want: { highAvailability: false },
      remote: { control_plane: { high_availability: true } },
      step: { do: 'refuse', reason: 'ImmutableField' },
    },
    { name: 'a version never goes back', remote: { k8s_version: '1.25' }, step: { do: 'refuse', reason: 'ImmutableField' } },
    {
      name: 'the count is not compared while the autoscaler is on',
      want: { nodePools: [{ ...base, autoscaler: { enabled: true, min: 1, max: 8 } }] },
      remote: { pools: [{ ...pool, count: 2, nodes: pool.nodes.slice(0, 2), autoscaler: { enabled: true, min: 1, max: 8 } }] },
      step: { do: 'nothing' },
    },
    { name: 'waits for its nodes', remote: { pools: [{ ...pool, nodes: pool.nodes.slice(0, 2) }] }, step: { do: 'wait' } },
    {
      name: 'does not wait for the nodes of others',
      remote: { pools: [pool, { ...foreign, count: 4 }] },
      step: { do: 'nothing' },
    },
    {
      name: 'waits for its nodes as status told of them, while the pools are not read',
      want: { recalled: { ...known, nodePools: [{ name: 'base', id: 456, count: 3, ready: 1 }] } },
      remote: { pools: undefined },
      context: { pending: false },
      step: { do: 'wait' },
    },
    {
      name: 'a node that never comes does not stand in the way of an edit',
      want: { nodePools: [{ ...base, count: 5 }] },
      remote: { pools: [{ ...pool, nodes: pool.nodes.slice(0, 2) }] },
      step: { do: 'update', call: { method: 'PUT', body: { count: 5 } } },
    },
    { name: 'waits while its API server does not answer', remote: { endpoints: null }, step: { do: 'wait' } },
    {
      name: 'a user who may not tag has the first pool, without a mark',
      want: { marks: { keys: ['abcdefgh'], mayTag: false } },
      remote: {
        pools: [
          { ...foreign, tags: [] },
          { ...pool, tags: [] },
        ],
      },
      step: { do: 'nothing' },
    },
    {
      name: 'a user who may not tag has no second pool',
      want: { marks: { keys: ['abcdefgh'], mayTag: false }, nodePools: [base, batch] },
      step: { do: 'refuse', reason: 'RemoteFailed' },
    },
    {
      name: 'is not deleted together with what others have in it',
      deleting: true,
      remote: { pools: [pool, byHand] },
      step: { do: 'refuse' },
    },
    { name: 'waits for the pools of other objects', deleting: true, remote: { pools: [pool, foreign] }, step: { do: 'wait' } },
    { name: 'is deleted with its own pools', deleting: true, step: { do: 'delete' } },
  ],
} satisfies Fixture<typeof CloudKubernetesCluster>;
