export * from './client.ts';
export * from './cluster.ts';
export { isGone, isMissing, StatusError } from './status-error.ts';
