import { expect, it } from 'vitest';
import { circle } from '../../../src/engine/resolve/circle.ts';
import type { Resource } from '../../../src/engine/ports/index.ts';
import { numberId, type ReferenceSite } from '../../../src/resource/index.ts';

const target = { kind: 'CloudThing', shared: false, ids: numberId } as const;
const site: ReferenceSite = { at: ['from'], what: { is: 'ref', target } };
/** `t0` refers to `t1` and so on, the last to `t<to>`. */
function chain(length: number, to: number, sites = [site]): { readonly looks: () => number; readonly message: string | undefined } {
  const things = Array.from({ length }, (_, n): Resource => {
    const name = n + 1 < length ? `t${n + 1}` : `t${to}`;
    const metadata = { namespace: 'team', name: `t${n}`, uid: `u${n}`, generation: 1, resourceVersion: '1', creationTimestamp: '' };
    return { kind: 'CloudThing', metadata, spec: { from: { name } } };
  });
  let looks = 0;
  const get = (_: string, { name }: { readonly name: string }): Resource | undefined => {
    looks += 1;
    return things.find(({ metadata }) => metadata.name === name);
  };
  const [object] = things;
  const outcome = object && circle({ engine: { objects: { get }, registry: { sites: () => sites } }, object });
  return { looks: () => looks, message: outcome?.is === 'Stalled' ? outcome.message : undefined };
}

it('a circle of a hundred is found', () => {
  expect(chain(100, 0).message).toMatch(
    /^spec.from refers in a circle: CloudThing t0 -> CloudThing t1 -> .* CloudThing t99 -> CloudThing t0\./,
  );
});
it.each([9000, 0])('a chain of thousands is followed for about a hundred looks (the last refers to t%s)', (to) => {
  const { looks, message } = chain(5000, to);
  expect(message).toBeUndefined();
  expect(looks()).toBeLessThan(200);
});
it('what needs the object first is none', () => {
  const after: ReferenceSite = { at: ['from'], what: { is: 'ref', target: { ...target, after: true } } };
  expect(chain(2, 0).message).toBeDefined();
  expect(chain(2, 0, [after]).message).toBeUndefined();
});
