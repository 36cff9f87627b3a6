import CloudSSHKey from '../../src/kinds/cloud-ssh-key.ts';
import type { Fixture } from '../conformance/fixture.ts';

const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOy3aI05m4g1XjMCxjDe1RxEej2A1/chTLltdDV98GUl';
const nistp384 =
  'ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBBjruh5BmwjjN6XvPfs3ztbY2rOeqpXdq9I5e3SQ8/gZRY8OZGVpa/yX+lt/zmWTxkFCjEwEMOKJdBgHccgOSe1/OcvVPrz1YQWAZnjXrDb8OfqykQ+wGeQG3rqvK30+EA==';
const row = { id: 7001, label: 'alice-laptop', ssh_key: `${ed25519} alice@laptop`, created: '2023-03-06T10:00:00' };

export default {
  kind: CloudSSHKey,
  sample: { name: 'alice', spec: { label: 'alice-laptop', publicKey: `${ed25519} alice@laptop` } },
  want: { name: 'alice-abcdefgh', label: 'alice-laptop', publicKey: `${ed25519} alice@laptop` },
  wants: {
    'a label of the operator': { label: undefined },
    'no label at all': { label: '' },
    'without a comment': { publicKey: ed25519 },
    'a comment of several words': { publicKey: `${ed25519} alice at home` },
    'an end of line, as YAML blocks have it': { publicKey: `${ed25519} alice@laptop\n` },
    'an elliptic curve, padded': { publicKey: nistp384 },
    'a security key': { publicKey: 'sk-ecdsa-sha2-nistp256@openssh.com AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20= yubikey' },
    RSA: { publicKey: 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ==' },
    DSA: { publicKey: 'ssh-dss AAAAB3NzaC1kc3MAAACBAP==' },
  },
  remote: row,

  rejects: {
    'no key': [{ publicKey: undefined }, 'publicKey'],
    'an empty key': [{ publicKey: '' }, 'publicKey'],
    'a label that is too long': [{ label: 'a'.repeat(65) }, 'label'],
    'a number for a label': [{ label: 7 }, 'label'],
    'a private key': [
      { publicKey: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk=\n-----END OPENSSH PRIVATE KEY-----\n' },
      'is a private key',
    ],
    'a key without its type': [{ publicKey: 'AAAAC3NzaC1lZDI1NTE5AAAAIOy3' }, 'one line as in a .pub file'],
    'a type without its key': [{ publicKey: 'ssh-ed25519' }, 'one line as in a .pub file'],
    'a type that the service does not take': [
      { publicKey: 'sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29t' },
      'sk-ecdsa-sha2-nistp256@openssh.com',
    ],
    'a curve that there is not': [{ publicKey: 'ecdsa-sha2-nistp128 AAAAE2VjZHNh' }, 'ecdsa-sha2-nistp256'],
    'options before the key': [{ publicKey: `from="192.0.2.1" ${ed25519}` }, 'without options'],
    'two keys': [{ publicKey: `${ed25519}\n${ed25519}` }, 'one line'],
    'a key that is no base64': [{ publicKey: 'ssh-ed25519 AAAA-C3Nz_' }, 'publicKey'],
    'the path of a file': [{ publicKey: '~/.ssh/id_ed25519.pub' }, 'one line as in a .pub file'],
  },
  edits: [
    { field: 'label', to: 'alice-desk', calls: ['PUT {item}'], body: { label: 'alice-desk' } },
    { field: 'publicKey', to: nistp384, refused: true },
  ],
  plans: [
    { name: 'a comment is no difference', remote: { ssh_key: ed25519 }, step: { do: 'nothing' } },
    { name: 'an end of line is none either', want: { publicKey: `${ed25519} alice@laptop\n` }, step: { do: 'nothing' } },
    {
      name: 'the end of line is not sent',
      want: { publicKey: `${ed25519} alice@laptop\n` },
      remote: null,
      step: { do: 'create', call: { path: '/profile/sshkeys', body: { label: 'alice-laptop', ssh_key: `${ed25519} alice@laptop` } } },
    },
    {
      name: 'another key is another thing',
      remote: { ssh_key: nistp384 },
      step: { do: 'refuse', reason: 'ImmutableField' },
    },
    { name: 'an absent label is not managed', want: { label: undefined }, step: { do: 'nothing' } },
    { name: 'nothing has to come before its deletion', deleting: true, step: { do: 'delete', call: { path: '/profile/sshkeys/7001' } } },
  ],
} satisfies Fixture<typeof CloudSSHKey>;
