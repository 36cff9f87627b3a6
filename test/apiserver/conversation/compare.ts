import type { Answer } from './normalise.ts';
import type { Conversation } from './step.ts';

/** What is compared of each answer: everything, or the status where a difference is allowed with a reason. */
export function comparable(conversation: Conversation, answers: readonly Answer[]): unknown[] {
  return conversation.steps.map((step, n) => {
    const answer = answers[n];
    const asked = `${n}: ${step.send}${step.body === undefined ? '' : ` ${JSON.stringify(step.body)}`}`;
    return step.differs ? { asked, status: answer?.status } : { asked, ...answer };
  });
}
