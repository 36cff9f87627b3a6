import CloudLongviewClient from '../../src/kinds/cloud-longview-client.ts';
import type { Fixture } from '../conformance/fixture.ts';

const row = {
  id: 789,
  label: 'web-1',
  api_key: 'BD1B4B54-D752-A76D-5A9BD8A17F39DB61',
  install_code: 'BD1B5605-BF5E-D385-BA07AD518BE7F321',
  apps: { apache: true, nginx: false, mysql: false },
  created: '2023-03-06T10:00:00',
};

export default {
  kind: CloudLongviewClient,
  sample: { name: 'web', spec: { label: 'web-1' } },
  want: { name: 'web-abcdefgh', label: 'web-1' },
  wants: {
    'a label of the operator': { label: undefined },
    'the shortest label': { label: 'web' },
    'the longest label': { label: 'w'.repeat(32) },
    'a label of all that it may have': { label: 'Web_1-a' },
  },
  remote: row,

  rejects: {
    'a label that is too short': [{ label: 'ab' }, 'label'],
    'a label that is too long': [{ label: 'w'.repeat(33) }, 'label'],
    'a blank in the label': [{ label: 'web 1' }, 'letters, digits, dashes and underscores only'],
    'a full name': [{ label: 'web.example.org' }, 'write for example web-1'],
    'a number for a label': [{ label: 123 }, 'label'],
    'no label but an empty one': [{ label: '' }, 'label'],
    'a ConfigMap for the key': [
      { outputs: [{ configMapName: 'longview', keys: { KEY: 'api-key' } }] },
      'secret and cannot go into a ConfigMap: name a Secret with secretName',
    ],
    'the same Secret twice': [
      {
        outputs: [
          { secretName: 'agent', keys: { KEY: 'api-key' } },
          { secretName: 'agent', keys: { CODE: 'install-code' } },
        ],
      },
      'name each Secret and ConfigMap once',
    ],
    'what it does not give out': [{ outputs: [{ secretName: 'agent', keys: { KEY: 'password' } }] }, 'gives out api-key, install-code'],
    'a Secret that cannot be': [{ secretName: 'Long View' }, 'a name has lower-case letters'],
  },
  edits: [{ field: 'label', to: 'web-2', calls: ['PUT {item}'], body: { label: 'web-2' } }],
  plans: [
    { name: 'an absent label is not managed', want: { label: undefined }, step: { do: 'nothing' } },
    {
      name: 'what runs is told as numbers after a create',
      remote: { apps: { apache: 0, nginx: 1, mysql: 0 } },
      step: { do: 'nothing' },
    },
    {
      name: 'a derived label is sent',
      want: { label: undefined },
      remote: null,
      step: { do: 'create', call: { path: '/longview/clients', body: { label: 'web-abcdefgh' } } },
    },
    { name: 'nothing has to come before its deletion', deleting: true, step: { do: 'delete', call: { path: '/longview/clients/789' } } },
  ],
} satisfies Fixture<typeof CloudLongviewClient>;
