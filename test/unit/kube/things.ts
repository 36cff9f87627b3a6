import type { Row } from '../../../src/resource/index.ts';

export interface RawThing {
  readonly metadata: Row & { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly spec: Row;
  readonly status?: Row;
}
/** A CloudThing as the API server writes it; `more` is merged into its metadata. */
export const thing = (name: string, resourceVersion: number | string, more: Row = {}, spec: Row = {}): RawThing => ({
  metadata: {
    name,
    namespace: 'team',
    uid: `uid-${name}`,
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields: [{ manager: 'kubectl', fieldsV1: { 'f:spec': {} } }],
    ...more,
    resourceVersion: String(resourceVersion),
  },
  spec,
});
export const added = (object: object): object => ({ type: 'ADDED', object });
export const modified = (object: object): object => ({ type: 'MODIFIED', object });
export const deleted = (object: object): object => ({ type: 'DELETED', object });
export const bookmark = (version: number, initial = false): object => ({
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: String(version), ...(initial && { annotations: { 'k8s.io/initial-events-end': 'true' } }) } },
});
export const expired = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' } };
