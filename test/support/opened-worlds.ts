/** Of a world as much as the law of memory needs. */
export interface Remembering {
  rememberedOnceEmpty(): Promise<readonly string[]>;
}

/** Told of each world that is made; `forgetting.ts` listens where vitest runs. */
export const openedWorlds: { note: (world: Remembering) => void } = { note: () => undefined };
