/** `npm run demo [-- --all | --keep | --playground | --control-plane auto|real|memory]`: the whole product on this machine, from an empty account to an empty account. */
import { parseArgs } from 'node:util';
import { Narrator } from './facts.ts';
import { choices } from './plane.ts';
import { furnish, leave } from './playground.ts';
import { Stage } from './stage.ts';
import { Story } from './story.ts';

const usage = `npm run demo [-- --all] [--keep | --playground] [--control-plane auto|real|memory]

  --all             one of every kind; by default what a shop needs first
  --keep            leave everything running on a real control plane, and say how to look at it and to end it
  --playground      no story: an account that is Ready and nothing else, for the commands of deploy/guides; it goes on as with --keep
  --control-plane   auto (default): a real one where it is there or can be downloaded, else one in memory; real; memory
`;

function fail(problem: string): never {
  process.stderr.write(`${problem}\n\n${usage}`);
  process.exit(2);
}

function flags() {
  const options = {
    all: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    playground: { type: 'boolean', default: false },
    'control-plane': { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}
const values = flags();
if (values.help === true) {
  process.stdout.write(usage);
  process.exit(0);
}
/** What shall go on running needs a real control plane: the one in memory ends with this process. */
const keeping = values.playground ? '--playground' : values.keep ? '--keep' : undefined;
const wanted = values['control-plane'] ?? (keeping === undefined ? 'auto' : 'real');
const plane = choices.find((choice) => choice === wanted);
if (plane === undefined) fail(`--control-plane ${wanted}: it is one of ${choices.join(', ')}`);
if (plane !== 'real' && keeping !== undefined) fail(`${keeping} needs --control-plane real: the one in memory ends with this process`);
if (values.playground && values.all) fail('--playground makes no objects, so it does not go with --all');
const narrator = new Narrator();
const stage = new Stage(keeping !== undefined, plane);

async function play(): Promise<void> {
  const story = new Story(stage, narrator, values.all ? 'all' : 'first');
  narrator.title('A cluster, an account and the operator');
  await stage.open(narrator);
  if (values.playground) {
    narrator.title('What every guide begins with:');
    await furnish(stage, narrator);
    return narrator.title(await leave(stage, 'playground'));
  }
  narrator.title('Objects like those of deploy/samples are applied:');
  await story.create();
  narrator.title('What there is now, read back from the account:');
  await story.verify();
  narrator.title('Somebody changes a DNS record by hand:');
  await story.drift();
  if (values.keep) return narrator.title(await leave(stage, 'story'));
  narrator.title('Everything is deleted again:');
  await story.remove();
  await story.rights();
  await stage.close();
  narrator.title(`${narrator.facts} facts were read back in ${narrator.seconds.toFixed(0)} s; nothing is left running.`);
}

/** Ctrl-C: whatever is under way is left, and what was started is ended below. */
const interrupted = new Promise<never>((_resolve, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => reject(new Error(`${signal}: ending what was started`)));
});

try {
  await Promise.race([play(), interrupted]);
  process.exit(0);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  const words = await stage.lastWords();
  if (words !== '') process.stderr.write(`\nThe operator's last words:\n${words}\n`);
  await stage.close();
  process.exit(1);
}
