import CloudManagedInstanceSettings from '../../src/kinds/cloud-managed-instance-settings.ts';
import type { Fixture } from '../conformance/fixture.ts';

const ssh = (change: object): { readonly ssh: object } => ({ ssh: { access: true, user: 'support', ip: 'any', port: 22, ...change } });

export default {
  kind: CloudManagedInstanceSettings,
  sample: { name: 'web-managed', spec: { instanceRef: { name: 'web' }, ssh: { access: true, user: 'support', port: 22 } } },
  needs: {
    web: { kind: 'CloudInstance' },
    'web-2': { kind: 'CloudInstance', spec: { label: 'web-2' } },
  },
  want: { name: 'web-managed-abcdefgh', instanceRef: '$web', ssh: { access: true, user: 'support', port: 22 } },
  wants: {
    'no access': { ssh: { access: false } },
    'any address': { ssh: { ip: 'any' } },
    'the longest user and the highest port': { ssh: { user: 'u'.repeat(32), port: 65_535 } },
    root: { ssh: { user: '' } },
    nothing: { ssh: {} },
  },
  remote: { id: '$web', label: 'web', group: '', ...ssh({}) },

  rejects: {
    'no instance': [{ instanceRef: undefined }, 'instanceRef'],
    'an instance that no object can be': [{ instanceRef: { name: '../web' } }, 'a name has lower-case'],
    'an id that leads elsewhere': [{ instanceRef: { external: '5/../6' } }, 'an id is a number'],
    'nothing about SSH': [{ ssh: undefined }, 'ssh'],
    'a user that is too long': [{ ssh: { user: 'u'.repeat(33) } }, 'user'],
    'a host name for an address': [{ ssh: { ip: 'web.example.org' } }, 'write for example 203.0.113.7'],
    'a network': [{ ssh: { ip: '203.0.113.0/24' } }, 'without prefix length'],
    'port nought': [{ ssh: { port: 0 } }, 'port'],
    'a port that there is not': [{ ssh: { port: 65_536 } }, 'port'],
    'a word for a switch': [{ ssh: { access: 'yes' } }, 'access'],
  },
  edits: [
    { field: 'instanceRef', to: '$web-2', spec: { name: 'web-2' }, refused: true, admissionOnly: true },
    { field: 'ssh', to: { user: 'night' }, calls: ['PUT {item}'], body: ssh({ user: 'night' }) },
    { field: 'ssh', to: { user: '' }, calls: ['PUT {item}'], body: ssh({ user: null }) },
    { field: 'ssh', to: { access: false }, calls: ['PUT {item}'], body: ssh({ access: false }) },
    { field: 'ssh', to: { port: 2222 }, calls: ['PUT {item}'], body: ssh({ port: 2222 }) },
  ],
  plans: [
    {
      name: 'what the spec does not name is left alone',
      want: { ssh: { port: 22 } },
      remote: ssh({ access: false }),
      step: { do: 'nothing' },
    },
    { name: 'no user is root', want: { ssh: { user: '' } }, remote: ssh({ user: null }), step: { do: 'nothing' } },
    {
      name: 'an address that was taken away has set all back, which is put right',
      want: { ssh: { user: 'support', port: 22 } },
      remote: { ssh: { access: true, user: null, ip: 'any', port: null } },
      step: { do: 'update', call: { method: 'PUT', body: ssh({}) } },
    },
    {
      name: 'what is left alone is sent along',
      want: { ssh: { port: 2222 } },
      remote: ssh({ access: false, ip: '203.0.113.7' }),
      step: { do: 'update', call: { body: ssh({ access: false, ip: '203.0.113.7', port: 2222 }) } },
    },
    {
      name: 'where its object takes back what it asked for, it is as if nobody had set anything',
      deleting: true,
      step: { do: 'delete', call: { method: 'PUT', body: { ssh: { access: true, user: null, ip: 'any', port: null } } } },
    },
  ],
} satisfies Fixture<typeof CloudManagedInstanceSettings>;
