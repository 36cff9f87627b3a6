import { widget } from './step.ts';
import type { Conversation } from './step.ts';

const put = (spec: unknown, metadata: Record<string, unknown>) => ({ send: 'PUT @widgets/a', body: widget('a', spec, metadata) });
const merge = (body: unknown, path = '@widgets/a') => ({ send: `PATCH ${path}`, body });
const json = (body: unknown, path = '@widgets/a') => ({ send: `PATCH ${path}`, body, type: 'json' });

export const updates: Conversation = {
  name: 'updates',
  steps: [
    { send: 'POST @widgets', body: widget('a', { size: 3, region: 'a' }), as: 'a' },
    put({ size: 4, region: 'a' }, {}),
    put({ size: 4, region: 'a' }, { resourceVersion: '1' }),
    put({ size: 4, region: 'a' }, { resourceVersion: 'abc' }),
    put({ size: 4, region: 'a' }, { resourceVersion: '{a.resourceVersion}', uid: 'zzz' }),
    { send: 'PUT @widgets/a', body: widget('q', { size: 4 }, { resourceVersion: '{a.resourceVersion}' }) },
    { send: 'PUT @widgets/zz', body: widget('zz', { size: 4 }, { resourceVersion: '{a.resourceVersion}' }) },
    { send: 'PUT @widgets', body: {} },
    { ...put({ size: 4, region: 'a' }, { resourceVersion: '{a.resourceVersion}', generation: 9, labels: { x: 'y' } }), as: 'a' },
    { ...put({ size: 4, region: 'a' }, { resourceVersion: '{a.resourceVersion}', labels: { x: 'y' } }), as: 'a' },
    {
      send: 'PUT @widgets/a/status',
      body: {
        ...(widget('a', { size: 50 }, { resourceVersion: '{a.resourceVersion}', labels: { no: 'no' } }) as object),
        status: { phase: 'Up' },
      },
      as: 'a',
    },
    {
      send: 'PUT @widgets/a/status',
      body: { ...(widget('a', { size: 50 }, { resourceVersion: '1' }) as object), status: { phase: 'Up' } },
    },
    { send: 'GET @widgets/a/status' },
    { send: 'GET @widgets/a/scale' },
  ],
};

export const mergePatches: Conversation = {
  name: 'merge-patches',
  steps: [
    { send: 'POST @widgets', body: widget('a', { size: 3, region: 'a' }, { labels: { l: '1' } }), as: 'a' },
    merge({ metadata: { uid: 'zzz' } }),
    merge({ metadata: { resourceVersion: '1', annotations: { x: 'y' } } }),
    merge({ metadata: { resourceVersion: '1' } }),
    merge({ metadata: { resourceVersion: 'abc' } }),
    {
      ...merge({
        metadata: { uid: '{a.uid}', resourceVersion: '{a.resourceVersion}', annotations: { x: 'y' }, labels: null },
        status: { phase: 'n' },
      }),
      as: 'a',
    },
    merge({ metadata: { annotations: { x: 'y' } } }),
    merge({}),
    merge({ spec: { size: 2 } }),
    merge({ spec: { size: 7, bogus: 1 } }),
    merge({ spec: { region: null } }),
    merge({ spec: { region: 'b' } }),
    merge({ spec: { steps: 5 } }),
    merge({ spec: { steps: 4 } }),
    merge({ spec: { steps: null } }),
    merge({ spec: { name2: 'one' } }),
    merge({ spec: { name2: 'two' } }),
    merge({ spec: { ports: [{ name: 'x' }, { name: 'y', proto: 'UDP' }] } }),
    merge({ metadata: { name: 'other' } }),
    merge({ metadata: { labels: { x: 'not valid!' } } }),
    merge({ metadata: { generation: 77, creationTimestamp: '2000-01-01T00:00:00Z' } }),
    merge({ kind: 'Gadget' }),
    merge([]),
    { send: 'PATCH @widgets/a', raw: '{"a":', differs: 'the JSON parser words its errors differently' },
    merge({}, '@widgets/zz'),
    merge({}, '@widgets'),
    { send: 'PATCH @widgets/a', body: {}, type: 'text/plain' },
    { send: 'PATCH @widgets/a', body: {}, type: 'application/strategic-merge-patch+json' },
    { send: 'GET @widgets/a' },
  ],
};

