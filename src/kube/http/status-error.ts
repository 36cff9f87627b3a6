import { KubeError } from '../../engine/ports/index.ts';
import type { KubeFault } from '../../engine/ports/index.ts';
import type { Millis } from '../../lib/clock.ts';

/** What the API server calls a `Status`. */
interface Status {
  readonly kind: 'Status';
  readonly reason?: string;
  readonly message?: string;
  readonly code?: number;
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly field?: string; readonly reason?: string }[];
  };
}

interface Seen {
  readonly status: number;
  readonly reason?: string | undefined;
  readonly retryAfter?: Millis | undefined;
  readonly causes?: readonly string[];
}
/** The API server said no. */
export class StatusError extends KubeError {
  readonly status: number;
  /** For example `NotFound` or `Expired`; undefined where something else than the API's own handlers answered. */
  readonly reason: string | undefined;
  readonly retryAfter: Millis | undefined;
  /** More of it than `reason`, for example `NamespaceTerminating`. */
  readonly causes: readonly string[];

  constructor(fault: KubeFault, message: string, seen: Seen) {
    super(fault, message);
    this.status = seen.status;
    this.reason = seen.reason;
    this.retryAfter = seen.retryAfter;
    this.causes = seen.causes ?? [];
  }
}

const faults: Readonly<Record<number, KubeFault>> = {
  400: 'Invalid',
  401: 'Forbidden',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'Invalid',
  406: 'Invalid',
  409: 'Conflict',
  413: 'Invalid',
  415: 'Invalid',
  422: 'Invalid',
};
/** Answers after which a change may have happened all the same. */
const doubtful = new Set([500, 502, 504]);

export interface Refusal {
  /** Method and path, for the message. */
  readonly request: string;
  readonly writes: boolean;
  readonly status: number;
  readonly retryAfter?: string | undefined;
  readonly text: string;
}

export function statusError(refusal: Refusal): StatusError {
  const status = parseStatus(refusal.text);
  const said = [status?.reason, status?.message ?? refusal.text.slice(0, 200).trim()].filter(Boolean).join(': ');
  return new StatusError(faultOf(refusal, status), `${refusal.request}: ${refusal.status} ${said}${advice(refusal.status)}`, {
    status: refusal.status,
    reason: status?.reason,
    retryAfter: retryAfter(refusal.retryAfter ?? status?.details?.retryAfterSeconds),
    causes: causesOf(status),
  });
}

const retryAfter = (seconds: string | number | undefined): Millis | undefined =>
  Number(seconds) >= 0 ? Number(seconds) * 1_000 : undefined;

/** A watch reports failures inside a 200 as an object of kind Status. */
export const watchError = (request: string, object: unknown): StatusError => {
  const status = (object as Status | undefined)?.code ?? 500;
  return statusError({ request, writes: false, status, text: JSON.stringify(object ?? {}) });
};

/** The server no longer keeps the history that was asked for: list again. */
export const isGone = (error: unknown): boolean => error instanceof StatusError && (error.status === 410 || error.reason === 'Expired');

/** This object is not there, in contrast to a kind or a path that the server does not serve now. */
export const isMissing = (error: unknown): boolean => error instanceof StatusError && error.status === 404 && error.reason === 'NotFound';

const causesOf = (status: Status | undefined): readonly string[] => status?.details?.causes?.flatMap(({ reason }) => reason ?? []) ?? [];

/** Nothing new is made in a namespace that is being deleted. */
export const isInEndingNamespace = (error: unknown): boolean =>
  error instanceof StatusError && error.causes.includes('NamespaceTerminating');

function faultOf(refusal: Refusal, status: Status | undefined): KubeFault {
  if (status?.reason === 'AlreadyExists') return 'AlreadyExists';
  if (refusal.writes && doubtful.has(refusal.status)) return 'Unknown';
  return isOtherUid(status) ? 'Conflict' : (faults[refusal.status] ?? 'Unavailable');
}

/** A patch that names a uid is refused as an edit of an immutable field when the object is another: a failed precondition to us. */
const isOtherUid = (status: Status | undefined): boolean => status?.details?.causes?.some(({ field }) => field === 'metadata.uid') === true;

const advice = (status: number): string =>
  status === 401 ? ' (the API server does not accept our credentials: check the ServiceAccount token or the kubeconfig)' : '';

function parseStatus(text: string): Status | undefined {
  try {
    const value = JSON.parse(text) as Partial<Status> | null;
    return value?.kind === 'Status' ? (value as Status) : undefined;
  } catch {
    return undefined;
  }
}

/** Codes of failures that happen before a byte of the request has left. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_CLOSED',
]);
const isUnsent = (error: unknown): boolean => {
  const code = (error as { code?: string } | undefined)?.code ?? '';
  return unsent.has(code) || /CERT|TLS|ISSUER/.test(code);
};

/** No answer, or not the whole of it. */
export function connectionError(request: string, error: unknown, writes: boolean): KubeError {
  if (error instanceof KubeError) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (!writes || isUnsent(error))
    return new KubeError('Unavailable', `${request}: the API server was not reached or did not answer: ${text}`, { cause: error });
  return new KubeError('Unknown', `${request}: sent, but no answer came: ${text}`, { cause: error });
}
