import { badRequest } from './api-error.ts';
import { reportUnknownFields } from './call.ts';
import type { Call } from './call.ts';
import { isObject, text } from '../storage/json.ts';
import type { JsonObject } from '../storage/json.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import { decodeMetadata } from '../storage/object-meta.ts';
import { apiVersionOf } from '../resources/resource.ts';

/** A body as an object of the called resource, in the stored form: typed, pruned, defaulted, in the right namespace. */
export function decodeObject(call: Call, body: JsonObject): KubeObject {
  checkTypeMeta(call, body);
  const unknown = decodeMetadata(body, call.resource.kind);
  const object = call.resource.store(body as KubeObject);
  unknown.push(...call.resource.strategy.decode(object));
  reportUnknownFields(call, unknown);
  placeInNamespace(call, object);
  return object;
}

function checkTypeMeta(call: Call, body: JsonObject): void {
  const { resource } = call;
  const wanted = apiVersionOf(resource);
  if (resource.custom && !text(body['kind'])) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): Object 'Kind' is missing in '${call.body}' (${call.body})`,
    );
  }
  body['kind'] ??= resource.kind;
  body['apiVersion'] ??= wanted;
  if (body['apiVersion'] !== wanted) {
    throw badRequest(`the API version in the data (${text(body['apiVersion'])}) does not match the expected API version (${wanted})`);
  }
  if (!resource.custom && body['kind'] !== resource.kind) {
    throw badRequest(`${text(body['kind'])} in version "${resource.version}" cannot be handled as a ${resource.kind}`);
  }
}

function placeInNamespace(call: Call, object: KubeObject): void {
  if (!call.resource.namespaced) {
    delete object.metadata.namespace;
    return;
  }
  const own = object.metadata.namespace;
  if (own !== undefined && own !== call.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (call.namespace !== undefined) object.metadata.namespace = call.namespace;
}

/** The name in a body must be the one in the path. */
export function checkName(call: Call, object: JsonObject): void {
  const name = isObject(object['metadata']) ? text(object['metadata']['name']) : '';
  if (name === '') throw badRequest(`the name of the object (${call.name} based on URL) was undeterminable: name must be provided`);
  if (name !== call.name) throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`);
}
