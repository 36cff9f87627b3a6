import type { Knobs } from '../emulator/contract/knobs.ts';

/** What samples name and no kind makes: an object in a bucket. Wherever the samples of all kinds are applied, others put it there. */
export const planted: Partial<Knobs> = { bucketsHold: 'img/logo.png' };
export const plantedArgs: readonly string[] = ['--knobs', JSON.stringify(planted)];
