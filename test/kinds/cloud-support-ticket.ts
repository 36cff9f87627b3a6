import CloudSupportTicket from '../../src/kinds/cloud-support-ticket.ts';
import { Sensitive } from '../../src/resource/index.ts';
import type { Fixture } from '../conformance/fixture.ts';

const from = { secretKeyRef: { name: 'ticket-files', key: 'trace.txt' } };
const trace = { secretKeyRef: new Sensitive('traceroute to 192.0.2.1, 30 hops max') };
const summary = { configMapKeyRef: 'summary of the tests' };
const file = (fileName: string): { readonly attachments: unknown } => ({ attachments: [{ fileName, from }] });
const reply = { created: '2023-03-06T11:00:00', created_by: 'admin', description: 'For SMTP alone.', from_vm: false };
const details = { id: 'details', text: 'For SMTP alone.' };

export default {
  kind: CloudSupportTicket,
  sample: {
    name: 'more-addresses',
    spec: {
      summary: 'Additional IPv4 for mail',
      description: 'We need one more public address for SMTP.',
      about: { instanceRef: { name: 'web' } },
    },
  },
  needs: { web: { kind: 'CloudInstance' } },
  secrets: { 'ticket-files': { 'trace.txt': 'traceroute to 192.0.2.1, 30 hops max' } },
  configMaps: { 'ticket-texts': { 'summary.txt': 'summary of the tests' } },
  want: {
    name: 'more-addresses-abcdefgh',
    summary: 'Additional IPv4 for mail',
    description: 'We need one more public address for SMTP.',
    about: { instanceRef: '$web' },
  },
  wants: {
    'about nothing in particular': { about: undefined },
    'ends of lines as another system has them': { description: 'First line.\r\nSecond line.\n' },
    'with replies': { replies: [details, { id: 'thanks', text: 'Thank you.' }] },
    'with two replies that read alike': {
      replies: [
        { id: 'first', text: 'Any news?' },
        { id: 'second', text: 'Any news?' },
      ],
    },
    'with attachments': {
      attachments: [
        { fileName: 'trace.txt', from: trace },
        { fileName: 'SCREEN.PNG', from: trace },
      ],
    },
    'with a file out of a ConfigMap': { attachments: [{ fileName: 'summary.txt', from: summary }] },
    'closed at once': { closed: true },
    'with a reply, a file and an end': { replies: [details], attachments: [{ fileName: 'trace.txt', from: trace }], closed: true },
    'not to be closed': { closed: false },
  },
  remote: {
    id: 11223344,
    summary: 'Additional IPv4 for mail',
    description: 'We need one more public address for SMTP.',
    status: 'new',
    closable: true,
    entity: { id: 101, label: 'web', type: 'vm', url: '/v4/vm/instances/101' },
    attachments: [],
    gravatar_id: '474a1b7373ae0be4132649e69c36ce30',
    opened: '2023-03-06T10:00:00',
    opened_by: 'admin',
    closed: null,
    updated: '2023-03-06T10:00:00',
    updated_by: null,
    replies: [],
  },

  rejects: {
    'no summary': [{ summary: undefined }, 'summary'],
    'a summary that is too long': [{ summary: 's'.repeat(65) }, 'summary'],
    'a summary of blanks': [{ summary: '   ' }, 'write in a few words'],
    'no description': [{ description: undefined }, 'description'],
    'a description of blanks': [{ description: '\n \n' }, 'write what you need'],
    'a description that is too long': [{ description: 'd'.repeat(65_001) }, 'description'],
    'two things that it is about': [{ about: { instanceRef: { name: 'web' }, volumeRef: { name: 'data' } } }, 'exactly one thing'],
    'nothing that it is about, said at length': [{ about: {} }, 'leave about out'],
    'a VLAN without its region': [{ about: { vlan: { label: 'backend' } } }, 'region'],
    'an issue that is none': [{ about: { managedIssue: false } }, 'leave it out'],
    'an id that is none': [{ about: { nodeBalancerId: 0 } }, 'nodeBalancerId'],
    'a reply without its id': [{ replies: [{ text: 'Any news?' }] }, 'id'],
    'a reply without words': [{ replies: [{ id: 'empty', text: ' ' }] }, 'write the reply'],
    'replies that are too long together': [
      { replies: ['a', 'b', 'c'].map((id) => ({ id, text: 'x'.repeat(60_000) })) },
      'send what is long as a file',
    ],
    'an id with a space': [{ replies: [{ id: 'first one', text: 'x' }] }, 'id'],
    'a file that the service does not take': [file('trace.log'), 'write for example trace.txt'],
    'a path in place of a name': [file('logs/trace.txt'), 'has no slash'],
    'a quote in a name': [file('a"b.txt'), 'has no slash or quote'],
    'a file from nowhere': [{ attachments: [{ fileName: 'trace.txt', from: {} }] }, 'exactly one of secretKeyRef and configMapKeyRef'],
    'a file from two places': [
      { attachments: [{ fileName: 'trace.txt', from: { ...from, configMapKeyRef: from.secretKeyRef } }] },
      'exactly one of secretKeyRef and configMapKeyRef',
    ],
    'a word for closed': [{ closed: 'yes' }, 'closed'],
  },
  edits: [
    { field: 'summary', to: 'Another question', refused: true },
    { field: 'description', to: 'Another text.', refused: true },
    { field: 'about', to: undefined, refused: true, admissionOnly: true },
    { field: 'replies', to: [details], calls: ['POST {item}/replies'], body: { description: details.text } },
    {
      field: 'attachments',
      to: [{ fileName: 'trace.txt', from: trace }],
      spec: [{ fileName: 'trace.txt', from }],
      calls: ['POST {item}/attachments'],
    },
    {
      field: 'attachments',
      to: [
        { fileName: 'trace.txt', from: trace },
        { fileName: 'summary.txt', from: summary },
      ],
      spec: [
        { fileName: 'trace.txt', from },
        { fileName: 'summary.txt', from: { configMapKeyRef: { name: 'ticket-texts', key: 'summary.txt' } } },
      ],
      calls: ['POST {item}/attachments', 'POST {item}/attachments'],
    },
    { field: 'closed', to: true, calls: ['POST {item}/close'] },
  ],
  exempt: {
    'complete after one POST: with replies': 'a reply is a call of its own',
    'complete after one POST: with two replies that read alike': 'a reply is a call of its own',
    'complete after one POST: with attachments': 'a file is a call of its own',
    'complete after one POST: with a file out of a ConfigMap': 'a file is a call of its own',
    'complete after one POST: closed at once': 'what is opened is closed by another call',
    'complete after one POST: with a reply, a file and an end': 'each is a call of its own',
  },
  plans: [
    {
      name: 'a reply that is listed is not sent again',
      want: { replies: [details] },
      remote: { replies: [reply] },
      step: { do: 'nothing' },
    },
    {
      name: 'nor is one that was taken and is not listed yet',
      want: { replies: [details], recalled: { replies: ['details'] } },
      step: { do: 'nothing' },
    },
    {
      name: 'of two that read alike the second is sent too',
      want: { replies: [details, { id: 'again', text: 'For SMTP alone.' }] },
      remote: { replies: [reply] },
      step: { do: 'update', call: { path: '/support/tickets/11223344/replies', body: { description: 'For SMTP alone.' } } },
    },
    {
      name: 'what the staff wrote is none of ours',
      want: { replies: [details] },
      remote: { replies: [{ ...reply, from_vm: true }] },
      step: { do: 'update', call: { path: '/support/tickets/11223344/replies' } },
    },
    {
      name: 'other ends of lines are the same reply',
      want: { replies: [{ id: 'lines', text: 'One.\nTwo.\n' }] },
      remote: { replies: [{ ...reply, description: 'One.\r\nTwo.' }] },
      step: { do: 'nothing' },
    },
    {
      name: 'a file goes as one',
      want: { attachments: [{ fileName: 'trace.txt', from: trace }] },
      step: { do: 'update', call: { content: 'multipart', body: { file: { fileName: 'trace.txt' } } } },
    },
    {
      name: 'so does a text out of a ConfigMap',
      want: { attachments: [{ fileName: 'summary.txt', from: summary }] },
      step: { do: 'update', call: { content: 'multipart', body: { file: { fileName: 'summary.txt', data: 'summary of the tests' } } } },
    },
    {
      name: 'a file that is there is not sent again',
      want: { attachments: [{ fileName: 'trace.txt', from: trace }] },
      remote: { attachments: ['trace.txt'] },
      step: { do: 'nothing' },
    },
    {
      name: 'all that is to be said is said before it is closed',
      want: { replies: [details], closed: true },
      step: { do: 'update', call: { path: '/support/tickets/11223344/replies' } },
    },
    { name: 'it is closed by a call', want: { closed: true }, step: { do: 'update', call: { path: '/support/tickets/11223344/close' } } },
    {
      name: 'what the staff opened again stays open',
      want: { closed: true, recalled: { closed: true } },
      remote: { status: 'open' },
      step: { do: 'nothing' },
    },
    { name: 'a ticket that somebody closed is as wanted', remote: { status: 'closed' }, step: { do: 'nothing' } },
    { name: 'an instance that was made anew changes nothing', want: { about: { instanceRef: 999 } }, step: { do: 'nothing' } },
    { name: 'another summary is another ticket', remote: { summary: 'Another' }, step: { do: 'refuse', reason: 'ImmutableField' } },
    {
      name: 'it is opened with what it is about',
      remote: null,
      step: { do: 'create', call: { path: '/support/tickets', body: { vm_id: 101, summary: 'Additional IPv4 for mail' } } },
    },
    {
      name: 'one about a VLAN names its region',
      want: { about: { vlan: { label: 'backend', region: 'us-southeast' } } },
      remote: null,
      step: { do: 'create', call: { body: { vlan: 'backend', region: 'us-southeast' } } },
    },
    { name: 'an unknown state waits', remote: { status: 'escalated' }, step: { do: 'wait' } },
    { name: 'it goes by being closed', deleting: true, step: { do: 'delete', call: { path: '/support/tickets/11223344/close' } } },
    { name: 'what cannot be closed is left', deleting: true, remote: { closable: false }, step: { do: 'keep' } },
  ],
} satisfies Fixture<typeof CloudSupportTicket>;
