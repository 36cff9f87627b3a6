import { randomBytes } from 'node:crypto';
import { InstallationKey, type ObjectName } from '../../../engine/model/identity.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { unknownOwner } from '../../../resource/index.ts';

/**
 * In place of the operator's key, which never leaves its namespace. Anybody who may edit an object can write what looks signed
 * into its annotations, so that is believed only where the object's status says the same: that is written by the operator alone.
 * Applied secrets are taken for those that were applied.
 */
export class UnsignedKey extends InstallationKey {
  readonly #known = new Map<string, Resource>();

  constructor() {
    super(randomBytes(32));
  }
  /** An object as the cluster has it. */
  know(object: Resource): void {
    this.#known.set(nameOf({ kind: object.kind, ...object.metadata }), object);
  }
  override signed(name: ObjectName, value: string, mac: string): boolean {
    const object = this.#known.get(nameOf(name));
    return super.signed(name, value, mac) || (object !== undefined && isConfirmed(object, value));
  }
  override ownerKey(): string {
    return unknownOwner;
  }
  override ownerKeys(): readonly string[] {
    return [unknownOwner];
  }
  override remembers(): boolean {
    return true;
  }
}

const nameOf = ({ kind, namespace, name }: Omit<ObjectName, 'installation'>): string => `${kind} ${namespace}/${name}`;

/** A status that a backup put back was written for another object. */
function isConfirmed({ metadata: { uid }, status = {} }: Resource, value: string): boolean {
  const { path, account, objectUid = uid } = status as { readonly path?: string; readonly account?: string; readonly objectUid?: string };
  if (objectUid !== uid) return false;
  if (value.startsWith('intent ')) return path === undefined && value === `intent ${intentIn(status)} of ${uid}`;
  if (value.startsWith('retiring ')) return retiringIn(status).includes(value.replace(/ of [^ ]*$/, ''));
  if (path === undefined || account === undefined) return false;
  return value.startsWith('label ') || value.replace(/^replacing /, '').startsWith(`${account}${path}#`);
}

/** What another one has taken the place of, as it is signed. */
function retiringIn({ retiring }: NonNullable<Resource['status']>): readonly string[] {
  const all = Array.isArray(retiring) ? (retiring as Readonly<Record<string, string>>[]) : [];
  return all.map(({ account, path, until }) => `retiring ${account}${path} until ${until}`);
}

/** Its copy, which is there while an outcome is not known, without its mac. */
function intentIn({ intent }: NonNullable<Resource['status']>): string | undefined {
  return typeof intent === 'string' ? intent.replace(/,?"mac":"[a-z2-7]*"/, '') : undefined;
}
