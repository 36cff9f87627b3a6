import * as z from 'zod';
import type { FileContent, Sensitive } from './call.ts';
import { dataKey, namespaceName, objectName } from './kube-name.ts';
import { type IdForm, numberId, remoteId, type RemoteId } from './remote-id.ts';

/** What the engine must know of a reference field; read by resolution, watches, deletion order and `generate`. */
export interface RefTarget {
  readonly kind: string;
  /** The target may admit other namespaces with `spec.allowedRefs.namespaces`. */
  readonly shared: boolean;
  /** All that is in the target is copied: `allowedRefs` alone admits to no such thing, whoever may adopt it may. */
  readonly copied?: true;
  /** It is no good before this field of its status says so, whatever id it has. */
  readonly until?: { readonly status: string; readonly is: string };
  /** It needs this object first: no create waits for it, and the two are no circle. The field is left out until it has an id. */
  readonly after?: true;
  /** The two must be in one region: another one's is refused before the service is asked. */
  readonly sameRegion?: true;
  /** A reference of this name is in both specs, and leads to the same object, or nothing is sent for it: else each would undo what the other does. */
  readonly sameReference?: string;
  /** Ids are good in one of several places only: this field of its row, and of its status, says in which, and stands before the id with a slash. */
  readonly placedBy?: string;
  /** That of the target's kind; with `placedBy` that and the place. */
  readonly ids: IdForm;
}
/** An object `{<refField>: ref, <selector>: key}` that resolves to one status field of the target. */
export interface OutputTarget {
  readonly ref: string;
  readonly selector: string;
  /** Selector value -> status field of the target, for example `PublicIPv4` -> `publicIPv4`. */
  readonly fields: Readonly<Record<string, string>>;
}

export const refTargets = z.registry<RefTarget>();
export const outputTargets = z.registry<OutputTarget>();
/** Marks the fields that choose objects of a kind by their labels. */
export const selectors = z.registry<{ readonly kind: string }>();
/** Marks the fields that name one key of a Secret in the same namespace. */
export const secretKeys = z.registry<{ readonly secret: true }>();

/** Marks the fields that name one key of a ConfigMap in the same namespace. */
export const configMapKeys = z.registry<{ readonly configMap: true; readonly file?: true; readonly names?: NamesInside }>();

/**
 * Marks what names something of the account itself, which its owner may keep to its own namespace (`access[].adopt`): an
 * id, or a name that is as good as one.
 */
export const accountIds = z.registry<{
  readonly ofAccount: true;
  /** No right to adopt is enough: it opens what is everybody's, and is for the account's own namespace alone. */
  readonly own?: true;
}>();

/** What of the account itself a text names by its id, in words for people. */
export type NamesInside = (text: string) => readonly string[];
/** Marks texts in which something of the account may be named so. */
export const namingTexts = z.registry<{ readonly names: NamesInside }>();

/** Marks ids of images and kernels, which users may write with the service's own prefix. */
export const prefixedIds = z.registry<{ readonly prefixed: true }>();

/** A reference to another object in the same namespace. It waits for the target's id, not for its Ready. */
export const ref = (kind: string, ids: IdForm = numberId) => refHere(kind, ids).register(refTargets, { kind, shared: false, ids });

/** Of any reference: the service takes only what is in the region of this object, or of what its path leads through. */
export function inSameRegion<Ref extends z.ZodType>(reference: Ref): Ref {
  const target = refTargets.get(reference);
  if (target === undefined) throw new Error('inSameRegion is of a reference');
  refTargets.add(reference, { ...target, sameRegion: true });
  return reference;
}

/** Of any reference: the target's spec names in this field what this object's names in it, as both decide the same thing of the account. */
export function alsoNaming<Ref extends z.ZodType>(field: string, reference: Ref): Ref {
  const target = refTargets.get(reference);
  if (target === undefined) throw new Error('alsoNaming is of a reference');
  refTargets.add(reference, { ...target, sameReference: field });
  return reference;
}

/** Like {@link ref}, to what has an object here: whatever that says of its remote (a pause, Observe) must be known. */
export const refToObject = (kind: string) =>
  z
    .object({ name: objectName().describe(`Name of a ${kind} in the same namespace.`) })
    .brand<'Ref'>()
    .register(refTargets, { kind, shared: false, ids: numberId });

/** Like {@link ref}, to what needs this object first, so that its create does not wait for it. */
export const refAfter = (kind: string) => refHere(kind, numberId).register(refTargets, { kind, shared: false, after: true, ids: numberId });

/** Like {@link ref}, to a kind whose remotes are in several places; resolves to place and id. */
export const placedRef = (kind: string, ids: IdForm, placedBy: string) =>
  refHere(kind, ids).register(refTargets, { kind, shared: false, ids, placedBy });

const refHere = (kind: string, ids: IdForm) =>
  z
    .object({
      name: objectName().optional().describe(`Name of a ${kind} in the same namespace.`),
      external: remoteId(ids)
        .optional()
        .describe(`Id in the cloud account of one that has no ${kind} object, where the account's \`access\` allows it.`),
    })
    .meta({
      'x-kubernetes-validations': [{ rule: 'has(self.name) != has(self.external)', message: 'set exactly one of name and external' }],
    })
    .brand<'Ref'>();

/** Like {@link ref}, to what can be used only once a field of its status says this. */
export const refOnce = (kind: string, ids: IdForm, until: NonNullable<RefTarget['until']>) =>
  ref(kind, ids).register(refTargets, { kind, shared: false, ids, until });

