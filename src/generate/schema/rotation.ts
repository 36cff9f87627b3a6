import * as z from 'zod';
import { type AnyKind, asCollection, checked } from '../../resource/index.ts';

const everyDays = checked(z.int(), {
  rule: 'self >= 1 && self <= 365',
  message: 'rotation.everyDays is 1 to 365: write for example 90',
})
  .optional()
  .describe(
    'It is renewed when it is so many days old, 1 to 365, for example 90. Absent: only when annotation cloudhosting.dev/rotate asks for it.',
  );
const overlapHours = checked(z.int(), {
  rule: 'self >= 0 && self <= 720',
  message: 'rotation.overlapHours is 0 to 720: write for example 24',
})
  .optional()
  .describe(
    'So many hours after it was renewed the old one works too, 0 to 720; then it is deleted. It is the time that those who use it have to take up the new one; a shorter one counts for those before, too, from when it is set. Three old ones work at most, and a further renewal waits for the next of them to go. Absent: 24.',
  );

const besides = z.object({ everyDays, overlapHours });
const inPlace = z.object({ everyDays });

/** `spec.rotation`, of kinds that can renew what they tell once. */
export function rotationField(kind: AnyKind): Readonly<Record<string, z.ZodType>> {
  const { rotation } = asCollection(kind) ?? {};
  if (rotation === undefined) return {};
  return {
    rotation:
      rotation.reset === undefined
        ? besides
            .optional()
            .describe(
              'When what is given out is renewed: another one is made and given out, and the old one is deleted after the overlap. Absent: when annotation cloudhosting.dev/rotate asks for it.',
            )
        : inPlace
            .optional()
            .describe(
              'When what is given out is renewed. The old secret is void at once: there is no overlap, and who uses it fails until it has taken up the new one. Absent: when annotation cloudhosting.dev/rotate asks for it.',
            ),
  };
}
