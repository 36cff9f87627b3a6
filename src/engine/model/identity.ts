import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { base32 } from '../../lib/base32.ts';
import type { Millis } from '../../lib/clock.ts';
import { shownTime } from '../../lib/utc-time.ts';
import {
  type AnyKind,
  hasNonce,
  isKnownByBirth,
  type LabelRule,
  madeAt,
  nonceOf,
  type RemoteId,
  type Row,
  Sensitive,
} from '../../resource/index.ts';
import type { Resource } from '../ports/index.ts';
import { annotation, hasOwnPath, labelAnnotation, remoteAnnotation, remotesBefore } from './annotations.ts';

export const installationTagPrefix = 'co-';

/** Names one object for ever: what the owner key and the mac are made of (README: identity). */
export interface ObjectName {
  readonly installation: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

const digest = (...parts: readonly string[]): string => base32(createHash('sha256').update(parts.join('\0')).digest());

/** 8 characters of which everybody can tell whose they are: for labels in the cluster, never as a mark in the account. */
export const ownerDigest = (name: ObjectName): string => digest(name.installation, name.kind, name.namespace, name.name).slice(0, 8);

/** The one tag of an installation, at create only and hidden from comparison. */
export const installationTag = (installation: string): string => `${installationTagPrefix}${digest(installation).slice(0, 8)}`;

/** A key that never leaves the operator's namespace, made once per installation of the operator, and those that signed before it. */
export class InstallationKey {
  /** Objects, because looking what kind of key the bytes are takes Node longer than the HMAC: a tenth of a cold start. */
  readonly #current: KeyObject;
  readonly #all: readonly KeyObject[];
  /** When it was made new, as there was none: what is older was made under a key that is lost, or by somebody else. */
  readonly madeAt: Millis | undefined;
  constructor(current: Uint8Array, previous: readonly Uint8Array[] = [], madeAt?: Millis) {
    this.madeAt = madeAt;
    this.#current = createSecretKey(current);
    this.#all = [this.#current, ...previous.map((key) => createSecretKey(key))];
  }
  /** 16 characters that only this operator can make: people can write annotations, so identity carries one. */
  mac(name: ObjectName, value: string): string {
    return macWith(this.#current, name, value);
  }
  /** True of what this key, or one before it, signed for this very object. */
  signed(name: ObjectName, value: string, mac: string): boolean {
    return this.#all.some((key) => macWith(key, name, value) === mac);
  }
  /** 8 characters that a derived label carries: nobody without the key can tell them before, so that no label that a person chooses is a mark. */
  ownerKey(name: ObjectName): string {
    return ownerKeyWith(this.#current, name);
  }
  /** What labels that were made under this key, or one before it, carry. */
  ownerKeys(name: ObjectName): readonly string[] {
    return this.#all.map((key) => ownerKeyWith(key, name));
  }
  /** What this object's next create sends behind its label: `random` makes it new, the rest shows whose it is. */
  nonce(name: ObjectName, random: string): string {
    return nonceWith(this.#current, name, random.slice(0, nonceRandom));
  }
  /** Of a label that anybody may choose, what stands behind the mark proves nothing by its form: owner keys look the same. */
  madeNonce(name: ObjectName, nonce: string): boolean {
    return this.#all.some((key) => nonceWith(key, name, nonce.slice(0, nonceRandom)) === nonce);
  }
  /** What status remembers of an applied secret; tells nothing without the key (README: secrets). */
  remember(uid: string, field: string, value: unknown): string {
    return rememberWith(this.#current, uid, [field, revealed(value)]);
  }
  /** Whether that is what was remembered, under whatever key. */
  remembers(uid: string, field: string, { value, as }: { readonly value: unknown; readonly as: string }): boolean {
    return this.#all.some((key) => rememberWith(key, uid, [field, revealed(value)]) === as);
  }
}
const hmac = (key: KeyObject, ...parts: readonly string[]): string => base32(createHmac('sha256', key).update(parts.join('\0')).digest());
const macWith = (key: KeyObject, { installation, kind, namespace, name }: ObjectName, value: string): string =>
  hmac(key, installation, kind, namespace, name, value).slice(0, 16);
const ownerKeyWith = (key: KeyObject, name: ObjectName): string => macWith(key, name, 'owner').slice(0, 8);
/** Half of its characters. */
const nonceRandom = 4;
const nonceWith = (key: KeyObject, name: ObjectName, random: string): string =>
  `${random}${macWith(key, name, `nonce ${random}`).slice(0, 4)}`;
const rememberWith = (key: KeyObject, uid: string, parts: readonly string[]): string => hmac(key, 'applied', uid, ...parts).slice(0, 26);

/** A secret as it is, or every secret of an object in the order of the spec. */
function revealed(value: unknown): string {
  if (value instanceof Sensitive) return value.reveal();
  return typeof value === 'object' && value !== null ? Object.values(value).map(revealed).join('\0') : String(value);
}

/** Whose label it is, and the key that signs it. */
interface Holder {
  readonly key: InstallationKey;
  readonly name: ObjectName;
  readonly object: Resource;
}

export const ownerKeyLength = 8;
/** What stands between name and owner key. */
const joint = (rule: LabelRule | undefined): string => (rule?.plain === true ? '' : '-');

/** What people read in a derived label: the name, without what the service refuses, and cut. */
export function readableName(rule: LabelRule | undefined, { name }: Pick<ObjectName, 'name'>): string {
  const kept =
    rule?.plain === true
      ? name.replaceAll(/[^a-zA-Z0-9]/g, '')
      : name.replaceAll(rule?.refused ?? /[^a-zA-Z0-9-]/g, '-').replaceAll(/([-_.])[-_.]+/g, '$1');
  const cut = kept
    .slice(0, (rule?.max ?? 63) - ownerKeyLength - joint(rule).length)
    .replace(/[^a-zA-Z0-9]+$/, '')
    .replace(/^[^a-zA-Z0-9]+/, '');
  return /^[a-zA-Z]/.test(cut) ? cut : `c${cut.slice(1)}`;
}

/** `<readable>-<owner key>`, or without the dash: unique in the account. */
export const derivedLabel = (rule: LabelRule | undefined, key: InstallationKey, name: ObjectName): string =>
  `${readableName(rule, name)}${joint(rule)}${key.ownerKey(name)}`;

/** What the label of this object may look like, whatever key it was made with: all that can be told without that key. */
export const looksDerived = (rule: LabelRule | undefined, name: ObjectName, label: string): boolean => {
  const begin = `${readableName(rule, name)}${joint(rule)}`;
  return label.startsWith(begin) && /^[a-z2-7]{8}$/.test(label.slice(begin.length));
};

/** The mark: nothing but the installation's key makes it, and only for this very object (README: identity). */
export const isMarked = (rule: LabelRule | undefined, { key, name }: Omit<Holder, 'object'>, label: string): boolean =>
  looksDerived(rule, name, label) && key.ownerKeys(name).some((owner) => label.endsWith(`${joint(rule)}${owner}`));

/** The label that an attempt of this very object sent: as its spec calls it, or derived, with what nothing but the installation's key makes behind it. */
export function isHalfMadeLabel(rule: LabelRule | undefined, { key, name, object }: Holder, label: string): boolean {
  if (rule?.nonce !== true) return false;
  const chosen = object.spec[rule.field];
  const begin = typeof chosen === 'string' ? chosen : readableName(rule, name);
  // Told apart by its text first: there may be thousands of objects.
  if (!label.startsWith(begin.slice(0, rule.max - ownerKeyLength - 1)) || !key.madeNonce(name, nonceOf(label))) return false;
  const wanted = typeof chosen === 'string' ? [chosen] : key.ownerKeys(name).map((owner) => `${begin}${joint(rule)}${owner}`);
  return wanted.some((one) => hasNonce(rule, label, one));
}

/** `db-k3vq2m7a.<mac>` */
export const formatLabel = ({ key, name }: Omit<Holder, 'object'>, label: string): string => `${label}.${key.mac(name, `label ${label}`)}`;

/** The derived label that this object's remote was made with: it stays, whatever key signs by now. */
export function rememberedLabel({ key, name, object }: Holder): string | undefined {
  const { label = '', mac = '' } = /^(?<label>.+)\.(?<mac>[a-z2-7]{16})$/.exec(annotation(object, labelAnnotation) ?? '')?.groups ?? {};
  return label !== '' && key.signed(name, `label ${label}`, mac) ? label : undefined;
}

/** A remote of an object that remembers none was made before owner keys had a key. */
export const labelOf = (rule: LabelRule | undefined, holder: Holder): string =>
  rememberedLabel(holder) ?? (isBound(holder.object) ? unkeyedLabel(rule, holder.name) : derivedLabel(rule, holder.key, holder.name));

const unkeyedLabel = (rule: LabelRule | undefined, name: ObjectName): string =>
  `${readableName(rule, name)}${joint(rule)}${ownerDigest(name)}`;
const isBound = (object: Resource): boolean => annotation(object, remoteAnnotation) !== undefined || hasOwnPath(object);

/** A full replace took the note of it away, and the remote still has it. */
export const isForgotten = (rule: LabelRule | undefined, holder: Holder, label: string): boolean =>
  rememberedLabel(holder) === undefined && looksDerived(rule, holder.name, label) && label !== unkeyedLabel(rule, holder.name);

/** Where one object's remote is. Persisted in annotation `remote`, mirrored in `status.id` and `status.path`. */
export interface Identity {
  readonly account: string;
  /** Neutral item path, `/volumes/123`. */
  readonly path: string;
  readonly how: 'created' | 'adopted';
}

/**
 * One object, for as long as it has one remote: `<uid>/<remotes before this one>`. A name comes again with the next object, and
 * its owner may have kept whatever was signed for the one before.
 */
export const lifeOf = (object: Resource): string => `${object.metadata.uid}/${remotesBefore(object)}`;

interface Living {
  readonly key: InstallationKey;
  readonly name: ObjectName;
  /** See {@link lifeOf}. */
  readonly life: string;
}

/** `E1AF../volumes/123#created.<mac for this name>.<mac for this life>` */
export function formatIdentity({ key, name, life }: Living, identity: Identity): string {
  const value = `${identity.account}${identity.path}#${identity.how}`;
  return `${value}.${key.mac(name, value)}.${key.mac(name, `${value} of ${life}`)}`;
}

export interface ParsedIdentity extends Identity {
  /** The mac is ours for exactly this name and value. */
  readonly genuine: boolean;
  /** It was written for this very object and its remote of now, and not for one before it. */
  readonly current: boolean;
}
export function parseIdentity({ key, name, life }: Living, text: string): ParsedIdentity | undefined {
  const form = /^(?<account>[^/#]+)(?<path>\/[^#]+)#(?<how>created|adopted)\.(?<mac>[a-z2-7]{16})(?:\.(?<now>[a-z2-7]{16}))?$/;
  const match = form.exec(text)?.groups;
  if (match === undefined) return undefined;
  const { account = '', path = '', how = '', mac = '', now = '' } = match;
  const value = `${account}${path}#${how}`;
  return {
    account,
    path,
    how: how === 'adopted' ? 'adopted' : 'created',
    genuine: key.signed(name, value, mac),
    current: key.signed(name, `${value} of ${life}`, now),
  };
}

/** What references to a remote resolve to. */
export const idText = (id: RemoteId): string => String(id);

/** A second remote of an object, and when it was noted: RFC 3339 on the service's clock. */
interface NotedDuplicate {
  readonly path: string;
  readonly at: string;
}
const duplicateText = ({ metadata: { uid } }: Resource, { path, at }: NotedDuplicate): string => `twin ${path} at ${at} of ${uid}`;

/** Proves that this operator noted a second remote of this very object then. */
export const duplicateMac = ({ key, name, object }: Holder, noted: NotedDuplicate): string => key.mac(name, duplicateText(object, noted));
export const isDuplicateMac = ({ key, name, object }: Holder, { mac, ...noted }: NotedDuplicate & { readonly mac?: unknown }): boolean =>
  typeof mac === 'string' && key.signed(name, duplicateText(object, noted), mac);

/** Why what is at its path is not what this object had; of a status that was written for another object nothing counts. */
export function bornAnew(about: Holding, path: string, row: Row): string | undefined {
  const { bornAt, made } = birthsOf(about, path, row);
  if (made === undefined || bornAt === undefined || made === bornAt) return undefined;
  return `${path} was made anew at ${made}, and not for this object, whose own is of ${bornAt} and gone`;
}

/** What is at its path came after what this object had, which so is no more. A row that is older may be one that a list still shows. */
export function isOutlived(about: Holding, path: string, row: Row): boolean {
  const { bornAt, made } = birthsOf(about, path, row);
  return made !== undefined && bornAt !== undefined && Date.parse(made) > Date.parse(bornAt);
}

type Holding = { readonly kind: AnyKind; readonly object: Resource };
function birthsOf({ kind, object }: Holding, path: string, row: Row): { readonly bornAt?: string; readonly made?: string } {
  const { bornAt, path: known, objectUid } = object.status ?? {};
  const made = isKnownByBirth(kind) && known === path && objectUid === object.metadata.uid ? madeAt(kind, row) : undefined;
  return { ...(typeof bornAt === 'string' && { bornAt }), ...(made !== undefined && { made: shownTime(made) }) };
}
