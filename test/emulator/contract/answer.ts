/** A handler's answer when it is not simply 200 with JSON: another status, headers, or a body that is no JSON. */
export class Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  /** A string or Buffer body goes out as it is (give a `content-type`), everything else as JSON. */
  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}
