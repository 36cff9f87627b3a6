interface Written {
  readonly fieldsV1?: Readonly<Partial<Record<'f:data' | 'f:binaryData', Readonly<Record<string, unknown>>>>>;
}

/** The keys of a Secret or ConfigMap, as the API server notes with its metadata who wrote them; undefined where it notes nothing of them. */
export function keysIn(answer: unknown): ReadonlySet<string> | undefined {
  const { managedFields = [] } = ((answer as { readonly metadata?: object } | undefined)?.metadata ?? {}) as {
    readonly managedFields?: readonly Written[];
  };
  const all = managedFields.flatMap(({ fieldsV1 = {} }) => Object.keys({ ...fieldsV1['f:data'], ...fieldsV1['f:binaryData'] }));
  // Whoever empties the notes does not empty the Secret.
  return all.length === 0 ? undefined : new Set(all.flatMap((field) => (field.startsWith('f:') ? [field.slice(2)] : [])));
}
