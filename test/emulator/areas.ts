import { account } from './areas/account.ts';
import { accountServiceAreas } from './areas/account-services.ts';
import { catalogue } from './areas/catalogue.ts';
import { eventArea } from './areas/events.ts';
import { profileArea } from './areas/profile.ts';
import { resourceAreas } from './areas/resources.ts';
import type { Area } from './contract/area.ts';

/** Every area of the API; a new one is added here and nowhere else. */
export const areas: readonly Area[] = [account, profileArea, eventArea, catalogue, ...resourceAreas, ...accountServiceAreas];
