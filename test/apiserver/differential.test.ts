import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../controlplane/cluster.ts';
import { START_TIMEOUT_MS, sharedControlPlane } from '../controlplane/shared.ts';
import { conversations } from './conversation/all.ts';
import { comparable } from './conversation/compare.ts';
import { memoryServer } from './conversation/memory-server.ts';
import type { Crd } from './conversation/memory-server.ts';
import { play } from './conversation/play.ts';
import { projectKinds } from './conversation/project-kinds.ts';
import { realServer } from './conversation/real-server.ts';
import type { Conversation } from './conversation/step.ts';
import { widgetCrd } from './conversation/widget-crd.ts';
import { manifests } from './resources/project-manifests.ts';

/** The real garbage collector takes up to a minute to learn of new kinds. */
const timeout = 120_000;

let cluster: Cluster;
let real: Awaited<ReturnType<typeof realServer>>;
let crds: readonly Crd[];

beforeAll(async () => {
  cluster = await sharedControlPlane();
  crds = [widgetCrd, ...(await manifests('crds'))];
  real = await realServer(cluster, crds);
}, START_TIMEOUT_MS);

afterAll(async () => {
  await real.close();
  await cluster.disconnect();
});

async function answersOfBoth(conversation: Conversation): Promise<{ ours: unknown[]; theirs: unknown[] }> {
  const namespace = await cluster.createNamespace(`conversation-${conversation.name.toLowerCase()}`);
  const theirs = await play(conversation, real, namespace);
  const ours = await play(conversation, await memoryServer(crds), namespace);
  return { ours: comparable(conversation, ours), theirs: comparable(conversation, theirs) };
}

/** The difference that is allowed for a step is named, with its reason, beside the step. */
describe('the API server in memory and a real kube-apiserver answer alike', () => {
  test.concurrent.each(conversations)('about $name', { timeout }, async (conversation) => {
    const { ours, theirs } = await answersOfBoth(conversation);
    expect(ours).toEqual(theirs);
  });

  test.concurrent.each(projectKinds)('about $name, its samples, refusals and edits', { timeout }, async (conversation) => {
    const { ours, theirs } = await answersOfBoth(conversation);
    expect(ours).toEqual(theirs);
  });
});