/** Like {@link ref}, to a kind whose objects may admit other namespaces (`spec.allowedRefs.namespaces`). */
export const sharedRef = (kind: string, ids: IdForm = numberId) =>
  refAcross(kind, `that ${kind} must admit this namespace in \`allowedRefs\``, ids).register(refTargets, { kind, shared: true, ids });

/** Like {@link sharedRef}, of what can be used only once a field of its status says this. */
export const sharedRefOnce = (kind: string, ids: IdForm, until: NonNullable<RefTarget['until']>) =>
  refAcross(kind, `that ${kind} must admit this namespace in \`allowedRefs\``, ids).register(refTargets, {
    kind,
    shared: true,
    ids,
    until,
  });

/** Like {@link sharedRef}, of what is copied with all that is in it. */
export const copiedRef = (kind: string, ids: IdForm = numberId) =>
  refAcross(
    kind,
    `that ${kind} must admit this namespace in \`allowedRefs\`, and the account must let this namespace adopt, as whoever copies it reads all that is in it`,
    ids,
  ).register(refTargets, { kind, shared: true, copied: true, ids });

const refAcross = (kind: string, needs: string, ids: IdForm) =>
  z
    .object({
      name: objectName().optional().describe(`Name of a ${kind}.`),
      namespace: namespaceName().optional().describe(`Its namespace, when it is not this one; ${needs}.`),
      external: remoteId(ids)
        .optional()
        .describe(`Id in the cloud account of one that has no ${kind} object, where the account's \`access\` allows it.`),
    })
    .meta({
      'x-kubernetes-validations': [
        { rule: 'has(self.name) != has(self.external)', message: 'set exactly one of name and external' },
        { rule: '!has(self.namespace) || has(self.name)', message: 'namespace goes with name' },
      ],
    })
    .brand<'Ref'>();

/**
 * All objects of a kind in the same namespace that carry these labels; resolves to the ids of those that have one. While
 * some have none yet, the list may be added to, never taken from.
 */
export const selector = (kind: string) =>
  z
    .object({
      matchLabels: z
        .record(
          z.string(),
          z
            .string()
            .regex(/^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)?$/)
            .max(63),
        )
        .meta({ minProperties: 1, maxProperties: 16 })
        .describe(`Labels that a ${kind} of the same namespace must have, all of them, for example \`{tier: web}\`.`),
    })
    .brand<'Selector'>()
    .register(selectors, { kind });

/** One key of a Secret in the same namespace; resolves to a {@link Sensitive}. Never logged, stored or compared in clear. */
export const secretKey = () =>
  z
    .object({ name: objectName().describe('Name of the Secret.'), key: dataKey().describe('Key in the Secret.') })
    .brand<'Secret'>()
    .register(secretKeys, { secret: true });

/** Ends the description of a field whose value no answer of the service shows. */
export const countsAsApplied =
  'Of what is adopted the value counts as applied, unless an object of this namespace has applied another one: to have it sent, renew the Secret once this object is Ready.';

/** One key of a ConfigMap in the same namespace; resolves to its text, which everybody may read. */
export const configMapKey = (names?: NamesInside) =>
  configMapEntry('setup.sh', 'Key in the ConfigMap.')
    .brand<'ConfigMap'>()
    .register(configMapKeys, { configMap: true, ...(names && { names }) });

/** Like {@link configMapKey}, of a file; resolves to a {@link FileContent}. */
export const configMapFile = (example: string) =>
  configMapEntry(example, `Key in the \`binaryData\` of the ConfigMap, for example \`${example}\`.`)
    .brand<'ConfigMapFile'>()
    .register(configMapKeys, { configMap: true, file: true });

const configMapEntry = (example: string, says: string) =>
  z.object({
    name: objectName().describe('Name of the ConfigMap.'),
    key: dataKey('a ConfigMap', example).describe(says),
  });

/** A value that another object publishes in its status, chosen by a selector: `{instanceRef: {name}, address: PublicIPv4}`. */
export const output = (kind: string, names: OutputTarget & { readonly describe: string }) => {
  const message = `${names.ref}.external has no status to take this from, only a ${kind} object publishes it: write name`;
  const external = (value: object): boolean => Object.hasOwn(Object(Reflect.get(value, names.ref)), 'external');
  return z
    .object({
      [names.ref]: ref(kind).describe(`The ${kind} that publishes the value.`),
      [names.selector]: z.enum(Object.keys(names.fields) as [string, ...string[]]).describe(names.describe),
    })
    .refine((value) => !external(value), message)
    .meta({ 'x-kubernetes-validations': [{ rule: `!has(self.${names.ref}.external)`, message }] })
    .brand<'Output'>()
    .register(outputTargets, names);
};

/** An enum that the cloud may extend without notice: an unknown member reads as `'unknown'` instead of failing the read. */
export const openEnum = <const V extends readonly [string, ...string[]]>(...values: V) =>
  z.enum([...values, 'unknown'] as const).catch('unknown' as never);

/** A desired value after resolution: references are remote ids, selectors lists of them, outputs and texts of ConfigMaps strings, files {@link FileContent}, secrets {@link Sensitive}. */
export type Want<T> =
  T extends z.core.$brand<'Ref'>
    ? RemoteId
    : T extends z.core.$brand<'Output'>
      ? string
      : T extends z.core.$brand<'ConfigMap'>
        ? string
        : T extends z.core.$brand<'ConfigMapFile'>
          ? FileContent
          : T extends z.core.$brand<'Secret'>
            ? Sensitive
            : T extends z.core.$brand<'Selector'>
              ? readonly RemoteId[]
              : T extends readonly (infer U)[]
                ? readonly Want<U>[]
                : T extends object
                  ? { readonly [K in keyof T]: Want<T[K]> }
                  : T;
