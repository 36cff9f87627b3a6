import { events, leases, secrets } from './builtins.ts';
import { creates, validation } from './creates.ts';
import { definitions } from './definitions.ts';
import { deletes, garbage, namespaces } from './deletes.ts';
import { policies } from './policies.ts';
import { lists, watches } from './reads.ts';
import type { Conversation } from './step.ts';
import { jsonPatches, mergePatches, ratcheting, statusPatches, updates } from './updates.ts';

export const conversations: readonly Conversation[] = [
  creates,
  validation,
  updates,
  mergePatches,
  statusPatches,
  jsonPatches,
  ratcheting,
  deletes,
  garbage,
  namespaces,
  lists,
  watches,
  leases,
  secrets,
  events,
  definitions,
  policies,
];
