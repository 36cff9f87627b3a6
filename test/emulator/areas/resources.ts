import type { Area } from '../contract/area.ts';
import { databasesArea } from './databases/area.ts';
import { domainsArea } from './domains/area.ts';
import { firewallsArea } from './firewalls/area.ts';
import { imagesArea } from './images/area.ts';
import { instancesArea } from './instances/area.ts';
import { lkeArea } from './lke/area.ts';
import { networkingArea } from './networking/area.ts';
import { nodeBalancersArea } from './nodebalancers/area.ts';
import { objectStorageArea } from './object-storage/area.ts';
import { profileKeysArea } from './profile-keys.ts';
import { stackscriptsArea } from './stackscripts/area.ts';
import { tagsArea } from './tags/area.ts';
import { volumesArea } from './volumes/area.ts';

/** The areas whose objects an account holds. */
export const resourceAreas: readonly Area[] = [
  instancesArea,
  volumesArea,
  domainsArea,
  firewallsArea,
  networkingArea,
  nodeBalancersArea,
  objectStorageArea,
  lkeArea,
  tagsArea,
  databasesArea,
  imagesArea,
  stackscriptsArea,
  profileKeysArea,
];
