import { writeFile } from 'node:fs/promises';
import { startControlPlane } from '../../controlplane/start.ts';
import { conversations } from './all.ts';
import { play } from './play.ts';
import { realServer } from './real-server.ts';
import { widgetCrd } from './widget-crd.ts';

/** Holds every conversation with a real control plane and keeps its answers: `node test/apiserver/conversation/record.ts [NAME...]`. */
const wanted = process.argv.slice(2);
const cluster = await startControlPlane();
const server = await realServer(cluster, [widgetCrd]);
try {
  for (const conversation of conversations) {
    if (wanted.length > 0 && !wanted.includes(conversation.name)) continue;
    const answers = await play(conversation, server, `conversation-${conversation.name}`);
    await writeFile(new URL(`recorded/${conversation.name}.json`, import.meta.url), `${JSON.stringify(answers, null, 1)}\n`);
    process.stderr.write(`${conversation.name}: ${answers.length} answers\n`);
  }
} finally {
  await server.close();
  await cluster.stop();
}
