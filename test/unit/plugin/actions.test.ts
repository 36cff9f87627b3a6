import { expect, it } from 'vitest';
import { reasons } from '../../../src/engine/model/outcome.ts';
import type { Resource } from '../../../src/engine/ports/kubernetes.ts';
import { reasons as reference } from '../../../src/generate/reasons.ts';
import { commands } from '../../../src/plugin/commands.ts';
import { commandsFor, todoOf } from '../../../src/plugin/why/actions.ts';

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
