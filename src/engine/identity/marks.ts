import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { base32 } from '../../lib/base32.ts';
import { type LabelRule, type RemoteId, Sensitive } from '../../resource/index.ts';
import { installationTagPrefix } from '../converge/drift.ts';

/** Names one object for ever: what the owner key and the mac are made of (design 4.1, 4.2). */
export interface ObjectName {
  readonly installation: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

const digest = (...parts: readonly string[]): string => base32(createHash('sha256').update(parts.join('\0')).digest());

/** 8 characters that a derived label carries, so that a rebuild from Git finds its own things again. */
export const ownerKey = (name: ObjectName): string => digest(name.installation, name.kind, name.namespace, name.name).slice(0, 8);

/** The one tag of an installation, at create only and hidden from comparison. */
export const installationTag = (installation: string): string => `${installationTagPrefix}${digest(installation).slice(0, 8)}`;

/** `<name, sanitised and cut>-<owner key>`: unique in the account and stable for the life of the object. */
export function derivedLabel(rule: LabelRule | undefined, name: ObjectName): string {
  const readable = name.name.replaceAll(rule?.refused ?? /[^a-zA-Z0-9-]/g, '-').replaceAll(/([-_.])[-_.]+/g, '$1');
  const cut = readable
    .slice(0, (rule?.max ?? 63) - 9)
    .replace(/[^a-zA-Z0-9]+$/, '')
    .replace(/^[^a-zA-Z0-9]+/, '');
  return `${/^[a-zA-Z]/.test(cut) ? cut : `c${cut.slice(1)}`}-${ownerKey(name)}`;
}

/** A key that never leaves the operator's namespace; made once per installation of the operator. */
export class InstallationKey {
  /** An object, because looking what kind of key the bytes are takes Node longer than the HMAC: a tenth of a cold start. */
  readonly #key: KeyObject;
  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
  }
  /** 16 characters that only this operator can make: people can write annotations, so identity carries one. */
  mac(name: ObjectName, value: string): string {
    return base32(
      createHmac('sha256', this.#key).update([name.installation, name.kind, name.namespace, name.name, value].join('\0')).digest(),
    ).slice(0, 16);
  }
  /** What status remembers of an applied secret; tells nothing without the key (design 3.6). */
  remember(uid: string, field: string, value: unknown): string {
    return base32(
      createHmac('sha256', this.#key)
        .update(['applied', uid, field, revealed(value)].join('\0'))
        .digest(),
    ).slice(0, 26);
  }
}

/** A secret as it is, or every secret of an object in the order of the spec. */
function revealed(value: unknown): string {
  if (value instanceof Sensitive) return value.reveal();
  return typeof value === 'object' && value !== null ? Object.values(value).map(revealed).join('\0') : String(value);
}

/** Where one object's remote is. Persisted in annotation `remote`, mirrored in `status.id` and `status.path`. */
export interface Identity {
  readonly account: string;
  /** Neutral item path, `/volumes/123`. */
  readonly path: string;
  readonly how: 'created' | 'adopted';
}

/** `E1AF../volumes/123#created.<mac>` */
export function formatIdentity(key: InstallationKey, name: ObjectName, identity: Identity): string {
  const value = `${identity.account}${identity.path}#${identity.how}`;
  return `${value}.${key.mac(name, value)}`;
}

export interface ParsedIdentity extends Identity {
  /** The mac is ours for exactly this object and value. */
  readonly genuine: boolean;
}
export function parseIdentity(key: InstallationKey, name: ObjectName, text: string): ParsedIdentity | undefined {
  const match = /^(?<account>[^/#]+)(?<path>\/[^#]+)#(?<how>created|adopted)\.(?<mac>[a-z2-7]{16})$/.exec(text)?.groups;
  if (match === undefined) return undefined;
  const { account = '', path = '', how = '', mac = '' } = match;
  return { account, path, how: how === 'adopted' ? 'adopted' : 'created', genuine: key.mac(name, `${account}${path}#${how}`) === mac };
}

/** What references to a remote resolve to. */
export const idText = (id: RemoteId): string => String(id);

/** Proves that this operator noted a second remote of this object. */
export const twinMac = (key: InstallationKey, name: ObjectName, path: string): string => key.mac(name, `twin ${path}`);
