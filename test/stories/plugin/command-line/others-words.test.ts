import { beforeAll, describe, expect, it } from 'vitest';
import { runsAndUses } from '../../../../src/engine/model/conditions.ts';
import { reasons } from '../../../../src/engine/model/outcome.ts';
import { quoted } from '../../../../src/lib/quoted.ts';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

// What a message repeats of what people wrote stands in quotes, and may read like each sentence in which the plugin looks for something.
const sentences = [
  '/tags/1 belongs to CloudTag team-a/pwned already; it is being deleted, which hands it over to this one',
  "/tags/1 has this spec's name already and belongs to CloudTag team-a/$(pwned). If this is that object under another name, write spec.adopt: {id: 666} here ",
  '{"label":"a"} exists in the account already, and belongs to CloudVolume victim/pwned. ',
  'Secret $(pwned) exists and does not belong to this object, so it is not overwritten',
  'ConfigMap pwned is written by CloudVolume victim, and one object has it',
  'Secret x is named by CloudVolume victim, too, which is older',
  'x. Put another value into the Secret pwned, key pwned; it is tried again',
  'Secret pwned does not hold what was told',
  'CloudAccount team-a/default is paused',
  'namespace team-a has 5 (access[].maxObjects)',
  'x is something of the account itself, which namespace team-a may not have',
  'x is in another account. x no longer for itself: pwned',
  'x does not admit',
  '{x} is not made: x is in this account, and another namespace has it. ',
  'it is tried again every 5 minutes. Nothing is under way at spec.instanceRef that would mend it',
  'spec.region spec.label spec.sizeGiB: the account has a, wanted b',
  '/volumes/1 is gone from the account; else delete this object',
  '. No object has 665, 666 of /vm/instances/1 (665: pwned): spec.adopt: {id: ...} names is taken',
  '. No object has 666 of /volumes (666: pwned): what spec.adopt: {id: 666} names is taken',
  '/volumes/666 exists in the account. To take it over write spec.adopt: {id: 666}; else write another spec.label',
  'spec.lifecycle.protect is true. pwned',
  'CloudVolume pwned asks for /volumes/1 with spec.adopt, and has /volumes/2: it cannot have both. ',
  'CloudVolume pwned is in /volumes/1, which would take it along, and has spec.lifecycle.protect: true. ',
  'it is one of many objects of namespace team-a',
  's by now, and what is in it stays. To keep this, too: CloudDomainRecord pwned asks for it with spec.adopt; ',
  'x runs, and uses it until it is off. The token needs the scope x. there is nothing to boot',
  'spec.adopt x matches /volumes/666, /volumes/667. Name exactly one of them',
  'To have it made anew, empty, annotate it',
];

/** What is neither its own nor a name. */
const never = /\$\(|victim/;
const all = sentences.join(' ');
const ways: Readonly<Record<string, (text: string) => string>> = {
  'as somebody’s words': (text) => `/volumes/1: it said ${quoted(text)}`,
  'as the last words of what was too long': (text) => `/volumes/1: it said ${quoted(text).slice(0, -1)}`,
  'as a value': (text) => `/volumes/1: spec.tags: the account has ${JSON.stringify(text)}, wanted "b c"`,
};
const objects: readonly (readonly [kind: string, name: string, spec: object, status: object])[] = [
  ['CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 }, { path: '/volumes/1', id: '1' }],
  ['CloudVolume', 'young', { region: 'eu-central', sizeGiB: 20 }, {}],
  ['CloudVolume', 'wishes', { region: 'eu-central', sizeGiB: 20, adopt: { id: 3 } }, {}],
  ['CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' }, { path: '/vm/instances/1', id: '1' }],
  ['CloudDisk', 'root', { instanceRef: { name: 'web' }, sizeMB: 2000 }, { path: '/vm/instances/1/disks/2', id: '2' }],
];

let world: World;
beforeAll(async () => {
  world = await World.create();
  await world.secret('root', { password: 'x' });
  await world.account();
  const well = conditions('Available', '').map((one) => ({ ...one, status: one.type === 'Stalled' ? 'False' : 'True' }));
  const seen = { observedGeneration: 1, conditions: well, account: 'E1AF5EEC-526F-487D-B317EBEB34C87D71' };
  await world.admin('PATCH', `${world.path('CloudAccount', 'team-a', 'default')}/status`, { status: seen });
  for (const [kind, name, spec, has] of objects) {
    const apiVersion = 'cloudhosting.dev/v1alpha1';
    await world.admin('POST', world.path(kind), { apiVersion, kind, metadata: { name, namespace: 'team-a' }, spec });
    const status = { ...has, observedGeneration: 1, conditions: conditions('Rejected', 'x') };
    await world.admin('PATCH', `${world.path(kind, 'team-a', name)}/status`, { status });
  }
});
const conditions = (reason: string, message: string) =>
  ['Ready', 'Synced', 'Stalled'].map((type) => ({
    type,
    status: type === 'Stalled' ? 'True' : 'False',
    reason,
    message,
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));

/** A server on which every object of ours is so, for this reason. */
const saying =
  (reason: string, message: string) =>
  (server: Backend): Backend => ({
    handle: async (request) => {
      const answer = await server.handle(request);
      if (request.method !== 'GET' || !/\/cloudhosting\.dev\/(?!.*\/cloudaccounts\b)/.test(request.path) || answer.status !== 200)
        return answer;
      return {
        ...answer,
        body: String(answer.body).replaceAll(/"reason":"\w+","message":"(?:[^"\\]|\\.)*"/g, () =>
          JSON.stringify({ reason, message }).slice(1, -1),
        ),
      };
    },
  });
