import { describe, expect, it } from 'vitest';
import { type Reason, reasons } from '../../../src/engine/model/outcome.ts';
import type { Resource } from '../../../src/engine/ports/kubernetes.ts';
import { reasons as reference } from '../../../src/generate/reference/reasons.ts';
import { commands } from '../../../src/plugin/commands.ts';
import { commandsFor, todoOf } from '../../../src/plugin/why/actions.ts';
import { refusedStatus } from '../../support/status/refused-status.ts';

const object = (deleting: boolean): Resource => ({
  kind: 'CloudVolume',
  metadata: {
    namespace: 'shop',
    name: 'data',
    uid: 'u',
    generation: 1,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...(deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  },
  spec: {},
});
/** There is nothing to do about these. */
const calm = ['Available', 'Observed'];

it.each(reasons)('%s: the reference says what to do, and every line to type is one of a verb or of kubectl', (reason) => {
  expect(todoOf(reason, object(false))).toBe(reference[reason]?.todo);
  const lines = [...commandsFor(reason, object(false)), ...commandsFor(reason, object(true))];
  expect(lines.length > 0).toBe(!calm.includes(reason));
  for (const line of lines) {
    const [, verb = '', rest = ''] = /^kubectl cloud (\w+)(.*)$/.exec(line) ?? [];
    const known = commands.find(({ name }) => name === verb);
    expect([line.startsWith('kubectl -n shop edit cloudvolume data'), known !== undefined]).toContain(true);
    const flags = [...rest.matchAll(/ (--?[a-z-]+)/g)].map(([, flag = '']) => flag);
    const forms = known?.flags.map(({ form }) => form).join(' ') ?? '';
    for (const flag of flags) expect(forms).toContain(flag);
  }
});

const said = (reason: Reason, message: string): Resource => ({
  ...object(false),
  spec: { accountRef: { name: 'main' } },
  status: refusedStatus(reason, message),
});

describe('what a message quotes of others', () => {
  const secret = 'Put another value into the Secret root, key password; it is read again';

  const rootPasswordSecretRef = { name: 'root', key: 'password' };
  const machine = (message: string): Resource => {
    const one = said('Rejected', message);
    return { ...one, kind: 'CloudInstance', spec: { ...one.spec, rootPasswordSecretRef } };
  };

  it('is in no line to type: a Secret is the one that the operator and the spec name', () => {
    const before = 'the API refused POST /x: spec.label: "Put another value into the Secret $(id), key k;" is wrong';
    const quoted = machine(`${before}. ${secret}`);
    expect(todoOf('Rejected', quoted)).toContain('Put another value into key password of Secret root');
    expect(todoOf('Rejected', said('Rejected', `${before}. ${secret}`))).not.toContain('Secret root');
    const alone = machine(before);
    for (const one of [quoted, alone]) expect(commandsFor('Rejected', one).join('\n')).not.toContain('$(id)');
  });

  it('is no pause, and no mode', () => {
    const drift = said('ReadOnly', 'label: paused, should be data');
    expect(commandsFor('ReadOnly', drift)).toEqual(['kubectl cloud status -n shop cacc/main']);
    const paused = said('ReadOnly', 'CloudAccount shop/main is paused until 2026-01-02T00:00:00Z ("move"): this would be created');
    expect(commandsFor('ReadOnly', paused)).toEqual(['kubectl cloud resume -n shop cacc/main']);
  });
});

const take = (id: string): string => `kubectl -n shop patch cloudvolume data --type=merge -p '{"spec":{"adopt":{"id":${id}}}}'`;
describe('what is there already', () => {
  const edit = 'kubectl -n shop edit cloudvolume data';
  it.each([
    [
      'nothing shows that it was made for this object. To take it over write spec.adopt: {id: 7}; else write another spec.label, or rename or delete the one there',
      [take('7'), edit],
    ],
    [
      'nothing shows that it was made for this object. To take it over write spec.adopt: {id: "eu/a\\"b"}; else rename or delete it there',
      [take('"eu/a\\"b"'), edit],
    ],
  ])('%s', (words, lines) => {
    const there = said('AlreadyExists', `/volumes/7 exists in the account, and ${words}`);
    expect(commandsFor('AlreadyExists', there)).toEqual(lines);
  });
  it('that is called like it has the line of the owner of the account', () => {
    const words =
      '/volumes/7 is called like this object, and was made by another installation of this operator. Another one is not made beside it. If this cluster is the one that made it, rebuilt: take it over with spec.adopt: {id: 7, force: true}. If not: give this object another name, or have the owner of the account say for all its objects that nothing there was made before the cluster was rebuilt, with spec.installation: 1b2c-3d on CloudAccount infra/main';
    expect(commandsFor('AlreadyExists', said('AlreadyExists', words))).toEqual([
      `kubectl -n infra patch cloudaccount main --type=merge -p '{"spec":{"installation":"1b2c-3d"}}'`,
      'kubectl -n shop delete cloudvolume data',
    ]);
  });
  it("that bears this object's mark is taken over by the same line", () => {
    const mark = `/lke/clusters/1/pools/7 exists in the account and bears this object's mark, a tag that anybody may have copied, so it is not taken for that alone. If it is this object's (a rebuilt cluster): spec.recover: true on CloudAccount shop/main until all is found, or spec.adopt: {id: 7}; else take that tag off, or delete it there`;
    expect(commandsFor('AlreadyExists', said('AlreadyExists', mark))).toEqual([take('7'), edit]);
  });
});
