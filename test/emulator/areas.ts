import { catalogue } from './areas/catalogue.ts';
import type { Area } from './contract/area.ts';

/** Every area of the API; a new one is added here and nowhere else. */
export const areas: readonly Area[] = [catalogue];
