import { destination as fileDescriptor, pino, stdTimeFunctions, type DestinationStream } from 'pino';
import { scrub, scrubText } from './scrub.ts';

/** Structured fields of one line; never a secret, a body or a header. */
export type Fields = Readonly<Record<string, unknown>>;

/** Fields are arguments of each call: there is no child logger whose result could be dropped. */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

export type LogLevel = keyof Log;

export const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** One JSON object per line on standard output, written before the call returns, so that the last words of a crash are kept. */
export function createLog(level: LogLevel, destination: DestinationStream = fileDescriptor({ fd: 1, sync: true })): Log {
  const logger = pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (name) => ({ level: name }) } },
    destination,
  );
  const line =
    (at: LogLevel) =>
    (message: string, fields: Fields = {}): void => {
      if (logger.isLevelEnabled(at)) logger[at](scrub(fields), scrubText(message));
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
