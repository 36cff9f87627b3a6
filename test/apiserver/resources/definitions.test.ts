import { describe, expect, test } from 'vitest';
import { clone } from '../storage/json.ts';
import { widget } from '../conversation/step.ts';
import { widgetCrd } from '../conversation/widget-crd.ts';
import { TestCluster, WIDGETS } from '../test-cluster.ts';

const CRD = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.apiserver.test';
const SPEC = '/spec/versions/0/schema/openAPIV3Schema/properties/spec';

describe('custom resource definitions', () => {
  test('an applied CRD is established, served, discovered and given back', async () => {
    const cluster = await TestCluster.start();
    const answer = await cluster.send('GET', CRD);
    expect(answer.body).toMatchObject({
      metadata: { generation: 1, finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
      spec: widgetCrd.spec,
      status: {
        acceptedNames: { kind: 'Widget' },
        storedVersions: ['v1'],
        conditions: [{ type: 'NamesAccepted' }, { type: 'Established', status: 'True' }],
      },
    });
    expect((await cluster.send('GET', '/apis/apiserver.test/v1')).body['resources']).toMatchObject([
      { name: 'widgets', shortNames: ['wd'] },
      { name: 'widgets/status' },
    ]);
  });

  test('a changed schema ends watches, prunes and defaults what is stored, without new revisions', async () => {
    const cluster = await TestCluster.start();
    const created = await cluster.create('a', { size: 1, region: 'a' });
    const watch = await cluster.watch('resourceVersion=0');
    await cluster.send('PATCH', CRD, [
      { op: 'remove', path: `${SPEC}/properties/region` },
      { op: 'remove', path: `${SPEC}/x-kubernetes-validations` },
      { op: 'add', path: `${SPEC}/properties/added`, value: { type: 'string', default: 'new' } },
    ]);
    await cluster.clock.settle();
    const read = await cluster.send('GET', `${WIDGETS}/a`);
    expect(read.body['spec']).toEqual({ size: 1, added: 'new' });
    expect(read.body['metadata']).toEqual(created['metadata']);
    expect(watch.ended).toBe('cleanly');
    expect((await cluster.send('GET', CRD)).body['metadata']).toMatchObject({ generation: 2 });
  });

  test('a stored value that a stricter schema refuses may stay while others change', async () => {
    const cluster = await TestCluster.start();
    await cluster.create('a', { size: 90, label: 'abc' });
    await cluster.send('PATCH', CRD, [
      { op: 'replace', path: `${SPEC}/properties/size/maximum`, value: 50 },
      {
        op: 'add',
        path: `${SPEC}/x-kubernetes-validations/-`,
        value: { rule: "!has(self.label) || self.label.startsWith('z')", message: 'label begins with z' },
      },
    ]);
    await cluster.clock.settle();
    expect((await cluster.send('PATCH', `${WIDGETS}/a`, { metadata: { annotations: { k: 'v' } } })).status).toBe(200);
    expect((await cluster.send('PATCH', `${WIDGETS}/a/status`, { status: { phase: 'Up' } })).status).toBe(200);
    const labelled = await cluster.send('PATCH', `${WIDGETS}/a`, { spec: { label: 'abd' } });
    expect([labelled.status, labelled.body['message']]).toEqual([
      422,
      'Widget.apiserver.test "a" is invalid: spec: Invalid value: label begins with z',
    ]);
    expect((await cluster.send('PATCH', `${WIDGETS}/a`, { spec: { label: 'zzz' } })).status).toBe(200);
    expect((await cluster.send('PATCH', `${WIDGETS}/a`, { spec: { size: 91 } })).status).toBe(422);
  });

  test('a rule that does not compile is refused with the place of the rule', async () => {
    const cluster = await TestCluster.start();
    const answer = await cluster.send('PATCH', CRD, [
      { op: 'add', path: `${SPEC}/x-kubernetes-validations/-`, value: { rule: 'self.size +' } },
    ]);
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain('spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[5].rule');
  });

  test('deleting a CRD deletes its objects first, and waits for their finalizers', async () => {
    const cluster = await TestCluster.start();
    await cluster.create('held', { size: 1 }, { finalizers: ['x.test/f'] });
    await cluster.create('free');
    await cluster.send('DELETE', CRD);
    await cluster.clock.settle();
    expect((await cluster.send('GET', `${WIDGETS}/free`)).status).toBe(404);
    expect((await cluster.send('GET', CRD)).body['metadata']).toHaveProperty('deletionTimestamp');
    await cluster.send('PATCH', `${WIDGETS}/held`, { metadata: { finalizers: null } });
    await cluster.clock.settle();
    expect((await cluster.send('GET', CRD)).status).toBe(404);
    expect((await cluster.send('GET', WIDGETS)).status).toBe(404);
  });

  test('establishing may take time, and until then nothing is served', async () => {
    const cluster = await TestCluster.start({ establishDelay: 5_000 });
    expect((await cluster.send('POST', WIDGETS, widget('a', { size: 1 }))).status).toBe(404);
    await cluster.clock.advance(20_000);
    expect((await cluster.send('POST', WIDGETS, widget('a', { size: 1 }))).status).toBe(201);
  });

  test('cluster-scoped kinds live outside namespaces, kinds without the status subresource keep status in the object', async () => {
    const cluster = await TestCluster.start();
    const { spec, ...rest } = clone(widgetCrd);
    const crd: typeof rest & { spec: Record<string, unknown> } = { ...rest, spec: { ...spec } };
    crd.metadata.name = 'globals.apiserver.test';
    crd.spec['scope'] = 'Cluster';
    crd.spec['names'] = { plural: 'globals', kind: 'Global' };
    const [version] = crd.spec['versions'] as Record<string, unknown>[];
    if (version) delete version['subresources'];
    await cluster.server.apply(crd);
    const answer = await cluster.send('POST', '/apis/apiserver.test/v1/globals', {
      apiVersion: 'apiserver.test/v1',
      kind: 'Global',
      metadata: { name: 'g' },
      spec: { size: 1 },
      status: { phase: 'kept' },
    });
    expect([answer.status, answer.body['status']]).toEqual([201, { phase: 'kept' }]);
    expect(answer.body['metadata']).not.toHaveProperty('namespace');
    expect((await cluster.send('PATCH', '/apis/apiserver.test/v1/globals/g/status', {})).status).toBe(404);
  });
});
