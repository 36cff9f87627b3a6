import CloudLongviewPlan from '../../src/kinds/cloud-longview-plan.ts';
import type { Fixture } from '../conformance/fixture.ts';

const ten = { id: 'longview-10', label: 'Longview Pro 10 pack', clients_included: 10, price: { hourly: 0.06, monthly: 40 } };
/** The same fields, as the free plan leaves them out. */
const none = { id: undefined, label: undefined, clients_included: undefined, price: undefined };

export default {
  kind: CloudLongviewPlan,
  sample: { name: 'plan', spec: { plan: 'longview-10' } },
  want: { name: 'plan-abcdefgh', plan: 'longview-10' },
  wants: {
    'the smallest': { plan: 'longview-3' },
    'the largest': { plan: 'longview-100' },
    'the free one': { plan: 'Free' },
  },
  remote: ten,

  rejects: {
    'no plan': [{ plan: undefined }, 'plan'],
    'an empty plan': [{ plan: '' }, 'write for example longview-10'],
    'a number': [{ plan: 10 }, 'plan'],
    'a number alone, as text': [{ plan: '10' }, 'write for example longview-10'],
    'the label that the provider shows': [{ plan: 'Longview Pro 10 pack' }, 'write for example longview-10'],
    'the free plan in small letters': [{ plan: 'free' }, 'plan is Free or a subscription'],
    'none at all for the free plan': [{ plan: null }, 'plan'],
    'a plan for nobody': [{ plan: 'longview-0' }, 'write for example longview-10'],
    'a plan that leads elsewhere': [{ plan: 'longview-10/../3' }, 'write for example longview-10'],
    'a blank behind it': [{ plan: 'longview-10 ' }, 'write for example longview-10'],
    'a list of plans': [{ plan: ['longview-10'] }, 'plan'],
  },
  edits: [{ field: 'plan', to: 'longview-40', calls: ['PUT {item}'], body: { longview_subscription: 'longview-40' } }],
  plans: [
    { name: 'the free plan is what shows nothing', want: { plan: 'Free' }, remote: none, step: { do: 'nothing' } },
    {
      name: 'nothing is shown, and a plan is wanted',
      remote: none,
      step: { do: 'update', call: { method: 'PUT', path: '/longview/plan', body: { longview_subscription: 'longview-10' } } },
    },
    {
      name: 'the free plan is asked for by null',
      want: { plan: 'Free' },
      step: { do: 'update', call: { path: '/longview/plan', body: { longview_subscription: null } } },
    },
    { name: 'an empty name is the free plan too', want: { plan: 'Free' }, remote: { ...none, id: '' }, step: { do: 'nothing' } },
    {
      name: 'a plan that is not offered is not asked for',
      want: { plan: 'longview-5' },
      context: { catalogue: () => [{ id: 'longview-3' }, { id: 'longview-10' }] },
      step: { do: 'refuse', reason: 'InvalidSpec' },
    },
    {
      name: 'the free plan is in no list of what is offered',
      want: { plan: 'Free' },
      context: { catalogue: () => [{ id: 'longview-3' }, { id: 'longview-10' }] },
      step: { do: 'update', call: { body: { longview_subscription: null } } },
    },
    {
      name: 'in an account that is only read a change is not made',
      want: { plan: 'longview-40' },
      policy: { management: 'ReadOnly' },
      step: { do: 'report' },
    },
  ],
} satisfies Fixture<typeof CloudLongviewPlan>;
