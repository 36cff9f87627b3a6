import * as z from 'zod';
import { accountId, checked, configMapKey, optional, ref, secretKey, sharedRef, slug, together } from '../../resource/index.ts';

/** The service knows no files but these. */
const fileName = '[^/"\\\\\\r\\n]{1,95}[.]([gG][iI][fF]|[pP]?[jJ][pP][eE]?[gG]|[tT][iI][fF][fF]?|[pP][nN][gG]|[pP][dD][fF]|[tT][xX][tT])';

const things = ['instanceRef', 'volumeRef', 'domainRef', 'firewallRef', 'nodeBalancerId', 'vlan', 'managedIssue'];
const countOfThings = things.map((thing) => `(has(self.${thing}) ? 1 : 0)`).join(' + ');
const ifIt = (thing: string): string => `${thing} that it is about. Absent: something else.`;

/** What the user writes. */
export const spec = z.object({
  summary: checked(z.string().min(1).max(64), {
    rule: "self.trim() != ''",
    message: 'summary is blank: write in a few words what it is about',
  }).describe('Title, 1 to 64 characters, for example `Additional IPv4 for mail`. Cannot be changed.'),
  description: checked(z.string().min(1).max(65_000), {
    rule: "self.trim() != ''",
    message: 'description is blank: write what you need and why',
  }).describe('What you need, 1 to 65000 characters; Markdown. Staff of the provider read it: no passwords. Cannot be changed.'),
  about: optional(
    z
      .object({
        instanceRef: optional(ref('CloudInstance'), ifIt('Instance')),
        volumeRef: optional(ref('CloudVolume'), ifIt('Volume')),
        domainRef: optional(sharedRef('CloudDomain'), ifIt('Domain')),
        firewallRef: optional(sharedRef('CloudFirewall'), ifIt('Firewall')),
        nodeBalancerId: optional(accountId(), ifIt('Id of the load balancer, for example 12345,')),
        vlan: optional(
          z.object({
            label: z.string().min(1).max(64).describe('Label of the VLAN, for example `backend`.'),
            region: slug().describe('Its region, for example `us-southeast`.'),
          }),
          ifIt('VLAN'),
        ),
        managedIssue: optional(
          checked(z.boolean(), { rule: 'self', message: 'managedIssue is true or absent: leave it out' }),
          'True: it is about an issue of managed monitoring, which the account must have. Absent: it is not.',
        ),
      })
      .meta({
        'x-kubernetes-validations': [
          { rule: `${countOfThings} == 1`, message: `about names exactly one thing: keep one of ${things.join(', ')}, or leave about out` },
        ],
      }),
    'What it is about, at most one thing, for example `{instanceRef: {name: mail}}`. Cannot be changed. Absent: nothing in particular.',
  ),
  replies: optional(
    together(
      z
        .array(
          z.object({
            id: z
              .string()
              .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
              .max(63)
              .describe('Name of the reply in this object, for example `first-answer`; by it the operator knows what it sent.'),
            text: checked(z.string().min(1).max(65_535), {
              rule: "self.trim() != ''",
              message: 'text is blank: write the reply, or take it out',
            }).describe('What to write, 1 to 65535 characters; Markdown. Cannot be changed.'),
          }),
        )
        .max(100)
        .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] }),
      {
        length: 'size(one.text)',
        most: 131_072,
        message: 'replies are longer than 131072 characters together: send what is long as a file with attachments',
      },
    ),
    'What to answer, in this order, for example `[{id: details, text: The address is for SMTP.}]`. Each is sent once; the list can be added to; 131072 characters in all. Absent: nothing.',
  ),
  attachments: optional(
    z
      .array(
        z.object({
          fileName: checked(z.string().min(5).max(100), {
            rule: `self.matches('^${fileName.replaceAll('\\', '\\\\')}$')`,
            message:
              'fileName ends in .gif .jpg .jpeg .pjpg .pjpeg .tif .tiff .png .pdf or .txt and has no slash or quote: write for example trace.txt',
          }).describe('Name under which the staff see it, for example `trace.txt`.'),
          from: z
            .object({
              secretKeyRef: optional(
                secretKey(),
                'Key of a Secret that holds the file, for example `{name: ticket-files, key: screen.png}`. Absent: configMapKeyRef.',
              ),
              configMapKeyRef: optional(
                configMapKey(),
                'Key of a ConfigMap (of its `data`, so a text) that holds the file, for example `{name: ticket-files, key: trace.txt}`. Absent: secretKeyRef.',
              ),
            })
            .meta({
              'x-kubernetes-validations': [
                {
                  rule: 'has(self.secretKeyRef) != has(self.configMapKeyRef)',
                  message: 'set exactly one of secretKeyRef and configMapKeyRef',
                },
              ],
            })
            .describe('Where the file is. Cannot be changed.'),
        }),
      )
      .max(32)
      .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['fileName'] }),
    'Files for the staff, for example `[{fileName: trace.txt, from: {secretKeyRef: {name: ticket-files, key: trace.txt}}}]`. Each is sent once; the list can be added to. Absent: none.',
  ),
  closed: optional(
    z.boolean(),
    'True closes the ticket, once: what the staff open again stays open. Deleting this object closes it too. Absent: left as it is.',
  ),
});
