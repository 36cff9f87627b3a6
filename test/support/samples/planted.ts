import type { Knobs } from '../../emulator/contract/knobs.ts';

/**
 * What samples name and no kind makes: an object in a bucket, which others put there; and that support has let the account have
 * further addresses. So it is wherever the samples of all kinds are applied.
 */
export const planted: Partial<Knobs> = { bucketsHold: 'img/logo.png', extraPublicAddresses: true };
/** Where time is real half an hour for a database is too long, however quick all jobs are. */
export const plantedArgs: readonly string[] = ['--knobs', JSON.stringify({ ...planted, databaseSeconds: 60 })];
