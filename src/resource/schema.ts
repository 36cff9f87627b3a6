import { z } from 'zod';
import type { Sensitive } from './call.ts';

/** What a reference becomes once the engine has resolved it: the id that the service gave its target. */
export type RemoteId = number | string;

/** What the engine must know of a reference field; read by resolution, watches, deletion order and `generate`. */
export interface RefTarget {
  readonly kind: string;
  /** The target may admit other namespaces with `spec.allowedRefs.namespaces`. */
  readonly shared: boolean;
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

/** Marks ids of images and kernels, which users may write with the service's own prefix (design 1). */
export const prefixedIds = z.registry<{ readonly prefixed: true }>();

const objectName = z.string().min(1).max(253);
/** An id as the service writes it; a number or a string in YAML. */
export const remoteId = () => z.union([z.int().min(1), z.string().min(1).max(200)]).meta({ 'x-kubernetes-int-or-string': true });

/** A reference to another object in the same namespace. It waits for the target's id, not for its Ready. */
export const ref = (kind: string) =>
  z
    .object({
      name: objectName.optional().describe(`Name of a ${kind} in the same namespace.`),
      external: remoteId()
        .optional()
        .describe(`Id in the cloud account of one that has no ${kind} object, where the account's \`access\` allows it.`),
    })
    .meta({
      'x-kubernetes-validations': [{ rule: 'has(self.name) != has(self.external)', message: 'set exactly one of name and external' }],
    })
    .brand<'Ref'>()
    .register(refTargets, { kind, shared: false });

/** Like {@link ref}, to a kind whose objects may admit other namespaces (`spec.allowedRefs.namespaces`). */
export const sharedRef = (kind: string) =>
  z
    .object({
      name: objectName.optional().describe(`Name of a ${kind}.`),
      namespace: z
        .string()
        .min(1)
        .max(63)
        .optional()
        .describe(`Its namespace, when it is not this one; that ${kind} must admit this namespace in \`allowedRefs\`.`),
      external: remoteId()
        .optional()
        .describe(`Id in the cloud account of one that has no ${kind} object, where the account's \`access\` allows it.`),
    })
    .meta({
      'x-kubernetes-validations': [
        { rule: 'has(self.name) != has(self.external)', message: 'set exactly one of name and external' },
        { rule: '!has(self.namespace) || has(self.name)', message: 'namespace goes with name' },
      ],
    })
    .brand<'Ref'>()
    .register(refTargets, { kind, shared: true });

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
    .object({ name: objectName.describe('Name of the Secret.'), key: z.string().min(1).max(253).describe('Key in the Secret.') })
    .brand<'Secret'>()
    .register(secretKeys, { secret: true });

/** A value that another object publishes in its status, chosen by a selector: `{instanceRef: {name}, address: PublicIPv4}`. */
export const output = (kind: string, names: OutputTarget & { readonly describe: string }) =>
  z
    .object({
      [names.ref]: ref(kind).describe(`The ${kind} that publishes the value.`),
      [names.selector]: z.enum(Object.keys(names.fields) as [string, ...string[]]).describe(names.describe),
    })
    .brand<'Output'>()
    .register(outputTargets, names);

/** An enum that the cloud may extend without notice: an unknown member reads as `'unknown'` instead of failing the read. */
export const openEnum = <const V extends readonly [string, ...string[]]>(...values: V) =>
  z.enum([...values, 'unknown'] as const).catch('unknown' as never);

/** A desired value after resolution: references are remote ids, selectors lists of them, outputs strings, secrets {@link Sensitive}. */
export type Want<T> =
  T extends z.core.$brand<'Ref'>
    ? RemoteId
    : T extends z.core.$brand<'Output'>
      ? string
      : T extends z.core.$brand<'Secret'>
        ? Sensitive
        : T extends z.core.$brand<'Selector'>
          ? readonly RemoteId[]
          : T extends readonly (infer U)[]
            ? readonly Want<U>[]
            : T extends object
              ? { readonly [K in keyof T]: Want<T[K]> }
              : T;
