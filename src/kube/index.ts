export * from './client.ts';
export * from './cluster.ts';
export type { Change, Origin } from './object-store.ts';
export * from './objects.ts';
export type { ReflectorState } from './recovery.ts';
export { isGone, isMissing, StatusError } from './status-error.ts';
