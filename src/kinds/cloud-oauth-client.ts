import * as z from 'zod';
import {
  checked,
  configMapFile,
  defineCollection,
  FileContent,
  failed,
  type Health,
  isOneLine,
  labelWithoutNonce,
  type LabelRule,
  openEnum,
  optional,
  path,
  post,
  putFile,
  ready,
  unknownStatus,
} from '../resource/index.ts';
import { noPicture, Picture } from './oauth-client/picture.ts';

/** The fields of `GET /account/oauth-clients/{id}` that this operator reads. */
const Client = z.object({
  id: z.string(),
  label: z.string(),
  redirect_uri: z.string(),
  public: z.boolean(),
  status: openEnum('active', 'disabled', 'suspended'),
  secret: z.string().nullish(),
  thumbnail_url: z.string().nullish(),
});

const hasPicture = ({ thumbnail_url: url }: { readonly thumbnail_url?: string | null | undefined }): boolean => (url ?? '') !== '';
const digestOf = (value: unknown): unknown => {
  const { configMapKeyRef: file } = (value ?? {}) as { readonly configMapKeyRef?: unknown };
  return file instanceof FileContent ? file.digest : file;
};

/** Every answer but that to the create has a mask in its place. */
const isTold = (secret: string): boolean => /^[0-9A-Za-z]{16,}$/.test(secret);

const byProvider = 'nobody logs in through it: ask in a support ticket why, for example with a CloudSupportTicket';
const states: Readonly<Record<z.output<typeof Client>['status'], Health>> = {
  active: ready,
  disabled: failed(`the account has disabled this client, and ${byProvider}`),
  suspended: failed(`the provider has suspended this client, and ${byProvider}`),
  unknown: unknownStatus,
};

const label: LabelRule & { readonly field: 'label' } = { field: 'label', max: 512, nonce: true };

export default defineCollection({
  kind: 'CloudOAuthClient',
  summary:
    'A program that logs in users of the cloud account. Its secret is told once and is in a Secret from then on; where somebody resets it in the account, that Secret does not follow. Whoever holds it can act for those who log in.',
  shortName: 'coauth',

  spec: z.object({
    label: optional(
      checked(
        z.string().min(1).max(512),
        { rule: isOneLine('self'), message: 'label is one line: write for example Example Portal' },
        {
          rule: "self == self.trim() && self != ''",
          message: 'label neither begins nor ends with a blank: write for example Example Portal',
        },
      ),
      'Name that users read when they are asked to let the program in, 1 to 512 characters, for example `Example Portal`; it is made under this name with a few characters behind it, which are then taken off. Absent: derived from the name of this object.',
    ),
    redirectURI: checked(z.string().min(1).max(2000), {
      rule: "self.matches('^[a-zA-Z][a-zA-Z0-9+.-]*://[^ /?#]+([/?][^ #]*)?$')",
      message: 'redirectURI is one whole address without a fragment: write for example https://portal.example.org/callback',
    }).describe(
      'Address to which users return after their login, with the code that the program exchanges, for example `https://portal.example.org/callback`.',
    ),
    public: optional(
      z.boolean(),
      'True: a program that cannot keep a secret, in a browser or on a telephone, which logs in without one. Absent: left alone, false at creation.',
    ),
    thumbnailFrom: optional(
      z.object({ configMapKeyRef: configMapFile('logo.png').describe('Key of a ConfigMap in the same namespace.') }),
      'Takes the picture that users see out of a ConfigMap, a PNG of at most 256 KiB in its `binaryData`, for example `{configMapKeyRef: {name: portal, key: logo.png}}`, and follows its changes within five minutes. Everybody can see it. Absent: left alone; taken out of the spec the picture stays, as the service takes none away.',
    ),
  }),
  status: z.object({
    label: z.string().describe('Name that users read.'),
    clientID: z.string().describe('Id with which the program says who it is.'),
    state: z.string().describe('`active`, `disabled` or `suspended`.'),
    thumbnailURL: z.string().nullable().describe('Where the picture is that users see; absent: none.'),
  }),
  remote: Client,

  path: '/account/oauth-clients',
  parts: {
    thumbnail: {
      path: (at) => `${at}/thumbnail`,
      paged: false,
      file: 'image/png',
      schema: Picture,
      for: 'drift',
      ifWanted: true,
      when: hasPicture,
      notYet: [404],
    },
  },
  // Any file of a ConfigMap: that a picture is too large it says itself.
  mostNamed: 2 ** 20,
  // Nothing refuses a second one, and no row tells when or by whom it was made.
  key: { enforced: 'counted', names: true, of: (want) => ({ label: want.label ?? want.name }) },
  label,

  create: (want) => ({ label: want.label ?? want.name, redirect_uri: want.redirectURI, public: want.public }),
  fields: {
    label: labelWithoutNonce(label),
    redirectURI: { read: (client) => client.redirect_uri, put: (redirect_uri) => ({ redirect_uri }), errors: ['redirect_uri'] },
    public: { read: (client) => client.public, put: (isPublic) => ({ public: isPublic }) },
    thumbnailFrom: {
      read: (client) => {
        if (!hasPicture(client) || client.thumbnail === null) return null;
        return client.thumbnail && { configMapKeyRef: client.thumbnail.digest };
      },
      call: (from, { id }) => from && putFile(path`/account/oauth-clients/${id}/thumbnail`, 'image/png', from.configMapKeyRef),
      as: digestOf,
      part: 'thumbnail',
      wrong: ({ configMapKeyRef }) => noPicture(configMapKeyRef),
      errors: ['thumbnail'],
      says: /thumbnail/i,
    },
  },
  health: ({ status }) => states[status],
  observe: (client) => ({ label: client.label, clientID: client.id, state: client.status, thumbnailURL: client.thumbnail_url ?? null }),

  outputs: {
    'client-id': { says: 'Id with which the program says who it is.', of: (client) => client.id },
    'client-secret': {
      says: 'Secret with which it proves that, told once.',
      secret: true,
      toldOnce: 'secret',
      of: ({ secret }) => (typeof secret === 'string' && isTold(secret) ? secret : undefined),
    },
  },

  ids: { pattern: '^[0-9a-f]{8,64}$', says: 'an id has hexadecimal digits: write for example 2737bf16b39ab5d7b4a1', text: true },
  rotation: { reset: (item) => post(`${item}/reset-secret`) },
  sweep: { by: 'list' },
  events: [{ entity: 'oauth_client', actions: ['oauth_client_'], creates: ['oauth_client_create'], deletes: ['oauth_client_delete'] }],
  scopes: { read: ['account:read_only'], write: ['account:read_write'] },
  accountLevel: true,
  // Its deletion logs out everybody who came in through it, and another one has another id.
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  columns: { ClientID: '.status.clientID', State: '.status.state' },
});
