const TITLES = {
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
} as const;

export type FieldErrorReason = keyof typeof TITLES;

/** Errors of these kinds keep the CEL rules from being evaluated. */
const BLOCKING: ReadonlySet<FieldErrorReason> = new Set<FieldErrorReason>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const WITHOUT_VALUE: ReadonlySet<FieldErrorReason> = new Set<FieldErrorReason>([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
]);

/** One entry of `details.causes` of an Invalid answer. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly message: string;
}

/** `value` absent: the message leaves it out, as the real server does for objects and lists under CEL rules. */
export function fieldError(
  reason: FieldErrorReason,
  field: string,
  parts: { readonly value?: unknown; readonly detail?: string },
): FieldError {
  const shown = 'value' in parts && !WITHOUT_VALUE.has(reason) ? `: ${JSON.stringify(parts.value)}` : '';
  return { reason, field, message: `${TITLES[reason]}${shown}${parts.detail ? `: ${parts.detail}` : ''}` };
}

export const required = (field: string, detail = ''): FieldError => fieldError('FieldValueRequired', field, { detail });
export const invalid = (field: string, value: unknown, detail: string): FieldError =>
  fieldError('FieldValueInvalid', field, { value, detail });
export const forbidden = (field: string, detail: string): FieldError => fieldError('FieldValueForbidden', field, { detail });

/** The extra cause that says that CEL rules were left out; absent where nothing blocks them. */
export function blockingError(errors: readonly FieldError[]): FieldError | undefined {
  if (!errors.some((error) => BLOCKING.has(error.reason))) return undefined;
  return invalid(
    '<nil>',
    null,
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  );
}
