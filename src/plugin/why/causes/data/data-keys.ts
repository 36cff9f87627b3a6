import type { Millis } from '../../../../lib/clock.ts';

interface Written {
  readonly time?: string;
  readonly fieldsV1?: Readonly<Partial<Record<'f:data' | 'f:binaryData', Readonly<Record<string, unknown>>>>>;
}

interface Metadata {
  readonly resourceVersion?: string;
  readonly managedFields?: readonly Written[];
}
const metadataIn = (answer: unknown): Metadata => (answer as { readonly metadata?: Metadata } | undefined)?.metadata ?? {};

/** The keys of a Secret or ConfigMap, as the API server notes with its metadata who wrote them; undefined where it notes nothing of them. */
export function keysIn(answer: unknown): ReadonlySet<string> | undefined {
  const { managedFields = [] } = metadataIn(answer);
  const all = managedFields.flatMap(({ fieldsV1 = {} }) => Object.keys({ ...fieldsV1['f:data'], ...fieldsV1['f:binaryData'] }));
  // Whoever empties the notes does not empty the Secret.
  return all.length === 0 ? undefined : new Set(all.flatMap((field) => (field.startsWith('f:') ? [field.slice(2)] : [])));
}

/** Which version of it this is, and when its data was written last, where the API server notes that. */
export function writingOf(answer: unknown): { readonly version?: string; readonly at?: Millis } {
  const { managedFields = [], resourceVersion } = metadataIn(answer);
  const times = managedFields.flatMap(({ time, fieldsV1 = {} }) =>
    time !== undefined && ('f:data' in fieldsV1 || 'f:binaryData' in fieldsV1) ? [Date.parse(time)] : [],
  );
  return { ...(resourceVersion !== undefined && { version: resourceVersion }), ...(times.length > 0 && { at: Math.max(...times) }) };
}
