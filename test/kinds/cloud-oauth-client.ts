import CloudOAuthClient from '../../src/kinds/cloud-oauth-client.ts';
import { FileContent } from '../../src/resource/index.ts';
import { fileIn, pngText } from '../support/samples/config-map-content.ts';
import type { Fixture } from '../conformance/fixture.ts';

const uri = 'https://portal.example.org/callback';
const row = {
  id: '2737bf16b39ab5d7b4a1',
  label: 'Example Portal',
  redirect_uri: uri,
  public: false,
  status: 'active',
  secret: '<REDACTED>',
  thumbnail_url: null,
};
const pictures = { 'logo.png': pngText('logo') };
const logo = new FileContent(fileIn(pictures['logo.png']) ?? Buffer.of());
const other = new FileContent(fileIn(pngText('other')) ?? Buffer.of());
const noPng = new FileContent(Buffer.from('GIF89a'));
const shown = { ...row, thumbnail_url: 'https://api.vm.com/v4/account/oauth-clients/2737bf16b39ab5d7b4a1/thumbnail' };
const at = '/account/oauth-clients/2737bf16b39ab5d7b4a1';

export default {
  kind: CloudOAuthClient,
  configMaps: { 'portal-pictures': pictures },
  sample: { name: 'portal', spec: { label: 'Example Portal', redirectURI: uri } },
  want: { name: 'portal-abcdefgh', label: 'Example Portal', redirectURI: uri },
  wants: {
    'a label of the operator': { label: undefined },
    'a program that keeps no secret': { public: true },
    'one that does, and says so': { public: false },
    'the shortest label': { label: 'P' },
    'the longest label': { label: 'p'.repeat(512) },
    'a label of signs and other letters': { label: 'Müllers Büro (intern) & Co.' },
    'an address of a telephone': { redirectURI: 'myapp://done' },
    'an address of the own machine': { redirectURI: 'http://localhost:8080/callback?from=cloud' },
  },
  remote: row,
  told: { secret: '5f1c4e0e0cc0f1d7a6a4a0d4c7a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3' },

  rejects: {
    'a rotation all the time': [{ rotation: { everyDays: 0 } }, 'everyDays is 1 to 365: write for example 90'],
    'a rotation in the year after next': [{ rotation: { everyDays: 400 } }, 'everyDays is 1 to 365: write for example 90'],
    'an empty label': [{ label: '' }, 'label'],
    'a label of blanks': [{ label: '  ' }, 'write for example Example Portal'],
    'a label that is too long': [{ label: 'p'.repeat(513) }, 'label'],
    'a label of two lines': [{ label: 'Example\nPortal' }, 'label is one line'],
    'no address': [{ redirectURI: undefined }, 'redirectURI'],
    'an address without its scheme': [
      { redirectURI: 'portal.example.org/callback' },
      'write for example https://portal.example.org/callback',
    ],
    'an address without a host': [{ redirectURI: 'https:///callback' }, 'write for example https://portal.example.org/callback'],
    'an address with a fragment': [{ redirectURI: `${uri}#top` }, 'without a fragment'],
    'two addresses': [{ redirectURI: `${uri} ${uri}` }, 'one whole address'],
    'a word for a switch': [{ public: 'yes' }, 'public'],
    'a picture without its key': [{ thumbnailFrom: { configMapKeyRef: { name: 'portal-pictures' } } }, 'key'],
    'a key that is a path': [
      { thumbnailFrom: { configMapKeyRef: { name: 'portal-pictures', key: 'img/logo.png' } } },
      'a key of a ConfigMap',
    ],
    'a picture from nowhere': [{ thumbnailFrom: {} }, 'configMapKeyRef'],
    'the secret in a ConfigMap': [
      { outputs: [{ configMapName: 'portal', keys: { SECRET: 'client-secret' } }] },
      'secret and cannot go into a ConfigMap: name a Secret with secretName',
    ],
    'what it does not give out': [{ outputs: [{ secretName: 'oauth', keys: { TOKEN: 'token' } }] }, 'gives out client-id, client-secret'],
  },
  edits: [
    { field: 'label', to: 'Portal', calls: ['PUT {item}'], body: { label: 'Portal' } },
    {
      field: 'redirectURI',
      to: 'https://portal.example.org/login',
      calls: ['PUT {item}'],
      body: { redirect_uri: 'https://portal.example.org/login' },
    },
    { field: 'public', to: true, calls: ['PUT {item}'], body: { public: true } },
    {
      field: 'thumbnailFrom',
      to: { configMapKeyRef: logo },
      spec: { configMapKeyRef: { name: 'portal-pictures', key: 'logo.png' } },
      calls: ['PUT {item}/thumbnail'],
    },
  ],
  plans: [
    {
      name: 'what it was sent with is taken off its label',
      remote: { label: 'Example Portal-k3vq2m7a' },
      step: { do: 'update', call: { method: 'PUT', path: at, body: { label: 'Example Portal' } } },
    },
    {
      name: 'and off one of the operator',
      want: { label: undefined },
      remote: { label: 'portal-abcdefgh-k3vq2m7a' },
      step: { do: 'update', call: { method: 'PUT', path: at, body: { label: 'portal-abcdefgh' } } },
    },
    { name: 'any other label is left alone where the spec has none', want: { label: undefined }, step: { do: 'nothing' } },
    {
      name: 'a program that can keep a secret is what the service makes of nothing said',
      remote: null,
      step: { do: 'create', call: { path: '/account/oauth-clients', body: { label: 'Example Portal', redirect_uri: uri } } },
    },
    { name: 'whether it can is left alone where the spec does not say', remote: { public: true }, step: { do: 'nothing' } },
    {
      name: 'a picture is sent as it is where there is none',
      want: { thumbnailFrom: { configMapKeyRef: logo } },
      step: { do: 'update', call: { method: 'PUT', path: `${at}/thumbnail`, content: 'image/png', body: { file: logo } } },
    },
    {
      name: 'which one is there is read first',
      want: { thumbnailFrom: { configMapKeyRef: logo } },
      remote: shown,
      step: { do: 'read', part: 'thumbnail' },
    },
    {
      name: 'the same one is not sent again',
      want: { thumbnailFrom: { configMapKeyRef: logo } },
      remote: { ...shown, thumbnail: { digest: logo.digest } },
      step: { do: 'nothing' },
    },
    {
      name: 'another one is replaced',
      want: { thumbnailFrom: { configMapKeyRef: logo } },
      remote: { ...shown, thumbnail: { digest: other.digest } },
      step: { do: 'update', call: { method: 'PUT', path: `${at}/thumbnail` } },
    },
    {
      name: 'a picture that is told of and not there is sent',
      want: { thumbnailFrom: { configMapKeyRef: logo } },
      remote: { ...shown, thumbnail: null },
      step: { do: 'update', call: { method: 'PUT', path: `${at}/thumbnail` } },
    },
    { name: 'one that the spec drops stays', remote: { ...shown, thumbnail: { digest: other.digest } }, step: { do: 'nothing' } },
    {
      name: 'what is no PNG is not sent',
      want: { thumbnailFrom: { configMapKeyRef: noPng } },
      step: { do: 'refuse', reason: 'InvalidSpec' },
    },
    {
      name: 'and holds nothing else up',
      want: { thumbnailFrom: { configMapKeyRef: noPng }, public: true },
      step: { do: 'update', call: { method: 'PUT', path: at, body: { public: true } } },
    },
    {
      name: 'nor is one that is too large',
      want: { thumbnailFrom: { configMapKeyRef: new FileContent(Buffer.concat([logo.bytes(), Buffer.alloc(256 * 1024)])) } },
      step: { do: 'refuse', reason: 'InvalidSpec' },
    },
    {
      name: 'all that differs is one call',
      remote: { public: true, redirect_uri: 'https://old.example.org' },
      want: { public: false },
      step: { do: 'update', call: { method: 'PUT', path: at, body: { redirect_uri: uri, public: false } } },
    },
    {
      name: 'one that the account has disabled needs a person',
      remote: { status: 'disabled' },
      step: { do: 'refuse', reason: 'RemoteFailed' },
    },
    {
      name: 'one that the provider has suspended is not changed',
      remote: { status: 'suspended', redirect_uri: 'https://old.example.org' },
      step: { do: 'refuse', reason: 'RemoteFailed' },
    },
    { name: 'a status that nobody knows is waited for', remote: { status: 'expired' }, step: { do: 'wait' } },
    { name: 'a disabled one can be deleted', remote: { status: 'disabled' }, deleting: true, step: { do: 'delete', call: { path: at } } },
    { name: 'nothing has to come before its deletion', deleting: true, step: { do: 'delete', call: { path: at } } },
  ],
} satisfies Fixture<typeof CloudOAuthClient>;