export const statusPatches: Conversation = {
  name: 'status-patches',
  steps: [
    { send: 'POST @widgets', body: widget('a', { size: 3 }), as: 'a' },
    merge(
      { status: { phase: 'Up', bogus: 1 }, spec: { size: 50 }, metadata: { annotations: { s: 't' }, finalizers: ['x.test/y'] } },
      '@widgets/a/status',
    ),
    merge({ status: { phase: 'Up' } }, '@widgets/a/status'),
    merge({ status: { phase: 5, conditions: [{ type: 'Ready', status: 'maybe' }] } }, '@widgets/a/status'),
    merge({ metadata: { uid: 'zzz' }, status: { phase: 'other uid' } }, '@widgets/a/status'),
    merge({ metadata: { resourceVersion: '1' }, status: { phase: 'old' } }, '@widgets/a/status'),
    merge({ status: null }, '@widgets/a/status'),
    merge(
      {
        status: {
          conditions: [
            { type: 'Ready', status: 'True' },
            { type: 'Ready', status: 'False' },
          ],
        },
      },
      '@widgets/a/status',
    ),
    json(
      [
        { op: 'test', path: '/metadata/uid', value: 'zzz' },
        { op: 'add', path: '/status/phase', value: 'v' },
      ],
      '@widgets/a/status',
    ),
    merge({ status: { observedGeneration: 1 } }, '@widgets/zz/status'),
  ],
};

export const jsonPatches: Conversation = {
  name: 'json-patches',
  steps: [
    { send: 'POST @widgets', body: widget('a', { size: 3, tags: ['a', 'b'] }, { annotations: { x: 'y' } }), as: 'a' },
    json([
      { op: 'test', path: '/metadata/uid', value: 'zzz' },
      { op: 'add', path: '/metadata/annotations/k', value: 'v' },
    ]),
    json([{ op: 'remove', path: '/metadata/annotations/nope' }]),
    json([{ op: 'replace', path: '/metadata/annotations/nope', value: 'x' }]),
    json([{ op: 'test', path: '/metadata/annotations/absent', value: null }]),
    json([{ op: 'test', path: '/metadata/no/no', value: 'v' }]),
    json([{ op: 'add', path: '/metadata/no/no', value: 'v' }]),
    json([{ op: 'frob', path: '/metadata/no', value: 'v' }]),
    json({ op: 'add' }),
    json([
      { op: 'test', path: '/metadata/uid', value: '{a.uid}' },
      { op: 'add', path: '/metadata/annotations/remote~1x', value: 'v' },
      { op: 'add', path: '/metadata/finalizers', value: ['e.test/f'] },
    ]),
    json([
      { op: 'test', path: '/metadata/annotations/remote~1x', value: 'v' },
      { op: 'remove', path: '/metadata/annotations/remote~1x' },
      { op: 'add', path: '/spec/tags/-', value: 'c' },
    ]),
    json([
      { op: 'add', path: '/spec/tags/0', value: 'z' },
      { op: 'remove', path: '/spec/tags/1' },
      { op: 'replace', path: '/spec/tags/0', value: 'q' },
    ]),
    json([{ op: 'add', path: '/spec/tags/9', value: 'z' }]),
    json([
      { op: 'copy', from: '/metadata/annotations/x', path: '/metadata/annotations/copied' },
      { op: 'move', from: '/metadata/annotations/nope', path: '/metadata/annotations/moved' },
    ]),
    json([{ op: 'replace', path: '/metadata/resourceVersion', value: '1' }]),
    json([{ op: 'replace', path: '/metadata/uid', value: 'other' }]),
    json([{ op: 'test', path: '/spec', value: { tags: ['q', 'b', 'c'], size: 3 } }]),
    json([{ op: 'test', path: '/spec/tags', value: ['b', 'q', 'c'] }]),
    json([]),
    json([{ op: 'add', path: '/metadata/annotations', value: { only: 'this' } }]),
  ],
};

/** What was invalid before a schema allowed no more may stay, while other fields change. */
export const ratcheting: Conversation = {
  name: 'ratcheting',
  steps: [
    { send: 'POST @widgets', body: widget('a', { size: 1, label: 'ok', ports: [{ name: 'x', port: 1 }] }), as: 'a' },
    merge({ spec: { label: 'bad' } }),
    merge({ metadata: { annotations: { still: 'fine' } } }),
    merge({ spec: { label: 'NO', size: 2 } }),
  ],
};
