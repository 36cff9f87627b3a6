import type { Log } from '../../../telemetry/log.ts';

const nothing = (): void => undefined;

/** What the engine has to say it says in outcomes. */
export const silent: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
