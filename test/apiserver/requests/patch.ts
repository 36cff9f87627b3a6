import { badRequest, unsupportedMediaType } from './api-error.ts';
import type { Call } from './call.ts';
import { clone, isObject } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import { jsonPatch } from './json-patch.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import { mergePatch } from './merge-patch.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';

/** Applies a patch body. Strategic merge and server-side apply are refused: the operator must not use them. */
export function applyPatch(call: Call, current: KubeObject): JsonObject {
  const patch = parsePatch(call.body);
  switch (call.contentType) {
    case JSON_PATCH:
      return jsonPatch(current, patch);
    case MERGE_PATCH:
      if (!isObject(patch))
        throw badRequest('error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}');
      return mergePatch(clone(current), patch) as JsonObject;
    default:
      throw unsupportedMediaType([JSON_PATCH, MERGE_PATCH, 'application/apply-patch+yaml']);
  }
}

function parsePatch(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw badRequest(`error decoding patch: ${(error as Error).message}`);
  }
}