const told = (line: string, reason: string, message: string): Promise<Ran> =>
  cloud(world, line, { between: saying(reason, message), limit: 20 * 60_000 });
/** A quote that was cut off ends with its line. */
const without = (text: string): string => text.replaceAll(/"(?:[^"\\\n]|\\.)*(?:"|$)/gm, '""');
const lines = ['why -A', 'status -A', 'diff -A', `plan -A --against cluster`];

describe.each(reasons)('of an object that is %s', (reason) => {
  it.each(Object.entries(ways))('nothing is read out of what its message quotes %s', async (_, way) => {
    for (const line of lines) {
      const [plain, odd] = [await told(line, reason, way('two words')), await told(line, reason, way(all))];
      expect([odd.exit, without(odd.out), without(odd.err)]).toEqual([plain.exit, without(plain.out), without(plain.err)]);
    }
  });
  it.each(sentences.filter((one) => never.test(one)))('no line to type has what a message says that begins with: %s', async (sentence) => {
    const { exit, out } = await told('why -A', reason, sentence);
    expect(exit).toBeLessThan(2);
    expect(out).not.toMatch(new RegExp(`^ *kubectl.*(?:${never.source})`, 'm'));
  });
});

// An object may be older than the rule for what it names.
it.each(['$(pwned)', '--all', 'a; pwned'])('a name that no object can have is no shell and no flag in a line to type: %s', async (name) => {
  const named = (server: Backend): Backend => ({
    handle: async (request) => {
      const answer = await saying('Updating', `waits: ${runsAndUses}`)(server).handle(request);
      return {
        ...answer,
        body: String(answer.body).replaceAll('"instanceRef":{"name":"web"}', JSON.stringify({ instanceRef: { name } }).slice(1, -1)),
      };
    },
  });
  const { out } = await cloud(world, 'why cdisk/root', { between: named });
  expect(out).toContain(`CloudInstance team-a/${name}`);
  expect(out).toMatch(/^ {2}kubectl -n team-a patch /m);
  for (const line of out.match(/^ *kubectl.*$/gm) ?? []) expect(line.replaceAll(/'[^']*'/g, "''")).not.toMatch(/pwned| --all/);
});

it('a value that reads like the next one is told apart in what waits for a yes', async () => {
  const changes = ['spec.label: the account has "a, wanted b", wanted "c d"'];
  const plan = { hash: 'ad73444b3f', effect: 'InPlace', changes };
  const status = { plan, observedGeneration: 1, conditions: conditions('ApprovalRequired', changes.join()) };
  await world.admin('PATCH', `${world.path('CloudVolume', 'team-a', 'data')}/status`, { status });
  expect((await cloud(world, 'diff cvol/data')).out).toContain('spec.label: wanted "c d", the account has "a, wanted b"');
});
