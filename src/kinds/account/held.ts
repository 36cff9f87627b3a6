import * as z from 'zod';

/** What waits for a person, because it is much at once. */
export const held = z
  .array(
    z.object({
      namespace: z
        .string()
        .optional()
        .describe('Namespace whose objects are being deleted at once, or whose cloud resources of the kind vanished at once.'),
      kind: z.string().optional().describe('Kind of the objects whose cloud resources vanished at once.'),
      count: z.int().describe('How many objects wait.'),
      release: z.string().describe('Value that annotation cloudhosting.dev/release must have to let them go on.'),
      message: z.string().describe('What was seen, and the command that lets them go on.'),
      before: z
        .object({
          count: z.int().describe('How many cloud resources.'),
          objects: z
            .array(z.string())
            .max(20)
            .optional()
            .describe('Kind and name of their objects, as far as that is known; only where the account is in the same namespace.'),
        })
        .optional()
        .describe('What of a mass deletion was deleted before the rest was held.'),
    }),
  )
  .describe(
    'Mass deletions, and creates after a mass loss, that wait for a person. The first of a mass deletion, at most 10 or a quarter of the namespace, may be gone by then.',
  );
