import type { Emulator } from '../../emulator/emulator.ts';

/** Of a world as much as is judged after a test. */
export interface Remembering {
  readonly emulator: Emulator;
  rememberedOnceEmpty(): Promise<readonly string[]>;
}

/** Told of each world that is made; `forgetting.ts` listens where vitest runs. */
export const openedWorlds: { note: (world: Remembering) => void } = { note: () => undefined };
