import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../controlplane/cluster.ts';
import { START_TIMEOUT_MS, sharedControlPlane } from '../controlplane/shared.ts';
import { conversations } from './conversation/all.ts';
import { comparable } from './conversation/compare.ts';
import { memoryServer } from './conversation/memory-server.ts';
import { play } from './conversation/play.ts';
import { realServer } from './conversation/real-server.ts';

/** The real garbage collector takes up to a minute to learn of new kinds. */
const CONVERSATION_TIMEOUT_MS = 120_000;

let cluster: Cluster;
let real: Awaited<ReturnType<typeof realServer>>;

beforeAll(async () => {
  cluster = await sharedControlPlane();
  real = await realServer(cluster);
}, START_TIMEOUT_MS);

afterAll(async () => {
  await real.close();
  await cluster.disconnect();
});

/** The difference that is allowed for a step is named, with its reason, beside the step. */
describe('the API server in memory and a real kube-apiserver answer alike', () => {
  test.concurrent.each(conversations)('$name', { timeout: CONVERSATION_TIMEOUT_MS }, async (conversation) => {
    const namespace = await cluster.createNamespace(`conversation-${conversation.name}`);
    const [theirs, ours] = await Promise.all([
      play(conversation, real, namespace),
      memoryServer().then((memory) => play(conversation, memory, namespace)),
    ]);
    expect(comparable(conversation, ours)).toEqual(comparable(conversation, theirs));
  });
});
