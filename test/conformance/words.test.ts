import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type AnyKind, del, erase, get, minutes, post, type Row } from '../../src/resource/index.ts';
import { type Case, cases, named } from './case.ts';
import { wordLaws } from './words.ts';

const told = ({ kind, remote, fixture, wants }: Case) => wants.map(([, want]) => ({ kind, want, remote, told: fixture.told }));

describe.each(named)('words of %s', (_, one) => {
  it.each(Object.entries(wordLaws))('%s', (_law, law) => expect(told(one).flatMap(law)).toEqual([]));
});

const caseOf = (name: string): Case => cases.find(({ kind }) => kind.kind === name) as Case;
const right = caseOf('CloudSupportTicket');
const wrong = (change: object, from = right): AnyKind => erase({ ...from.kind, ...change });
const late = caseOf('CloudDatabaseBackup');
const setting = caseOf('CloudIPShare');
const listed = caseOf('CloudManagedInstanceSettings');
const bucket = caseOf('CloudBucket');
const certified = (rule: object): AnyKind =>
  wrong({ fields: { ...bucket.kind.fields, tls: { ...bucket.kind.fields['tls'], ...rule } } }, bucket);
const secret = { every: minutes(60) };
const wrongParts = (part: object, output?: object): AnyKind =>
  wrong({
    scopes: { read: ['support_tickets:read_only'], write: ['support_tickets:read_write'] },
    parts: { ...right.kind.parts, part: { path: () => '/x', paged: false, schema: z.object({}), for: 'status', ...part } },
    ...(output && { outputs: { x: output } }),
  });
const placed = caseOf('CloudDatabase');
const changedIn = (field: string, rule: object): AnyKind =>
  wrong({ fields: { ...placed.kind.fields, [field]: { ...placed.kind.fields[field], ...rule } } }, placed);
