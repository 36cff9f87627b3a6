export * from './call.ts';
export * from './duration.ts';
export * from './fields.ts';
export * from './health.ts';
export * from './kind.ts';
export * from './schema.ts';
