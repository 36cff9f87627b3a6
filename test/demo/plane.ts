import type { ControlPlane } from '../controlplane/control-plane.ts';
import { ToolsMissing } from '../controlplane/programs/finder.ts';
import { GoToolMissing } from '../controlplane/programs/go-tool.ts';
import { findHelm } from '../controlplane/programs/helm.ts';
import { thisMachine } from '../controlplane/programs/machine.ts';
import { startControlPlane } from '../controlplane/start.ts';
import type { Narrator } from './facts.ts';
import { MemoryPlane } from './memory-plane.ts';

type Says = Pick<Narrator, 'say'>;

/** `auto`: a real one that is there or comes within seconds, else the one in memory. `real`: also one that must be compiled first. */
export const choices = ['auto', 'real', 'memory'] as const;
export type Choice = (typeof choices)[number];

/** Where a control plane comes from; a test has others. */
export interface Sources {
  /** Rejects with ToolsMissing or GoToolMissing where a program is lacking and may not be built. */
  readonly real: (narrator: Says, build: boolean) => Promise<ControlPlane>;
  readonly memory: () => Promise<ControlPlane>;
}
const sources: Sources = {
  real: async (narrator, build) => {
    const log = (line: string): void => narrator.say(line);
    // Helm first where nothing may be built: without it no control plane need be started.
    await findHelm(thisMachine(log), { build });
    return startControlPlane({ log, build });
  },
  memory: () => MemoryPlane.open(),
};

/** Starts what was chosen, and says which it is and how to get the other. */
export async function openPlane(narrator: Says, choice: Choice, { real, memory }: Sources = sources): Promise<ControlPlane> {
  if (choice === 'memory') return inMemory(narrator, memory);
  if (choice === 'real') return real(narrator, true);
  try {
    return await real(narrator, false);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const missing = error instanceof ToolsMissing || error instanceof GoToolMissing;
    const [first = text] = text.split('\n');
    narrator.say(missing ? `No real control plane is at hand: ${first}` : `THE REAL CONTROL PLANE COULD NOT BE STARTED: ${text}`);
    return inMemory(narrator, memory);
  }
}

/** Said loudly: what follows is seen on this project's own API server. */
function inMemory(narrator: Says, memory: Sources['memory']): Promise<ControlPlane> {
  narrator.say(
    'THIS IS NOT A REAL KUBERNETES: the API server in memory (test/apiserver) and a small reader stand in for it and for kubectl.',
  );
  narrator.say('It answers as a real one was recorded to answer, and the story and its facts are the same.');
  narrator.say('For a real one: npm run demo -- --control-plane real (with Go it is compiled once, in 7 to 15 minutes, then kept)');
  return memory();
}
