import type { World } from './world.ts';

/** Every call of one user that may have changed the account, as the ledger has it: `POST /volumes`. */
export const changesOf = (world: World, user = 'admin'): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ method, username }) => method !== 'GET' && username === user)
    .map(({ method, path }) => `${method} ${path}`);
