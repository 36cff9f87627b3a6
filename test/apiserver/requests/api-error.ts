import type { FieldError } from '../resources/field-error.ts';

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

/** The body of every refusal. */
export interface StatusBody {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, string>>;
  readonly status: 'Failure' | 'Success';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** Group and resource (or kind) that an error speaks about; the core group is the empty string. */
export interface Subject {
  readonly group: string;
  readonly kind: string;
}

const qualified = (subject: Subject): string => (subject.group === '' ? subject.kind : `${subject.kind}.${subject.group}`);

function details(subject: Subject, name: string): StatusDetails {
  return { ...(name ? { name } : {}), ...(subject.group ? { group: subject.group } : {}), kind: subject.kind };
}

/** A refusal on its way to the client. */
export class ApiError extends Error {
  readonly body: StatusBody;
  readonly code: number;

  constructor(code: number, reason: string, message: string, more: { details?: StatusDetails; metadata?: Record<string, string> } = {}) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.body = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: more.metadata ?? {},
      status: 'Failure',
      message,
      ...(reason ? { reason } : {}),
      ...(more.details ? { details: more.details } : {}),
      code,
    };
  }
}

export const notFound = (subject: Subject, name: string): ApiError =>
  new ApiError(404, 'NotFound', `${qualified(subject)} "${name}" not found`, { details: details(subject, name) });

export const alreadyExists = (subject: Subject, name: string, isDeleting: boolean): ApiError =>
  new ApiError(409, 'AlreadyExists', `${isDeleting ? 'object is being deleted: ' : ''}${qualified(subject)} "${name}" already exists`, {
    details: details(subject, name),
  });

export const conflict = (subject: Subject, name: string, why: string): ApiError =>
  new ApiError(409, 'Conflict', `Operation cannot be fulfilled on ${qualified(subject)} "${name}": ${why}`, {
    details: details(subject, name),
  });

export const modified = (subject: Subject, name: string): ApiError =>
  conflict(subject, name, 'the object has been modified; please apply your changes to the latest version and try again');

/** `subject.kind` is the kind here, not the plural resource. */
export function invalidObject(subject: Subject, name: string, errors: readonly FieldError[]): ApiError {
  const lines = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))];
  const what = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`;
  const causes = errors.map(({ reason, message, field }) => ({ reason, message, field }));
  return new ApiError(422, 'Invalid', `${qualified(subject)} "${name}" is invalid: ${what}`, {
    details: { ...details(subject, name), causes },
  });
}

/** What a failed JSON patch operation gets, a failed `test` included: the real server says no more than this. */
export const unprocessablePatch = (): ApiError =>
  new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', { details: {} });

export const forbidden = (subject: Subject, name: string, why: string, causes?: StatusDetails['causes']): ApiError =>
  new ApiError(403, 'Forbidden', `${qualified(subject)}${name ? ` "${name}"` : ''} is forbidden: ${why}`, {
    details: { ...details(subject, name), ...(causes ? { causes } : {}) },
  });

export const badRequest = (message: string): ApiError => new ApiError(400, 'BadRequest', message);
export const unauthorized = (): ApiError => new ApiError(401, 'Unauthorized', 'Unauthorized');
export const internal = (message: string): ApiError => new ApiError(500, '', message);
export const methodNotAllowed = (): ApiError =>
  new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', { details: {} });

export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

export const expired = (message: string, continueToken?: string): ApiError =>
  new ApiError(410, 'Expired', message, continueToken ? { metadata: { continue: continueToken } } : {});

/** A read asked for a revision that this server has not reached within its patience of three seconds. */
export const tooLargeResourceVersion = (asked: number, current: number): ApiError =>
  new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
  });
