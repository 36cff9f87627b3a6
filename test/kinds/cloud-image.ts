import CloudImage from '../../src/kinds/cloud-image.ts';
import type { Fixture } from '../conformance/fixture.ts';

/** Without an image it has no disks and is off. */
const bare = { image: undefined, rootPasswordSecretRef: undefined, authorizedKeys: undefined, power: undefined };

export default {
  kind: CloudImage,
  sample: {
    name: 'golden',
    spec: { label: 'golden-2026', description: 'Base of our web servers', capture: { diskRef: { name: 'scratch' } } },
  },
  needs: {
    bare: { kind: 'CloudInstance', spec: bare },
    scratch: { kind: 'CloudDisk' },
    'scratch-2': { kind: 'CloudDisk', spec: { label: 'scratch-2', sizeMB: 512 } },
  },
  ways: { upload: { capture: undefined, upload: { region: 'us-east', url: 'https://images.example.com/golden.img.gz' } } },
  want: { name: 'golden-abcdefgh', label: 'golden-2026', description: 'Base of our web servers', capture: { diskRef: '$scratch' } },
  wants: {
    'a derived label': { label: undefined },
    'no description': { description: undefined },
    'an upload': { capture: undefined, upload: { region: 'us-east', url: 'https://images.example.com/golden.img.gz' } },
    'an upload by somebody else': { capture: undefined, upload: { region: 'us-east' } },
    'all characters of a label': { label: "Fred's web, v1.2? a-b_c" },
  },
  remote: {
    id: 'private/20000001',
    label: 'golden-2026',
    description: 'Base of our web servers',
    created: '2023-03-06T10:00:00',
    updated: '2023-03-06T10:02:00',
    created_by: 'admin',
    deprecated: false,
    is_public: false,
    size: 1024,
    type: 'manual',
    expiry: null,
    eol: null,
    vendor: null,
    status: 'available',
  },

  told: {
    status: 'pending_upload',
    upload_to: 'https://us-east-1.objects.example.com/images/20000001?Signature=4f6a9c1e77b3&Expires=1678183200',
  },

  oneAtATime: true,

  rejects: {
    'nothing that it is made of': [{ capture: undefined }, 'set capture.diskRef'],
    'a disk and a file': [{ upload: { region: 'us-east' } }, 'set one of capture and upload'],
    'an upload to nowhere': [{ capture: undefined, upload: {} }, 'region'],
    'a file that is at two places': [
      {
        capture: undefined,
        upload: { region: 'us-east', url: 'https://images.example.com/a.gz', urlSecretRef: { name: 'golden-curl', key: 'url' } },
      },
      'set one of upload.url and upload.urlSecretRef',
    ],
    'a file without TLS': [
      { capture: undefined, upload: { region: 'us-east', url: 'http://images.example.com/a.gz' } },
      'begins with https://',
    ],
    'a file with a password in front of its host': [
      { capture: undefined, upload: { region: 'us-east', url: 'https://me:hunter2@images.example.com/a.gz' } },
      'has no user in it',
    ],
    'a capture of nothing': [{ capture: {} }, 'diskRef'],
    'two disks': [{ capture: { diskRef: { name: 'scratch', external: 7 } } }, 'exactly one of name and external'],
    'a disk by an id that leads elsewhere': [{ capture: { diskRef: { external: '7/password' } } }, 'an id is a number'],
    'an empty label': [{ label: '' }, 'label'],
    'a label that is too long': [{ label: 'a'.repeat(51) }, 'label'],
    'a label with a slash': [{ label: 'web/golden' }, 'write for example golden-2026'],
    'a label of two lines': [{ label: 'golden\n' }, 'write for example golden-2026'],
    'a label that is not ASCII': [{ label: 'gölden' }, 'write for example golden-2026'],
    'an empty description': [{ description: '' }, 'description'],
    'a description that is too long': [{ description: 'a'.repeat(65_001) }, 'description'],
    'an image of the provider': [{ adopt: { id: 'vm/debian11' } }, 'begins with private/'],
    'an image by its number alone': [{ adopt: { id: 20_000_001 } }, 'begins with private/'],
  },
  edits: [
    { field: 'label', to: 'golden-2027', calls: ['PUT {item}'], body: { label: 'golden-2027' } },
    { field: 'description', to: 'Base of all', calls: ['PUT {item}'], body: { description: 'Base of all' } },
    {
      field: 'capture',
      to: { diskRef: '$scratch-2' },
      spec: { diskRef: { name: 'scratch-2' } },
      refused: true,
      admissionOnly: true,
    },
    {
      field: 'upload',
      to: { region: 'us-east' },
      with: { capture: undefined },
      refused: true,
      admissionOnly: true,
    },
  ],
  plans: [
    { name: 'an image that is being captured is waited for', remote: { status: 'creating', size: 4096 }, step: { do: 'wait' } },
    {
      name: 'and is not relabelled before',
      want: { label: 'golden-2027' },
      remote: { status: 'creating' },
      step: { do: 'wait' },
    },
    { name: 'one that waits for data is waited for', remote: { status: 'pending_upload', size: 0 }, step: { do: 'wait' } },
    {
      name: 'a status that nobody knows yet is waited out',
      remote: { status: 'replicating' },
      step: { do: 'wait' },
    },
    {
      name: 'label and description go in one call',
      remote: { label: 'old', description: '' },
      step: { do: 'update', call: { method: 'PUT', body: { label: 'golden-2026', description: 'Base of our web servers' } } },
    },
    {
      name: 'a nonce is taken off its label',
      remote: { label: 'golden-2026-k3vq2m7a' },
      step: { do: 'update', call: { method: 'PUT', path: '/images/private/20000001', body: { label: 'golden-2026' } } },
    },
    {
      name: 'but not before it is available',
      want: { capture: undefined, upload: { region: 'us-east' } },
      remote: { label: 'golden-2026-k3vq2m7a', status: 'pending_upload', size: 0 },
      step: { do: 'wait' },
    },
    {
      name: 'a capture is made of its disk',
      remote: null,
      step: { do: 'create', call: { path: '/images', body: { disk_id: '$scratch', label: 'golden-2026' } } },
    },
    {
      name: 'an upload is made where data is received, without a disk',
      want: { capture: undefined, upload: { region: 'us-east' } },
      remote: null,
      step: { do: 'create', call: { path: '/images/upload', body: { region: 'us-east', label: 'golden-2026' } } },
    },
    { name: 'an absent description is not managed', want: { description: undefined }, step: { do: 'nothing' } },
    { name: 'it is deleted by its id', deleting: true, step: { do: 'delete', call: { path: '/images/private/20000001' } } },
  ],
} satisfies Fixture<typeof CloudImage>;
