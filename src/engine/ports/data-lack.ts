/** One key of a Secret or ConfigMap that a spec names. */
export interface DataRef {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}

/** What is missing of it, in the words of conditions. */
export const notFoundText = ({ kind, namespace, name }: Omit<DataRef, 'key'>): string =>
  `${kind} ${name} is not found in namespace ${namespace}`;
export const noKeyText = ({ kind, name, key }: Omit<DataRef, 'namespace'>): string => `${kind} ${name} has no key ${key}`;

/** What a message of the operator says of it. `field`: where the spec names it, as in `spec.passwordSecretRef`. */
export function lackIn(text: string, field: string, ref: DataRef): 'object' | 'key' | undefined {
  if (text.includes(`${field}: ${notFoundText(ref)}`)) return 'object';
  return text.includes(`${field}: ${noKeyText(ref)}`) ? 'key' : undefined;
}

/** Of an account whose Secret has gone: the operator's copy of its token serves this. */
export const deletionsAlone = 'deletions still work, nothing else is done';
