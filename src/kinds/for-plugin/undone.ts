/** What of a spec would undo an action at once, so that the action is never done while the spec says it. */
export interface Undoing {
  readonly field: string;
  readonly says: string;
  /** `would ...`, of the operator. */
  readonly would: string;
  /** What the spec says instead, and what that is for. */
  readonly instead: string;
  readonly to: string;
}

const off: Undoing = { field: 'power', says: 'Off', would: 'would power it off again', instead: 'On', to: 'boot it' };

/** By action. Only who types needs it: the actions themselves say the same of what they find when their time comes. */
export const undone: Readonly<Record<string, Undoing>> = {
  RebootInstance: off,
  BootInstance: off,
  ShutdownInstance: { field: 'power', says: 'On', would: 'would boot it again', instead: 'Off', to: 'shut it down' },
};
