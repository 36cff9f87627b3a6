/** One item of the `errors` array of an answer; `field` is absent when the error is not about one field. */
export interface ErrorItem {
  readonly reason: string;
  readonly field?: string;
}

/** Thrown by a handler to answer with an error envelope. */
export class Refusal extends Error {
  readonly status: number;
  readonly items: readonly ErrorItem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, items: readonly ErrorItem[], headers: Readonly<Record<string, string>> = {}) {
    super(items.map((item) => item.reason).join('; '));
    this.status = status;
    this.items = items;
    this.headers = headers;
  }
}

/** `throw refusal(400, 'Must be 10-10240', 'size')`. */
export function refusal(status: number, reason: string, field?: string): Refusal {
  return new Refusal(status, [field === undefined ? { reason } : { reason, field }]);
}

/** 404 with the text that the service has for every missing object. */
export function notFound(): Refusal {
  return refusal(404, 'Not found');
}

/** 400 with the text for a thing whose job is queued or running. */
export function busy(): Refusal {
  return refusal(400, 'Linode busy.');
}
