import manifest from '../../package.json' with { type: 'json' };

/** The plugin has the version of the operator that it was built with. */
export const buildOf = (): { readonly version: string; readonly node: string } => ({ version: manifest.version, node: process.version });

/** Operator and plugin are tried with this one and later ones; the chart's `kubeVersion` says the same. */
export const oldestKubernetes = '1.33';

/** Release of the service's reference that operator and plugin are written after. Answers of the service tell none. */
export const accountApi = '4.147.0';
