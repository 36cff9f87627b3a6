import { minutes, seconds } from '../../resource/index.ts';

/** There is no watch on Secrets and ConfigMaps (README: secrets): a token is read this often, so that a rotated one is in use within a minute. */
export const tokenEvery = seconds(60);
/** And whatever else objects name. */
export const dataEvery = minutes(5);
