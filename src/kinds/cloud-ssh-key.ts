import { createHash } from 'node:crypto';
import * as z from 'zod';
import { checked, defineCollection, digest, optional, ready } from '../resource/index.ts';

/** The fields of `GET /profile/sshkeys/{id}`. */
const SshKey = z.object({ id: z.number(), label: z.string(), ssh_key: z.string(), created: z.string() });

const types = 'ssh-dss|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|ssh-ed25519|sk-ecdsa-sha2-nistp256(@openssh[.]com)?';

/** A line of authorized_keys: `<type> <base64> <comment>`. What it opens is told by the first two alone. */
const partsOf = (line: string): readonly string[] => line.trim().split(/\s+/);
const withoutComment = (line: unknown): string => partsOf(String(line)).slice(0, 2).join(' ');

/** As `ssh-keygen -l` shows it. */
function fingerprintOf(line: string): string {
  const [, key = ''] = partsOf(line);
  return `SHA256:${createHash('sha256').update(key, 'base64').digest('base64').replace(/=+$/, '')}`;
}

export default defineCollection({
  kind: 'CloudSSHKey',
  summary:
    "A public SSH key in the profile of the user whose token the account has. Instances get it by that user's name in `authorizedUsers`.",
  shortName: 'csshkey',

  spec: z.object({
    label: optional(
      z.string().max(64),
      'Name in the profile, up to 64 characters, for example `alice-laptop`; several keys may have the same. Absent: derived from the name of this object.',
    ),
    publicKey: checked(
      z.string().min(1).max(8192),
      {
        rule: "!self.contains('PRIVATE KEY')",
        message:
          'publicKey is a private key: write the line of the .pub file instead, and make a new pair, because this one was shown to others',
      },
      {
        rule: `self.contains('PRIVATE KEY') || self.trim().matches('^(${types}) [A-Za-z0-9+/]+={0,3}([ ].*)?$')`,
        message:
          'publicKey is one line as in a .pub file, without options before it: ssh-ed25519, ssh-rsa, ssh-dss, ecdsa-sha2-nistp256, -384 or -521, or sk-ecdsa-sha2-nistp256@openssh.com, a space, and the key',
      },
    ).describe(
      'Public key as the .pub file has it, for example `ssh-ed25519 AAAA... alice@laptop`. Cannot be changed: to rotate, make another object and delete this one.',
    ),
  }),
  status: z.object({
    label: z.string().describe('Name in the profile.'),
    type: z.string().describe('Type of the key, for example `ssh-ed25519`.'),
    fingerprint: z.string().describe('Fingerprint as `ssh-keygen -l` shows it, for example `SHA256:...`.'),
  }),
  remote: SshKey,

  path: '/profile/sshkeys',
  // Nothing refuses a second one, neither of the label nor of the key. The digest keeps what is noted of a create short.
  key: {
    enforced: 'counted',
    names: true,
    of: (want) => ({ label: want.label ?? want.name, ssh_key: digest(withoutComment(want.publicKey)) }),
    row: (row) => ({ label: row['label'], ssh_key: digest(withoutComment(row['ssh_key'])) }),
  },
  label: { field: 'label', max: 64 },
  createdAt: 'created',

  create: (want) => ({ label: want.label ?? want.name, ssh_key: want.publicKey.trim() }),
  fields: {
    label: { read: (key) => key.label, put: (label) => ({ label }) },
    publicKey: { read: (key) => key.ssh_key, immutable: true, as: withoutComment, errors: ['ssh_key'] },
  },
  health: () => ready,
  observe: (key) => ({ label: key.label, type: partsOf(key.ssh_key)[0] ?? '', fingerprint: fingerprintOf(key.ssh_key) }),

  sweep: { by: 'list' },
  events: [{ entity: 'account', actions: ['user_ssh_key_'] }],
  scopes: { read: ['account:read_only'], write: ['account:read_write'] },
  // A key in the profile opens every new instance that names the user: not for tenants whom the account merely admits.
  accountLevel: true,
  defaults: { onDelete: 'Delete', onMissing: 'Recreate' },
  columns: { Label: '.status.label', Type: '.status.type', Fingerprint: '.status.fingerprint' },
});
