import type { Area } from '../contract/area.ts';
import { billingArea } from './billing/area.ts';
import { longviewArea } from './longview/area.ts';
import { managedArea } from './managed/area.ts';
import { oauthArea } from './oauth/area.ts';
import { supportArea } from './support/area.ts';
import { transfersArea } from './transfers/area.ts';

/** What an account has besides the objects that it hosts. */
export const accountServiceAreas: readonly Area[] = [supportArea, oauthArea, longviewArea, managedArea, billingArea, transfersArea];
