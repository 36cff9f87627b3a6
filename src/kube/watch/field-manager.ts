interface Managed {
  readonly manager?: string;
  readonly time?: string;
  readonly fieldsV1?: {
    readonly 'f:metadata'?: { readonly 'f:annotations'?: Readonly<Record<string, unknown>> };
    readonly 'f:spec'?: unknown;
  };
}
type Fields = NonNullable<Managed['fieldsV1']>;

/** Who wrote an annotation last, as the API server notes it with the object: a name that the client gives itself, not a user. */
export const managerOf = (answer: unknown, annotation: string): string | undefined =>
  lastOf(
    (answer as { readonly metadata?: object } | undefined)?.metadata,
    (fields) => fields['f:metadata']?.['f:annotations']?.[`f:${annotation}`] !== undefined,
  );

/** Likewise of the spec. */
export const writerOf = (metadata: object): string | undefined => lastOf(metadata, (fields) => fields['f:spec'] !== undefined);

function lastOf(metadata: object | undefined, wrote: (fields: Fields) => boolean): string | undefined {
  const { managedFields = [] } = (metadata ?? {}) as { readonly managedFields?: readonly Managed[] };
  const writers = managedFields.filter(({ fieldsV1 }) => fieldsV1 !== undefined && wrote(fieldsV1));
  return writers.toSorted(byTime).at(-1)?.manager;
}

const byTime = (a: Managed, b: Managed): number => (a.time ?? '').localeCompare(b.time ?? '');
