/** Of what is above a remote, in a condition: only its stop lets go on what waits. */
export const runsAndUses = 'runs and may use';
