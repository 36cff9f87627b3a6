import { minutes } from '../../resource/index.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Policy } from '../model/policy.ts';

/** What becomes of the remote without the protection is not the same for all. */
export function protectedBy({ onDelete }: Policy): Outcome {
  const keeping = 'To let the object go and leave what it has in the account, set it to false';
  const message =
    onDelete === 'Retain'
      ? `${keeping}: lifecycle.onDelete is Retain`
      : `${keeping} together with lifecycle.onDelete: Retain; set to false alone, what it has is deleted at once, for good`;
  return {
    is: 'Waiting',
    reason: 'DeletionHeld',
    message: `spec.lifecycle.protect is true. ${message}`,
    on: ['spec.lifecycle.protect'],
    recheckAfter: minutes(30),
  };
}
