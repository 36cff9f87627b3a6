import manifest from '../../package.json' with { type: 'json' };

/** The plugin has the version of the operator that it was built with. */
export const buildOf = (): { readonly version: string; readonly node: string } => ({ version: manifest.version, node: process.version });
