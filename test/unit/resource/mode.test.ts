import { expect, it } from 'vitest';
import * as z from 'zod';
import { asCollection, byMode, collectionOf, defineSingleton, erase, isListed, itemOf, ready } from '../../../src/resource/index.ts';

const setting = erase(
  defineSingleton({
    kind: 'CloudSetting',
    summary: 'Always there, for tests.',
    shortName: 'cset',
    spec: z.object({ enabled: z.boolean().optional().describe('Absent: left alone.') }),
    status: z.object({ enabled: z.boolean().describe('As it is.') }),
    remote: z.object({ enabled: z.boolean() }),
    path: '/setting',
    fields: { enabled: { read: (remote) => remote.enabled, put: (enabled) => ({ enabled }) } },
    health: () => ready,
    observe: ({ enabled }) => ({ enabled }),
    events: [],
    scopes: { read: [], write: [] },
    defaults: { onDelete: 'Retain', onMissing: 'Stall' },
    columns: {},
  }),
);

it('what is always there is read at its own path, and neither listed nor made', () => {
  expect(itemOf(setting, {}, collectionOf(setting, { name: 'x' }))).toBe('/setting');
  expect(isListed(setting)).toBe(false);
  expect(asCollection(setting)).toBeUndefined();
  expect(
    byMode(setting, {
      collection: () => 'made',
      singleton: () => 'there',
      connection: () => 'way',
      issued: () => 'given',
      operation: () => 'done',
    }),
  ).toBe('there');
});
