import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { conversations } from './conversation/all.ts';
import { comparable } from './conversation/compare.ts';
import { memoryServer } from './conversation/memory-server.ts';
import type { Answer } from './conversation/normalise.ts';
import { play } from './conversation/play.ts';
import { widgetCrd } from './conversation/widget-crd.ts';

/** The answers were recorded from a real kube-apiserver with `conversation/record.ts`. */
describe('the API server in memory answers as the real one did', () => {
  test.each(conversations)('$name', async (conversation) => {
    const recorded = JSON.parse(
      await readFile(new URL(`conversation/recorded/${conversation.name}.json`, import.meta.url), 'utf8'),
    ) as Answer[];
    const answers = await play(conversation, await memoryServer([widgetCrd]), `conversation-${conversation.name}`);
    expect(comparable(conversation, answers)).toEqual(comparable(conversation, recorded));
  });
});
