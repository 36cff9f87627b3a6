import { expect, it } from 'vitest';
import { keysIn } from '../../../src/plugin/why/causes/data/data-keys.ts';

const written = (fieldsV1: object) => ({ manager: 'kubectl', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1 });

it('the keys of a Secret stand with its metadata, whoever wrote each', () => {
  const managedFields = [
    written({ 'f:data': { '.': {}, 'f:token': {}, 'f:a.b': {} }, 'f:type': {} }),
    written({ 'f:data': { 'f:other': {} }, 'f:metadata': { 'f:labels': { 'f:team': {} } } }),
    written({ 'f:binaryData': { 'f:image': {} } }),
  ];
  expect(keysIn({ metadata: { managedFields } })).toEqual(new Set(['token', 'a.b', 'other', 'image']));
});
it('nothing is known where the API server notes nothing', () => {
  expect(keysIn({ metadata: {} })).toBeUndefined();
  expect(keysIn({ metadata: { managedFields: [{}] } })).toBeUndefined();
});
