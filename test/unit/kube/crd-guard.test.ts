import { expect, test } from 'vitest';
import { CrdGuard } from '../../../src/kube/definitions/crd-guard.ts';
import { silent } from '../../../src/telemetry/log.ts';
import { SmallCluster } from './small-cluster.ts';

const refuse = (cluster: SmallCluster): (() => void) =>
  cluster.server.faults.add({ match: { path: /customresource/ }, action: { kind: 'answer', status: 403 } });

const nothing = (): void => undefined;
/** A CRD with another hash does not fit: ours is of another type. */
const schema = (): object => ({ type: 'array' });

async function guarded(before: (cluster: SmallCluster) => () => void = () => nothing) {
  const cluster = await SmallCluster.make();
  await cluster.installThings('h1');
  const heal = before(cluster);
  const guard = new CrdGuard({
    client: cluster.program().client,
    expected: [{ kind: 'CloudThing', name: 'cloudthings.cloudhosting.dev', schemaHash: 'h1', schema }],
    clock: cluster.clock,
    log: silent,
    signal: cluster.signal,
    report: () => undefined,
  });
  await guard.check();
  guard.start();
  return { cluster, guard, heal };
}

// apiserver/CloudInstance/create/kube_PATCH_.../status#1/before (tier 1): left alone for five minutes.
test('a kind that fitted is written while an API server that starts refuses to show its CRD', async () => {
  const { cluster, guard } = await guarded();
  await cluster.clock.advance(295_000);
  const heal = refuse(cluster);
  await cluster.clock.advance(30_000);
  expect([...guard.mismatched]).toEqual([]);
  heal();
  await cluster.clock.advance(600_000);
  expect([...guard.mismatched]).toEqual([]);
});

test('a CRD that cannot be read for a minute is believed to be forbidden, and read again soon', async () => {
  const { cluster, guard } = await guarded();
  const heal = refuse(cluster);
  await cluster.clock.advance(300_000 + 75_000);
  expect([...guard.mismatched]).toEqual(['CloudThing']);
  heal();
  await cluster.clock.advance(11_000);
  expect([...guard.mismatched]).toEqual([]);
});

test('refused from the start it is not written, and read again soon', async () => {
  const { cluster, guard, heal } = await guarded(refuse);
  expect([...guard.mismatched]).toEqual(['CloudThing']);
  heal();
  await cluster.clock.advance(11_000);
  expect([...guard.mismatched]).toEqual([]);
});

test('one that did not fit is not believed to fit because it cannot be read any more', async () => {
  const { cluster, guard } = await guarded();
  const name = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudthings.cloudhosting.dev';
  await cluster.server.as('admin', 'PATCH', name, { metadata: { annotations: { 'cloudhosting.dev/schema-hash': 'h2' } } });
  await cluster.clock.advance(301_000);
  expect([...guard.mismatched]).toEqual(['CloudThing']);
  refuse(cluster);
  await cluster.clock.advance(301_000);
  expect([...guard.mismatched]).toEqual(['CloudThing']);
});
