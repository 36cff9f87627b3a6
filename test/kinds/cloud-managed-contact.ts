import CloudManagedContact from '../../src/kinds/cloud-managed-contact.ts';
import type { Fixture } from '../conformance/fixture.ts';

const row = {
  id: 567,
  name: 'Ops on call',
  email: 'oncall@example.org',
  phone: { primary: '555-0100', secondary: null },
  group: 'on-call',
  updated: '2023-03-06T10:00:00',
};
const item = '/managed/contacts/567';

export default {
  kind: CloudManagedContact,
  sample: {
    name: 'ops',
    spec: { name: 'Ops on call', email: 'oncall@example.org', phone: { primary: '555-0100' }, group: 'on-call' },
  },
  want: {
    name: 'Ops on call',
    email: 'oncall@example.org',
    phone: { primary: '555-0100' },
    group: 'on-call',
  },
  wants: {
    'nothing but who and where': { phone: undefined, group: undefined },
    'the shortest name and group': { name: 'Jo', group: 'on' },
    'the longest name and group': { name: 'n'.repeat(64), group: 'g'.repeat(50) },
    'the longest address': { email: `${'a'.repeat(88)}@example.org` },
    'both numbers': { phone: { primary: '555-0100', secondary: '+49 30 555' } },
    'no number and no group, said': { phone: { primary: '', secondary: '' }, group: '' },
    'capital letters in the address': { email: 'OnCall@Example.org' },
  },
  remote: row,

  rejects: {
    'no name': [{ name: undefined }, 'name'],
    'no address': [{ email: undefined }, 'email'],
    'a name that is too short': [{ name: 'J' }, 'name'],
    'a name that is too long': [{ name: 'n'.repeat(65) }, 'name'],
    'a full stop in the name': [{ name: 'Dr. Ops' }, 'write for example Ops on call'],
    'a name and address in one': [{ email: 'Ops <oncall@example.org>' }, 'write for example oncall@example.org'],
    'two addresses': [{ email: 'a@example.org,b@example.org' }, 'one address and nothing else'],
    'an address without a host': [{ email: 'oncall@' }, 'one address and nothing else'],
    'an address of one machine': [{ email: 'root@web1' }, 'write for example oncall@example.org'],
    'an address that is too long': [{ email: `${'a'.repeat(89)}@example.org` }, 'email'],
    'a group of one letter': [{ group: 'g' }, 'write for example on-call'],
    'a group that is too long': [{ group: 'g'.repeat(51) }, 'group'],
    'a number that is no text': [{ phone: { primary: 5550100 } }, 'phone'],
    'a list of numbers': [{ phone: ['555-0100'] }, 'phone'],
  },
  edits: [
    { field: 'name', to: 'Ops-2 on_call', calls: ['PUT {item}'], body: { name: 'Ops-2 on_call' } },
    { field: 'email', to: 'night@example.org', calls: ['PUT {item}'], body: { email: 'night@example.org' } },
    {
      field: 'phone',
      to: { secondary: '555-0199' },
      calls: ['PUT {item}'],
      body: { phone: { primary: '555-0100', secondary: '555-0199' } },
    },
    { field: 'phone', to: { primary: '' }, calls: ['PUT {item}'], body: { phone: { primary: null, secondary: null } } },
    { field: 'group', to: 'night', calls: ['PUT {item}'], body: { group: 'night' } },
    { field: 'group', to: '', calls: ['PUT {item}'], body: { group: null } },
    { field: 'group', to: undefined },
  ],
  plans: [
    { name: 'an absent group is not managed', want: { group: undefined }, step: { do: 'nothing' } },
    { name: 'absent numbers are not managed', want: { phone: undefined }, step: { do: 'nothing' } },
    { name: 'the case of an address is no difference', remote: { email: 'OnCall@Example.ORG' }, step: { do: 'nothing' } },
    {
      name: 'a number that the spec does not name is sent along',
      remote: { phone: { primary: '555-0999', secondary: '555-0199' } },
      step: { do: 'update', call: { method: 'PUT', path: item, body: { phone: { primary: '555-0100', secondary: '555-0199' } } } },
    },
    {
      name: 'all that differs is one call',
      remote: { name: 'Their name', group: 'theirs' },
      step: { do: 'update', call: { method: 'PUT', path: item, body: { name: 'Ops on call', group: 'on-call' } } },
    },
    { name: 'no numbers at all are shown as none', want: { phone: { primary: '' } }, remote: { phone: null }, step: { do: 'nothing' } },
    {
      name: 'what is empty is sent as nothing',
      want: { phone: { primary: '' }, group: '' },
      remote: null,
      step: { do: 'create', call: { path: '/managed/contacts', body: { name: 'Ops on call', phone: { primary: null }, group: null } } },
    },
    { name: 'nothing has to come before its deletion', deleting: true, step: { do: 'delete', call: { path: item } } },
  ],
} satisfies Fixture<typeof CloudManagedContact>;
