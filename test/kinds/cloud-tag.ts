import CloudTag from '../../src/kinds/cloud-tag.ts';
import type { Fixture } from '../conformance/fixture.ts';

const members = (...types: readonly string[]) => types.map((type) => ({ type, data: { id: 1 } }));

export default {
  kind: CloudTag,
  refusesSecond: true,
  sample: { name: 'prod', spec: { label: 'production' } },
  want: { name: 'prod-abcdefgh', label: 'production' },
  wants: {
    'the shortest': { label: 'abc' },
    'the longest': { label: 't'.repeat(50) },
    'every sign': { label: 'env=prod: a?b#c%d ü' },
  },
  remote: { label: 'production', members: members('vm', 'vm', 'volume', 'nodebalancer', 'something new') },

  rejects: {
    'no label': [{ label: undefined }, 'label'],
    'a label that is too short': [{ label: 'ab' }, 'label'],
    'a label that is too long': [{ label: 't'.repeat(51) }, 'label'],
    'a tag of the operator': [{ label: 'co-1234' }, 'belong to the operator'],
    'a slash': [{ label: 'team/web' }, 'must not have a slash'],
    'a label that leads elsewhere': [{ label: '../volumes' }, 'must not have a slash'],
    'a line break': [{ label: 'prod\nweb' }, 'control characters'],
    'a number': [{ label: 123 }, 'label'],
    'a member that is no id': [{ initialMembers: { nodeBalancerIds: ['front'] } }, 'nodeBalancerIds'],
    'a member by its name': [{ initialMembers: { instanceIds: ['web'] } }, 'instanceIds'],
    'an id to adopt that leads elsewhere': [{ adopt: { id: '../volumes' } }, 'write for example prod'],
  },
  edits: [
    { field: 'label', to: 'staging', refused: true },
    {
      field: 'initialMembers',
      to: { instanceIds: [123] },
      refused: true,
      admissionOnly: true,
    },
  ],
  plans: [
    {
      name: 'its first members go with it',
      want: { initialMembers: { nodeBalancerIds: [4711] } },
      remote: null,
      step: { do: 'create', call: { path: '/tags', body: { label: 'production', nodebalancers: [4711] } } },
    },
    {
      name: 'who carries it is no difference',
      want: { initialMembers: { nodeBalancerIds: [4711] } },
      remote: { members: [] },
      step: { do: 'nothing' },
    },
    { name: 'its deletion names it', deleting: true, step: { do: 'delete', call: { method: 'DELETE', path: '/tags/production' } } },
  ],
} satisfies Fixture<typeof CloudTag>;
