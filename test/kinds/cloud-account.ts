import CloudAccount from '../../src/kinds/cloud-account.ts';
import { Sensitive } from '../../src/resource/index.ts';
import type { Fixture } from '../conformance/fixture.ts';

export default {
  kind: CloudAccount,
  sample: {
    name: 'default',
    spec: {
      endpoint: 'main',
      tokenSecretRef: { name: 'cloud', key: 'token' },
      defaults: { region: 'us-southeast', tags: ['kubernetes'] },
      access: [{ namespaces: ['shop'], kinds: ['CloudDomainRecord'], adopt: 'None', maxObjects: 100 }],
      contact: { company: 'Example', country: 'US', state: 'PA', zip: '19102-1234' },
    },
  },
  want: {
    name: 'default-abcdefgh',
    endpoint: 'main',
    tokenSecretRef: new Sensitive('token-of-a-test'),
    contact: { company: 'Example', country: 'US', state: 'PA', zip: '19102-1234' },
  },
  wants: { 'nothing but the way to it': { contact: undefined } },
  remote: {
    euuid: 'E1AF5EEC-526F-487D-B317EBEB34C87D71',
    first_name: 'John',
    last_name: 'Smith',
    company: 'Example',
    email: 'john.smith@example.org',
    phone: '215-555-1212',
    address_1: '123 Main Street',
    address_2: '',
    city: 'Philadelphia',
    state: 'PA',
    country: 'US',
    zip: '19102-1234',
    tax_id: '',
    balance: 200,
    balance_uninvoiced: 14.5,
    active_since: '2018-01-01T00:01:01',
    active_promotions: [],
    billing_source: 'akamai',
    capabilities: ['Block Storage'],
    credit_card: { last_four: '1111', expiry: '11/2022' },
  },

  rejects: {
    'no endpoint': [{ endpoint: undefined }, 'endpoint'],
    'an address in place of an endpoint': [{ endpoint: 'https://api.example.org/v4' }, 'endpoint'],
    'no token': [{ tokenSecretRef: undefined }, 'tokenSecretRef'],
    'a mode that does not exist': [{ mode: 'Readonly' }, 'mode'],
    'a poll every second': [{ pollIntervalSeconds: 1 }, 'pollIntervalSeconds'],
    'more than the whole budget': [{ budget: { sharePercent: 101 } }, 'budget'],
    'access for nobody': [{ access: [{ namespaces: [] }] }, 'access'],
    'access for a namespace that cannot be': [{ access: [{ namespaces: ['*'] }] }, 'access'],
    'a state in full': [{ contact: { country: 'US', state: 'Pennsylvania' } }, 'code of two letters'],
    'a country in full': [{ contact: { country: 'Germany' } }, 'country'],
    'ten letters of zip': [{ contact: { zip: '1234567890' } }, 'at most 9 letters and digits'],
    'a zip with a comma': [{ contact: { zip: '19102,1234' } }, 'letters, digits, spaces and hyphens only'],
    'a name that is too long': [{ contact: { firstName: 'a'.repeat(51) } }, 'contact'],
  },
  edits: [
    { field: 'installation', to: 'prod-eu', refused: true, admissionOnly: true },
    {
      field: 'contact',
      to: { city: 'Berlin', country: 'DE', state: '' },
      calls: ['PUT /account'],
      body: { city: 'Berlin', country: 'DE', state: '' },
    },
    { field: 'contact', to: undefined },
    { field: 'mode', to: 'ReadOnly' },
  ],
  plans: [
    {
      name: 'only what is wanted is sent',
      want: { contact: { taxId: 'ATU99999999' } },
      step: { do: 'update', call: { method: 'PUT', path: '/account', body: { tax_id: 'ATU99999999' } } },
    },
    {
      name: 'what the spec does not name is left alone',
      want: { contact: { company: 'Example' } },
      remote: { city: 'Theirs' },
      step: { do: 'nothing' },
    },
    { name: 'an empty text removes', want: { contact: { phone: '' } }, step: { do: 'update', call: { body: { phone: '' } } } },
    {
      name: 'an account that is only read is reported',
      remote: { company: 'Theirs' },
      policy: { management: 'ReadOnly' },
      step: { do: 'report', reason: 'ReadOnly' },
    },
  ],
} satisfies Fixture<typeof CloudAccount>;
