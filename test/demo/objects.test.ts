import { expect, it } from 'vitest';
import type { Cluster } from '../controlplane/cluster.ts';
import { type CloudObject, untilGone } from './objects.ts';

const volume = (reason: string): CloudObject => ({
  kind: 'CloudVolume',
  metadata: { name: 'data', generation: 1 },
  status: { conditions: [{ type: 'Synced', status: 'False', reason, message: 'it is detached', observedGeneration: 1 }] },
});

it('of what is deleted each is told with what it waits for, until it is gone', async () => {
  const seen = [[volume('Deleting')], [volume('Deleting')], [volume('DeletionHeld')], []];
  const cluster = { kubectl: () => Promise.resolve({ stdout: JSON.stringify({ items: seen.shift() }) }) } as unknown as Cluster;
  const lines: string[] = [];
  await untilGone(cluster, { say: (line) => void lines.push(line) }, 10_000);
  expect(lines.map((line) => line.replaceAll(/ +/g, ' ').trim())).toEqual([
    'CloudVolume data Deleting: it is detached',
    'CloudVolume data DeletionHeld: it is detached',
    'CloudVolume data is gone',
  ]);
});

it('what does not go in time is named with what it waits for', async () => {
  const cluster = { kubectl: () => Promise.resolve({ stdout: JSON.stringify({ items: [volume('Deleting')] }) }) } as unknown as Cluster;
  await expect(untilGone(cluster, { say: () => undefined }, 0)).rejects.toThrow('CloudVolume data: Deleting: it is detached');
});
