import type { Clock } from '../../../src/lib/clock.ts';
import { admit } from '../resources/admission-policy.ts';
import { alreadyExists, conflict, forbidden, internal, invalidObject, modified, notFound } from '../requests/api-error.ts';
import type { StatusBody } from '../requests/api-error.ts';
import { isDryRun, parseBody } from '../requests/call.ts';
import type { Call } from '../requests/call.ts';
import { checkName, decodeObject } from '../requests/decode.ts';
import { checkDeletable, deleteOptions, markDeleted, mayGo } from './deletion.ts';
import { invalid } from '../resources/field-error.ts';
import type { Identifiers } from './identifiers.ts';
import { changedPaths, equal, text } from './json.ts';
import type { JsonObject } from './json.ts';
import type { KubeObject } from './kube-object.ts';
import type { Ledger } from './ledger.ts';
import { applyPatch } from '../requests/patch.ts';
import { kindSubject, resourceSubject } from '../resources/resource.ts';
import type { Store } from './store.ts';

export interface WriterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly identifiers: Identifiers;
}

/** All writes. Each runs to its end in one go, so that no two of them interleave. */
export class Writer {
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** API timestamps have whole seconds. */
  now(): string {
    return new Date(this.#options.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  }

  create(call: Call): KubeObject {
    const { identifiers, store } = this.#options;
    const object = decodeObject(call, parseBody(call));
    const { metadata } = object;
    this.#checkNamespace(call, text(metadata.name));
    const hadVersion = Boolean(metadata.resourceVersion);
    if (!metadata.name && metadata.generateName) metadata.name = identifiers.generatedName(metadata.generateName);
    Object.assign(metadata, { uid: identifiers.uid(), creationTimestamp: this.now(), resourceVersion: '' });
    for (const key of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'generation']) delete metadata[key];
    call.resource.strategy.prepareForCreate(object);
    this.#validate(call, object, undefined);
    admit(store, call, 'CREATE', { object });
    if (hadVersion) throw internal('resourceVersion should not be set on objects to be created');
    const twin = store.get(call.resource.table, metadata.namespace, metadata.name);
    if (twin) throw alreadyExists(resourceSubject(call.resource), metadata.name, Boolean(twin.metadata.deletionTimestamp));
    return this.#commit(call, object, undefined);
  }

  /** `created`: a PUT of a kind that may be created so, and was. */
  update(call: Call): { object: KubeObject; created: boolean } {
    const object = decodeObject(call, parseBody(call));
    checkName(call, object);
    const existing = this.#existing(call);
    if (!existing && call.resource.createOnUpdate) return { object: this.create(call), created: true };
    if (!existing) throw notFound(resourceSubject(call.resource), call.name);
    const { uid } = object.metadata;
    if (uid && uid !== existing.metadata.uid) {
      const key = `/registry/${call.resource.table.replace(/^\//, '')}/${call.namespace ? `${call.namespace}/` : ''}${call.name}`;
      const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${existing.metadata.uid}`;
      throw conflict(
        resourceSubject(call.resource),
        call.name,
        `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
      );
    }
    return { object: this.#change(call, existing, object), created: false };
  }

  patch(call: Call): KubeObject {
    const existing = this.#existing(call);
    if (!existing) throw notFound(resourceSubject(call.resource), call.name);
    const patched = applyPatch(call, call.resource.present(existing));
    checkName(call, patched);
    return this.#change(call, existing, decodeObject(call, patched));
  }

  delete(call: Call): KubeObject | StatusBody {
    const existing = this.#existing(call);
    if (!existing) throw notFound(resourceSubject(call.resource), call.name);
    return this.#delete(call, existing, deleteOptions(call));
  }

  deleteAll(call: Call, objects: readonly KubeObject[]): void {
    const options = deleteOptions(call);
    for (const object of objects)
      this.#delete({ ...call, namespace: object.metadata.namespace, name: object.metadata.name }, object, options);
  }

  #delete(call: Call, existing: KubeObject, options: JsonObject): KubeObject | StatusBody {
    checkDeletable(call, existing, options);
    admit(this.#options.store, call, 'DELETE', { oldObject: existing });
    const marked = markDeleted(call, existing, options, this.now());
    if (!mayGo(marked)) return this.#commit(call, marked, existing);
    const last = this.#remove(call, existing);
    if (call.resource.returnsDeletedObject) return last;
    const { group, plural } = call.resource;
    const { name, uid } = existing.metadata;
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name, ...(group ? { group } : {}), kind: plural, uid },
    };
  }

  #change(call: Call, existing: KubeObject, object: KubeObject): KubeObject {
    this.#checkVersion(call, existing, object);
    const { metadata } = object;
    metadata.uid ||= existing.metadata.uid;
    keep(object, existing, ['creationTimestamp', 'generation', 'resourceVersion']);
    if (existing.metadata.deletionTimestamp) keep(object, existing, ['deletionTimestamp', 'deletionGracePeriodSeconds']);
    call.resource.strategy.prepareForUpdate(object, existing, call.subresource);
    this.#validate(call, object, existing);
    admit(this.#options.store, call, 'UPDATE', { object, oldObject: existing });
    if (!object.metadata.deletionTimestamp || !mayGo(object)) return this.#commit(call, object, existing);
    this.#remove(call, existing);
    return object;
  }

  #checkVersion(call: Call, existing: KubeObject, object: KubeObject): void {
    const version = text(object.metadata.resourceVersion);
    if (version !== '' && !/^\d+$/.test(version)) throw internal(`strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
    if ((version === '' || version === '0') && call.resource.unconditionalUpdate) return;
    if (version === '' || version === '0') {
      throw invalidObject(resourceSubject(call.resource), call.name, [
        invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
      ]);
    }
    if (version !== existing.metadata.resourceVersion) throw modified(resourceSubject(call.resource), call.name);
  }

  #validate(call: Call, object: KubeObject, old: KubeObject | undefined): void {
    const errors = call.resource.strategy.validate(object, old, call.subresource);
    if (errors.length > 0) throw invalidObject({ ...kindSubject(call.resource), kind: object.kind }, text(object.metadata.name), errors);
  }

  #checkNamespace(call: Call, name: string): void {
    const { namespace } = call;
    if (!call.resource.namespaced || namespace === undefined) return;
    const home = this.#options.store.get('/namespaces', undefined, namespace);
    if (!home) throw notFound({ group: '', kind: 'namespaces' }, namespace);
    if (!home.metadata.deletionTimestamp) return;
    const cause = { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' };
    throw forbidden(
      resourceSubject(call.resource),
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [cause],
    );
  }

  #existing(call: Call): KubeObject | undefined {
    return this.#options.store.get(call.resource.table, call.resource.namespaced ? call.namespace : undefined, call.name);
  }

  /** A write that changes nothing takes no revision and wakes no watcher. */
  #commit(call: Call, object: KubeObject, old: KubeObject | undefined): KubeObject {
    const { strategy, table } = call.resource;
    const read = strategy.stored(object);
    const unchanged = old !== undefined && equal(read, old);
    if (isDryRun(call)) return dryRun(read, old);
    const stored = unchanged ? old : this.#options.store.put(table, read);
    this.#record(call, old, stored);
    return stored;
  }

  #remove(call: Call, existing: KubeObject): KubeObject {
    if (isDryRun(call)) return existing;
    const removed = this.#options.store.remove(call.resource.table, existing);
    this.#record(call, existing, undefined);
    return removed;
  }

  #record(call: Call, before: KubeObject | undefined, after: KubeObject | undefined): void {
    const { metadata } = after ?? before ?? { metadata: { name: call.name, uid: '' } };
    this.#options.ledger.writes.push({
      at: this.#options.clock.now(),
      user: call.user.name,
      verb: call.verb,
      group: call.resource.group,
      resource: call.resource.plural,
      namespace: call.namespace,
      name: metadata.name,
      subresource: call.subresource,
      uid: metadata.uid,
      ...(before ? { before: before.metadata.resourceVersion } : {}),
      ...(after ? { after: after.metadata.resourceVersion } : {}),
      changed: before && after ? changedPaths(before, after).filter((path) => path !== 'metadata.resourceVersion') : [],
    });
  }
}

function keep(object: KubeObject, old: KubeObject, fields: readonly string[]): void {
  for (const key of fields) {
    if (old.metadata[key] === undefined) delete object.metadata[key];
    else object.metadata[key] = old.metadata[key];
  }
}

/** A dry run of a create shows no resource version, because none was taken. */
function dryRun(object: KubeObject, old: KubeObject | undefined): KubeObject {
  if (old) return object;
  const { resourceVersion: _none, ...metadata } = object.metadata;
  return { ...object, metadata: metadata as KubeObject['metadata'] };
}
