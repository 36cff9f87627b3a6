import { expect, it } from 'vitest';
import { managerOf, writerOf } from '../../../src/kube/watch/field-manager.ts';

const wrote = (manager: string, time: string | undefined, ...names: string[]): object => ({
  manager,
  ...(time !== undefined && { time }),
  fieldsV1: { 'f:metadata': { 'f:annotations': { '.': {}, ...Object.fromEntries(names.map((name) => [`f:${name}`, {}])) } } },
});
const object = (...managedFields: object[]): unknown => ({ metadata: { managedFields } });

it('names who wrote the annotation last', () => {
  const older = wrote('kubectl-annotate', '2030-01-01T00:00:00Z', 'a/approve', 'a/pause');
  const newer = wrote('flux-client-side-apply', '2030-01-02T00:00:00Z', 'a/approve');
  expect(managerOf(object(newer, older), 'a/approve')).toBe('flux-client-side-apply');
  expect(managerOf(object(newer, older), 'a/pause')).toBe('kubectl-annotate');
});
it.each([undefined, null, {}, { metadata: {} }, object(), object({ manager: 'x' }), object(wrote('x', undefined, 'a/other'))])(
  'is silent where the server does not tell: %j',
  (answer) => expect(managerOf(answer, 'a/approve')).toBeUndefined(),
);

const spec = (manager: string, time: string): object => ({ manager, time, fieldsV1: { 'f:spec': { 'f:sizeGiB': {} } } });
it('names who wrote the spec last, and not who wrote a status or an annotation since', () => {
  const managedFields = [
    spec('argocd-controller', '2030-01-02T00:00:00Z'),
    spec('kubectl-client-side-apply', '2030-01-01T00:00:00Z'),
    { manager: 'cloud-operator', time: '2030-01-03T00:00:00Z', subresource: 'status', fieldsV1: { 'f:status': {} } },
    wrote('kubectl-annotate', '2030-01-04T00:00:00Z', 'a/approve'),
  ];
  expect(writerOf({ managedFields })).toBe('argocd-controller');
  expect(writerOf({})).toBeUndefined();
});
