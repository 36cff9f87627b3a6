/** Structured fields of one line; never a secret, a body or a header. */
export type Fields = Readonly<Record<string, unknown>>;

/** Fields are arguments of each call: there is no child logger whose result could be dropped. */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

export const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
