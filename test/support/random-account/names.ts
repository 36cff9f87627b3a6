import type { Draw } from './draw.ts';
import { type Act, create, createBy, onAny, type Row } from './estate.ts';

const seconds = (draw: Draw): number => draw.pick([0, 1, 30, 300, 301, 3600, 86_400, 100_000, 2_419_200, 9_999_999]);
const mail = (draw: Draw): string => draw.pick(['admin@example.org', 'a+b@Example.COM', 'x@y.zz']);
const networks = ['192.0.2.0/24', '203.0.113.5', '2001:db8::/32', '2001:DB8::7'];

const settings = (draw: Draw): Row =>
  draw.maybe({
    description: () => draw.pick([draw.text(1, 253), null]),
    group: () => draw.pick(['old', 'x'.repeat(50)]),
    status: () => draw.pick(['active', 'disabled']),
    axfr_ips: () => draw.some(networks),
    expire_sec: () => seconds(draw),
    refresh_sec: () => seconds(draw),
    retry_sec: () => seconds(draw),
    ttl_sec: () => seconds(draw),
    tags: () => draw.tags(),
  });
const domain = (draw: Draw): string =>
  `${draw.pick(['', '', 'sub.', 'Mixed-Case.', '_a.'])}${draw.name(40)}.${draw.pick(['example', 'co.uk', 'com', 'xn--p1ai'])}`;

const zone: Act = ({ draw }) => {
  const slave = draw.chance(0.2);
  const of = slave
    ? { type: 'slave', master_ips: ['192.0.2.53', '2001:db8::53'].slice(0, draw.from(1, 2)) }
    : { type: 'master', soa_email: mail(draw) };
  return create('zone', '/domains', { domain: domain(draw), ...of, ...settings(draw) });
};
const zoneWork: Act = onAny('zone', (thing, { draw }) => {
  const { path } = thing;
  return draw.pick([
    { method: 'PUT' as const, path, body: settings(draw) },
    { method: 'PUT' as const, path, body: { ...settings(draw), soa_email: mail(draw) } },
    createBy('zone', `${path}/clone`, { domain: domain(draw) }, '/domains'),
    { method: 'DELETE' as const, path, removes: thing },
  ]);
});
const imported: Act = ({ draw }) =>
  createBy('zone', '/domains/import', { domain: domain(draw), remote_nameserver: 'ns1.example.net' }, '/domains');

const names = [
  '',
  'www',
  'WWW',
  'a.b.c',
  '*',
  '*.wild',
  '_dmarc',
  'x'.repeat(63),
  '1',
  'on',
  'null',
  'under_score',
  'end.',
  'key._domainkey',
];
const hosts = ['mail', 'mail.example.org', 'Mail.Example.ORG', 'mail.example.org.', 'a-b.c_d.example'];
const ofType: Readonly<Record<string, (draw: Draw) => Row>> = {
  A: (draw) => ({ name: draw.pick(names), target: draw.pick([draw.ipv4(), draw.ipv4(), '[remote_addr]']) }),
  AAAA: (draw) => ({ name: draw.pick(names), target: draw.ipv6() }),
  NS: (draw) => ({ name: draw.pick(names), target: draw.pick(hosts) }),
  MX: (draw) => ({ name: draw.pick(names), target: draw.pick(hosts), priority: draw.from(0, 255) }),
  CNAME: (draw) => ({ name: `${draw.pick(names)}c${draw.below(100)}`, target: draw.pick(hosts) }),
  TXT: (draw) => ({
    name: draw.pick(names),
    target: draw.pick(['v=spf1 -all', '"quoted" \\ text;', draw.text(1, 255), 'k=rsa; p='.padEnd(600, 'A')]),
  }),
  SRV: (draw) => ({
    service: draw.pick(['sip', '_sip', 'xmpp-server']),
    target: draw.pick(hosts),
    priority: draw.from(0, 255),
    weight: draw.from(0, 65_535),
    port: draw.from(0, 65_535),
    ...draw.maybe({ protocol: () => draw.pick(['tcp', '_udp', 'tls', null]) }),
  }),
  PTR: (draw) => ({ name: draw.pick(['1.2', '77']), target: draw.pick(hosts) }),
  CAA: (draw) => ({
    name: draw.pick(names),
    tag: draw.pick(['issue', 'issuewild', 'iodef']),
    target: draw.pick(['letsencrypt.org', 'mailto:a@example.org', 'https://example.org/x']),
  }),
};
/** Addresses are most of what a zone has. */
const types = ['A', 'A', 'A', 'A', 'AAAA', 'CNAME', 'CNAME', 'TXT', 'TXT', 'MX', 'MX', 'NS', 'SRV', 'CAA', 'PTR'];
const record: Act = onAny('zone', (within, { draw }) => {
  const type = draw.pick(types);
  return create(
    'record',
    `${within.path}/records`,
    { type, ...ofType[type]?.(draw), ...draw.maybe({ ttl_sec: () => seconds(draw) }) },
    within,
  );
});
const recordWork: Act = onAny('record', (thing, { draw }) => {
  const type = String(thing.row['type']);
  if (draw.chance(0.2)) return { method: 'DELETE', path: thing.path, removes: thing };
  return { method: 'PUT', path: thing.path, body: draw.chance(0.5) ? { ttl_sec: seconds(draw) } : (ofType[type]?.(draw) ?? {}) };
});

export const nameActs: readonly Act[] = [zone, zoneWork, imported, ...Array.from({ length: 20 }, () => record), recordWork];
export const newZone = zone;
export const newRecord = record;
