/** `npm run demo [-- --all | --keep | --control-plane auto|real|memory]`: the whole product on this machine, from an empty account to an empty account. */
import { parseArgs } from 'node:util';
import { Narrator } from './facts.ts';
import { cloudObjects, namespace } from './objects.ts';
import { choices } from './plane.ts';
import { Stage } from './stage.ts';
import { Story } from './story.ts';

const usage = `npm run demo [-- --all] [--keep] [--control-plane auto|real|memory]

  --all             one of every kind; by default what a shop needs first
  --keep            leave everything running on a real control plane, and say how to look at it and to end it
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
const wanted = values['control-plane'] ?? (values.keep ? 'real' : 'auto');
const plane = choices.find((choice) => choice === wanted);
if (plane === undefined) fail(`--control-plane ${wanted}: it is one of ${choices.join(', ')}`);
if (plane !== 'real' && values.keep) fail('--keep needs --control-plane real: the one in memory ends with this process');
const narrator = new Narrator();
const stage = new Stage(values.keep, plane);

async function play(): Promise<void> {
  const story = new Story(stage, narrator, values.all ? 'all' : 'first');
  narrator.title('A cluster, an account and the operator');
  await stage.open(narrator);
  narrator.title('Objects like those of deploy/samples are applied:');
  await story.create();
  narrator.title('What there is now, read back from the account:');
  await story.verify();
  narrator.title('Somebody changes a DNS record by hand:');
  await story.drift();
  if (values.keep) return leave();
  narrator.title('Everything is deleted again:');
  await story.remove();
  await story.rights();
  await stage.close();
  narrator.title(`${narrator.facts} facts were read back in ${narrator.seconds.toFixed(0)} s; nothing is left running.`);
}

async function leave(): Promise<void> {
  const { kubeconfig } = stage.cluster;
  const { controlUrl } = stage.emulator.ready;
  const path = String((await cloudObjects(stage.cluster)).find(({ kind }) => kind === 'CloudVolume')?.status?.['path']);
  const pids = await stage.keep();
  narrator.title(`Everything goes on running. Try:

  export KUBECONFIG=${kubeconfig}
  kubectl -n ${namespace} get cloud
  kubectl -n ${namespace} describe cloudinstance web
  kubectl -n ${namespace} patch cloudvolume db-data --type=merge -p '{"spec":{"sizeGiB":40}}'
  kubectl -n ${namespace} get events --watch
  curl -s ${stage.operator.metricsUrl} | grep cloud_operator_

As somebody else, change what the operator made, and watch it being corrected:

  curl -s ${controlUrl}/as -d '{"username":"colleague","method":"PUT","path":"/v4${path}","body":{"tags":["mine"]}}'
  kubectl -n ${namespace} get cloudvolume db-data -o jsonpath='{.status.lastCorrection}'

It ends with

  kill ${pids.join(' ')}
`);
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
