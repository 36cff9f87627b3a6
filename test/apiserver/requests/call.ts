import { badRequest } from './api-error.ts';
import type { User } from './authorization.ts';
import { isObject } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import type { Resource } from '../resources/resource.ts';

/** One authorized request for a served resource. */
export interface Call {
  readonly resource: Resource;
  readonly verb: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  /** Only the metadata is asked for, as a PartialObjectMetadata. */
  readonly metadataOnly: boolean;
  readonly body: string;
  readonly user: User;
  readonly signal: AbortSignal;
  /** What the answer says in `Warning` headers. */
  readonly warnings: string[];
}

export const isDryRun = (call: Call): boolean => call.query.getAll('dryRun').includes('All');

/** A request body as a JSON object. */
export function parseBody(call: Call): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(call.body);
  } catch (error) {
    const shown = call.body.length > 30 ? `${call.body.slice(0, 30)} ...` : call.body;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${call.resource.kind}): couldn't get version/kind; json parse error: ${(error as Error).message} (${shown})`,
    );
  }
  if (!isObject(value)) throw badRequest(`the object provided is unrecognized (must be of type ${call.resource.kind}): not a JSON object`);
  return value;
}

/** Unknown fields are refused, warned about or ignored, as the client asked. */
export function reportUnknownFields(call: Call, unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  const mode = call.query.get('fieldValidation') ?? 'Warn';
  const { kind, version } = call.resource;
  const lines = unknown.map((path) => `unknown field "${path}"`);
  if (mode === 'Strict')
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${lines.join(', ')}`);
  if (mode === 'Warn') call.warnings.push(...lines);
}
