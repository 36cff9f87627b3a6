import CloudManagedCredential from '../../src/kinds/cloud-managed-credential.ts';
import { Sensitive } from '../../src/resource/index.ts';
import type { Fixture } from '../conformance/fixture.ts';

const username = new Sensitive('support');
const password = new Sensitive('correct-horse-Battery-9-staple');
const item = '/managed/credentials/9991';

export default {
  kind: CloudManagedCredential,
  refusesSecond: true,
  sample: {
    name: 'ops',
    spec: {
      label: 'ops-login',
      usernameSecretRef: { name: 'ops-login', key: 'username' },
      passwordSecretRef: { name: 'ops-login', key: 'password' },
    },
  },
  secrets: { 'ops-login': { username: 'support', password: 'correct-horse-Battery-9-staple' } },
  want: { name: 'ops-abcdefgh', label: 'ops-login', usernameSecretRef: username, passwordSecretRef: password },
  wants: {
    'a label of the operator': { label: undefined },
    'a password alone': { usernameSecretRef: undefined },
    'the shortest label': { label: 'db' },
    'the longest label': { label: 'd'.repeat(75) },
    'a label of all that it may have': { label: 'Prod db_1.eu-2' },
  },
  remote: { id: 9991, label: 'ops-login', last_decrypted: null },

  rejects: {
    'a user without a password': [{ passwordSecretRef: undefined }, 'the service takes both together'],
    'a password in clear': [{ passwordSecretRef: 's3cret' }, 'passwordSecretRef'],
    'a user in clear': [{ usernameSecretRef: 'support' }, 'usernameSecretRef'],
    'a Secret without its key': [{ passwordSecretRef: { name: 'ops-login' } }, 'key'],
    'a Secret that no namespace can have': [{ passwordSecretRef: { name: 'a/b', key: 'password' } }, 'a name has lower-case'],
    'a key that no Secret can have': [{ usernameSecretRef: { name: 'ops-login', key: '../token' } }, 'a key of a Secret'],
    'a label that is too short': [{ label: 'd' }, 'label'],
    'a label that is too long': [{ label: 'd'.repeat(76) }, 'label'],
    'a slash in the label': [{ label: 'prod/db' }, 'write for example prod-login'],
    'an empty label': [{ label: '' }, 'label'],
  },
  edits: [{ field: 'label', to: 'night-login', calls: ['PUT {item}'], body: { label: 'night-login' } }],
  plans: [
    { name: 'an absent label is not managed', want: { label: undefined }, step: { do: 'nothing' } },
    {
      name: 'what changed of user and password is sent together, in one call',
      context: { applied: () => false },
      step: { do: 'update', call: { method: 'POST', path: `${item}/update`, body: { username: {}, password: {} } } },
    },
    {
      name: 'a password that changed alone is sent with its user',
      context: { applied: (field: string) => field !== 'passwordSecretRef' },
      step: { do: 'update', call: { path: `${item}/update`, body: { username: {}, password: {} } } },
    },
    { name: 'nothing has to come before its deletion', deleting: true, step: { do: 'delete', call: { method: 'DELETE', path: item } } },
  ],
  exempt: {
    'edits usernameSecretRef': 'its value is never shown; the rows above show it',
    'edits passwordSecretRef': 'its value is never shown; the rows above show it',
  },
} satisfies Fixture<typeof CloudManagedCredential>;