const credential = caseOf('CloudObjectKey');
const secretOutput = (change: object): AnyKind => {
  const { AWS_SECRET_ACCESS_KEY: output } = credential.kind.outputs ?? {};
  return wrong({ outputs: { ...credential.kind.outputs, AWS_SECRET_ACCESS_KEY: { ...output, ...change } } }, credential);
};
const laboratory: Readonly<Record<string, readonly [law: string, kind: AnyKind, from?: Case]>> = {
  'reads a file as what it is not': ['told by its digest', wrongParts({ file: 'image/png' })],
  'reads where somebody wants it what nobody can want': ['told by its digest', wrongParts({ ifWanted: true })],
  'goes by a call and never tells that it is over': ['goes by another call', wrong({ deletion: { call: () => del('/x') } })],
  'is over from the beginning': ['goes by another call', wrong({ deletion: { ended: () => true } })],
  'closes another one': ['a call that names it', wrong({ deletion: { ...right.kind.deletion, call: () => del('/support/tickets/1') } })],
  'is ended by a read': [
    'a call that names it',
    wrong({ deletion: { ...right.kind.deletion, call: () => get('/support/tickets/11223344') } }),
  ],
  'is put back by a call that names no other': [
    'a call that names it',
    wrong({ deletion: { ...setting.kind.deletion, call: () => post('/networking/ips/share', { vm_id: 1, ips: [] }) } }, setting),
  ],
  'is always there, and goes with nothing to put it back': ['is always there', wrong({ deletion: undefined }, setting)],
  'is listed with others, and no row tells which it is': ['found in that list', wrong({ item: undefined }, listed), listed],
  'is listed where it is not': ['found in that list', wrong({ sweep: { by: 'list', in: '/managed/services' } }, listed), listed],
  'takes away what it cannot see': ['applied and taken away', certified({ read: undefined }), bucket],
  'takes away by putting it there': ['applied and taken away', certified({ call: () => post('/x') }), bucket],
  'takes over what a tenant names': ['takes over what exists', wrong({ takesOver: true, accountLevel: undefined })],
  'waits for it knows not what': ['comes later', wrong({ comesLater: { what: () => '', bring: 'make it' } }, setting)],
  'waits for what nobody knows how to bring': ['comes later', wrong({ comesLater: { what: () => 'a thing', bring: '' } }, setting)],
  'is sent once, and nobody knows by whom': ['sent once', wrong({ createdBy: undefined })],
  'is sent once, and nobody knows when': ['sent once', wrong({ createdAt: undefined })],
  'is sent once, and again when it is lost': ['sent once', wrong({ defaults: { onDelete: 'Delete', onMissing: 'Recreate' } })],
  'comes later below nothing': ['its create does not tell', wrong({ parent: undefined }, late), late],
  'comes later, and nobody knows when it was made': ['its create does not tell', wrong({ createdAt: undefined }, late), late],
  'comes later, and twice': ['its create does not tell', wrong({ key: { ...late.kind.key, enforced: 'counted' } }, late), late],
  'comes later, whatever is above it': [
    'its create does not tell',
    wrong({ appears: { ...late.kind.appears, waits: () => undefined } }, late),
    late,
  ],
  'notes what it does not recall': ['a field notes', wrong({ recalls: ['replies'] })],
  'notes what no status can hold': [
    'a field notes',
    wrong({ fields: { ...right.kind.fields, closed: { ...right.kind.fields['closed'], notes: () => ({ closed: 'yes' }) } } }),
  ],
  'sends once and does not note it': [
    'must not be sent twice',
    wrong({ fields: { ...right.kind.fields, replies: { ...right.kind.fields['replies'], notes: undefined } } }),
  ],
  'needs what is above at rest, and cannot see it': ['above at rest', wrong({ parentPower: undefined }, caseOf('CloudDisk'))],
  'shuts down what is above without a word': [
    'above at rest',
    wrong(
      { fields: { ...caseOf('CloudDisk').kind.fields, sizeMB: { ...caseOf('CloudDisk').kind.fields['sizeMB'], effect: 'InPlace' } } },
      caseOf('CloudDisk'),
    ),
  ],
  'forgets what its jobs told': ['what its jobs tell', wrong({ lastJobs: { state: { actions: ['ticket_update'] } } })],
  'forgets what its jobs named': ['what its jobs tell', wrong({ recalls: [] }, caseOf('CloudInstance'))],
  'shows the last of jobs that do not lead to it': [
    'what its jobs tell',
    wrong({ lastJobs: { lastBoot: { actions: ['vm_boot', 'lish_boot'] } } }, caseOf('CloudInstanceConfig')),
  ],
  'is in a place that is none of its own': ['several places', wrong({ path: () => '/databases/redis/instances' }, placed), placed],
  'takes away what is awaited': [
    'an element of one is awaited',
    changedIn('allowList', {
      read: ({ allow_list: list }: { allow_list: string[] }, { allowFrom = [] }: { allowFrom?: string[] }) =>
        list.filter((one) => !allowFrom.includes(one)),
    }),
    placed,
  ],
  'keeps what is gone': [
    'goes without what is gone',
    wrong(
      {
        fields: {
          ...placed.kind.fields,
          allowList: { ...placed.kind.fields['allowList'], read: () => undefined },
          allowFrom: { ...placed.kind.fields['allowFrom'], read: (_: Row, { allowFrom }: { allowFrom?: string[] }) => allowFrom },
        },
      },
      placed,
    ),
    placed,
  ],
  'is changed seldom, and by many calls': ['changed seldom', changedIn('label', { put: undefined, call: () => get('/x') }), placed],
  'recalls what it does not show': ['recalled is status', wrong({ recalls: ['lastReply', 'opened'] })],
  'waits for a part that cannot be read as null': ['not be there yet', wrongParts({ notYet: [503], schema: z.object({}) })],
  'gives out of a secret part what is no secret': [
    'secret outputs alone',
    wrongParts({ secret }, { says: 'x', part: 'part', of: () => 'x' }),
  ],
  'gives out of a part that is kept': ['secret outputs alone', wrongParts({}, { says: 'x', secret: true, part: 'part', of: () => 'x' })],
  'has a secret part that nobody gives out': ['secret outputs alone', wrongParts({ secret })],
  'compares a field with what is kept nowhere': [
    'secret outputs alone',
    wrong({
      parts: { replies: { ...right.kind.parts?.['replies'], secret } },
      outputs: { x: { says: 'x', secret: true, part: 'replies', of: () => 'x' } },
    }),
  ],
  'names a scope of a part that it has anyway': ['names only scopes', wrongParts({ scopes: ['support_tickets:read_only'] })],
  'recalls what another remote had': ['recalled is status', wrong({ observe: () => ({}) })],
  'tells once what a ConfigMap may have': ['told once is secret', secretOutput({ secret: undefined }), credential],
  'takes the mask for what was told': ['told once is secret', secretOutput({ of: (key: Row) => key['secret_key'] }), credential],
  'tells once what no answer tells': ['told once is secret', secretOutput({ of: () => undefined }), credential],
  'tells once what it leaves in the answer': ['told once is secret', secretOutput({ toldOnce: 'secret' }), credential],
  'shows in its status what is told once': [
    'in no status',
    wrong({ observe: (key: Row) => ({ accessKey: key['secret_key'] }) }, credential),
    credential,
  ],
  'gives out once more what is told once': [
    'in no status',
    wrong({ outputs: { ...credential.kind.outputs, KEY: { says: 'x', of: (key: Row) => key['secret_key'] } } }, credential),
    credential,
  ],
  'tells once, and its attempts all send one label': [
    'only one attempt sends',
    wrong({ label: { field: 'label', max: 50 } }, credential),
    credential,
  ],
  'tells once, and is looked for by something else than its label': [
    'only one attempt sends',
    wrong({ key: { ...credential.kind.key, of: () => ({ access_key: 'x' }) } }, credential),
    credential,
  ],
  'renews what it tells every time': ['renewed is told once', wrong({ outputs: {} }, credential)],
  'renews by another one that nothing tells from the old one': [
    'renewed is told once',
    wrong({ label: { field: 'label', max: 50 } }, credential),
  ],
  'renews by another one where there is room for one only': [
    'renewed is told once',
    wrong({ key: { ...credential.kind.key, enforced: 'unique' } }, credential),
  ],
  'renews by a call to all of them': [
    'renewed is told once',
    wrong({ rotation: { reset: () => ({ method: 'POST', path: '/object-storage/keys/reset' }) } }, credential),
  ],
  'leaves the nonce on a label that nobody chose': [
    'sent with a nonce',
    wrong(
      { fields: { ...credential.kind.fields, label: { read: (key: Row) => key['label'], put: (label: unknown) => ({ label }) } } },
      credential,
    ),
    credential,
  ],
};

describe('a kind of the laboratory that', () => {
  it.each(Object.entries(laboratory))('%s breaks its law', (_, [name, kind, from = right]) => {
    const [law] = Object.entries(wordLaws).flatMap(([text, one]) => (text.includes(name) ? [one] : []));
    expect(law).toBeDefined();
    expect(told({ ...from, kind }).flatMap((one) => law?.(one) ?? [])).not.toEqual([]);
  });
});
