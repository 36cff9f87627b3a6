import CloudDatabaseBackup from '../../src/kinds/cloud-database-backup.ts';
import type { Fixture } from '../conformance/fixture.ts';

export default {
  kind: CloudDatabaseBackup,
  oneAtATime: true,
  sample: { name: 'before-upgrade', spec: { databaseRef: { name: 'shop' }, label: 'beforeupgrade' } },
  needs: {
    shop: { kind: 'CloudDatabase', spec: { allowFrom: undefined } },
    'shop-2': { kind: 'CloudDatabase', spec: { allowFrom: undefined, label: 'shop-2' } },
  },
  want: { name: 'beforeupgradeabcdefgh', databaseRef: 'mysql/$shop', label: 'beforeupgrade' },
  wants: {
    'a label that is derived': { label: undefined },
    'a replica': { label: 'R'.repeat(30), target: 'secondary' },
    'the primary node': { label: '1', target: 'primary' },
  },
  remote: { id: 4242, type: 'snapshot', label: 'beforeupgrade', created: '2023-03-06T10:00:00' },

  rejects: {
    'no database': [{ databaseRef: undefined }, 'databaseRef'],
    'a database by its number alone': [{ databaseRef: { external: 123 } }, 'write for example mysql/123'],
    'a database by an id that leads elsewhere': [{ databaseRef: { external: 'mysql/../../account' } }, 'write for example mysql/123'],
    'a database of no engine': [{ databaseRef: { external: 'redis/123' } }, 'write for example mysql/123'],
    'a label with a dash': [{ label: 'before-upgrade' }, 'write for example beforeupgrade'],
    'a label with a blank': [{ label: 'before upgrade' }, 'write for example beforeupgrade'],
    'a label that is too long': [{ label: 'a'.repeat(31) }, 'label'],
    'no label': [{ label: '' }, 'label'],
    'a node that there is not': [{ target: 'tertiary' }, 'target'],
  },
  edits: [
    { field: 'databaseRef', to: 'mysql/$shop-2', spec: { name: 'shop-2' }, refused: true, admissionOnly: true },
    { field: 'label', to: 'afterupgrade', refused: true },
    { field: 'target', to: 'secondary', refused: true, admissionOnly: true },
  ],
  plans: [
    {
      name: 'it is taken where the engine of its database has its lists',
      want: { databaseRef: 'mongodb/$shop' },
      remote: null,
      step: { do: 'create', call: { path: '/databases/mongodb/instances/101/backups', body: { label: 'beforeupgrade' } } },
    },
    {
      name: 'a replica is named to the service',
      want: { target: 'secondary' },
      remote: null,
      step: { do: 'create', call: { body: { target: 'secondary' } } },
    },
    { name: 'which node it was taken of nobody can tell, and it is no difference', want: { target: 'secondary' }, step: { do: 'nothing' } },
    { name: 'no object stands for an automatic one', remote: { type: 'auto' }, step: { do: 'refuse', reason: 'RemoteFailed' } },
    {
      name: 'a snapshot is deleted',
      deleting: true,
      step: { do: 'delete', call: { path: '/databases/mysql/instances/101/backups/4242' } },
    },
    { name: 'an automatic one is not', remote: { type: 'auto' }, deleting: true, step: { do: 'refuse', reason: 'Rejected' } },
  ],
} satisfies Fixture<typeof CloudDatabaseBackup>;
