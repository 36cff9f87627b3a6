import { beforeEach, describe, expect, it } from 'vitest';
import { asTyped } from '../../../../src/plugin/command-line/as-typed.ts';
import { commands } from '../../../../src/plugin/commands.ts';
import { canaries, lines, scene } from '../../../support/plugin/cli-scene.ts';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import type { World } from '../../../support/world/world.ts';

const token = canaries.token;
const context = `--context=over-there --as=${token} --as-group=ops --as-group='on call'`;
/** As a shell takes it apart. */
const words = [`--context=over-there`, '--as', token, '--as-group', 'ops', '--as-group=on call'];
let world: World;
beforeEach(async () => {
  world = await scene();
});

/** Each `kubectl` of a text that is told for typing: with a verb, or a namespace and a verb. */
const told = (text: string): readonly string[] =>
  text.match(
    /kubectl (?:-{1,2}\S+ )*(?:-n \S+ )?(?:cloud [a-z-]+(?![a-z-]*:)|annotate|apply|create|delete|describe|edit|get|label|logs|patch)[^\n]*/g,
  ) ?? [];
/** What they write is rows, manifests, or for whoever has the other account. */
const copied = ['api', 'get', 'zone', 'export', 'import', 'transfer'];
/** `move` tells of two clusters: below. */
const talks = commands.filter(({ flags, name }) => name !== 'move' && flags.some(({ form }) => form.startsWith('--context ')));

describe('what is told for typing leads to the cluster of the line that told it, as the same user', () => {
  let count = 0;
  it.each(talks)('$name', async ({ name, confirms }) => {
    for (const line of lines[name]?.lines ?? [])
      for (const more of ['', ' -o json', ...(confirms === 'C0' ? [] : [` ${lines[name]?.said ?? ''}`.trimEnd()])]) {
        const { out, err } = await cloud(world, [...`${line}${more}`.split(' '), ...words], { token, limit: 5 * 60_000 });
        const typing = [...told(err), ...(copied.includes(name) ? [] : told(out))];
        count += typing.length;
        for (const one of typing) expect(one).toContain(context);
      }
  });
  it('move, each of the side that it is about', async () => {
    const line = 'move cvol/kept --to-context there --timeout 5s --confirm kept';
    const { err } = await cloud(world, [...line.split(' '), ...words], { token, limit: 5 * 60_000 });
    expect(err).toContain(`kubectl cloud why ${context.replace('over-there', 'there')} -n team-a cvol/kept`);
  });
  it('also in the warnings of -o json', async () => {
    const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudvolumes.cloudhosting.dev';
    await world.admin('PATCH', crd, { metadata: { annotations: { 'cloudhosting.dev/schema-hash': 'another' } } });
    const { out, err } = await cloud(world, ['why', 'cvol/paused', '-o', 'json', ...words], { token });
    const names = `kubectl cloud version ${context} names both.`;
    expect(JSON.parse(out)).toMatchObject({ warnings: [expect.stringContaining(names)] });
    expect(err).toContain(names);
  });
  it('and there were many', () => expect(count).toBeGreaterThan(60));
});

it.each([
  [{ context: 'a b' }, 'Look: kubectl cloud why cvol/a', "Look: kubectl cloud why --context='a b' cvol/a"],
  [{ kubeconfig: 'k', context: 'c' }, 'kubectl -n a edit cvol b', 'kubectl --kubeconfig=k --context=c -n a edit cvol b'],
  [
    { operatorNamespace: 'ops' },
    'kubectl cloud cost, or kubectl cloud why x',
    'kubectl cloud cost --operator-namespace=ops, or kubectl cloud why --operator-namespace=ops x',
  ],
  [{ context: 'c', operatorNamespace: 'ops' }, 'kubectl cloud wait x', 'kubectl cloud wait --context=c x'],
  [{ operatorNamespace: 'ops' }, 'kubectl get cvol', 'kubectl get cvol'],
  [{ as: 'jane', asGroup: 'a\nb c' }, 'kubectl -n a edit cvol b', "kubectl --as=jane --as-group=a --as-group='b c' -n a edit cvol b"],
  [{ as: 'jane' }, 'kubectl cloud why cvol/a', 'kubectl cloud why --as=jane cvol/a'],
  [
    { context: 'c' },
    'wanted "kubectl get x", the account has "kubectl cloud why"',
    'wanted "kubectl get x", the account has "kubectl cloud why"',
  ],
  [
    { context: 'c' },
    'A spec.x: wanted kubectl get a, the account has kubectl get b; lifecycle.drift: Correct. kubectl edit y',
    'A spec.x: wanted kubectl get a, the account has kubectl get b; lifecycle.drift: Correct. kubectl --context=c edit y',
  ],
  [
    { context: 'c' },
    'spec.x: the account has kubectl get a, wanted kubectl get b. To allow it: kubectl annotate y',
    'spec.x: the account has kubectl get a, wanted kubectl get b. To allow it: kubectl --context=c annotate y',
  ],
  [{ context: 'c' }, '  ~ x: kubectl get a -> kubectl get b', '  ~ x: kubectl get a -> kubectl get b'],
  [{ context: 'c' }, '    + kubectl get a', '    + kubectl get a'],
  [
    { context: 'c' },
    'kubectl create x -o json | kubectl -n a patch y',
    'kubectl --context=c create x -o json | kubectl --context=c -n a patch y',
  ],
  [
    { context: 'c' },
    'there is no kubectl in PATH; kubectl cloud needs Node.js',
    'there is no kubectl in PATH; kubectl cloud needs Node.js',
  ],
  [{ context: 'c' }, 'kubectl cloud why --context=d x', 'kubectl cloud why --context=d x'],
  [{}, 'kubectl cloud why x', 'kubectl cloud why x'],
])('%j: %s', (flags, line, becomes) => expect(asTyped(commands, flags)(line)).toBe(becomes));
