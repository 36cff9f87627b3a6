import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/resource/index.ts';
import { type Case, merged, named } from '../conformance/case.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { conditionOf, Stage } from '../support/process/stage.ts';
import { sampled, stalls } from './bad-input/stalls.ts';
import { companions, subjects } from '../chaos/tier1/subject.ts';
import { plantedArgs } from '../support/samples/planted.ts';

let stage: Stage;
let strangers = '';
beforeAll(async () => {
  stage = await Stage.open({ emulator: ['--speed', '50', ...plantedArgs], flags: ['--commit-bound=1s', '--list-lag=1s'], more: 1 });
  strangers = stage.namespaces[1] ?? '';
  await stage.secret('weak', { password: 'aaaaaaaaaaaa' });
  await stage.account();
  for (const { secrets } of subjects) for (const [name, data] of Object.entries(secrets)) await stage.secret(name, data);
  for (const { configMaps } of subjects) for (const [name, data] of Object.entries(configMaps)) await stage.configMap(name, data);
  for (const { kind, name, spec } of [...subjects, ...companions].filter(({ kind }) => kind !== 'CloudAccount'))
    await stage.apply(stage.manifest(kind, name, spec));
  for (const { kind, name } of subjects) await stage.ready(kind, name, 60_000);
}, START_TIMEOUT_MS);
afterAll(() => stage.close());

/** Kubectl's own look at a whole file would hide what the API server says to each object of it. */
/** What kubectl says to these objects, all of which the API server must refuse; none of them may be stored. */
async function refusals(manifests: readonly object[]): Promise<string> {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests });
  const { code, stdout, stderr } = await stage.cluster.kubectl(['apply', '--validate=ignore', '-f', '-'], { input, allowFail: true });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr;
}
/** Every object is named in the refusal of its own; kubectl begins each one with `Error from server` or `error:`. */
const about = (said: string, name: string): string =>
  said
    .split(/\n(?=Error from server|The Cloud|error)/)
    .filter((part) => part.includes(`"${name}"`))
    .join('\n');

/** Whatever the callback does must not change the account; refused calls change nothing, and there are two at most. */
async function changingNothing(act: () => Promise<void>): Promise<void> {
  const since = (await stage.emulator.requests()).at(-1)?.seq ?? 0;
  await act();
  const writes = (await stage.emulator.requests(since)).filter(({ method }) => method !== 'GET');
  expect(writes.filter(({ changes }) => changes.length > 0)).toEqual([]);
  const calls = writes.map(({ method, path }) => `${method} ${path}`);
  expect(calls.slice(2)).toEqual([]);
}
describe.each(named)('a %s that cannot be', (_, { kind, fixture }: Case) => {
  const rejects = Object.entries(fixture.rejects).map(([why, [change, says]], n) => ({ why, change, says, name: `rejected-${n}` }));
  it(`is refused by the API server, in ${rejects.length} ways, each with its text`, async () => {
    expect(rejects.length).toBeGreaterThanOrEqual(8);
    await changingNothing(async () => {
      const said = await refusals(rejects.map(({ change, name }) => stage.manifest(kind.kind, name, merged(fixture.sample.spec, change))));
      const missing = rejects.filter(({ says, name }) => !about(said, name).includes(says));
      expect(missing.map(({ why, says, name }) => ({ why, says, said: about(said, name) }))).toEqual([]);
    });
  });
});

const kubectl = (...args: readonly string[]) => stage.cluster.kubectl([...args, '-n', stage.namespace], { allowFail: true });
const patch = (kind: string, name: string, spec: Row) =>
  kubectl('patch', kind.toLowerCase(), name, '--type=merge', '-p', JSON.stringify({ spec }));

const edits = named.map(
  ([kind, { fixture }]) => [kind, fixture.sample.name, fixture.edits.filter((edit) => edit.refused === true)] as const,
);
describe.each(edits.filter(([, , refused]) => refused.length > 0))('an edit of a %s', (kind, name, refused) => {
  it(`is refused where it may not be: ${refused.map(({ field }) => field).join(', ')}`, async () => {
    await changingNothing(async () => {
      for (const { field, to, spec: written, with: more } of refused) {
        const { code, stderr } = await patch(kind, name, { ...more, [field]: written ?? to ?? null });
        expect({ field, code, stderr }).toMatchObject({ field, code: 1, stderr: expect.stringContaining(field) as string });
      }
    });
  });
});

/** Fields that the sample has, that a spec need not have, and that cannot be changed. */
const lasting = ({ kind, fixture }: Case): readonly string[] =>
  Object.keys(fixture.sample.spec).filter(
    (field) => kind.fields[field]?.immutable === true && kind.spec.shape[field]?.safeParse(undefined).success,
  );
const unsettable = named
  .filter(([, { kind }]) => kind.mode !== 'connection')
  .map(([kind, one]) => [kind, ['accountRef', ...lasting(one)], one] as const);
