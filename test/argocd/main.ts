/**
 * `npm run test:argocd`: a real Argo CD syncs a Git repository to a real control plane on which the operator runs.
 * With `--json` the last line counts the facts, as the runner of the suites reads it.
 */
import { join } from 'node:path';
import { Narrator } from '../demo/facts.ts';
import { Stage } from '../demo/stage.ts';
import { Controller, lacking } from './controller.ts';
import { Repository } from './repository.ts';
import { Story } from './story.ts';

const narrator = new Narrator();
const stage = new Stage(false, 'real');
let argo: Controller | undefined;

async function play(): Promise<void> {
  const missing = await lacking();
  if (missing !== undefined) throw new Error(missing);
  narrator.title('A cluster, an account, the operator and Argo CD');
  await stage.open(narrator);
  const { folder } = stage.cluster.coordinates;
  argo = new Controller(stage.cluster, folder);
  await argo.start((line) => narrator.say(line));
  const repository = await Repository.create(join(folder, 'repository'));
  narrator.title('What a team sees:');
  await new Story({ stage, argo, repository, narrator }).play();
  narrator.title(`${narrator.facts} facts were read back in ${narrator.seconds.toFixed(0)} s; nothing is left running.`);
}

const interrupted = new Promise<never>((_resolve, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => reject(new Error(`${signal}: ending what was started`)));
});

let code = 0;
try {
  await Promise.race([play(), interrupted]);
} catch (error) {
  code = 1;
  // What was not seen stands last: a long output is cut before it.
  process.stderr.write(`\n${await stage.lastWords()}\n${(await argo?.lastWords()) ?? ''}\n`);
  process.stderr.write(`\nFAILED  ${error instanceof Error ? error.message : String(error)}\n`);
}
await argo?.stop();
await stage.close();
const executed = narrator.facts + code;
if (process.argv.includes('--json'))
  process.stdout.write(`${JSON.stringify({ planned: executed, executed, violations: code, skipped: 0 })}\n`);
process.exit(code);
