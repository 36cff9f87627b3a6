import { beforeEach, describe, expect, it } from 'vitest';
import type { PlanData } from '../../src/plugin/output/shapes.ts';
import { cloud, dataOf, endpoint } from '../support/cloud-cli.ts';
import { World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});

const volume = { region: 'eu-central', sizeGiB: 20 };
const document = (kind: string, name: string, spec: object, beside: object = {}) => ({
  apiVersion: 'cloudhosting.dev/v1alpha1',
  kind,
  metadata: { name },
  spec,
  ...beside,
});

/** What a plan of these manifests says. */
async function planned(...documents: readonly object[]): Promise<PlanData & { readonly exit: number }> {
  const files = { 'all.yaml': documents.map((one) => JSON.stringify(one)).join('\n---\n') };
  const ran = await cloud(world, `plan -f all.yaml -o json --endpoint ${endpoint}`, { files, limit: 300_000 });
  return { ...(dataOf(ran) as unknown as PlanData), exit: ran.exit };
}

describe('a field that no kind has', () => {
  it('is refused as kubectl apply refuses it, of what is there and of what is not', async () => {
    await world.apply('CloudVolume', 'data', volume);
    const { exit, objects } = await planned(
      document('CloudVolume', 'data', { ...volume, lifecycle: { protct: true } }),
      document('CloudVolume', 'more', { ...volume, tag: ['a'] }),
      document('CloudVolume', 'less', { region: 'eu-central', size: 20 }),
      document('CloudVolume', 'flat', volume, { lifecycle: { protect: true } }),
    );
    expect(exit).toBe(4);
    expect(objects.map(({ refusal }) => refusal?.message)).toEqual(
      ['spec.lifecycle.protct', 'spec.tag', 'spec.size', 'lifecycle'].map((field) => `strict decoding error: unknown field "${field}"`),
    );
    expect(objects[1]?.refusal?.field).toBe('spec.tag');
  });
});
