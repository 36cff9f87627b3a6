import { expect, test } from 'vitest';
import type { Resource } from '../../../src/engine/ports/kubernetes.ts';
import type { Reader } from '../../../src/plugin/cluster/reader.ts';
import { Landscape } from '../../../src/plugin/objects/landscape.ts';

const count = 1_000;
const made = { namespace: 'shop', generation: 1, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
/** A namespace with thousands of objects, of which each is asked for its name. */
function crowd(): { readonly reader: Reader; readonly looks: () => number } {
  let looks = 0;
  const objects = Array.from({ length: count }, (_, at): Resource => {
    const metadata = { ...made, name: `disk-${at}`, uid: `${at}` };
    return {
      kind: 'CloudVolume',
      spec: {},
      get metadata() {
        looks += 1;
        return metadata;
      },
    };
  });
  const reader = { list: () => Promise.resolve(objects), get: () => Promise.resolve(undefined) };
  return { reader: reader as unknown as Reader, looks: () => looks };
}
const missing = Array.from({ length: count }, (_, at) => ({
  namespace: 'shop',
  name: `disc-${at}`,
}));

test('what is not there is looked for in one pass over what is, however much that is', async () => {
  const { reader, looks } = crowd();
  const landscape = new Landscape(reader);
  for (const key of missing) expect(await landscape.find('CloudVolume', key)).toBe('missing');
  expect(await landscape.find('CloudVolume', { namespace: 'shop', name: 'disk-7' })).toMatchObject({
    kind: 'CloudVolume',
  });
  expect(looks()).toBeLessThan(10 * count);
});

test('names that are nearly so are offered for the first hundred that are not there, each once', async () => {
  const { reader, looks } = crowd();
  const landscape = new Landscape(reader);
  for (const key of missing) await landscape.near('CloudVolume', key);
  const looked = looks();
  expect(looked).toBeLessThan(200 * count);
  expect(await landscape.near('CloudVolume', { namespace: 'shop', name: 'disc-7' })).toMatch(/^; did you mean cvol\/disk-7/);
  expect(await landscape.near('CloudVolume', { namespace: 'shop', name: 'disc-700' })).toBeUndefined();
  expect(looks()).toBe(looked);
});
