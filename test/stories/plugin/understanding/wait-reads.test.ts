import { expect, it } from 'vitest';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';

const volume = { region: 'us-east', sizeGiB: 20 };

const mayNotList = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ kind: 'Status', reason: 'Forbidden', code: 403, message: 'by the test' }),
};

/** Reads of instances while volumes are waited for of which each names another instance that is not there. */
async function readsOf(count: number, mayList = true): Promise<readonly string[]> {
  const { world } = await connectedWorld();
  const names = Array.from({ length: count }, (_, n) => `v${n}`);
  for (const name of names) await world.apply('CloudVolume', name, { ...volume, instanceRef: { name: `none-${name}` } });
  for (const name of names) await world.reason('CloudVolume', name, 'ReferenceNotReady');
  const reads: string[] = [];
  const between = (server: Backend): Backend => ({
    handle: async (request) => {
      const [, rest] = request.path.split('/cloudinstances');
      if (rest === undefined) return server.handle(request);
      reads.push(request.path);
      return mayList || rest.startsWith('/') ? server.handle(request) : mayNotList;
    },
  });
  const { exit, out } = await cloud(world, 'wait cvol --timeout 5s', { between, limit: 60_000 });
  expect([exit, out]).toEqual([6, expect.stringContaining(`${count} objects`)]);
  return reads;
}

it('wait reads what many objects name and is not there by lists, whatever their number', async () => {
  const few = await readsOf(12);
  const many = await readsOf(60);
  expect(few.length).toBeLessThan(12);
  expect(many).toHaveLength(few.length);
});
it('wait asks by name where the caller may not list', async () => {
  const reads = await readsOf(12, false);
  expect(new Set(reads.filter((path) => path.includes('/none-'))).size).toBe(12);
});
it('wait asks once for the Secret that many objects name and is not there', async () => {
  const { world } = await connectedWorld();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const machine = {
    region: 'us-east',
    type: 'g6-standard-1',
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'none', key: 'password' },
  };
  for (const name of names) await world.apply('CloudInstance', name, machine);
  for (const name of names) await world.reason('CloudInstance', name, 'ReferenceNotReady');
  let reads = 0;
  const between = (server: Backend): Backend => ({
    handle: (request) => {
      if (request.path.includes('/secrets/none')) reads += 1;
      return server.handle(request);
    },
  });
  expect((await cloud(world, 'wait cinst --timeout 5s', { between, limit: 60_000 })).exit).toBe(6);
  expect(reads).toBe(1);
});
