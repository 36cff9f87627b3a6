import { widget } from './step.ts';
import type { Conversation } from './step.ts';

const create = (name: string, spec: unknown, metadata?: Record<string, unknown>) => ({
  send: 'POST @widgets',
  body: widget(name, spec, metadata),
});

export const creates: Conversation = {
  name: 'creates',
  steps: [
    {
      send: 'POST @widgets',
      body: {
        ...(widget('a', { size: 3, unknown: 1, ports: [{ name: 'x', bogus: 1 }], free: { x: 1 } }) as object),
        status: { phase: 'x' },
      },
    },
    { send: 'GET @widgets/a' },
    create('a', { size: 3 }),
    create('', { size: 1 }, { generateName: 'gen-' }),
    create('', { size: 1 }),
    create('Bad_Name', { size: 1 }),
    create('labels', { size: 1 }, { labels: { ok: 'not valid!' } }),
    create('annotations', { size: 1 }, { annotations: { 'a b': 'c' } }),
    create('owner', { size: 1 }, { ownerReferences: [{ apiVersion: 'v1', kind: 'Secret', name: 'x', uid: '' }] }),
    create('version', { size: 1 }, { resourceVersion: '5' }),
    create('elsewhere', { size: 1 }, { namespace: 'other' }),
    create(
      'stamped',
      { size: 1 },
      { uid: 'mine', creationTimestamp: '2000-01-01T00:00:00Z', generation: 7, deletionTimestamp: '2000-01-01T00:00:00Z' },
    ),
    { send: 'POST /apis/apiserver.test/v1/namespaces/no-such-namespace/widgets', body: widget('b', { size: 1 }) },
    { send: 'POST @widgets', body: { apiVersion: 'apiserver.test/v2', kind: 'Widget', metadata: { name: 'b' }, spec: { size: 1 } } },
    { send: 'POST @widgets', body: { apiVersion: 'apiserver.test/v1', kind: 'Gadget', metadata: { name: 'b' }, spec: { size: 1 } } },
    { send: 'POST @widgets', raw: '{"apiVersion":', differs: 'the JSON parser words its errors differently' },
    { send: 'POST @widgets', raw: '{}', type: 'text/plain' },
    { send: 'POST @widgets?dryRun=All', body: widget('dry', { size: 1 }) },
    { send: 'GET @widgets/dry' },
    {
      send: 'POST @widgets?fieldValidation=Strict',
      body: { ...(widget('strict', { size: 1, un: { a: 1 }, ports: [{ name: 'x', bogus: 1 }] }, { foo: 1 }) as object), extra: 1 },
      differs: 'unknown fields are listed in another order',
    },
    { send: 'POST @widgets?fieldValidation=Ignore', body: widget('ignored', { size: 1, un: 1 }) },
    {
      send: 'POST @widgets/a',
      body: widget('b', { size: 1 }),
      differs: 'a POST to an object is answered by the real server with the faults of its body',
    },
    { send: 'POST @widgets/a/status', body: {} },
  ],
};

export const validation: Conversation = {
  name: 'validation',
  steps: [
    { send: 'POST @widgets', body: { apiVersion: 'apiserver.test/v1', kind: 'Widget', metadata: { name: 'b' } } },
    create('b', []),
    create('b', { size: '3', on: 'x', tags: 'x', ports: { a: 1 }, labels: { a: 1 }, port: true }),
    create('b', { size: 1.5, when: 5 }),
    create('b', { size: 1, region: 'c', tags: ['a', 'toolong', 'b', 'c'], ports: [{ port: 1 }], labels: { a: 'x', b: 'x', c: 'x' } }),
    create('b', { size: 0, label: '', tags: [], ratio: 0.3, when: 'x', addr: '1.2.3' }),
    create('b', { size: 101, label: 'abcdefghijklm' }),
    create('b', { size: 1, label: 'ABC' }),
    create('b', { size: 1, tags: ['a', 'a'], ports: [{ name: 'x' }, { name: 'x' }] }),
    create('b', { size: 3, tags: [null], labels: { a: null }, url: null, free: null, ports: [{ name: 'x', proto: null }] }),
    create('nulls', { size: 3, maybe: null, labels: { a: null }, url: null, ports: [{ name: 'x', proto: null }] }),
    create('b', { size: 1, label: 'bad', on: true, url: 'nope', namespace: 'no' }),
    create('b', { size: 1, namespace: 'x', choice: { a: '1', b: '2' } }),
    create('b', { size: 1, choice: {} }),
    create('fine', {
      size: 9,
      on: true,
      url: 'https://a.example/x',
      namespace: 'north',
      choice: { a: '1' },
      ratio: 1.5,
      port: '80',
      when: '2026-01-01T00:00:00Z',
      addr: '10.0.0.1',
    }),
  ],
};
