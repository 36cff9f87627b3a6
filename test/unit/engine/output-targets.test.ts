import { expect, it } from 'vitest';
import { outputTargets } from '../../../src/engine/outputs/targets.ts';
import { kinds } from '../../../src/generated/kinds.ts';

const asked = (keys: string) => {
  const metadata = { namespace: 'team-a', name: 'data', uid: 'u', generation: 1, resourceVersion: '1', creationTimestamp: '' };
  const spec = { outputs: [{ configMapName: 'disk', keys: JSON.parse(keys) as object }] };
  const [volume] = kinds.filter(({ kind }) => kind === 'CloudVolume');
  if (volume === undefined) throw new Error('there is no CloudVolume');
  return outputTargets(volume, { metadata, spec });
};

it('are what the spec names', () =>
  expect(asked('{"DEVICE": "device-path"}')).toMatchObject([{ name: 'disk', keys: { DEVICE: 'device-path' } }]));
it('cannot be read where a key is one that JavaScript would drop', () => expect(asked('{"__proto__": "device-path"}')).toBeUndefined());
