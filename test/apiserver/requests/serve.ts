import type { BackendResponse } from '../../support/virtual/backend.ts';
import { ApiError, badRequest, methodNotAllowed, unsupportedMediaType } from './api-error.ts';
import type { StatusBody } from './api-error.ts';
import type { Call } from './call.ts';
import { encode } from '../storage/kube-object.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import type { Reader } from '../storage/reader.ts';
import { resourceSubject } from '../resources/resource.ts';
import { jsonResponse } from './respond.ts';
import type { Writer } from '../storage/writer.ts';

const BODY_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Carries out one request on a served resource, watches apart. */
export async function serve(call: Call, writer: Writer, reader: Reader): Promise<BackendResponse> {
  checkRequest(call);
  switch (call.verb) {
    case 'get':
      return show(call, 200, partly(call, await reader.get(call)));
    case 'list':
      return jsonResponse(200, await reader.list(call), call.warnings);
    case 'create':
      return show(call, 201, writer.create(call));
    case 'update': {
      const { object, created } = writer.update(call);
      return show(call, created ? 201 : 200, object);
    }
    case 'patch':
      return show(call, 200, writer.patch(call));
    case 'delete':
      return show(call, 200, writer.delete(call));
    case 'deletecollection': {
      const before = await reader.list(call);
      writer.deleteAll(call, reader.matching(call));
      return jsonResponse(200, before, call.warnings);
    }
    default:
      throw methodNotAllowed();
  }
}

const partly = ({ metadataOnly }: Call, object: KubeObject): KubeObject =>
  metadataOnly ? { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata } : object;

function checkRequest(call: Call): void {
  if (call.verb === 'update' || call.verb === 'patch') checkNamed(call);
  if (call.verb === 'create') checkCollection(call);
  if (call.verb === 'create' || call.verb === 'update') checkBodyType(call);
}

function checkNamed({ name, resource }: Call): void {
  if (name === '') throw resource.custom ? badRequest('name must be provided') : methodNotAllowed();
}

function checkCollection({ resource, subresource }: Call): void {
  if (subresource === '') return;
  const what = `${resource.plural}${resource.group ? `.${resource.group}` : ''}`;
  const message = `create is not supported on resources of kind "${what}"`;
  throw new ApiError(405, 'MethodNotAllowed', message, { details: resourceSubject(resource) });
}

function checkBodyType({ contentType }: Call): void {
  if (contentType !== '' && contentType !== 'application/json') throw unsupportedMediaType(BODY_TYPES);
}

function show(call: Call, status: number, object: KubeObject | StatusBody): BackendResponse {
  const isStatus = object.kind === 'Status' && 'status' in object && typeof object.status === 'string';
  return jsonResponse(status, isStatus ? JSON.stringify(object) : encode(call.resource.present(object as KubeObject)), call.warnings);
}
