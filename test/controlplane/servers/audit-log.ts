import { open, stat } from 'node:fs/promises';

/** One entry of the API server's audit log at level Metadata; the fields that tests look at. */
export interface AuditEntry {
  readonly auditID: string;
  /** A watch is logged when its answer starts and again when it ends. */
  readonly stage: 'ResponseStarted' | 'ResponseComplete' | 'Panic';
  readonly requestURI: string;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb: string;
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
  };
  readonly responseStatus?: { readonly code: number; readonly reason?: string; readonly message?: string };
  /** RFC 3339 with microseconds. */
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The length of the log: a position to read from later. */
export async function auditPosition(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.size,
    () => 0,
  );
}

/** The entries from a position on. A last line that is still being written is left for the next call. */
export async function readAuditLog(path: string, from = 0): Promise<AuditEntry[]> {
  const length = (await auditPosition(path)) - from;
  if (length <= 0) return [];
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, from);
    const text = buffer.toString('utf8', 0, bytesRead);
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AuditEntry);
  } finally {
    await file.close();
  }
}
