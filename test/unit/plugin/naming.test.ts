import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { mergePatch } from '../../../src/plugin/cluster/naming.ts';

it('a line that patches gives the shell one word, whatever stands in the patch', () => {
  const patch = { spec: { allowedRefs: { namespaces: ["shop'; echo taken; '"] } } };
  const line = mergePatch({ kind: 'CloudDomain', metadata: { namespace: 'shop', name: 'zone' } }, patch);
  const words = execFileSync('sh', ['-c', line.replace('kubectl', String.raw`printf '%s\n'`)], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  expect(words).toEqual(['-n', 'shop', 'patch', 'clouddomain', 'zone', '--type=merge', '-p', JSON.stringify(patch)]);
});
