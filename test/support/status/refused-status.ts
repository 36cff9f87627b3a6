/** What the status of an object says that is not as wanted, for this reason. */
export const refusedStatus = (reason: string, message: string) => ({
  conditions: ['Ready', 'Synced'].map((type) => ({
    type,
    status: 'False',
    reason,
    message,
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  })),
});
