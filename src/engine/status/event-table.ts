import type { ByEnding, Ending, Outcome, Reason } from '../model/outcome.ts';

type EventType = 'Normal' | 'Warning';

/** What a person should look at, though it may pass. */
const alarming: ReadonlySet<Reason> = new Set(['Unreachable', 'Unauthorized', 'UnknownOutcome', 'Drifted', 'DeletionHeld']);
const byReason = ({ reason }: { readonly reason: Reason }): EventType => (alarming.has(reason) ? 'Warning' : 'Normal');
const normal = (): EventType => 'Normal';
const untold = (): undefined => undefined;

/** THE table of Events, which tell when the reason of a condition becomes another (README: status). */
const rows: ByEnding<EventType | undefined> = {
  Synced: normal,
  Unsettled: normal,
  Working: byReason,
  Waiting: byReason,
  Reported: normal,
  Approval: normal,
  Paused: normal,
  Retrying: byReason,
  Stalled: () => 'Warning',
  Quiet: untold,
  Again: untold,
  Deleted: untold,
};

export const eventTypeOf = <Is extends Ending>(outcome: Outcome<Is>): EventType | undefined => rows[outcome.is](outcome);
