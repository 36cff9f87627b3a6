import type { ControlPlane } from '../controlplane/control-plane.ts';
import { startControlPlane } from '../controlplane/start.ts';
import type { Narrator } from './facts.ts';
import { MemoryPlane } from './memory-plane.ts';

type Says = Pick<Narrator, 'say'>;

/** Where a control plane comes from; a test has others. */
export interface Sources {
  readonly real: (narrator: Says) => Promise<ControlPlane>;
  readonly memory: () => Promise<ControlPlane>;
}
const sources: Sources = {
  real: (narrator) => startControlPlane({ log: (line) => narrator.say(line) }),
  memory: () => MemoryPlane.open(),
};

/** A real one, or where none can be had the one in memory: not with `keep`, as that one would not outlive this process. */
export async function realOrMemory(narrator: Says, keep: boolean, { real, memory } = sources): Promise<ControlPlane> {
  try {
    return await real(narrator);
  } catch (error) {
    if (keep) throw error;
    narrator.say(`NO REAL CONTROL PLANE CAN BE HAD HERE: ${error instanceof Error ? error.message : String(error)}`);
    return inMemory(narrator, { memory });
  }
}

/** Said loudly: what follows is seen on this project's own API server. */
export function inMemory(narrator: Says, { memory }: Pick<Sources, 'memory'> = sources): Promise<ControlPlane> {
  narrator.say(
    'THIS IS NOT A REAL KUBERNETES: the API server in memory (test/apiserver) and a small reader stand in for it and for kubectl.',
  );
  narrator.say('It answers as a real one was recorded to answer; with Go, Docker or a network `npm run demo` runs on a real one.');
  return memory();
}
