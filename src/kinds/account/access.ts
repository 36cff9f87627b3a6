import * as z from 'zod';
import { checked, namespaceName, optional } from '../../resource/index.ts';

/** Who else may use an account, and how far. */
export const accessField = () =>
  optional(
    z
      .array(
        z.object({
          namespaces: z.array(namespaceName()).min(1).max(256).describe('Namespaces that are admitted, for example `[shop, blog]`.'),
          kinds: optional(
            checked(z.array(z.string().min(1).max(63)).max(64), {
              rule: 'size(self) > 0',
              message: 'kinds is an empty list: name the kinds that are admitted, or leave the field out to admit all',
            }),
            'Kinds that they may have, for example `[CloudDomainRecord]`. Those of the whole account (a CloudTag, a CloudSSHKey) are for its own namespace alone: to name one here admits nothing. Absent: all others; so does an empty list, which is not accepted any more, of an account that has had one since before that.',
          ),
          adopt: optional(
            z.enum(['None', 'Any']),
            'Whether they may adopt what exists in the account, and name it by its id in their specs: `external`, backups, scripts, images but those of the provider, configuration profiles, VLANs. Absent: None.',
          ),
          maxObjects: optional(
            z.int().min(0),
            'Most objects that each of these namespaces may have at a time, each counted before the first call for it; and besides as many operations (CloudOperation) that are not over, so that who has all the objects can still operate on them. What a deleted object left in the account (`onDelete: Retain`) is not counted: this bounds objects, not what the account has or costs. Absent: no limit.',
          ),
        }),
      )
      .max(64),
    'Other namespaces that may use this account; its own may do everything. Entries for one namespace add up: what one admits is admitted, and the smallest maxObjects of those that fit holds. Absent: no other.',
  );
