import CloudStackScript from '../../src/kinds/cloud-stack-script.ts';
import type { Fixture } from '../conformance/fixture.ts';

const nginx = `#!/bin/bash
# <UDF name="hostname" label="The host name" example="web-1" />
# <UDF name="workers" label="How many workers" default="4" />
apt-get install -y nginx
`;
const caddy = '#!/bin/sh\napt-get install -y caddy\n';

export default {
  kind: CloudStackScript,
  sample: {
    name: 'nginx',
    spec: {
      label: 'nginx',
      images: ['vm/debian11'],
      scriptFrom: { configMapKeyRef: { name: 'scripts', key: 'nginx.sh' } },
      revisionNote: 'nginx 1.25',
    },
  },
  configMaps: { scripts: { 'nginx.sh': nginx, 'caddy.sh': caddy } },
  want: {
    name: 'nginx-abcdefgh',
    label: 'nginx',
    images: ['vm/debian11'],
    scriptFrom: { configMapKeyRef: nginx },
    revisionNote: 'nginx 1.25',
  },
  wants: {
    'a script of its own': { scriptFrom: undefined, script: caddy },
    'for all images': { images: ['any/all'] },
    'for several images': { images: ['vm/debian11', 'vm/debian10'] },
    'with a description': { description: 'Our web server' },
  },
  remote: {
    id: 1010,
    label: 'nginx',
    description: '',
    images: ['vm/debian11'],
    script: nginx,
    rev_note: 'nginx 1.25',
    is_public: false,
    deployments_active: 0,
    deployments_total: 0,
    user_defined_fields: [
      { name: 'hostname', label: 'The host name', example: 'web-1' },
      { name: 'workers', label: 'How many workers', default: '4' },
    ],
    created: '2023-03-06T10:00:00',
    updated: '2023-03-06T10:00:00',
    username: 'admin',
    mine: true,
  },

  rejects: {
    'no label': [{ label: undefined }, 'label'],
    'a label that is too short': [{ label: 'ab' }, 'label'],
    'a label that is too long': [{ label: 'a'.repeat(129) }, 'label'],
    'no images': [{ images: undefined }, 'images'],
    'an empty list of images': [{ images: [] }, 'images'],
    'all images and one more': [{ images: ['any/all', 'vm/debian11'] }, 'write it alone'],
    'an image that is a path': [{ images: ['../debian11'] }, 'images'],
    'no script at all': [{ scriptFrom: undefined }, 'exactly one of script and scriptFrom'],
    'two scripts': [{ script: caddy }, 'exactly one of script and scriptFrom'],
    'a script without its program': [{ scriptFrom: undefined, script: 'apt-get install -y caddy' }, '#!/bin/bash'],
    'a script that is too long': [{ scriptFrom: undefined, script: `#!${'a'.repeat(65_534)}` }, 'script'],
    'a ConfigMap without its key': [{ scriptFrom: { configMapKeyRef: { name: 'scripts' } } }, 'key'],
    'a key that is a path': [{ scriptFrom: { configMapKeyRef: { name: 'scripts', key: 'web/nginx.sh' } } }, 'a key of a ConfigMap'],
    'a ConfigMap by an odd name': [{ scriptFrom: { configMapKeyRef: { name: 'My_Scripts', key: 'nginx.sh' } } }, 'lower-case'],
    'an empty description': [{ description: '' }, 'description'],
    'a public script of text': [{ public: 'yes' }, 'public'],
  },
  edits: [
    { field: 'label', to: 'nginx-2', calls: ['PUT {item}'], body: { label: 'nginx-2' } },
    { field: 'images', to: ['any/all'], calls: ['PUT {item}'], body: { images: ['any/all'] } },
    { field: 'script', to: caddy, with: { scriptFrom: undefined }, calls: ['PUT {item}'], body: { script: caddy } },
    {
      field: 'scriptFrom',
      to: { configMapKeyRef: caddy },
      spec: { configMapKeyRef: { name: 'scripts', key: 'caddy.sh' } },
      calls: ['PUT {item}'],
      body: { script: caddy },
    },
    { field: 'description', to: 'Our web server', calls: ['PUT {item}'], body: { description: 'Our web server' } },
    { field: 'revisionNote', to: 'nginx 1.26', calls: ['PUT {item}'], body: { rev_note: 'nginx 1.26' } },
  ],
  exempt: {
    'edits public': 'nothing can be done with a public script any more, neither edited back nor deleted, so the plans show it',
  },
  plans: [
    {
      name: 'the order of images is no difference',
      want: { images: ['vm/debian11', 'vm/debian10'] },
      remote: { images: ['vm/debian10', 'vm/debian11'] },
      step: { do: 'nothing' },
    },
    {
      name: 'a text that names no program is not sent',
      want: { scriptFrom: { configMapKeyRef: 'apt-get install -y nginx' } },
      step: { do: 'refuse', reason: 'InvalidSpec' },
    },
    {
      name: 'nor is one that is too long',
      want: { scriptFrom: { configMapKeyRef: `#!${'a'.repeat(65_534)}` } },
      step: { do: 'refuse', reason: 'InvalidSpec' },
    },
    { name: 'a null among images of long ago is none', remote: { images: ['vm/debian11', null] }, step: { do: 'nothing' } },
    { name: 'a private script that is to be public is asked for', want: { public: true }, step: { do: 'approve' } },
    {
      name: 'once that is approved it is one call',
      want: { public: true },
      policy: { approve: ['InPlace', 'Rebuild'] },
      step: { do: 'update', call: { method: 'PUT', body: { is_public: true } } },
    },
    {
      name: 'a public script cannot become private',
      want: { public: false },
      remote: { is_public: true },
      step: { do: 'refuse', reason: 'ImmutableField' },
    },
    { name: 'an absent public is not managed', remote: { is_public: true }, step: { do: 'nothing' } },
    {
      name: 'a revision goes with its note in one call',
      remote: { script: caddy, rev_note: '' },
      step: { do: 'update', call: { body: { script: nginx, rev_note: 'nginx 1.25' } } },
    },
    { name: 'a private script is deleted at once', deleting: true, step: { do: 'delete', call: { path: '/vm/stackscripts/1010' } } },
    {
      name: 'a public one stays, and a person must say so',
      deleting: true,
      remote: { is_public: true },
      step: { do: 'refuse', reason: 'Rejected' },
    },
  ],
} satisfies Fixture<typeof CloudStackScript>;
