import * as z from 'zod';
import {
  checked,
  ipv4NetworkPattern,
  ipv4Pattern,
  ipv6NetworkPattern,
  ipv6Pattern,
  matches,
  optional,
  output,
  slug,
} from '../../resource/index.ts';

const addressOrNetwork = [ipv4Pattern, ipv4NetworkPattern, ipv6Pattern, ipv6NetworkPattern].map((one) => matches('self', one)).join(' || ');

/** What the user writes. */
export const spec = z.object({
  label: optional(
    checked(z.string().min(3).max(32), {
      rule: 'self.trim() == self',
      message: 'label begins or ends with a blank: take it away',
    }),
    'Name in the cloud account, 3 to 32 characters, once among all databases of the account, for example `shop`. Absent: derived from the name of this object.',
  ),
  engine: checked(z.string().max(64), {
    rule: matches('self', '(mysql|postgresql|mongodb)/[0-9]+([.][0-9]+)*'),
    message: 'engine is mysql, postgresql or mongodb, a slash and the version: write for example mysql/8.0.26',
  }).describe(
    'Engine and version, for example `mysql/8.0.26`. Only mysql databases can be made; one of `postgresql` or `mongodb` must be there already and is adopted (`adopt`). The service never upgrades it by itself. Cannot be changed.',
  ),
  region: optional(slug(), 'Region, for example `us-east`. Cannot be changed. Absent: the default region of the account.'),
  type: slug().describe('Plan of its nodes, for example `g6-dedicated-2`. Cannot be changed.'),
  clusterSize: optional(
    checked(z.int(), { rule: 'self == 1 || self == 3', message: 'clusterSize is 1, or 3 for one primary and two replicas: write 1 or 3' }),
    'Number of nodes: 1, or 3 for high availability (one primary, two replicas). Cannot be changed. Absent: 1 at creation.',
  ),
  replicationType: optional(
    z.enum(['none', 'asynch', 'semi_synch']),
    'How three nodes are kept alike: `asynch` or `semi_synch`; `none` with one node. Cannot be changed. Absent: `none` for one node, `semi_synch` for three.',
  ),
  encrypted: optional(z.boolean(), 'Whether its disks are encrypted. Cannot be changed. Absent: left to the service at creation.'),
  sslConnection: optional(
    z.boolean(),
    'Whether clients must connect with TLS; the Secret then holds ca.crt. Cannot be changed. Absent: true at creation.',
  ),
  allowList: optional(
    z
      .array(
        checked(z.string().min(2).max(49), {
          rule: addressOrNetwork,
          message: 'an element of allowList is an address or a network: write for example 203.0.113.7 or 203.0.113.0/24',
        }),
      )
      .max(255),
    'Addresses and networks from which clients may connect, for example `[203.0.113.0/24]`; `0.0.0.0/0` is the whole internet. Nobody else may, but who is in allowFrom. `[]`: only those. Absent: with allowFrom only those, else left alone; nobody may at creation.',
  ),
  allowFrom: optional(
    z
      .array(
        output('CloudInstance', {
          ref: 'instanceRef',
          selector: 'address',
          fields: { PublicIPv4: 'publicIPv4', PrivateIPv4: 'privateIPv4' },
          describe: 'Which address of that instance.',
        }),
      )
      .max(100),
    'Instances from which clients may connect, beside those of allowList, for example `[{instanceRef: {name: web}, address: PublicIPv4}]`; their addresses are followed. While one has no address yet, nobody who may connect now is shut out. One that is deleted, or is not there for a minute, is left out. Absent: none.',
  ),
  maintenance: optional(
    z
      .object({
        frequency: z.enum(['weekly', 'monthly']).describe('How often the service may maintain it.'),
        dayOfWeek: z.int().min(1).max(7).describe('Day, 1 is Monday.'),
        hourOfDay: z.int().min(0).max(23).describe('Hour in UTC at which the window begins.'),
        durationHours: z.int().min(1).max(3).describe('Length of the window in hours.'),
        weekOfMonth: optional(z.int().min(1).max(4), 'Which week of the month, 1 to 4. Absent: with weekly only.'),
      })
      .meta({
        'x-kubernetes-validations': [
          {
            rule: "(self.frequency == 'monthly') == has(self.weekOfMonth)",
            message: 'weekOfMonth goes with frequency: monthly, and only there: write 1 to 4 with monthly, leave it out with weekly',
          },
        ],
      }),
    'When the service may maintain it, for example `{frequency: weekly, dayOfWeek: 7, hourOfDay: 2, durationHours: 3}`; one node is out of reach then. Set once the database is active. Absent: left alone.',
  ),
});

export const rules = [
  {
    rule: "!has(self.replicationType) || (self.replicationType == 'none') == (!has(self.clusterSize) || self.clusterSize == 1)",
    message:
      'replicationType none goes with one node, asynch and semi_synch with clusterSize: 3: correct one of the two, or leave replicationType out',
  },
  {
    rule: "self.engine.split('/')[0] == oldSelf.engine.split('/')[0]",
    message: 'engine cannot become another one, not even by a replacement: make another CloudDatabase and move the data',
    fieldPath: '.engine',
  },
];
