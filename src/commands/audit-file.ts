import { openSync, writeSync } from 'node:fs';
import { ConfigError } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { AuditLog } from '../telemetry/audit-log.ts';
import type { Log } from '../telemetry/log.ts';

/** The audit log that `--audit-log` asks for; written synchronously, so that a line is kept whatever becomes of the process. */
export function auditLog(path: string | undefined, process: string, log: Log): AuditLog | undefined {
  if (path === undefined) return undefined;
  const file = path === '-' ? 1 : opened(path);
  let failed = false;
  const write = (line: string): void => {
    try {
      writeSync(file, line);
      failed = false;
    } catch (error) {
      // A full disk must not stop the work, nor be told at every call.
      if (!failed) log.error('the audit log cannot be written; what is changed meanwhile is missing in it', { path, error });
      failed = true;
    }
  };
  return new AuditLog(process, write, () => new Date(systemClock.now()));
}

function opened(path: string): number {
  try {
    return openSync(path, 'a', 0o640);
  } catch (error) {
    throw new ConfigError(`--audit-log: ${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
