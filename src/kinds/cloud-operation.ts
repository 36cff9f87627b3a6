import { z } from 'zod';
import { defineOperation, objectName, optional, parameterRules, ref } from '../resource/index.ts';

/** What each action is, and what it does, is said by the kind to which it is done. */
const operates = {
  RebootInstance: { on: 'CloudInstance', takes: ['configRef'] },
  BootInstance: { on: 'CloudInstance', takes: ['configRef'] },
  ShutdownInstance: { on: 'CloudInstance' },
} as const;

export default defineOperation({
  kind: 'CloudOperation',
  summary:
    'Something that is done once to the cloud resource of another object, and never again for this object: a reboot, a boot, a shutdown.',
  shortName: 'cop',

  spec: z.object({
    action: z
      .enum(['RebootInstance', 'BootInstance', 'ShutdownInstance'])
      .describe('What is done, for example `RebootInstance`. Cannot be changed.'),
    // Only what has an object in this namespace: whoever may write one here could else name what is another team's.
    target: z
      .object({ name: objectName().describe('Its name; its kind follows from the action.') })
      .describe('The object of this namespace to whose cloud resource it is done, for example `{name: web}`. Cannot be changed.'),
    notAfter: z.iso
      .datetime()
      .describe(
        'When it is too late to begin, at most 7 days after this object is made, for example `2026-12-01T18:00:00Z`; then it is Expired. It is what keeps an operation that comes back out of Git or a backup from being done again. Cannot be changed.',
      ),
    configRef: optional(
      ref('CloudInstanceConfig'),
      'With RebootInstance and BootInstance: the configuration to boot, for example `{name: web-rescue}`. Cannot be changed. Absent: the one that was booted last.',
    ),
  }),
  rules: parameterRules(operates),
  status: z.object({}),

  fields: {
    action: { immutable: true },
    target: { immutable: true },
    notAfter: { immutable: true },
    configRef: { immutable: true, errors: ['config_id'] },
  },
  operates,

  scopes: { read: ['events:read_only'], write: ['events:read_only'] },
  columns: { Action: '.spec.action', Target: '.spec.target.name', Phase: '.status.phase' },
});
