import { digits, letters } from './draw.ts';
import { type Act, create, idOf, onAny } from './estate.ts';
import { regions } from './machines.ts';

const sshKey: Act = ({ draw }) => {
  const type = draw.pick([
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI',
    'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB',
    'ecdsa-sha2-nistp256 AAAAE2VjZHNh',
  ]);
  return create('other', '/profile/sshkeys', {
    label: draw.pick([draw.label(64), '']),
    ssh_key: `${type}${draw.of(`${letters}${digits}+/`, 43)}${draw.pick(['', ' me@host', ' two words', '  '])}`,
  });
};
const scripts = [
  '#!/bin/sh\necho hello\n',
  '#!/bin/bash\n# <UDF name="name" label="Name" default="x" />\necho "$NAME"',
  '#!/usr/bin/env python3\r\nprint("\ttab: yes")\r\n',
  `#!/bin/sh\n${'# a long one: "quoted" \'and\' {{ templated }}\n'.repeat(200)}`,
];
const script: Act = ({ draw }) =>
  create('script', '/vm/stackscripts', {
    label: draw.label(128),
    images: draw.pick([['any/all'], ['vm/debian11', 'vm/debian10'], ['vm/debian11']]),
    script: draw.pick(scripts),
    ...draw.maybe({
      description: () => draw.pick([draw.text(0, 300), null]),
      rev_note: () => draw.pick([draw.text(0, 100), null]),
      is_public: () => draw.chance(0.2),
    }),
  });
const scriptWork: Act = onAny('script', ({ path }, { draw }) => ({
  method: 'PUT',
  path,
  body: draw.maybe({
    label: () => draw.label(128),
    description: () => draw.pick([draw.text(0, 300), null]),
    script: () => draw.pick(scripts),
  }),
}));
const longview: Act = ({ draw }) => create('other', '/longview/clients', draw.maybe({ label: () => draw.name(32, '-_') }));
const oauth: Act = ({ draw }) =>
  create('other', '/account/oauth-clients', {
    label: draw.label(512),
    redirect_uri: draw.pick(['https://app.example.org/back', 'http://localhost:3000', 'my-app+x://callback/?a=b&c=%20']),
    ...draw.maybe({ public: () => draw.chance(0.5) }),
  });
const ticket: Act = (estate) => {
  const { draw } = estate;
  const [machine, zone, volume] = (['machine', 'zone', 'volume'] as const).map((sort) => estate.any(sort));
  const subject = draw.pick([
    {},
    machine && { vm_id: idOf(machine) },
    zone && { domain_id: idOf(zone) },
    volume && { volume_id: idOf(volume) },
  ]);
  return create('ticket', '/support/tickets', { summary: draw.label(64), description: draw.text(1, 2000), ...subject });
};
const ticketWork: Act = onAny('ticket', ({ path }, { draw }) =>
  draw.chance(0.5)
    ? { method: 'POST', path: `${path}/close` }
    : { method: 'POST', path: `${path}/replies`, body: { description: draw.text(1, 500) } },
);
const contact: Act = ({ draw }) =>
  create('other', '/managed/contacts', {
    name: draw.name(64, ' _-'),
    email: draw.pick(['a@example.org', 'Some.Body+x@Example.org']),
    ...draw.maybe({
      phone: () => draw.maybe({ primary: () => draw.pick(['+1 555 0100', null]), secondary: () => '0' }),
      group: () => draw.pick(['on call', null, 'x'.repeat(50)]),
    }),
  });
const credential: Act = ({ draw }) =>
  create('credential', '/managed/credentials', {
    label: draw.name(75, ' ._-'),
    password: 'correct-Horse-7-battery',
    ...draw.maybe({ username: () => draw.pick(['root', null, '']) }),
  });
const service: Act = (estate) => {
  const { draw } = estate;
  const hidden = draw.chance(0.3);
  const url = draw.chance(0.6);
  const host = hidden ? '192.168.1.7' : draw.pick(['example.org', '203.0.113.9']);
  return create('service', '/managed/services', {
    label: draw.name(64, ' ._-'),
    service_type: url ? 'url' : 'tcp',
    address: url ? `https://${host}/status` : `${host}:22`,
    timeout: draw.from(1, 255),
    ...(hidden && { region: draw.pick(regions) }),
    ...draw.maybe({
      body: () => draw.pick([draw.text(0, 100), null]),
      consultation_group: () => draw.pick(['', 'on call']),
      credentials: () => draw.some(estate.all('credential')).map(idOf),
      notes: () => draw.pick([draw.text(0, 300), null]),
    }),
  });
};
const serviceWork: Act = onAny('service', ({ path }, { draw }) => ({
  method: 'POST',
  path: `${path}/${draw.pick(['disable', 'enable'])}`,
}));

/** What a person, and not a machine, has. */
export const personActs: readonly Act[] = [
  sshKey,
  sshKey,
  sshKey,
  script,
  script,
  script,
  scriptWork,
  longview,
  oauth,
  oauth,
  ticket,
  ticketWork,
  contact,
  credential,
  service,
  serviceWork,
];
