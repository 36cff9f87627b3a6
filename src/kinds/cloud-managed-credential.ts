import * as z from 'zod';
import {
  type Call,
  checked,
  countsAsApplied,
  defineCollection,
  matches,
  optional,
  post,
  ready,
  secretKey,
  type Sensitive,
} from '../resource/index.ts';

/** The fields of `GET /managed/credentials/{id}`; what it opens is never shown. */
const Credential = z.object({ id: z.number(), label: z.string(), last_decrypted: z.string().nullish() });

interface Login {
  readonly usernameSecretRef?: Sensitive | undefined;
  readonly passwordSecretRef?: Sensitive | undefined;
}
/** Both at once: whether the service keeps a user who is left out is not known. */
const login = ({ id }: { readonly id: number }, { usernameSecretRef: username, passwordSecretRef: password }: Login): Call | undefined =>
  password && post(`/managed/credentials/${id}/update`, { username, password });

export default defineCollection({
  kind: 'CloudManagedCredential',
  summary: "A user and password with which the staff of the provider's Managed service may log in to what they watch.",
  shortName: 'cmcred',

  spec: z.object({
    label: optional(
      checked(z.string().min(2).max(75), {
        rule: matches('self', '[a-zA-Z0-9_ .-]*'),
        message: 'label has letters, digits, blanks, dots, dashes and underscores only: write for example prod-login',
      }),
      'Name in the cloud account, once in the account, 2 to 75 letters, digits, blanks, dots, dashes and underscores, for example `prod-login`. Absent: derived from the name of this object.',
    ),
    usernameSecretRef: optional(
      secretKey(),
      `Key of a Secret with the user, at most 5000 characters, for example \`{name: ops-login, key: username}\`. Applied together with the password, again when it changes. ${countsAsApplied} Absent: left alone.`,
    ),
    // What is adopted has a password that nobody can read, so only what is made must have one here.
    passwordSecretRef: optional(
      secretKey(),
      `Key of a Secret with the password, at most 5000 characters, for example \`{name: ops-login, key: password}\`. It is never shown; it is applied again when it changes. ${countsAsApplied} Needed to make a credential. Absent: that of one that is adopted is left alone.`,
    ),
  }),
  rules: [
    {
      rule: '!has(self.usernameSecretRef) || has(self.passwordSecretRef)',
      message: 'usernameSecretRef needs passwordSecretRef: the service takes both together',
    },
  ],
  status: z.object({
    label: z.string().describe('Name in the cloud account.'),
    lastDecrypted: z.string().describe('When the staff looked at it last, UTC; empty: never.'),
  }),
  remote: Credential,

  path: '/managed/credentials',
  // The service refuses a second one of the label, but no row tells when or by whom it was made, and no event does.
  key: { enforced: 'counted', names: true, of: (want) => ({ label: want.label ?? want.name }) },
  label: { field: 'label', max: 75 },

  create: ({ label, name, usernameSecretRef, passwordSecretRef }) => ({
    label: label ?? name,
    username: usernameSecretRef,
    password: passwordSecretRef,
  }),
  lacks: ({ passwordSecretRef }) =>
    passwordSecretRef === undefined
      ? 'spec.passwordSecretRef: a credential that is made needs a password: name the Secret and the key that hold it'
      : undefined,
  fields: {
    label: { read: (credential) => credential.label, put: (label) => ({ label }) },
    usernameSecretRef: { applied: true, call: (_, credential, want) => login(credential, want), errors: ['username'] },
    passwordSecretRef: { applied: true, call: (_, credential, want) => login(credential, want), errors: ['password'] },
  },
  health: () => ready,
  observe: (credential) => ({ label: credential.label, lastDecrypted: credential.last_decrypted ?? '' }),
  deletion: { otherwise: (item) => post(`${item}/revoke`) },

  sweep: { by: 'list' },
  events: [],
  // One credential is read with the larger scope only.
  scopes: { read: ['account:read_write'], write: ['account:read_write'], unrestricted: true, product: 'Managed' },
  accountLevel: true,
  defaults: { onDelete: 'Delete', onMissing: 'Recreate' },
  columns: { Label: '.status.label', Decrypted: '.status.lastDecrypted' },
});