describe.each(unsettable)('a field of a %s that cannot change', (kind, fields, { fixture: { sample } }) => {
  it(`is neither unset nor set anew: ${fields.join(', ')}`, async () => {
    await stage.apply(stage.manifest(kind, 'elsewhere', { ...sample.spec, accountRef: { name: 'nowhere' } }));
    await changingNothing(async () => {
      for (const [object, change] of [
        [sample.name, { accountRef: { name: 'nowhere' } }],
        ...fields.map((field) => ['elsewhere', { [field]: null }] as const),
      ] as const) {
        const { code, stderr } = await patch(kind, object, change);
        expect({ change, code, stderr }).toMatchObject({ change, code: 1, stderr: expect.stringContaining('cannot be changed') as string });
      }
      await kubectl('delete', kind.toLowerCase(), 'elsewhere');
    });
  });
});

describe('what only the account can know', () => {
  beforeAll(async () => {
    await stage.emulator.actAs('colleague', 'POST', '/v4/domains', {
      domain: 'taken.example',
      type: 'master',
      soa_email: 'a@taken.example',
    });
    await stage.emulator.actAs('colleague', 'POST', '/v4/networking/firewalls', {
      label: 'edge',
      rules: { inbound_policy: 'DROP', outbound_policy: 'DROP' },
    });
  });
  it.each(stalls.map((one, n) => [one.kind, one.why, `wrong-${n}`, one] as const))(
    'ends a %s with %s in a Stalled condition',
    async (kind, _why, name, { spec, reason, says }) => {
      await changingNothing(async () => {
        await stage.apply(stage.manifest(kind, name, spec));
        await stage.until([kind, name], (object) => conditionOf(object, 'Stalled')?.status === 'True', 20_000);
        const described = (await kubectl('describe', kind.toLowerCase(), name)).stdout;
        expect(conditionOf(await stage.find(kind, name), 'Stalled')?.reason).toBe(reason);
        for (const word of says) expect(described).toContain(word);
        await stage.cluster.kubectl(['delete', kind.toLowerCase(), name, '-n', stage.namespace, '--timeout=20s']);
      });
    },
  );
});

/** What a record says that has to wait. */
const waits = async (name: string, spec: Row, namespace: string): Promise<string> => {
  await stage.apply(stage.manifest('CloudDomainRecord', name, spec, namespace));
  const object = await stage.until(['CloudDomainRecord', name, namespace], (one) => conditionOf(one, 'Synced')?.status === 'False');
  await stage.cluster.kubectl(['delete', 'clouddomainrecord', name, '-n', namespace, '--timeout=20s']);
  return conditionOf(object, 'Synced')?.message ?? '';
};
const record = (name: string): Row => sampled('CloudDomainRecord', { domainRef: { name, namespace: stage.namespace } });

describe('another namespace', () => {
  it('that the account does not admit reads the same as one whose account is not there', async () => {
    await changingNothing(async () => {
      const { spec } = named.find(([kind]) => kind === 'CloudDomainRecord')?.[1].fixture.sample ?? { spec: {} };
      const shut = await waits('www', { ...spec, accountRef: { name: 'default', namespace: stage.namespace } }, strangers);
      const missing = await waits('www', { ...spec, accountRef: { name: 'missing', namespace: stage.namespace } }, strangers);
      expect(shut).toContain('spec.accountRef');
      expect(shut.replaceAll('default', 'missing')).toBe(missing);
    });
  });
  it('that a domain does not admit reads the same as one whose domain is not there', async () => {
    await stage.account('default', {}, 'token-colleague', strangers);
    await changingNothing(async () => {
      const shut = await waits('www', record('example-org'), strangers);
      const missing = await waits('www', record('missing'), strangers);
      expect(shut).toContain('spec.domainRef');
      expect(shut.replaceAll('example-org', 'missing')).toBe(missing);
    });
  });
});

describe('what is protected', () => {
  // Nothing goes with the object of what is issued, or done once, so it has no lifecycle.
  const issued = new Set(named.filter(([, { kind }]) => kind.mode === 'issued' || kind.mode === 'operation').map(([kind]) => kind));
  const kept = subjects.filter(({ kind }) => !issued.has(kind));
  it.each(kept.map(({ kind, name }) => [kind, name] as const))('is not deleted: %s', async (kind, name) => {
    await stage.patch(kind, name, { spec: { lifecycle: { protect: true } } });
    await changingNothing(async () => {
      const { code, stderr } = await kubectl('delete', kind.toLowerCase(), name);
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('set it to false first if the deletion is meant') as string,
      });
    });
    await stage.patch(kind, name, { spec: { lifecycle: { protect: false } } });
    expect((await stage.find(kind, name))?.metadata.deletionTimestamp).toBeUndefined();
  });
});
