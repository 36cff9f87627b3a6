import type { Knobs } from '../emulator/contract/knobs.ts';

/** What samples name and no kind makes: an object in a bucket. Wherever the samples of all kinds are applied, others put it there. */
export const planted: Partial<Knobs> = { bucketsHold: 'img/logo.png' };
/** Where time is real half an hour for a database is too long, however quick all jobs are. */
export const plantedArgs: readonly string[] = ['--knobs', JSON.stringify({ ...planted, databaseSeconds: 60 })];
