export * from './client.ts';
export * from './cluster.ts';
export * from './objects.ts';
export * from './crds.ts';
export * from './crd-guard.ts';
export { KubeRecorder } from './events.ts';
export * from './installation.ts';
export * from './lease.ts';
export * from './secrets.ts';
